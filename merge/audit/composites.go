package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// tupleShare is the share of the rows of every shard whose columns together are a key from which they may refer to it. Bids outlive their lots.
const tupleShare = 0.5

// askComposites asks, before a part of a key of several columns gets new numbers, about the columns of other tables that together hold such keys: one column alone, a slot or
// a place on the map, says nothing, and what nobody names as a reference goes to another server's row.
func (a *auditor) askComposites(ctx context.Context) error {
	for _, u := range a.compositeKeys() {
		if !slices.ContainsFunc(u.Cols(), a.renumbered) {
			if err := a.askOthersTuples(ctx, u); err != nil {
				return err
			}
			continue
		}
		list, err := a.tupleHolders(ctx, u)
		if err != nil {
			return err
		}
		for _, h := range list {
			if !slices.ContainsFunc(h.To, a.renumbered) || a.askedOf(func(r *merge.Reference) bool {
				return slices.Equal(r.From, h.From) || slices.Equal(r.From, h.To) && slices.Equal(r.To, h.From)
			}) {
				continue
			}
			line := h.Reference
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("do %s together hold %s, of which a part gets new numbers? If not, say %s", merge.JoinCols(h.From), merge.JoinCols(h.To), keepLine(h.From...)),
				Evidence: h.why(a.shards), Rows: a.tables[h.table()].total(), Reference: &line,
			})
		}
	}
	return nil
}

// askOthersTuples asks about columns that together hold a key of several columns of which no part changes, as the cells of a map, where rows that find nothing on their own
// server would find a row of another: an army on its way to a cell without a village.
func (a *auditor) askOthersTuples(ctx context.Context, u *merge.Unique) error {
	if !slices.Contains(a.schema.Table(u.Table).Uniques, u) || slices.ContainsFunc(u.Cols(), a.partMoves) {
		return nil
	}
	list, err := a.tupleHolders(ctx, u)
	if err != nil {
		return err
	}
	for _, h := range list {
		if err := a.askCaught(h, func(shard int, dead []merge.ValueCount) ([]merge.ValueCount, error) {
			return a.capturedIn(ctx, h, shard, dead)
		}); err != nil {
			return err
		}
	}
	return nil
}

// askCaught asks about columns that together hold a key, where what is dead in a shard is another's row.
func (a *auditor) askCaught(h *reference, in func(shard int, dead []merge.ValueCount) ([]merge.ValueCount, error)) error {
	back := func(r *merge.Reference) bool { return slices.Equal(r.From, h.To) && slices.Equal(r.To, h.From) }
	if a.askedOf(func(r *merge.Reference) bool { return slices.Equal(r.From, h.From) || back(r) }) || slices.ContainsFunc(a.refs, func(r *reference) bool { return back(&r.Reference) }) {
		return nil
	}
	var rows int64
	var caught []merge.ValueCount
	for i, c := range h.counts {
		if c == nil {
			continue
		}
		dead := slices.DeleteFunc(slices.Clone(c.Dead), func(v merge.ValueCount) bool { return nobodys(v.Value) })
		for j := range a.shards {
			if j == i {
				continue
			}
			found, err := in(j, dead)
			if err != nil {
				return err
			}
			caught = append(caught, without(found, caught)...)
		}
	}
	for _, v := range caught {
		rows += v.Rows
	}
	if rows == 0 {
		return nil
	}
	line := h.Reference
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("do %s together hold %s? %s none on the own server and would find one of another (%s). Where that is right, or they hold something else, say %s",
			merge.JoinCols(h.From), merge.JoinCols(h.To), counted(rows, "row finds", "rows find"), sampleValues(caught), keepLine(h.From...)),
		Evidence: h.why(a.shards), Rows: rows, Reference: &line,
	})
	return nil
}

// capturedIn are those of some dead values that a shard's rows have as their key, where it has such rows at all.
func (a *auditor) capturedIn(ctx context.Context, r *reference, shard int, dead []merge.ValueCount) (caught []merge.ValueCount, err error) {
	lacks := func(c merge.Col) bool { return a.shards[shard].Schema().Column(c) == nil }
	if slices.ContainsFunc(r.To, lacks) || !a.tables[r.To[0].Table].takes(a.name(shard)) {
		return nil, nil
	}
	for batch := range slices.Chunk(dead, checkBatch) {
		list, err := a.captured(ctx, r, r.To, shard, batch, nil)
		if err != nil {
			return nil, err
		}
		caught = append(caught, list...)
	}
	return caught, nil
}

