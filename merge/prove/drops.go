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
	left, err := p.leaving(ctx, r, shard)
	if err != nil {
		return false, err
	}
	n, err := s.Measure(ctx, merge.RefQuery{Reference: r, Alive: alive, Left: left})
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

// leaving is a condition on the rows of an input that a reference leads to and that do not come. Where it leads to them by texts and says what becomes of its own rows, these
// are also the rows of a table of which another input's come, or none.
func (p *proof) leaving(ctx context.Context, r *merge.Reference, shard int) (string, error) {
	to, left := r.To[0], p.leftOut(shard, r.To[0].Table)
	if r.As != merge.Plain || r.Orphans != merge.ByClear && r.Orphans != merge.ByDrop || len(r.To) > 1 || p.integerKey(to) || p.takes(to.Table, shard) {
		return left, nil
	}
	own := p.shards[shard].Schema().Table(to.Table)
	if own == nil {
		return left, nil
	}
	if n, err := p.shards[shard].Rows(ctx, own.Name); err != nil || n == 0 {
		return left, err
	}
	lost := "1 = 1"
	if rule := p.rule(to.Table); rule.Rows == merge.FromRows {
		stays := slices.IndexFunc(p.shards, func(s merge.Shard) bool { return s.Source().Name == rule.From })
		if stays < 0 || p.shards[stays].Schema().Column(to) == nil {
			return left, nil
		}
		list, err := p.shards[stays].Values(ctx, to, "", 0)
		if err != nil {
			return "", err
		}
		var words []string
		for _, v := range list {
			words = append(words, p.engine.Literal(v.Value[0]))
		}
		lost = p.engine.Quote(to.Name) + " NOT IN (" + strings.Join(words, ", ") + ")"
	}
	if left != "" {
		lost = "(" + left + ") OR " + lost
	}
	return lost, nil
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
