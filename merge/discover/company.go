package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// Beside other columns of its table that refer to a key, a column may say less by itself.
const (
	companyChance = 0.02 // of avoiding the key's holes so well
	emptyShare    = 0.3  // of the rows that hold nobody, from which a column is empty in many
)

// accompanied grades a column whose name and few values say too little: it is worth a question where another column of its table refers to the same key
// and nearly all that it holds are keys. Either it avoids the holes, or it is empty in many rows and goes as far up the keys as references do.
func (s *search) accompanied(p *pick, amount bool) merge.Grade {
	c, f := p.column, p.fit
	if !amount && s.linked(p) {
		return merge.Doubtful
	}
	if c.least() < fewValues || !f.nearly() || f.reach < reaches || f.verdict < mute || !s.company(p) {
		return ""
	}
	if min(f.holes.luck(), f.sister.luck()) <= companyChance || !amount && f.reach >= reachesSure && c.empties() {
		return merge.Doubtful
	}
	return ""
}

// linked tells whether a column and another part of a key of its table hold one other table's keys alike, as those of a link between two guilds do: a parent of few rows
// gives neither of them values enough to show it alone.
func (s *search) linked(p *pick) bool {
	c, k := p.column, p.key
	if c.self != nil || k.table == c.table || !c.links(p.fit) {
		return false
	}
	return slices.ContainsFunc(c.table.columns, func(o *column) bool {
		if o == c || !c.partWith(o) {
			return false
		}
		return o.fixed == k || !o.known && !o.amount && maybe(o.shards, k) && o.links(measure(o.shards, k))
	})
}

// links tells whether a column's values, though few, are keys from the lowest to the highest.
func (c *column) links(f *fit) bool {
	return c.least() >= holdsLeast && f.inclusion >= includesSure && f.verdict >= mute && f.reach >= reachesSure && (c.least() >= fewValues || f.filled >= holdsShare)
}

// partWith tells whether a primary or unique key of the table needs both of two columns.
func (c *column) partWith(o *column) bool {
	both := func(names []string) bool {
		return slices.Contains(names, c.meta.Name) && slices.Contains(names, o.meta.Name)
	}
	return both(c.table.PrimaryKey) || slices.ContainsFunc(c.table.Uniques, func(u *merge.Unique) bool { return u.Plain() && both(u.Columns) })
}

// company tells whether another column of the table refers to the pick's key, by declaration, by its name or by its values.
func (s *search) company(p *pick) bool {
	return slices.ContainsFunc(s.columns, func(c *column) bool { return c.table == p.column.table && c.fixed == p.key }) ||
		slices.ContainsFunc(s.picks, func(o *pick) bool {
			return o.column.table == p.column.table && o.column.col != p.column.col && o.key == p.key && (sureness(o.grade) >= sureness(merge.Likely) || o.fit.verdict >= pro)
		})
}

// empties tells whether a column holds nobody in many rows of every shard.
func (c *column) empties() bool {
	for i, v := range c.shards {
		if rows := float64(c.table.rows[i]); v.complete && float64(v.rows) > (1-emptyShare)*rows {
			return false
		}
	}
	return true
}
