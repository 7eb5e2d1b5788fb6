package prove

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// reference is a recorded reference and what is dead in it.
type reference struct {
	merge.MemoryReference
	dead []*merge.ValueSet // by shard: values that point at nobody; of an integer key, decimal text as the integer
}

// spaceOf is the i-th column's space; nil when it never changes.
func (p *proof) spaceOf(r *reference, i int) *space {
	if i >= len(r.Spaces) {
		return nil
	}
	return p.spaces[r.Spaces[i]]
}

// columnSpace is the space under which a key column's own values were mapped; nil when they stayed.
func (p *proof) columnSpace(c merge.Col) *space {
	if s := p.spaces[c]; s != nil {
		return s
	}
	for _, r := range p.mem.References {
		if r.Reference.As != merge.Plain || r.Reference.When != "" {
			continue
		}
		if i := slices.Index(r.Reference.From, c); i >= 0 && i < len(r.Spaces) {
			return p.spaces[r.Spaces[i]]
		}
	}
	return nil
}

// checkReferences checks that every reference was mapped under its target's own map, that what it held in vain is held in vain now, and that no
// dead value meets a row or another input's dead value.
func (p *proof) checkReferences(ctx context.Context) error {
	met, texts := map[merge.Col]map[int64]deadValue{}, map[deadText]int{}
	for _, m := range p.mem.References {
		r := &reference{MemoryReference: m, dead: make([]*merge.ValueSet, len(p.shards))}
		p.refs = append(p.refs, r)
		check := Check{Name: CheckReferences, Table: m.Reference.Table(), Column: m.Reference.From[0].Name}
		if m.Reference.As != merge.Keep && slices.ContainsFunc(m.Reference.From, func(c merge.Col) bool { return p.schema.Column(c) == nil }) {
			p.fail(check, "the output lacks the column, or its table")
			continue
		}
		switch m.Reference.As {
		case merge.Keep:
			continue
		case merge.Copy:
			if err := p.checkCopy(ctx, r, check, texts); err != nil {
				return err
			}
			continue
		case merge.Plain:
		default:
			p.fail(check, "the form %q is one that this proof cannot decode", m.Reference.As)
			continue
		}
		if len(m.Reference.To) != len(m.Reference.From) {
			p.fail(check, "the record names %d columns and %d targets", len(m.Reference.From), len(m.Reference.To))
			continue
		}
		for i, to := range m.Reference.To {
			if got, want := p.spaceOf(r, i), p.columnSpace(to); got != want && (moves(got) || moves(want)) {
				p.fail(check, "it was mapped as %s, but its target %s as %s", spaceName(got), to, spaceName(want))
			} else if s := p.mappedInSome(to); s != nil && s != got && p.mappedInSome(m.Reference.From[i]) == nil {
				p.fail(check, "it was mapped as %s, but rows of its target %s, as a condition says, as %s", spaceName(got), to, spaceName(s))
			}
		}
		if p.schema.Column(m.Reference.To[0]) == nil {
			continue // the target is no table of any input
		}
		if c := p.computed(r); c != "" {
			p.fail(check, "the column %s is computed, and its keys changed: a computed value cannot follow", c)
			continue
		}
		if err := p.checkDead(ctx, r, check, met, texts); err != nil {
			return err
		}
	}
	p.checkChanging()
	p.checkOwnKeys()
	return nil
}

// computed is a generated column of a reference whose keys changed; "" when there is none. One that is another column over again, which refers to the same
// key, is as right as that.
func (p *proof) computed(r *reference) string {
	for i, c := range r.Reference.From {
		column, s := p.schema.Column(c), p.spaceOf(r, i)
		if column == nil || !column.Generated || !moves(s) {
			continue
		}
		name := strings.Trim(column.Formula, "() \t\"`[]")
		mirror := slices.ContainsFunc(s.users, func(u merge.Col) bool { return u.Table == c.Table && u != c && p.schema.Equal(u.Name, name) })
		if !mirror {
			return c.Name
		}
	}
	return ""
}

