package audit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// Dead values beyond every key, the same ones on every server, are the game's own: a few mean nobody, and many are numbers of something that no table lists.
const (
	gamesWordsMost = 3   // different values
	gamesShare     = 0.5 // of the dead rows, and of the different numbers of each server, at least
	gamesApart     = 2   // times the highest key, from which on numbers hardly are those of rows that are gone
)

// deadWhere are the dead numbers of a reference for which a condition holds, with their rows, in each shard where it refers to something; nil where one has none, or the numbers stay anyway.
func deadWhere(r *reference, is func(v int64) bool) (list []map[int64]int64) {
	if len(r.From) != 1 || r.spaces[0] == nil || r.spaces[0].plan.New == merge.Static || r.When != "" || r.Orphans != "" {
		return nil
	}
	for _, c := range r.counts {
		if c == nil || c.Rows == 0 {
			continue
		}
		found := map[int64]int64{}
		for _, v := range c.Dead {
			if n, ok := v.Value[0].(int64); ok && is(n) {
				found[n] += v.Rows
			}
		}
		if len(found) == 0 {
			return nil
		}
		list = append(list, found)
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// gamesWords are the few numbers outside the range of all keys that a reference holds in vain on every server, the same ones on each: words of the game.
func gamesWords(r *reference) (words map[string]any) {
	low, free := int64(0), int64(0)
	if s := r.spaces[0]; s != nil {
		low, free = min(s.lowest(), -1), s.free()
	}
	list := deadWhere(r, func(v int64) bool { return v < low || v >= free })
	if len(list) == 0 || len(list[0]) > gamesWordsMost || r.None != nil {
		return nil
	}
	words = map[string]any{}
	all, least := int64(0), int64(1) // far from every key no two servers have the same number by chance
	for v := range list[0] {
		if words[valueText(v)] = v; v >= 0 && v/gamesApart <= free {
			least = fillersLeast
		}
	}
	for _, found := range list {
		var n int64
		for v, count := range found {
			if n += count; words[valueText(v)] == nil {
				return nil
			}
		}
		all += n
		if len(found) != len(words) || n < least {
			return nil
		}
	}
	if all < fillersLeast*int64(len(words)) {
		return nil
	}
	return words
}

// lowest is the lowest key of a space in any shard.
func (s *space) lowest() (low int64) {
	known := false
	for _, k := range s.alive {
		if first, ok := k.Min(); ok && (!known || first < low) {
			low, known = first, true
		}
	}
	return low
}

// askGamesNumbers asks whether most of a reference's dead values are numbers of something that no table lists, as of the monsters that a client knows: the same ones on every server, and all
// beyond the keys. Each kind has a line of its own then. False when they are not such.
func (a *auditor) askGamesNumbers(r *reference, lost int64, evidence string) bool {
	high := r.spaces[0].free() - 1
	list := deadWhere(r, func(v int64) bool { return v/gamesApart > high })
	if list == nil || high <= 0 || a.mostlyOthers(r) != "" {
		return false
	}
	everywhere, low, top, rows := maps.Clone(list[0]), int64(0), int64(0), int64(0)
	for _, found := range list {
		maps.DeleteFunc(everywhere, func(v, _ int64) bool { return found[v] == 0 })
		for v, n := range found {
			if rows += n; low == 0 || v < low {
				low = v
			}
			top = max(top, v)
		}
	}
	if float64(rows) < gamesShare*float64(lost) || slices.ContainsFunc(list, func(found map[int64]int64) bool { return float64(len(everywhere)) < gamesShare*float64(len(found)) }) {
		return false
	}
	from, all := r.From[0], r.Reference
	all.Orphans = merge.ByTombstone
	keys := r.Reference
	keys.When = fmt.Sprintf("%s < %d", a.engine.Quote(from.Name), border(low, high))
	others := &merge.Reference{From: r.From, As: merge.Keep, When: otherwise([]string{keys.When})}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%d %% of %s point at nobody: is it a reference at all? %s hold numbers that no row of %s has, from %d to %d, beyond all its keys (which end at %d), and %d of these stand on every server: where they are the game's own, as those of monsters, it is one below them, and they stay, by two lines. If they are keys of the deleted: %s; if it refers to nothing: %s",
			max(1, lost*100/(r.alive()+r.dead())), from, counted(rows, "row", "rows"), r.To[0].Table, low, top, high, len(everywhere), planfile.ReferenceLine(&all), planfile.ReferenceLine(&merge.Reference{From: r.From, As: merge.Keep})),
		Evidence: evidence, Rows: lost, Reference: &keys,
	})
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("do the numbers of %s from %d on stay as they are, as the game's own do?", from, border(low, high)),
		Evidence: fmt.Sprintf("%d of them stand on every server, and no row of %s has one", len(everywhere), r.To[0].Table), Rows: rows, Reference: others,
	})
	return true
}

// border is a round number up to low and well above high.
func border(low, high int64) int64 {
	for power := int64(1e18); power > 1; power /= 10 {
		if b := low - low%power; b/gamesApart > high {
			return b
		}
	}
	return low
}
