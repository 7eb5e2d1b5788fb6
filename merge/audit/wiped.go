package audit

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// wipedTimes is how many times as many rows another shard has as one that was wiped, or never filled.
const wipedTimes = 20

// wiped tells whether a shard has hardly a row of a table, beside another's: what repeats the texts of those rows may be all dead there.
func (t *table) wiped(shard int) bool { return t.rows[shard]*wipedTimes < slices.Max(t.rows) }

// says tells whether n found ones of a shard's texts, of which so many were looked for, tell anything about what a column holds: not where nearly all rows with the
// texts that it may hold are gone, nor where it is hardly filled itself.
func (a *auditor) says(shard int, from *table, to merge.Col, n, of int64) bool {
	return (!a.tables[to.Table].wiped(shard) || float64(n) >= copyShare*float64(of)) && (!from.wiped(shard) || of >= muteLeast)
}

// where names a shard, with what explains that texts of a table's rows are not found there.
func (a *auditor) where(shard int, c merge.Col) string {
	if a.tables[c.Table].wiped(shard) {
		return fmt.Sprintf("%s, where hardly a row of %s is left", a.name(shard), c.Table)
	}
	return a.name(shard)
}

// spokenFor counts the rows of two tables in those shards where neither of them is wiped.
func spokenFor(t, o *table) (rows, others int64) {
	for i := range t.rows {
		if !t.wiped(i) && !o.wiped(i) {
			rows, others = rows+t.rows[i], others+o.rows[i]
		}
	}
	return rows, others
}