// checkCopy checks that a copied text of nobody is nobody's in the output: by what it says, or, in another form, by how many are.
func (p *proof) checkCopy(ctx context.Context, r *reference, check Check, texts map[deadText]int) error {
	ref := r.Reference
	if ref.By != nil || orphans(ref) == merge.ByKeep || p.schema.Column(ref.To[0]) == nil {
		return nil
	}
	var before, total int64
	good := true
	for i, s := range p.shards {
		r.dead[i] = merge.NewValueSet()
		if _, ok := s.Schema().Resolve(ref.From[0]); !ok || !p.takes(ref.Table(), i) {
			continue
		}
		n, err := s.Measure(ctx, merge.RefQuery{Reference: &ref, Left: p.leftOut(i, ref.To[0].Table)})
		if err != nil {
			return err
		}
		total, before = total+n.Rows, before+n.Rows-n.Alive
		if !p.names(ref) || ref.Orphans == "" && p.folds(ref.To[0].Table) && !p.identity(ref.To[0]) { // unless the plan itself says that nobody comes to bear such a text
			continue
		}
		one, err := p.checkTexts(ctx, r, check, i, n.Dead, texts)
		if err != nil {
			return err
		}
		good = good && one
	}
	if ref.Via != "" && p.plain(ref.Table()) && p.plain(ref.To[0].Table) {
		n, err := p.merged.Measure(ctx, merge.RefQuery{Reference: &ref})
		if err != nil {
			return err
		}
		if after := n.Rows - n.Alive; after != before {
			p.fail(check, "%d rows named nobody before, %d do now", before, after)
			return nil
		}
	}
	if good {
		check.Rows, check.Detail = total, fmt.Sprintf("%d rows name nobody, as before", before)
		p.pass(check)
	}
	return nil
}

// plain tells whether a table holds every row of every input.
func (p *proof) plain(table string) bool {
	return p.rule(table).Rows == merge.MergeRows && !p.drops(table)
}

// deadValue is a dead value of an input, by its image.
type deadValue struct {
	shard int
	old   int64
}

func (p *proof) checkDead(ctx context.Context, r *reference, check Check, met map[merge.Col]map[int64]deadValue, texts map[deadText]int) error {
	ref, single := r.Reference, len(r.Reference.From) == 1
	var before, after, total, gone, lost int64 // lost are those of before whose rows the plan leaves out
	for i, s := range p.shards {
		r.dead[i] = merge.NewValueSet()
		if _, ok := s.Schema().Resolve(ref.From[0]); !ok || !p.takes(ref.Table(), i) {
			continue
		}
		var alive *merge.KeySet
		if single && p.integerKey(ref.To[0]) {
			var err error
			if alive, err = p.alive(ctx, i, ref.To[0]); err != nil {
				return err
			}
		}
		left, err := p.leaving(ctx, &ref, i)
		if err != nil {
			return err
		}
		n, err := s.Measure(ctx, merge.RefQuery{Reference: &ref, Alive: alive, Left: left})
		if err != nil {
			return err
		}
		total += n.Rows
		before += n.Rows - n.Alive
		if alive != nil {
			own, err := p.keysOf(ctx, i, ref.To[0])
			if err != nil {
				return err
			}
			for _, d := range n.Dead {
				if old, ok := integer(d.Value[0]); ok && own.Set.Has(old) {
					lost += d.Rows
				}
			}
		}
		if rule := p.rule(ref.To[0].Table); rule.Rows == merge.EmptyRows || rule.Rows == merge.FromRows || p.drops(ref.To[0].Table) {
			p.bereft[ref.Table()] += n.Rows // rows that they point at may be left out
		}
		if !single {
			continue
		}
		if p.names(ref) {
			good, err := p.checkTexts(ctx, r, check, i, n.Dead, texts)
			if err != nil {
				return err
			}
			if !good {
				gone = -1
			}
			continue
		}
		gone += p.deadImages(ctx, r, i, n, check, met, &after)
	}
	if !single || !p.integerKey(ref.To[0]) {
		n, err := p.merged.Measure(ctx, merge.RefQuery{Reference: &ref})
		if err != nil {
			return err
		}
		if after = n.Rows - n.Alive; after != before && p.plain(ref.Table()) && p.plain(ref.To[0].Table) && ref.Orphans != merge.ByClear && ref.Orphans != merge.ByDrop {
			p.fail(check, "%d rows pointed at nobody before, %d do now", before, after)
			return nil
		}
	}
	if gone < 0 {
		return nil
	}
	if (!single || !p.integerKey(ref.To[0])) && after > before {
		before, lost = after, after-before
	}
	check.Rows, check.Detail = total, fmt.Sprintf("%d rows point at nobody, as before", before)
	switch dropped := ref.Orphans == merge.ByClear || ref.Orphans == merge.ByDrop; {
	case dropped && lost > 0:
		check.Detail = fmt.Sprintf("%d rows pointed at nobody, or at one of the rows that the plan leaves out (%d): %s", before, lost, ref.Orphans)
	case dropped:
		check.Detail = fmt.Sprintf("%d rows pointed at nobody: %s", before, ref.Orphans)
	case lost > 0:
		check.Detail = fmt.Sprintf("%d rows point at nobody: %d as before, %d referred to rows that the plan leaves out", before, before-lost, lost)
	}
	p.pass(check)
	return nil
}

