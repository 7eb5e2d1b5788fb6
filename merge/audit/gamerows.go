package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A row of the game's own is told by what it is called: its time stamp is that of the installer, and fees fill its purse.

// gamesOwn are rows of the game's own in one table.
type gamesOwn struct {
	key     merge.Col
	keys    []int64
	called  []string // by what names
	differ  []string // columns that are not equal in all of them
	byName  bool     // in some of them nothing but the name is equal, or not all is
	unnamed bool     // no name tells of them, but that they are equal and how many rows refer to them
	holds   []string // the texts of the first of these
}

// alikeRows are rows of several shards under one key that are the same thing.
type alikeRows struct {
	key    int64
	named  bool     // they have a name of their own
	called string   // that name
	differ []string // columns that are not equal
	beside bool     // another column is equal, and not null
}

func (g *gamesOwn) add(r *alikeRows) {
	g.keys, g.byName = append(g.keys, r.key), g.byName || !r.beside || len(r.differ) > 0
	if r.named {
		g.called = append(g.called, r.called)
	}
	for _, c := range r.differ {
		if !slices.Contains(g.differ, c) {
			g.differ = append(g.differ, c)
		}
	}
}

// alike says how far the rows are the same.
func (g *gamesOwn) alike() string {
	switch {
	case len(g.differ) == 0:
		return "the same on every server"
	case len(g.called) == 0:
		return "a declared default that is there on every server, the same but for " + g.unequal()
	}
	return fmt.Sprintf("called the same on every server (%s), and the same but for %s", strings.Join(g.called[:min(len(g.called), listed)], ", "), g.unequal())
}

// unequal are the columns that differ.
func (g *gamesOwn) unequal() string {
	words := g.differ[:min(len(g.differ), listed)]
	if len(words) < len(g.differ) {
		words = append(slices.Clone(words), "others")
	}
	return strings.Join(words, ", ")
}

// with says what the later servers' rows take along.
func (g *gamesOwn) with() string {
	if len(g.differ) == 0 {
		return ""
	}
	return ", with their " + g.unequal()
}

// defaultsOf are the whole numbers that columns which refer to a key declare their defaults.
func (a *auditor) defaultsOf(key merge.Col) (list []int64) {
	for _, r := range a.plain() {
		if len(r.From) != 1 || r.To[0] != key {
			continue
		}
		if v, err := strconv.ParseInt(a.defaultOf(r.From[0]), 10, 64); err == nil && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return list
}

// defaultOf is what a column declares its default, as a text.
func (a *auditor) defaultOf(c merge.Col) string { return strings.Trim(a.schema.Column(c).Default, "'") }

// mayName are the columns of texts that may hold what a table's rows are called: a platform's name for somebody is his on every server.
func (a *auditor) mayName(t *table) (list []merge.Col) {
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if !c.Generated && a.schema.Holds(col) == merge.Text && !platform(c.Name) && (bearer(c.Name) || a.uniqueAlone(col)) {
			list = append(list, col)
		}
	}
	return list
}

// alikeIn compares a shard's row under a key with the first shard's; nil where they are not the same thing. Those are that are equal in every column, or called the same by a name that tells
// rows apart, or that nothing names and a column declares its default.
func (a *auditor) alikeIn(ctx context.Context, key merge.Col, v int64, shard int) (*alikeRows, error) {
	like, t := &alikeRows{key: v}, a.tables[key.Table]
	names := a.mayName(t)
	for _, col := range names {
		first, later, has, err := a.valuesUnder(ctx, key, v, col, shard)
		if err != nil || !has || first != later {
			return nil, err
		}
		if text, _ := first.(string); text != "" && !like.named {
			if like.named, err = a.namesOwnRows(ctx, col); err != nil {
				return nil, err
			}
			like.called = text
		}
	}
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if c.Generated || slices.Contains(names, col) {
			continue
		}
		first, later, has, err := a.valuesUnder(ctx, key, v, col, shard)
		if err != nil || !has {
			return nil, err
		}
		if first != later {
			if v > 0 && ofSomebody(c.Name) && first != nil && later != nil && first != "" && later != "" {
				return nil, nil // two who are called alike: nobody logs in as the game itself
			}
			like.differ = append(like.differ, c.Name)
		} else if first != nil && col != key {
			like.beside = true
		}
	}
	if len(like.differ) > 0 && !like.named && !slices.Contains(a.defaultsOf(key), v) {
		return nil, nil
	}
	return like, nil
}

// ofSomebody tells whether a column is named like what a person alone has, as his password or his mail address.
func ofSomebody(column string) bool {
	return secret(column) || slices.Contains([]string{"email", "mail", "phone"}, lastWord(column))
}

// valuesUnder are what the first shard's and another one's rows under a key hold in a column, comparable and by their storage classes; it has none where either lacks the row or more
// than one has the key.
func (a *auditor) valuesUnder(ctx context.Context, key merge.Col, v int64, col merge.Col, shard int) (first, later any, has bool, err error) {
	var values [2]any
	for at, i := range []int{0, shard} {
		k, ok := a.shards[i].Schema().Resolve(key)
		own, there := a.shards[i].Schema().Resolve(col)
		if !ok {
			return nil, nil, false, nil
		}
		if !there { // unlike whatever stands in the other
			values[at] = struct{}{}
			continue
		}
		list, err := a.shards[i].Values(ctx, own, fmt.Sprintf("%s = %d", a.engine.Quote(k.Name), v), 2)
		if err != nil || len(list) != 1 {
			return nil, nil, false, err
		}
		values[at] = list[0].Value[0]
		if blob, ok := values[at].([]byte); ok {
			values[at] = [1]string{string(blob)}
		}
	}
	return values[0], values[1], true, nil
}

// namesOwnRows tells whether a column of texts holds what its rows are called, each another: a key says so, or hardly any share one.
func (a *auditor) namesOwnRows(ctx context.Context, col merge.Col) (names bool, err error) {
	if names, known := a.ownNaming[col]; known || a.uniqueAlone(col) {
		return names || !known, nil
	}
	t := a.tables[col.Table]
	if _, names, err = a.tellsApart(ctx, t, col); err == nil && !names {
		names, err = a.mostlyDiffers(ctx, t, col)
	}
	if err == nil {
		a.ownNaming[col] = names
	}
	return names, err
}

// alikeEverywhere compares every shard's row under a key with the first one's; nil where they are not the same thing in all, or the key is no whole number: no plan may say of these that they
// mean nobody.
func (a *auditor) alikeEverywhere(ctx context.Context, key merge.Col, v any) (all *alikeRows, err error) {
	n, ok := v.(int64)
	for i := range a.shards {
		if !ok {
			return nil, nil
		}
		like, err := a.alikeIn(ctx, key, n, i)
		if err != nil || like == nil {
			return nil, err
		}
		if all == nil {
			all = like
		}
		for _, c := range like.differ {
			if !slices.Contains(all.differ, c) {
				all.differ = append(all.differ, c)
			}
		}
	}
	return all, nil
}
