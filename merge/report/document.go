package report

import (
	"math"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// DocumentVersion is the JSON document's version. Fields are added within a version; none changes its meaning or goes away.
const DocumentVersion = 1

// Document is an audit as a JSON document. Lists are sorted and never null; keys and IDs appear only inside text, as strings; numbers are counts.
type Document struct {
	Version   int             `json:"version"`
	Verdict   VerdictJSON     `json:"verdict"`
	Shards    []string        `json:"shards"`
	Tables    []TableJSON     `json:"tables"`
	Findings  []FindingJSON   `json:"findings"`
	Undecided []UndecidedJSON `json:"undecided"`
}

// VerdictJSON is Verdict.
type VerdictJSON struct {
	Mergeable   bool   `json:"mergeable"`
	Text        string `json:"text"` // the sentences
	Decisions   int    `json:"decisions"`
	Blocks      int    `json:"blocks"`
	WrongRows   int64  `json:"wrong_rows"`
	NameClashes int64  `json:"name_clashes"`
	Seconds     int64  `json:"seconds"` // rounded up; 0 when there is no estimate
	Bytes       int64  `json:"bytes"`   // 0 when there is no estimate
}

// TableJSON is TableLine. Rows has one number for each of the document's shards, null where the shard lacks the table.
type TableJSON struct {
	Table     string   `json:"table"`
	Rows      []*int64 `json:"rows"`
	Policy    string   `json:"policy"`
	Conflicts int64    `json:"conflicts"`
	NewKeys   string   `json:"new_keys"`
	Orphans   int64    `json:"orphans"`
	Notes     []string `json:"notes"`
}

// FindingJSON is merge.Finding, in the columns of FindingColumns. Column is "" for a whole table, shard "" for all.
type FindingJSON struct {
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"`
	Table    string   `json:"table"`
	Column   string   `json:"column"`
	Shard    string   `json:"shard"`
	Rows     int64    `json:"rows"`
	What     string   `json:"what"`
	Next     string   `json:"next"`
	Samples  []string `json:"samples"`
}

// UndecidedJSON is merge.Undecided. Line goes into the plan's section of that name.
type UndecidedJSON struct {
	Subject  string `json:"subject"`
	Question string `json:"question"`
	Rows     int64  `json:"rows"`
	Evidence string `json:"evidence"`
	Section  string `json:"section"`
	Line     string `json:"line"`
}

// Document makes the JSON document.
func (a *Audit) Document() *Document {
	v := a.Verdict
	d := &Document{
		Version: DocumentVersion,
		Verdict: VerdictJSON{
			v.Mergeable, v.Text(), v.Decisions, v.Blocks, v.WrongRows, v.NameClashes, int64(math.Ceil(v.Duration.Seconds())), v.Bytes,
		},
		Shards:    texts(a.Shards),
		Tables:    make([]TableJSON, 0, len(a.Tables)),
		Findings:  make([]FindingJSON, 0, len(a.Findings)),
		Undecided: UndecidedList(a.Undecided),
	}
	for _, t := range SortTables(a.Tables) {
		rows := make([]*int64, len(a.Shards))
		for i := range rows {
			if i < len(t.Rows) && t.Rows[i] != NoTable {
				rows[i] = &t.Rows[i]
			}
		}
		d.Tables = append(d.Tables, TableJSON{t.Table, rows, t.Policy, t.Conflicts, t.NewKeys, t.Orphans, texts(t.Notes)})
	}
	for _, f := range SortFindings(a.Findings) {
		d.Findings = append(d.Findings, FindingJSON{
			f.Rule, string(f.Severity), f.Table, f.Column, f.Shard, f.Rows, f.Text, f.Next, texts(f.Samples),
		})
	}
	return d
}

// UndecidedList is the sorted questions as they stand in the document; never nil.
func UndecidedList(list []merge.Undecided) []UndecidedJSON {
	out := make([]UndecidedJSON, 0, len(list))
	for _, u := range SortUndecided(list) {
		section, line := planfile.UndecidedLine(&u)
		out = append(out, UndecidedJSON{u.Subject(), u.Question, u.Rows, u.Evidence, section, line})
	}
	return out
}
