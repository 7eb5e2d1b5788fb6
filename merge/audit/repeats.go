package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// repeatsAll tells whether a column repeats another one: nearly all of its texts stand there, where more rows are or no two rows share one as some of its own do, and
// hardly any two rows share one; or the schema tells that table's rows apart by it alone. Of two that repeat each other, it is the one of which rows share some. A log repeats the names of those to whom others refer by number.
func (a *auditor) repeatsAll(ctx context.Context, own *bearing, other *unexplained, apart bool) (bool, error) {
	if own.unique && a.numbersRows(own.table) && !a.numbersRows(other.table) || a.leadsTo(other.col, own.col) {
		return false, nil
	}
	if x, y := other.table.total(), own.table.total(); !apart && !slices.Equal(other.table.KeyCols(), []merge.Col{other.col}) && (x < y || x == y && !before(a.schema, other.table.Table, own.table.Table)) {
		return false, nil
	}
	here, err := a.lieAmong(ctx, own.samples, other.col, a.laxer(own.col, other.col))
	if err != nil || float64(here.hits) < copyShare*float64(here.texts) || here.other > here.own {
		return false, err
	}
	if unique, err := a.uniqueEverywhere(ctx, other.table, other.col, ""); err != nil || unique {
		return unique, err
	}
	if own.unique {
		there, err := a.lieAmong(ctx, other.samples, own.col, a.laxer(other.col, own.col))
		if err != nil || float64(there.hits) >= copyShare*float64(there.texts) {
			return false, err
		}
	}
	if most, err := a.mostlyDiffers(ctx, other.table, other.col); err != nil || most {
		return most, err
	}
	return a.homeOf(ctx, other, own.col)
}

// repeatsRather tells whether names repeat those of which another column has a row each, more than those repeat them: as a history of names does, which has lost some
// and holds a part of the others, or a column beside the names, of each one's master. Whose rows others refer to by number are known by a name of their own table.
func (a *auditor) repeatsRather(ctx context.Context, n *bearing, list []*bearing) (bool, error) {
	numbered := n.unique && a.numbersRows(n.table)
	for _, other := range list {
		if other == n || numbered && other.table != n.table || !other.unique || !other.bears || other.copied {
			continue
		}
		here, err := a.lieAmong(ctx, n.samples, other.col, a.laxer(n.col, other.col))
		if err != nil {
			return false, err
		}
		if !here.repeat(a.called(n.col), bearer(other.col.Name)) {
			continue
		}
		there, err := a.lieAmong(ctx, other.samples, n.col, a.laxer(other.col, n.col))
		if err != nil {
			return false, err
		}
		if here.share() > there.share() {
			return true, nil
		}
	}
	return false, nil
}

// homeOf tells whether a column holds what its own rows are called, and another one, of which it has texts, rather repeats it: others refer to these rows by number, and not to
// the other's, nearly all of whose texts are names of one row each. Creatures may share a name, and so may the deleted.
func (a *auditor) homeOf(ctx context.Context, u *unexplained, other merge.Col) (bool, error) {
	if more, err := a.holdsMore(ctx, u.col, other); err != nil || more {
		return false, err
	}
	if more, err := a.namesMore(ctx, u, other); err != nil || more {
		return more, err
	}
	if !a.calledAlone(u.col) || !a.numbersRows(u.table) || a.numbersRows(a.tables[other.Table]) {
		return false, nil
	}
	o, err := a.sampled(ctx, a.tables[other.Table], other)
	if err != nil {
		return false, err
	}
	there, err := a.lieAmong(ctx, o.samples, u.col, a.laxer(other, u.col))
	if err != nil || there.share() < copyShare {
		return false, err
	}
	here, err := a.lieAmong(ctx, u.samples, other, a.laxer(u.col, other))
	if err != nil || there.share() < here.share() {
		return false, err
	}
	return a.eachOnce(ctx, o, u.col)
}

