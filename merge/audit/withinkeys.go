package audit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// By which numbers games multiply an owner's key to make keys of what is his, as an account's number times 8 and the place of a character.
var withinTimes = []int64{8, 10, 16, 32, 64, 100, 128, 256, 1000, 1024, 4096, 10_000, 65_536, 100_000, 1_000_000, 1 << 32}

// How many keys of a shard are looked at first, and how likely they may all be made of another table's by chance, as a logarithm.
const (
	withinSample = 1000
	withinChance = -20
)

// askWithin asks about keys that are made of another table's by a number, where new keys are not made so any more: the key may be the only link from a character to its account.
func (a *auditor) askWithin(ctx context.Context) error {
	for _, s := range a.order {
		some := make([][]int64, len(s.alive)) // read once: a walk through all keys
		for i, keys := range s.alive {
			some[i] = keys.Spread(withinSample)
		}
		for _, o := range a.order {
			if s.key.Table == o.key.Table || s.moves()+o.moves() == 0 || s.result == nil || o.result == nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			times, ok := madeWithin(s.alive, some, o.alive)
			if !ok {
				continue
			}
			if rows := s.partedFrom(o, times); rows > 0 {
				a.tellWithin(s, o, times, rows)
			}
			break
		}
	}
	return nil
}

// madeWithin is the number by which all of some keys, divided, are others, which leave out so many between that they would not all be by chance; not ok where there is none. A few of
// them are looked at first.
func madeWithin(keys []*merge.KeySet, some [][]int64, others []*merge.KeySet) (times int64, ok bool) {
	for _, times = range withinTimes {
		chance, all := 0.0, true // the chance is a logarithm
		for i := 0; i < len(keys) && all; i++ {
			var part float64
			part, all = unlikelyWithin(some[i], others[i], times)
			chance += part
		}
		all = all && chance <= withinChance
		for i := 0; i < len(keys) && all; i++ {
			all = allWithin(keys[i], others[i], times)
		}
		if all {
			return times, true
		}
	}
	return 0, false
}

// unlikelyWithin is the logarithm of the chance that some keys of a shard, divided by a number, would all be others, and whether they are.
func unlikelyWithin(keys []int64, others *merge.KeySet, times int64) (chance float64, made bool) {
	if len(keys) == 0 {
		return 0, true
	}
	low, high := keys[0]/times, keys[len(keys)-1]/times
	if keys[0] < 0 || !others.Has(low) || !others.Has(high) {
		return 0, false
	}
	share := math.Log(float64(others.Rank(high)-others.Rank(low)+1) / (float64(high-low) + 1))
	last := int64(-1)
	for _, k := range keys {
		if !others.Has(k / times) {
			return 0, false
		}
		if k/times != last {
			chance, last = chance+share, k/times
		}
	}
	return chance, true
}

// allWithin tells whether all keys of a set, divided by a number, are others.
func allWithin(keys, others *merge.KeySet, times int64) bool {
	for k := range keys.All() {
		if !others.Has(k / times) {
			return false
		}
	}
	return true
}

// partedFrom counts the keys that, divided by a number, are other keys' and do not become what these become.
func (s *space) partedFrom(o *space, times int64) (n int64) {
	for i, keys := range s.alive {
		for k := range keys.All() {
			own, _ := s.result.Maps[i].Lookup(k)
			owner, _ := o.result.Maps[i].Lookup(k / times)
			if own/times != owner {
				n++
			}
		}
	}
	return n
}

// tellWithin asks about keys that are made of others, and tells of it where the plan says what becomes of them, or another column leads to the others.
func (a *auditor) tellWithin(s, o *space, times, rows int64) {
	text := fmt.Sprintf("every %s, divided by %d, is one of %s, and none is a number that this leaves out: it seems to say by its number to which of these a row belongs. No rule keeps that, and %s not belong there any more",
		s.key, times, o.key, counted(rows, "row would", "rows would"))
	next := fmt.Sprintf("in a copy of one shard, add a number to each %[1]s and %[2]d times as much to each %[3]s, with all that refers to them, so that none stands in two shards", o.key, times, s.key)
	leads := a.knownOrAsked(func(r *merge.Reference) bool {
		return r.As == merge.Plain && len(r.From) == 1 && r.From[0].Table == s.key.Table && slices.Equal(r.To, []merge.Col{o.key})
	})
	if s.byPlan || leads || a.keyAsked(s.key) {
		a.find(merge.Finding{Rule: "within-key", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name, Rows: rows, Text: text, Next: next + "; or look whether it is a chance"})
		return
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s say by its number to which %s a row belongs (%s * %d and a place)? No rule keeps that: %s would not belong there any more. Then, %s. If it is a chance, or the game looks elsewhere, it gets new numbers as others do",
			s.key, o.key, o.key, times, counted(rows, "row", "rows"), next),
		Evidence: fmt.Sprintf("every one, divided by %d, is one of %s, and none is a number that this leaves out", times, o.key), Rows: rows, Key: &merge.KeyPlan{Key: s.key, New: s.plan.New},
	})
}
