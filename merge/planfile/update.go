package planfile

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// Merge refreshes a plan: every decision of old stays as it is, and entries of fresh are added for what old says nothing about. Shards and
// schema are fresh's, where it has them. A pattern of old covers what it matches, and names that differ only in ASCII case count as the same, so
// that nothing fresh can override what a person wrote. Neither plan is changed; the result shares their contents.
func Merge(old, fresh *merge.Plan) *merge.Plan {
	p := *old
	if len(fresh.Shards) > 0 {
		p.Shards = fresh.Shards
	}
	if fresh.Schema != "" {
		p.Schema = fresh.Schema
	}
	if p.Accept == nil {
		p.Accept = fresh.Accept
	}
	p.Keys = add(old.Keys, fresh.Keys, func(a, b *merge.KeyPlan) bool { return same(keyOf(a), keyOf(b)) })
	p.References = add(old.References, fresh.References, covers)
	p.Tables = add(old.Tables, fresh.Tables, func(a, b *merge.TablePlan) bool { return a.Covers(&folded, b.Table) })
	p.Uniques = add(old.Uniques, fresh.Uniques, func(a, b *merge.UniquePlan) bool { return same(uniqueOf(a), uniqueOf(b)) })
	p.Counters = add(old.Counters, fresh.Counters, func(a, b *merge.Counter) bool { return same(a.Column.String(), b.Column.String()) })
	return &p
}

// folded compares names as an engine does that ignores the case of ASCII letters.
var folded = merge.Schema{Fold: true}

// add appends what no old entry decides.
func add[E any](old, fresh []E, decides func(a, b *E) bool) []E {
	list := slices.Clip(old)
	for i := range fresh {
		if !slices.ContainsFunc(old, func(o E) bool { return decides(&o, &fresh[i]) }) {
			list = append(list, fresh[i])
		}
	}
	return list
}

// covers tells whether an old reference leaves nothing to say about a fresh one: it keeps all its columns, or is from the same ones. Only
// another place inside the same embedded value is something new.
func covers(old, fresh *merge.Reference) bool {
	if old.As == merge.Keep {
		return !slices.ContainsFunc(fresh.From, func(c merge.Col) bool { return !old.Covers(&folded, c) })
	}
	if !same(sorted(old.From), sorted(fresh.From)) {
		return false
	}
	places := old.As == fresh.As && (old.As == merge.JSON || old.As == merge.InText || old.As == merge.Bits)
	return !places || same(referenceOf(old), referenceOf(fresh))
}

func same(a, b string) bool { return merge.FoldASCII(a) == merge.FoldASCII(b) }
