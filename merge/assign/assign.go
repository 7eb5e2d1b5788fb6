// Package assign chooses new keys: which keys of a key space must change, and into what.
package assign

import (
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// Request is one key space, as every shard holds it.
type Request struct {
	Key   merge.Col
	Rule  merge.Rule
	All   bool            // change every key, not only those that an earlier shard holds too
	Alive []*merge.KeySet // by shard: the keys that exist
	Dead  []*merge.KeySet // by shard: the values that references hold and no key has; nobody's values left out
	// Buried are, by shard, the values that earlier merges gave as tombstones: each is a dead thing of its own. A nil set is empty; so is a nil slice.
	Buried []*merge.KeySet
	// Others are, by shard, the keys of other tables whose rows are numbered by the same sequence: what an earlier shard's rows there have changes, too. It may be nil.
	Others []*merge.KeySet
	// Folds are, by shard, the rows that become one with another's: they get no number of their own. It may be nil.
	Folds [][]Fold
	// Avoid are further values that no key becomes: those that mean nobody in some reference, and those of the sequence. It may be nil.
	Avoid *merge.KeySet
	Low   int64 // lowest key that the columns can hold
	High  int64 // highest key that the columns can hold
	// Above is the highest key the engines ever numbered; new keys lie above it under shift.
	Above int64
	// Step divides what a shift adds to a key or a dead value, where games tell by what is left of one where its rows are, or what they are; 0 and 1 are any number.
	Step int64
	// Reissues tells that the next row may be numbered after the highest one, whatever was numbered before, so that a tombstone must lie below that.
	Reissues bool
	// Issued is the highest number that a shard's row ever had, also one that is left out of the output. Under Reissues a dead value up to it, above the output's
	// highest row, would become the next row's number and gets a tombstone.
	Issued  int64
	Servers []*int64 // by shard; needed by the gameid rule alone
	Span    *Span    // the IDs given out so far; needed by the gameid rule alone
}

// Fold is a row that becomes one with the row Key of an earlier shard, which folds into none.
type Fold struct {
	Old   int64
	Shard int
	Key   int64
}

// Unfolded is, by shard, the keys of the rows that fold into no other.
func Unfolded(alive []*merge.KeySet, folds [][]Fold) []*merge.KeySet {
	own := slices.Clone(alive)
	for i, list := range folds {
		gone := merge.NewKeySet()
		for _, f := range list {
			gone.Add(f.Old)
		}
		own[i] = alive[i].Without(gone)
	}
	return own
}

// Result is what becomes of a key space.
type Result struct {
	Maps       []*merge.KeyMap // by shard; never nil
	Moving     []*merge.KeySet // by shard: the keys that change
	Tombstones int64
	Highest    int64 // highest new key or tombstone; 0 when there is none
	Top        int64 // number of the output's highest row; 0 when there is none
}

// NoRoomError says that new keys do not fit the columns that have to hold them.
type NoRoomError struct {
	Key        merge.Col
	Need, High int64
	Rule       merge.Rule
}

func (e *NoRoomError) Error() string {
	if e.Need <= e.High || e.High >= math.MaxInt64-1 {
		return fmt.Sprintf("%s: no number up to %d is left for new keys under %q", e.Key, e.High, e.Rule)
	}
	return fmt.Sprintf("%s: new keys under %q need values up to %d, but what holds them ends at %d", e.Key, e.Rule, e.Need, e.High)
}

// ServerError says that the gameid rule lacks a shard's server number, or that the number has too many bits for the IDs.
type ServerError struct {
	Key    merge.Col
	Shard  int
	Number *int64 // nil when there is none
}

func (e *ServerError) Error() string {
	if e.Number != nil {
		return fmt.Sprintf("%s: server number %d of shard %d does not fit the IDs, which have room for 0 to %d", e.Key, *e.Number, e.Shard+1, 1<<merge.IDServerBits-1)
	}
	return fmt.Sprintf("%s: new IDs need the server number of shard %d", e.Key, e.Shard+1)
}

// Moving is, by shard, the keys that have to change: those that an earlier shard holds too, here or in other tables of the sequence, or all of them.
func Moving(alive, others []*merge.KeySet, all bool) []*merge.KeySet {
	moving := make([]*merge.KeySet, len(alive))
	earlier := merge.NewKeySet()
	for i, keys := range alive {
		if all {
			moving[i] = keys
			continue
		}
		moving[i] = keys.Both(earlier)
		earlier.Union(keys)
		if others != nil {
			earlier.Union(others[i])
		}
	}
	return moving
}

// captured is, by shard, the dead values that would attach to somebody else: alive in another shard, in another table of the sequence too, or dead in another one. What is
// another table's key in their own shard attaches to that, unless an earlier shard has it, so that it changes there.
func (r *Request) captured() []*merge.KeySet {
	live := merge.NewKeySet()
	live.Union(r.Alive...)
	captured, earlier := make([]*merge.KeySet, len(r.Dead)), merge.NewKeySet()
	for i, values := range r.Dead {
		captured[i] = values.Both(live)
		for j, others := range r.Dead {
			if j != i {
				captured[i].Union(values.Both(others))
			}
			if j != i && r.Others != nil {
				captured[i].Union(values.Both(r.Others[j]).Without(r.Others[i].Without(earlier)))
			}
		}
		if r.Others != nil {
			earlier.Union(r.Others[i])
		}
	}
	return captured
}

// Found is, by shard, the dead values that are alive in another shard, and the buried ones that are dead in another. Under a static key what else is dead in two
// shards is the same dead thing.
func Found(alive, dead, buried []*merge.KeySet) []*merge.KeySet {
	live := merge.NewKeySet()
	live.Union(alive...)
	found := make([]*merge.KeySet, len(dead))
	for i, values := range dead {
		found[i] = values.Both(live)
		if i >= len(buried) || buried[i] == nil {
			continue
		}
		for j, others := range dead {
			if j != i {
				found[i].Union(values.Both(buried[i]).Both(others))
			}
		}
	}
	return found
}

// Keys chooses the new keys of one key space. A static one gets tombstones alone. It returns a *NoRoomError when they do not fit, a *ServerError or *SpanError under the gameid rule.
func Keys(r Request) (*Result, error) {
	res := &Result{Moving: Moving(Unfolded(r.Alive, r.Folds), r.Others, r.All)}
	captured := r.captured()
	if r.Rule == merge.Static {
		for i := range res.Moving {
			res.Moving[i] = merge.NewKeySet()
		}
		captured = Found(r.Alive, r.Dead, r.Buried)
	}
	for {
		if err := res.place(r, captured); err != nil {
			return nil, err
		}
		res.Top = res.top(r)
		if !res.issuedAgain(r, captured) {
			return res, nil
		}
	}
}

// place gives the moving keys new ones and the captured values tombstones.
func (res *Result) place(r Request, captured []*merge.KeySet) error {
	taken := merge.NewKeySet()
	taken.Union(r.Alive...)
	taken.Union(r.Dead...)
	if r.Avoid != nil {
		taken.Union(r.Avoid)
	}
	runs := make([][]merge.Run, len(r.Alive))
	var err error
	switch still := !slices.ContainsFunc(res.Moving, func(m *merge.KeySet) bool { return m.Len() > 0 }); {
	case r.Reissues && still: // no new key would lie above the tombstones
		err = aside(r, captured, taken, runs)
	case r.Rule == merge.Shift:
		err = shift(r, res.Moving, captured, taken, runs)
	case r.Rule == merge.Dense, r.Rule == merge.Static:
		err = dense(r, res.Moving, captured, taken, runs)
	case r.Rule == merge.GameID:
		err = gameID(r, res.Moving, captured, taken, runs)
	default:
		err = fmt.Errorf("%s: no rule named %q", r.Key, r.Rule)
	}
	if err != nil {
		return err
	}
	res.Maps, res.Tombstones, res.Highest = nil, 0, 0
	for i := range runs {
		if i < len(r.Folds) {
			res.fold(r.Folds[i], &runs[i])
		}
		m, err := merge.NewKeyMap(runs[i])
		if err != nil {
			return fmt.Errorf("%s, shard %d: %w", r.Key, i+1, err)
		}
		res.Maps = append(res.Maps, m)
		for _, run := range runs[i] {
			res.Highest = max(res.Highest, run.At(run.Count-1))
			if run.Rule == merge.Tombstone {
				res.Tombstones += run.Count
			}
		}
	}
	return nil
}

// fold leads the rows that fold to what became of those that they fold into, in shards whose maps are made.
func (res *Result) fold(folds []Fold, runs *[]merge.Run) {
	for _, f := range folds {
		if image, _ := res.Maps[f.Shard].Lookup(f.Key); image != f.Old {
			*runs = extend(*runs, merge.Run{Old: f.Old, Count: 1, New: image, Rule: merge.Fold})
		}
	}
}
