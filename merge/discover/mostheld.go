package discover

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// mostHeld is the key, of other tables or of the column's own, of which most of its rows hold numbers, at least half; nil when there is none.
func (s *search) mostHeld(c *column, own bool) *pick {
	some := func(k *key) bool { return k.Root && (k.table == c.table) == own && !s.alike[k.table.Name] }
	list, fits := s.fitting(c, some, func(f *fit) bool { return f.inclusion > leftShare && f.verdict >= mute })
	if len(list) == 0 {
		list, fits = s.fitting(c, func(k *key) bool { return some(k) && s.hint(c, k).level > 0 }, func(f *fit) bool { return f.inclusion > leftShare })
	}
	if len(list) == 0 {
		return nil
	}
	best := slices.MaxFunc(list, func(a, b *key) int { return cmp.Compare(fits[a].inclusion, fits[b].inclusion) })
	return &pick{column: c, key: best, hint: s.hint(c, best), shards: c.shards, fit: fits[best], grade: merge.Doubtful}
}

// likelier is the one, of picks of which most values are keys, that no chance explains; of two the one of which more are. It is nil when chance may explain all.
func likelier(list ...*pick) (best *pick) {
	for _, p := range list {
		if (p.noChance() || p.mostly()) && (best == nil || p.fit.inclusion > best.fit.inclusion) {
			best = p
		}
	}
	return best
}

// endedAlone is how likely amounts may end where a key does, where nothing else speaks for that.
const endedAlone = 0.01

// mostly tells whether most values are a key's, and end where its numbers do. Where the name says so, half of them are enough, as of those who made things and were deleted since; these
// are in the holes as often as anywhere, so that the end alone tells.
func (p *pick) mostly() bool {
	if p == nil || p.fit.inclusion < endedShare && (p.hint.level == 0 || p.fit.inclusion < leftShare) {
		return false
	}
	chance, ok := p.tops()
	return ok && (chance <= endedAlone || p.fit.verdict != against && (chance <= endedStrays || chance <= endedChance && p.ownOnEach()))
}

// ownOnEach tells whether two servers share no more of a column's values than they would of a key's numbers: of a catalogue's they use the same ones.
func (p *pick) ownOnEach() bool {
	for i := range p.shards {
		for j := range p.shards[:i] {
			v, o := &p.shards[i], &p.shards[j]
			span := float64(max(p.key.high[i]-p.key.low[i], p.key.high[j]-p.key.low[j]) + 1)
			if float64(v.shared(o)) > sharedTimes*float64(len(v.list))*float64(len(o.list))/span+1 {
				return false
			}
		}
	}
	return true
}

// sharedTimes is how many times as many values as by chance two servers may share.
const sharedTimes = 2

// farUp is the key whose numbers, on every server, a column's lie among, though most of them are dead, where these begin so far up that nothing else would; of several the one
// that most rows hold. It is nil when there is none.
func (s *search) farUp(c *column) (best *pick) {
	for _, k := range s.keys {
		if !k.Root || k.table == c.table || s.alike[k.table.Name] || !k.isHigh() || !k.encloses(c.shards) {
			continue
		}
		if f := measure(c.shards, k); f.inclusion > 0 && (best == nil || f.inclusion > best.fit.inclusion) {
			best = &pick{column: c, key: k, hint: s.hint(c, k), shards: c.shards, fit: f, grade: merge.Doubtful}
		}
	}
	return best
}

// encloses tells whether all values lie between the lowest and the highest key of their shard.
func (k *key) encloses(shards []values) bool {
	for i, v := range shards {
		if n := len(v.list); n > 0 && (v.list[0] < k.low[i] || v.list[n-1] > k.high[i]) {
			return false
		}
	}
	return true
}

// noChance tells whether no chance made most values of a column a key's, so that the others are those of lost rows.
func (p *pick) noChance() bool {
	return p != nil && (p.fit.verdict >= pro || p.key.farOff(p.shards))
}

// words says of which key most of a column's rows hold numbers; "" when there is none.
func (p *pick) words() string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("; %s of the rows hold %s", percent(p.fit.inclusion), p.key.Col)
}
