package merge

import "context"

// Severity says what a finding means for the merge.
type Severity string

// Severities.
const (
	Info   Severity = "info"   // handled by the plan; good to know
	Decide Severity = "decide" // a person has to decide it in the plan
	Block  Severity = "block"  // no plan helps: the databases have to change first
)

// Finding is one thing that an audit reports.
type Finding struct {
	Rule     string // the rule's name: key-conflict, unique-conflict, orphan, width, drift ...
	Severity Severity
	Table    string
	Column   string // "" for the whole table
	Shard    string // "" for all
	Rows     int64  // rows concerned
	Text     string // what was found
	Next     string // what to do about it; "" when nothing
	Samples  []string
}

// Undecided is a decision that the plan lacks, as the line that it would become.
type Undecided struct {
	Question string // in words
	Rows     int64  // rows at risk
	Evidence string
	// Exactly one of these is set: the line.
	Key       *KeyPlan
	Reference *Reference
	Table     *TablePlan
	Unique    *UniquePlan
	Counter   *Counter
}

// Subject names the table or column that the decision is about.
func (u *Undecided) Subject() string {
	switch {
	case u.Reference != nil:
		return JoinCols(u.Reference.From)
	case u.Key != nil:
		return u.Key.Key.String()
	case u.Unique != nil:
		return JoinCols(u.Unique.Unique)
	case u.Counter != nil:
		return u.Counter.Column.String()
	case u.Table != nil:
		return quoteWord(u.Table.Table)
	}
	return ""
}

// Digested is a shard that can be known again by what it holds, also when that is a handful of rows.
type Digested interface {
	Contents(ctx context.Context) (Contents, error)
}

// Contents are digests of what a shard holds.
type Contents struct {
	Rows   string   // of every row of every table: whose database it is
	All    string   // of the rows and everything else, such as the schema's text
	Tables []string // that have rows
}