// deadImages follows the dead values of one input into the output. It is negative when one of them met somebody.
func (p *proof) deadImages(ctx context.Context, r *reference, shard int, n *merge.RefCount, check Check, met map[merge.Col]map[int64]deadValue, after *int64) (bad int64) {
	s := p.spaceOf(r, 0)
	here, err := p.keysOf(ctx, -1, r.Reference.To[0])
	if err != nil {
		p.fail(check, "%v", err)
		return -1
	}
	check.Shard = p.name(shard)
	key, follows := p.deadKey(r)
	var others func(old, image int64) bool
	low, high, err := p.numberedAgain(ctx, key)
	if err == nil {
		others, err = p.otherThings(ctx, shard, s)
	}
	if err != nil {
		p.fail(check, "%v", err)
		return -1
	}
	for _, d := range n.Dead {
		if len(d.Value) != 1 {
			continue
		}
		old, ok := integer(d.Value[0])
		if !ok {
			continue
		}
		r.dead[shard].Add(old)
		if r.Reference.Orphans == merge.ByClear || r.Reference.Orphans == merge.ByDrop {
			continue
		}
		image := old
		if s != nil {
			image, _ = s.maps[shard].Lookup(old)
		}
		if here.Set.Has(image) {
			p.fail(check, "the dead value %d of %d rows became %d, which is alive in the output", old, d.Rows, image)
			p.bad(check.Table, merge.BadRow{Shard: check.Shard, Column: check.Column, Want: "a value that no row has", Got: fmt.Sprint(image)})
			bad = -1
			continue
		}
		if others(old, image) {
			p.fail(check, "the dead value %d of %d rows became %d, which is a key of another table of its sequence in the output", old, d.Rows, image)
			bad = -1
			continue
		}
		if image == old && low < old && old <= high {
			p.fail(check, "the dead value %d of %d rows stayed, and that number would be given to a new row", old, d.Rows)
			bad = -1
			continue
		}
		*after += d.Rows
		if !follows {
			continue
		}
		if met[key] == nil {
			met[key] = map[int64]deadValue{}
		}
		other, seen := met[key][image]
		if !seen {
			met[key][image] = deadValue{shard, old}
			continue
		}
		if same, err := p.sameDead(key, other, deadValue{shard, old}); err != nil {
			p.fail(check, "%v", err)
			return -1
		} else if !same {
			p.fail(check, "the dead value %d and %d of %s are both %d in the output", old, other.old, p.name(other.shard), image)
			bad = -1
		}
	}
	return bad
}

// deadKey is the key whose dead values a reference holds; false where they are nobody's numbers, as in a text key.
func (p *proof) deadKey(r *reference) (merge.Col, bool) {
	if s := p.spaceOf(r, 0); s != nil {
		return s.key, true
	}
	key := p.root(r.Reference.To[0])
	return key, p.integerKey(key) && p.static(key)
}

// sameDead tells whether two dead values are one dead thing: of one input, or of a static key, where what is dead in two inputs is the same thing unless one of
// them is a tombstone.
func (p *proof) sameDead(key merge.Col, a, b deadValue) (bool, error) {
	if a.shard == b.shard {
		return true, nil
	}
	if a.old != b.old || !p.static(key) {
		return false, nil
	}
	for _, d := range []deadValue{a, b} {
		graves, err := p.gravesOf(d.shard, key)
		if err != nil || graves.Has(d.old) {
			return false, err
		}
	}
	return true, nil
}

// drops tells whether rows of a table may be left out for a dead reference.
func (p *proof) drops(table string) bool {
	return slices.ContainsFunc(p.mem.References, func(r merge.MemoryReference) bool {
		return r.Reference.Orphans == merge.ByDrop && r.Reference.Table() == table
	})
}

// takes tells whether rows of a shard come into the output.
func (p *proof) takes(table string, shard int) bool {
	r := p.rule(table)
	return r.Rows != merge.EmptyRows && (r.Rows != merge.FromRows || r.From == p.name(shard))
}

func (p *proof) integerKey(c merge.Col) bool {
	kind := p.schema.Holds(c)
	return kind != "" && kind != merge.Text && kind != merge.Real
}

// integer reads a key as it stands in a column: an integer, or its canonical decimal text.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil && strconv.FormatInt(n, 10) == v
	}
	return 0, false
}

// bad describes a row while there is room.
func (p *proof) bad(table string, rows ...merge.BadRow) {
	for _, r := range rows {
		p.report.Bad = append(p.report.Bad, Bad{table, r})
	}
}
