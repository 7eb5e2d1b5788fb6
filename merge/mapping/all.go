package mapping

import (
	"iter"
	"slices"

	"github.com/gameid/gameid/merge"
)

// All yields every key that changed, one by one and in the order of the record: the key as it stood in the input, and as it stands now. Keys of earlier
// merges are followed to the present; tombstones are among them.
func (m *Map) All() iter.Seq[Answer] {
	return func(yield func(Answer) bool) {
		for i := range m.levels {
			l := &m.levels[i]
			low, high, _ := l.m.Span()
			for p, r := range l.m.Parts(low, high) {
				for old := p.First; old-p.First < p.Count; old++ {
					now, rule := r.At(old-r.Old), r.Rule
					if l.via != "" {
						up, shard := parent(l.via)
						if later, how := m.forward(up, shard, l.key, now); later != now {
							now, rule = later, how
						}
					}
					if !yield(Answer{Key: l.key, Shard: l.origin(), Old: text(old), New: text(now), Rule: rule}) {
						return
					}
				}
			}
		}
		for _, b := range m.Buried() {
			if !yield(b) {
				return
			}
		}
	}
}

// Buried lists the dead texts that got tombstones, those of earlier merges too, and the tombstones that stand now.
func (m *Map) Buried() []Answer {
	list := make([]Answer, 0, len(m.mem.Buried))
	for _, b := range m.mem.Buried {
		now := b.New
		for via := b.Via; via != ""; {
			up, shard := parent(via)
			if at := slices.IndexFunc(m.mem.Buried, func(l merge.MemoryBuried) bool {
				return l.Via == up && l.Shard == shard && l.Key == b.Key && l.Old == now
			}); at >= 0 {
				now = m.mem.Buried[at].New
			}
			via = up
		}
		list = append(list, Answer{Key: b.Key, Shard: b.Via + b.Shard, Old: b.Old, New: now, Rule: merge.Tombstone})
	}
	return list
}

// Renames lists the renamed rows, those of earlier merges too, in the order of the record, with the names and keys that they have now.
func (m *Map) Renames() []Answer {
	list := make([]Answer, 0, len(m.renames))
	for _, r := range m.renames {
		list = append(list, r.answer())
	}
	return list
}