// namesMore tells whether a column of rows with a number of their own, which it tells apart, has all names of another one, and more: the other one is of some of those people, as the
// residents among the players are. Where the schema does not say that it tells them apart, its own name does, and the
// other's rows are known by their names alone.
func (a *auditor) namesMore(ctx context.Context, u *unexplained, other merge.Col) (bool, error) {
	of, declared := a.tables[other.Table], a.uniqueAlone(u.col)
	if of == u.table || a.numberOf(u.table) == nil || !declared && (!bearer(u.col.Name) || !slices.Equal(of.KeyCols(), []merge.Col{other})) {
		return false, nil
	}
	o, err := a.sampled(ctx, of, other)
	if err != nil {
		return false, err
	}
	there, err := a.lieAmong(ctx, o.samples, u.col, a.laxer(other, u.col))
	if err != nil || there.texts < fewNames || there.share() < 1 {
		return false, err
	}
	for i, one := range u.samples { // on every server: of one whose other rows are gone nothing can be said
		alone := make([]*merge.Sample, len(u.samples))
		alone[i] = one
		here, err := a.lieAmong(ctx, alone, other, a.laxer(u.col, other))
		if err != nil || here.texts > 0 && (here.share() == 1 || here.share() < keyCopyShare) {
			return false, err
		}
	}
	if declared {
		return true, nil
	}
	return a.uniqueEverywhere(ctx, u.table, u.col, "")
}

// eachOnce tells whether nearly every sampled text that a target has is that of one of its shard's rows alone.
func (a *auditor) eachOnce(ctx context.Context, u *unexplained, target merge.Col) (bool, error) {
	texts, once := 0, 0
	for i, one := range u.samples {
		own, ok := a.shards[i].Schema().Resolve(target)
		if one == nil || !ok {
			continue
		}
		for some := range slices.Chunk(one.Texts, checkBatch) {
			words := make([]string, len(some))
			for n, text := range some {
				words[n] = a.engine.Literal(text)
			}
			list, err := a.shards[i].Values(ctx, own, a.engine.Quote(own.Name)+" IN ("+strings.Join(words, ", ")+")", 0)
			if err != nil {
				return false, err
			}
			for _, v := range list {
				if texts++; v.Rows == 1 {
					once++
				}
			}
		}
	}
	return texts > 0 && float64(once) >= onceShare*float64(texts), nil
}

// onceShare is the share of names of one row each from which those of two or more are of the deleted.
const onceShare = 0.6

// numbersRows tells whether others refer to a table's rows by number, or may.
func (a *auditor) numbersRows(t *table) bool {
	return slices.ContainsFunc(t.KeyCols(), func(c merge.Col) bool {
		s := a.spaces[c]
		return s != nil && (len(s.users) > 0 || a.askedOf(func(r *merge.Reference) bool { return r.As == merge.Plain && slices.Equal(r.To, []merge.Col{c}) }))
	})
}

// share is how many of the texts lie among those of the target.
func (n *among) share() float64 { return float64(n.hits) / float64(max(n.texts, 1)) }

// repeat tells whether a column's texts repeat those of another, of which its own name tells, or that one's: most of them. Where none does, nearly all, and those of its own
// server. The rest may name rows that were deleted, however many they are, where the texts are the own server's and hardly ever another's: that is no chance.
func (n *among) repeat(called, bearer bool) bool {
	share := n.share()
	switch {
	case n.own >= fewCopies && n.own >= fallsShort*n.other:
		return share >= partlyLeast || (called || bearer) && share >= mostlyOwn
	case called && bearer:
		return n.hits > 0 && share >= namedCopyShare
	case called || bearer:
		return n.hits >= namesLeast && share >= copyShare && n.own >= n.other ||
			n.hits >= muteLeast && share >= partlyLeast && (n.own+n.other < fewCopies || float64(n.other) < alikeShare*float64(n.own))
	}
	return n.hits >= namesLeast && share == 1 && n.own > 0 && n.own >= fallsShort*n.other
}
