package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Rows fold when their keys become one. Where a key refers to rows that get new numbers, fold by their values or change their names, that says nothing of what they were.

// turns tells whether equal values of a key's column may become different ones, or different ones equal.
func (a *auditor) turns(c merge.Col) bool {
	if s := a.spaces[c]; s != nil && s.plan.New != merge.Static || a.mayMove(c) {
		return true
	}
	if slices.ContainsFunc(a.plain(), func(r *reference) bool { return slices.Contains(r.From, c) && r.remaps() }) {
		return true
	}
	return slices.ContainsFunc(a.sources(c), a.renamed) || slices.ContainsFunc(a.refs, func(r *reference) bool { return r.From[0] == c && a.tombs(r) })
}

// foldPairs are the keys of the rows of a shard that fold into rows of another one, which stay and stand first; nil where those of equal keys do.
func (a *auditor) foldPairs(ctx context.Context, t *table, stays, folds int) ([]merge.KeyPair, error) {
	u := t.primary()
	if u == nil || !slices.ContainsFunc(u.Cols(), a.turns) && !a.leavesOut(t.Name) {
		return nil, nil
	}
	list := []merge.KeyPair{}
	if a.apart(u) {
		return list, nil
	}
	here, err := a.keysByImage(ctx, t, u, stays)
	if err != nil {
		return nil, err
	}
	there, err := a.keysByImage(ctx, t, u, folds)
	if err != nil {
		return nil, err
	}
	for image, key := range here {
		if other, ok := there[image]; ok {
			list = append(list, merge.KeyPair{key, other})
		}
	}
	slices.SortFunc(list, func(x, y merge.KeyPair) int { return strings.Compare(keyText(x[0]), keyText(y[0])) })
	return list, nil
}

// keysByImage are the keys of a shard's rows by what they become. Rows without a part of it never fold, nor do those that are left out.
func (a *auditor) keysByImage(ctx context.Context, t *table, u *merge.Unique, shard int) (map[string][]any, error) {
	columns, s := u.Cols(), a.shards[shard]
	for i, c := range columns {
		own, ok := s.Schema().Resolve(c)
		if !ok {
			return nil, nil
		}
		columns[i] = own
	}
	rows, err := s.Tuples(ctx, columns, a.staying(t.Name, shard, a.among(u)), a.opt.ClashLimit+1)
	if err != nil {
		return nil, err
	}
	if len(rows) > a.opt.ClashLimit {
		a.problem("tables: %s: rows: %s folds rows whose keys change, and at most %d of a shard are told apart; make one row of each two in copies of the shards", t.Name, t.policy(), a.opt.ClashLimit)
	}
	when, err := a.conditional(ctx, u, columns, shard)
	if err != nil {
		return nil, err
	}
	keys := make(map[string][]any, len(rows))
	for _, row := range rows {
		if !slices.Contains(row.Value, nil) {
			keys[a.imageOf(t, u, merge.ClashRow{Shard: shard, Values: row.Value, Key: row.Value}, when)] = row.Value
		}
	}
	return keys, nil
}

// conditional are the keys of a shard's rows in which a column of a unique key refers to something under a condition, by reference.
func (a *auditor) conditional(ctx context.Context, u *merge.Unique, columns []merge.Col, shard int) (map[*reference]map[string]bool, error) {
	var when map[*reference]map[string]bool
	for _, r := range a.plain() {
		if r.When == "" || len(r.From) > 1 || !slices.Contains(u.Cols(), r.From[0]) {
			continue
		}
		rows, err := a.shards[shard].Tuples(ctx, columns, r.When, a.opt.ClashLimit+1)
		if err != nil {
			return nil, err
		}
		if when == nil {
			when = map[*reference]map[string]bool{}
		}
		when[r] = map[string]bool{}
		for _, row := range rows {
			when[r][keyText(row.Value)] = true
		}
	}
	return when, nil
}

// imageOf is what a row's values of a table's key become where its rows fold, in a form in which equal ones have equal bytes. when are the keys of the rows in which conditions hold; without it
// nothing is known of what these lead to.
func (a *auditor) imageOf(t *table, u *merge.Unique, row merge.ClashRow, when map[*reference]map[string]bool) string {
	words, plain := make([]string, len(row.Values)), comparedBy(u, row.Values)
	for i, v := range plain {
		if f, ok := v.(float64); ok && f == float64(int64(f)) { // equal to the whole number
			plain[i] = int64(f)
		}
		words[i] = tupleText(plain[i : i+1])
		if a.spaces[merge.Col{Table: t.Name, Name: u.Columns[i]}] != nil && t.plan.Rows == merge.MergeRows { // what if its rows folded? Then they would keep their numbers
			continue
		}
		if image := a.imageAt(u, i, row); image != "" {
			words[i] = "\x00" + image
		}
		for r, keys := range when {
			n, ok := row.Values[i].(int64)
			if ok && r.From[0].Name == u.Columns[i] && keys[keyText(row.Key)] && r.spaces[0] != nil && r.spaces[0].result != nil && !slices.Contains(r.None, any(n)) {
				image, _ := r.spaces[0].result.Maps[row.Shard].Lookup(n)
				words[i] = "\x00" + tupleText([]any{image})
			}
		}
	}
	return strings.Join(words, ",")
}

// numbersOf are the numbers in a part of the keys of rows that fold; nil where they are not known, or it is no part.
func numbersOf(pairs []merge.KeyPair, part int) *merge.KeySet {
	if pairs == nil || part < 0 {
		return nil
	}
	set := merge.NewKeySet()
	for _, p := range pairs {
		if n, ok := p[1][part].(int64); ok {
			set.Add(n)
		}
	}
	return set
}
