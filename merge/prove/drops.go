package prove

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// findDropped follows the recorded rule that rows with a dead value are left out: their keys are dead in turn, and so on until nothing changes.
func (p *proof) findDropped(ctx context.Context) error {
	for changed := true; changed; {
		changed = false
		for i := range p.mem.References {
			r := &p.mem.References[i].Reference
			if r.As != merge.Plain || r.Orphans != merge.ByDrop || len(r.From) != 1 || len(r.To) != 1 {
				continue
			}
			for shard := range p.shards {
				more, err := p.dropped(ctx, r, shard)
				if err != nil {
					return err
				}
				changed = changed || more
			}
		}
	}
	return nil
}

// dropped notes the keys of one shard's rows that a reference leaves out; it is false when all were known.
func (p *proof) dropped(ctx context.Context, r *merge.Reference, shard int) (changed bool, err error) {
	s := p.shards[shard]
	own, ok := s.Schema().Resolve(r.From[0])
	if !ok || !p.takes(r.Table(), shard) {
		return false, nil
	}
	var alive *merge.KeySet
	if p.integerKey(r.To[0]) {
		if alive, err = p.alive(ctx, shard, r.To[0]); err != nil {
			return false, err
		}
	}
	n, err := s.Measure(ctx, merge.RefQuery{Reference: r, Alive: alive, Left: p.leftOut(shard, r.To[0].Table)})
	if err != nil || len(n.Dead) == 0 {
		return false, err
	}
	var words []string
	for _, d := range n.Dead {
		if v, ok := integer(d.Value[0]); ok && alive != nil {
			text := strconv.FormatInt(v, 10)
			words = append(words, text, p.engine.Literal(text))
		} else if alive == nil {
			words = append(words, p.engine.Literal(d.Value[0]))
		}
	}
	if len(words) == 0 {
		return false, nil
	}
	name := p.engine.Quote(own.Name)
	if alive == nil {
		name = "(+" + name + ") COLLATE BINARY"
	}
	condition := name + " IN (" + strings.Join(words, ", ") + ")"
	if r.When != "" {
		condition += " AND (" + r.When + "\n)"
	}
	at := rowsOf{shard, r.Table()}
	if !slices.Contains(p.left[at], condition) {
		p.left[at], changed = append(p.left[at], condition), true
	}
	for _, key := range p.keysIn(r.Table()) {
		col, ok := s.Schema().Resolve(key)
		if !ok {
			continue
		}
		values, err := s.Values(ctx, col, condition, 0)
		if err != nil {
			return false, err
		}
		at := keyColumn{shard, key}
		if p.gone[at] == nil {
			p.gone[at] = merge.NewKeySet()
		}
		for _, v := range values {
			if k, ok := v.Value[0].(int64); ok && !p.gone[at].Has(k) {
				p.gone[at].Add(k)
				changed = true
			}
		}
	}
	return changed, nil
}

// rowsOf names the rows of an input's table.
type rowsOf struct {
	shard int
	table string
}

// leftOut is a condition on the rows of an input's table that references leave out; "" when there are none.
func (p *proof) leftOut(shard int, table string) string {
	var terms []string
	for _, condition := range p.left[rowsOf{shard, table}] {
		terms = append(terms, "("+condition+"\n)")
	}
	return strings.Join(terms, " OR ")
}

// keysIn are the columns of a table that have a key space of their own or are referred to.
func (p *proof) keysIn(table string) (list []merge.Col) {
	for _, s := range p.sorted() {
		if s.key.Table == table {
			list = append(list, s.key)
		}
	}
	for _, r := range p.mem.References {
		for _, to := range r.Reference.To {
			if to.Table == table && !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	}
	return list
}
