package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// computedLeast is how many different numbers of a column must be those of a computed one, all of them, where neither its name nor what other servers have says anything.
const computedLeast = 20

// askComputed asks about columns that hold what the engine computes of a row whose key changes, such as P00007 of player 7: the code is computed anew, and what holds the old
// one stays behind.
func (a *auditor) askComputed(ctx context.Context) error {
	keys, err := a.computedKeys(ctx)
	if err != nil {
		return err
	}
	for _, key := range keys {
		for _, t := range a.schema.Tables {
			line := a.tables[t.Name]
			if t.Opaque != "" || line.plan.Rows == merge.EmptyRows {
				continue
			}
			for _, c := range t.Columns {
				col := merge.Col{Table: t.Name, Name: c.Name}
				if said, _ := a.decidedKey(col); said || c.Generated || a.decided(col) || col.Table == key.Table && merge.MayName(a.schema.Column(key).Formula, col.Name) {
					continue
				}
				if err := a.askHeldComputed(ctx, line, col, key); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// askHeldComputed asks whether a column holds a computed key, where no open question is about another one of which it holds some values.
func (a *auditor) askHeldComputed(ctx context.Context, t *table, col, key merge.Col) error {
	u, err := a.sampled(ctx, t, col)
	if err != nil {
		return err
	}
	n, evidence, err := a.amongComputed(ctx, u, key)
	named, number := strings.HasSuffix(merge.FoldASCII(col.Name), merge.FoldASCII(key.Name)), a.schema.Holds(col) != merge.Text
	if err != nil || !n.holdComputed(named, number) || a.spaces[col] != nil && !named {
		return err
	}
	entry := merge.Undecided{
		Question: fmt.Sprintf("does %s hold %s, which is computed from values that change? What refers to it cannot follow: the line below stops the merge until %s refers to the key itself, in copies of the shards, "+
			"or those values stay (new: static, on_conflict: fail). If it is no reference, keep it: %s", col, key, col, keepLine(col)),
		Evidence: strings.Join(evidence, "; "), Rows: t.total(), Reference: &merge.Reference{From: []merge.Col{col}, To: []merge.Col{key}},
	}
	open := a.askedAs(col)
	if open < 0 {
		a.ask(entry)
		return nil
	}
	asked := a.res.Undecided[open].Reference
	to, like := a.likeNamed[col]
	if asked.As == merge.Plain && len(asked.From) == 1 {
		to, like = asked.To[0], true
	}
	if !like {
		return nil
	}
	if other, _, err := a.amongComputed(ctx, u, to); err != nil || other.hits > 0 {
		return err
	}
	a.res.Undecided[open] = entry
	return nil
}

// computedKeys are the computed columns that alone tell rows apart, by the schema or in every shard, and of which some values change.
func (a *auditor) computedKeys(ctx context.Context) (list []merge.Col, err error) {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.total() == 0 || line.plan.Rows == merge.EmptyRows || line.dropped {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if !c.Generated || !a.changes(col) {
				continue
			}
			alone := a.uniqueAlone(col)
			if !alone {
				if alone, err = a.uniqueEverywhere(ctx, line, col, ""); err != nil {
					return nil, err
				}
			}
			if alone {
				list = append(list, col)
			}
		}
	}
	return list, nil
}

// amongComputed looks a column's sampled values, numbers and texts, up among those of a key.
func (a *auditor) amongComputed(ctx context.Context, u *unexplained, key merge.Col) (n among, evidence []string, err error) {
	for i, sample := range u.samples {
		var values []any
		for _, v := range sample.Values {
			values = append(values, v)
		}
		for _, text := range sample.Texts {
			values = append(values, text)
		}
		if len(values) == 0 {
			continue
		}
		has := make([]map[string]bool, len(a.shards))
		for j := range a.shards {
			if has[j], err = a.computedAs(ctx, j, key, values); err != nil {
				return n, nil, err
			}
		}
		hits := 0
		for _, v := range values {
			text := valueText(v)
			elsewhere := slices.ContainsFunc(slices.Delete(slices.Clone(has), i, i+1), func(other map[string]bool) bool { return other[text] })
			switch own := has[i][text]; {
			case own && !elsewhere:
				n.own++
				hits++
			case own:
				hits++
			case elsewhere:
				n.other++
			}
		}
		n.texts, n.hits = n.texts+len(values), n.hits+hits
		evidence = append(evidence, fmt.Sprintf("%d of %s in %s", hits, counted(len(values), "sampled value is one", "sampled values are one"), a.where(i, key)))
	}
	return n, evidence, nil
}

// computedAs are those of some values that a shard's rows have as a key.
func (a *auditor) computedAs(ctx context.Context, shard int, key merge.Col, values []any) (map[string]bool, error) {
	found := map[string]bool{}
	s := a.shards[shard]
	own, ok := s.Schema().Resolve(key)
	if !ok || a.tables[key.Table].rows[shard] == 0 {
		return found, nil
	}
	for some := range slices.Chunk(values, checkBatch) {
		words := make([]string, len(some))
		for i, v := range some {
			words[i] = a.engine.Literal(v)
		}
		list, err := s.Values(ctx, own, a.engine.Quote(own.Name)+" IN ("+strings.Join(words, ", ")+")", 0)
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			found[valueText(v.Value[0])] = true
		}
	}
	return found, nil
}

// holdComputed tells whether a column's values are those of a computed one. Texts seldom are by chance, numbers often: nearly all must be, and hardly any
// what another server alone has.
func (n *among) holdComputed(named, number bool) bool {
	if number && !named {
		return n.share() >= copyShare && n.own >= fewCopies && n.own >= fallsShort*n.other || n.share() == 1 && n.hits >= computedLeast && n.other == 0
	}
	return n.repeat(named, false) || n.hits >= fewCopies && n.share() >= copyShare
}
