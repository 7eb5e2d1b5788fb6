package discover

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// ownedRows is how many rows of a table tell at most whether the numbers of a column have owners.
const ownedRows = 100_000

// owned tells whether all rows of a number, of all numbers but a few, name one owner in another column: a building is then somebody's, and no kind of
// building that the client's files list, whatever its column is called.
func (s *search) owned(c *column) bool {
	if s.words.gauges(c.name) {
		return false
	}
	again := int64(0)
	for _, v := range c.shards {
		if len(v.list) == 0 {
			continue
		}
		if len(v.list) < fewValues {
			return false
		}
		again += v.rows - int64(len(v.list))
	}
	if again < someValues { // rows by which a number could have had another owner
		return false
	}
	return slices.ContainsFunc(c.table.columns, func(o *column) bool { return o != c && s.ownedBy(c, o) })
}

// ownedBy tells whether another column of its table names one owner for each number of a column.
func (s *search) ownedBy(c, o *column) bool {
	if o.least() < fewValues || !s.owner(o) {
		return false
	}
	for i, shard := range s.shards {
		number, ok := shard.Schema().Resolve(c.col)
		if !ok || len(c.shards[i].list) == 0 {
			continue
		}
		owner, ok := shard.Schema().Resolve(o.col)
		if !ok {
			return false
		}
		several, err := shard.Count(s.ctx, number.Table, fmt.Sprintf("(SELECT sum(several) > %g * count(*) FROM (SELECT min(%[3]s) <> max(%[3]s) AS several FROM (SELECT %[2]s, %[3]s FROM %[4]s LIMIT %[5]d) AS some WHERE %[2]s NOT IN (0, -1) GROUP BY %[2]s) AS each_one)",
			1-includesSure, s.quote(number.Name), s.quote(owner.Name), s.quote(number.Table), ownedRows))
		if s.failed = cmp.Or(s.failed, err); err != nil || several > 0 {
			return false
		}
	}
	return true
}

// owner tells whether a column names somebody of whom every server has its own: by declaration, or at least likely.
func (s *search) owner(o *column) bool {
	own := func(k *key) bool {
		return k.Root && k.table != o.table && !s.alike[k.table.Name] && (s.meansPerson(o.name) || s.peopled(k.table))
	}
	return o.fixed != nil && own(o.fixed) || slices.ContainsFunc(s.picks, func(p *pick) bool {
		return p.column == o && p.when == "" && sureness(p.grade) >= sureness(merge.Likely) && own(p.key)
	})
}