// nobodys tells whether all parts of a value are numbers that mean nobody in most games.
func nobodys(parts []any) bool {
	return !slices.ContainsFunc(parts, func(v any) bool { return v != any(int64(0)) && v != any(int64(-1)) })
}

// partMoves tells whether a column gets new numbers, its own or those of the key that it refers to.
func (a *auditor) partMoves(c merge.Col) bool {
	p, follows := a.parent(c)
	return a.renumbered(c) || follows && a.renumbered(p)
}

// askHalfNull asks about columns that are a part of a reference of several columns, in rows where another part of it is null, as a player's guild where he has no rank: such
// rows refer to nothing by that reference, and their other part goes where nobody says that it goes.
func (a *auditor) askHalfNull(ctx context.Context) error {
	for _, r := range a.plain() {
		for i, c := range r.From {
			var key *space
			if len(r.From) > 1 && len(r.spaces) > i {
				key = r.spaces[i]
			}
			if key == nil || key.moves() == 0 || key.plan.New == merge.Static || a.schema.Column(c).Generated || a.tables[c.Table].plan.Rows == merge.EmptyRows ||
				len(a.keptBy(c)) > 0 || a.spaces[c] != nil || a.covered([]merge.Col{c}) || a.referenceAsked(c) {
				continue
			}
			if err := a.askHalf(ctx, r, i, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// askHalf asks about one part of a reference, where rows whose other parts are null hold living keys there.
func (a *auditor) askHalf(ctx context.Context, r *reference, part int, key *space) error {
	var others []string
	for i, c := range r.From {
		if i != part && !slices.Contains(others, c.Name) {
			others = append(others, c.Name)
		}
	}
	line := merge.Reference{From: r.From[part : part+1], To: []merge.Col{key.key}}
	var moving int64 // of the rows that hold a living key
	var where []string
	for i, s := range a.shards {
		if s.Schema().Column(r.From[part]) == nil || !a.tables[r.table()].takes(a.name(i)) {
			continue
		}
		half := line
		for _, name := range others {
			if own := s.Schema().Column(merge.Col{Table: r.table(), Name: name}); own != nil {
				half.When += " OR " + a.engine.Quote(own.Name) + " IS NULL"
			}
		}
		if half.When = strings.TrimPrefix(half.When, " OR "); half.When == "" {
			continue
		}
		n, err := s.Measure(ctx, merge.RefQuery{Reference: &half, Alive: key.alive[i], Moving: key.moving[i]})
		if err != nil {
			return fmt.Errorf("%s in %s: %w", r.String(), a.name(i), err)
		}
		if moving += n.Moving; n.Rows > 0 {
			where = append(where, fmt.Sprintf("%d of %s in %s", n.Alive, counted(n.Rows, "row", "rows"), a.name(i)))
		}
	}
	none, _, err := a.seemNobody(ctx, &line)
	if err != nil || moving == 0 {
		return err
	}
	if len(none) > 0 {
		line.None = sortedValues(none)
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s holds something where %s is null, so that %s refers to nothing there: does it hold %s, which changes, by itself? If not, say %s", r.From[part], strings.Join(others, " or "), merge.JoinCols(r.From), key.key, keepLine(r.From[part])),
		Evidence: strings.Join(where, " and ") + " hold a living one", Rows: moving, Reference: &line,
	})
	return nil
}

// compositeKeys are the keys of several columns of tables whose rows are merged.
func (a *auditor) compositeKeys() (list []*merge.Unique) {
	for _, t := range a.schema.Tables {
		if line := a.tables[t.Name]; t.Opaque != "" || line.folds() || !line.mixes() {
			continue
		}
		for _, u := range t.Uniques {
			if len(u.Columns) > 1 && u.Plain() {
				list = append(list, u)
			}
		}
		if u := a.tuples[t.Name]; u != nil && len(u.Columns) > 1 {
			list = append(list, u)
		}
	}
	return list
}

// renumbered tells whether rows get new numbers in a column that follows no other key.
func (a *auditor) renumbered(c merge.Col) bool {
	s := a.spaces[c]
	return s != nil && s.moves() > 0
}

// ownPart tells whether a part of a key may get new numbers of its own: whole numbers that follow no other key.
func (a *auditor) ownPart(c merge.Col) bool {
	_, follows := a.parent(c)
	return a.schema.Holds(c) == merge.Integer && !a.schema.Column(c).Generated && !follows
}

// tupleHolders are the columns of other tables that are named like parts of a key, all with the same words before and behind them, and that together hold its values. Those
// about which a reference says something already are left out.
func (a *auditor) tupleHolders(ctx context.Context, u *merge.Unique) (list []*reference, err error) {
	parts := cores(u.Columns)
	for _, t := range a.schema.Tables {
		if t.Opaque != "" || a.tables[t.Name].plan.Rows == merge.EmptyRows {
			continue
		}
		for _, r := range alike(t, u, parts) {
			if t.Name == u.Table && slices.ContainsFunc(r.From, func(c merge.Col) bool { return slices.Contains(u.Cols(), c) }) || a.toldOf(r) {
				continue
			}
			h := &reference{Reference: r}
			if held, err := a.holdsTuples(ctx, h); err != nil {
				return nil, err
			} else if held {
				list = append(list, h)
			}
		}
	}
	return list, nil
}

// toldOf tells whether a person has said what columns hold that stand for parts of a key which may get new numbers: together, or each of them.
func (a *auditor) toldOf(r merge.Reference) bool {
	if a.covered(r.From) {
		return true
	}
	open := false
	for i, from := range r.From {
		open = open || a.ownPart(r.To[i]) && !a.decided(from)
	}
	return !open
}

// holdsTuples counts the rows of every shard whose columns are together a key of their own shard.
func (a *auditor) holdsTuples(ctx context.Context, r *reference) (bool, error) {
	r.counts, r.byPlan = make([]*merge.RefCount, len(a.shards)), true
	some := false
	for i, s := range a.shards {
		lacks := func(c merge.Col) bool { return s.Schema().Column(c) == nil }
		if slices.ContainsFunc(r.From, lacks) || slices.ContainsFunc(r.To, lacks) {
			continue
		}
		c, err := s.Measure(ctx, merge.RefQuery{Reference: &r.Reference})
		if err != nil {
			return false, err
		}
		for _, d := range c.Dead {
			if nobodys(d.Value) {
				c.Rows -= d.Rows // nobody
			}
		}
		if r.counts[i] = c; c.Rows == 0 {
			continue
		}
		if float64(c.Alive) < tupleShare*float64(c.Rows) {
			return false, nil
		}
		some = true
	}
	return some, nil
}

// heldTogether says which columns hold the values of a key of several columns that clashes, and what to do before a part of it gets new numbers; "" when there are none.
func (a *auditor) heldTogether(ctx context.Context, u *merge.Unique) (string, error) {
	if len(u.Columns) < 2 || !u.Plain() {
		return "", nil
	}
	list, err := a.tupleHolders(ctx, u)
	if err != nil || len(list) == 0 {
		return "", err
	}
	var words []string
	for _, h := range list[:min(len(list), heldMost)] {
		words = append(words, merge.JoinCols(h.From))
	}
	if n := len(list) - heldMost; n > 0 {
		words = append(words, counted(int64(n), "more group of columns", "more groups of columns"))
	}
	return fmt.Sprintf("%s together hold such keys: where a part gets new numbers, each needs a line under references, such as %s", strings.Join(words, ", "), refersLine(list[0].From, list[0].To)), nil
}

// cores are the names of a key's columns without what they have in common at their beginnings and ends: x and y of pos_x and pos_y.
func cores(columns []string) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = strings.ToLower(c)
	}
	first := list[0]
	before, behind := len(first), len(first)
	for _, c := range list[1:] {
		n := 0
		for n < min(before, len(c)) && c[n] == first[n] {
			n++
		}
		before, n = n, 0
		for n < min(behind, len(c)) && c[len(c)-1-n] == first[len(first)-1-n] {
			n++
		}
		behind = n
	}
	for _, c := range list {
		if before+behind >= len(c) {
			return list
		}
	}
	for i, c := range list {
		list[i] = c[before : len(c)-behind]
	}
	return list
}

// alike are groups of a table's columns, two or more, of which each is named like a part of a key, with the same letters before and behind it.
func alike(t *merge.Table, u *merge.Unique, parts []string) (list []merge.Reference) {
	type around struct{ before, behind string }
	var order []around
	groups := map[around]*merge.Reference{}
	for i, part := range parts {
		for _, c := range t.Columns {
			name := strings.ToLower(c.Name)
			for at := 0; at+len(part) <= len(name); at++ {
				if name[at:at+len(part)] != part || c.Generated {
					continue
				}
				k := around{name[:at], name[at+len(part):]}
				if groups[k] == nil {
					groups[k], order = &merge.Reference{}, append(order, k)
				}
				groups[k].From = append(groups[k].From, merge.Col{Table: t.Name, Name: c.Name})
				groups[k].To = append(groups[k].To, u.Cols()[i])
			}
		}
	}
	for _, k := range order {
		if len(groups[k].From) > 1 {
			list = append(list, *groups[k])
		}
	}
	return list
}
