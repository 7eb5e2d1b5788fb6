package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// A gap between two bands of keys is this wide at least, and so many times as wide as there are keys; there are few.
const (
	bandGap   = 1000
	bandTimes = 8
	bandsMost = 4
)

// bands are the lowest and the highest key of every band in which a space's keys lie in each shard that has any: players from 1 up, robots from a million up or under 0.
func bands(alive []*merge.KeySet) [][2]int64 {
	all := merge.NewKeySet()
	all.Union(alive...)
	var list [][2]int64
	for first, count := range all.Runs() {
		last := len(list) - 1
		if last < 0 || apart(list[last][1], first, all.Len()) && everywhere(alive, list[last][1], first) {
			list = append(list, [2]int64{first, 0})
			last++
		}
		list[last][1] = first + (count - 1)
	}
	return list
}

// apart tells whether what lies between two keys parts bands: a wide gap, or 0.
func apart(low, high, keys int64) bool {
	gap := uint64(high) - uint64(low)
	return low < 0 && high >= 0 || gap >= bandGap && gap/bandTimes >= uint64(keys)
}

// everywhere tells whether each shard that has keys has some up to low and some from high on.
func everywhere(alive []*merge.KeySet, low, high int64) bool {
	return !slices.ContainsFunc(alive, func(keys *merge.KeySet) bool {
		least, some := keys.Min()
		most, _ := keys.Max()
		return some && (least > low || most < high)
	})
}

// bandLine says that a game which knows rows by the band of their numbers will take those that move for others.
func (a *auditor) bandLine(s *space, moves int64) {
	list := bands(s.alive)
	if len(list) == 1 && list[0][1] < 0 {
		a.underZero(s, moves, list[0])
	}
	if len(list) < 2 || len(list) > bandsMost {
		return // one, or numbers strewn anywhere
	}
	text := make([]string, len(list))
	for i, b := range list {
		text[i] = fmt.Sprintf("%d to %d", b[0], b[1])
	}
	a.find(merge.Finding{
		Rule: "bands", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name, Rows: moves,
		Text: "keys lie in bands, " + strings.Join(text, ", ") + "; the new keys" + s.newRange() + ", of whichever band a row is: where the game tells by the number what a row is, those that move become others",
		Next: "look whether it does; new: dense with a range says where the new ones lie, of all bands alike: to keep each row in its band, give those that move other numbers, with all that refers to them, in copies of the later shards",
	})
}

// newRange says from where to where a space's new keys lie.
func (s *space) newRange() string {
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	if s.result != nil {
		for _, m := range s.result.Maps {
			for _, r := range m.Runs() {
				if r.Rule != merge.Tombstone {
					low, high = min(low, r.At(0)), max(high, r.At(r.Count-1))
				}
			}
		}
	}
	if low > high {
		return " all lie in one range"
	}
	return fmt.Sprintf(" lie from %d to %d", low, high)
}

// underZero says that new keys are above 0 where every server has keys under 0 alone, as a game does that counts down, or that knows its own things by the sign.
func (a *auditor) underZero(s *space, moves int64, band [2]int64) {
	if s.result == nil {
		return
	}
	for _, m := range s.result.Maps {
		for _, r := range m.Runs() {
			if r.Rule == merge.Tombstone || r.New < 0 {
				continue
			}
			line := s.plan
			line.New, line.Range = merge.Dense, &[2]int64{band[0] - moves, -1}
			a.find(merge.Finding{
				Rule: "bands", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name, Rows: moves,
				Text: fmt.Sprintf("all keys are negative, %d to %d, and the new ones are not: where the game counts down, or tells by the sign what a row is, those that move become others", band[0], band[1]),
				Next: "look whether it does; new keys under 0, where it has its next number set below them by hand if it counts down: " + planfile.KeyLine(&line),
			})
			return
		}
	}
}
