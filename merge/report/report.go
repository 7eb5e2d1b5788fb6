// Package report turns what an audit found into what people and programs read: a verdict in plain sentences, rows for a table or TSV, the
// questions with the plan lines that answer them, a JSON document, and a self-contained HTML page. It prints nothing by itself.
package report

import (
	"time"

	"github.com/gameid/gameid/merge"
)

// Audit is everything that an audit of some shards says. Whoever fills it may leave the lists in any order; everything here sorts copies.
type Audit struct {
	Verdict   Verdict
	Shards    []string // shard names in order; TableLine.Rows has one number for each
	Tables    []TableLine
	Findings  []merge.Finding
	Undecided []merge.Undecided
}

// Verdict is the answer in short.
type Verdict struct {
	Mergeable   bool          // nothing is undecided and nothing blocks
	Decisions   int           // entries that are undecided
	Blocks      int           // findings that no plan helps against
	WrongRows   int64         // rows that would belong to another player if the shards were merged naively
	NameClashes int64         // unique values that two or more shards hold
	Duration    time.Duration // estimate for the whole merge; 0 when there is none
	Bytes       int64         // disk that the merge needs, estimated; 0 when there is no estimate
}

// NoTable stands in TableLine.Rows for a shard that lacks the table.
const NoTable int64 = -1

// TableLine is one table's line in the audit.
type TableLine struct {
	Table     string
	Rows      []int64  // rows by shard, NoTable where the shard lacks the table
	Policy    string   // merge, first, from s2 ...; "" when undecided
	Conflicts int64    // keys that two or more shards hold
	NewKeys   string   // shift, dense, gameid, static; "" when no key changes or it is undecided
	Orphans   int64    // rows of this table whose reference points at nobody
	Notes     []string // drift, opaque columns, what else is worth a word
}
