package merge

import "slices"

// Form is how a reference's columns hold the key.
type Form string

// Forms. Plain is the key itself; Keep says that the column only looks like a reference; Copy repeats a text key or unique, such as a
// player's name, and follows its renames. The remaining forms embed keys in a larger value.
const (
	Plain  Form = ""
	Keep   Form = "keep"
	Copy   Form = "copy"
	List   Form = "list"
	JSON   Form = "json"
	Bits   Form = "bits"
	InText Form = "text"
)

// OrphanRule says what happens to a value that points at nobody.
type OrphanRule string

// Orphan rules. ByTombstone is the default: a dead value that would become somebody's key gets a fresh dead value, the others stay. ByClear
// writes null, or the first none value where the column refuses null. ByDrop leaves the row out, and whatever referred to it becomes an orphan of its own rule. ByFail refuses. ByKeep, of a copy alone, leaves texts of nobody
// as they are, whoever is called so: they are read, and nobody is looked up by them.
const (
	ByTombstone OrphanRule = "tombstone"
	ByClear     OrphanRule = "clear"
	ByDrop      OrphanRule = "drop"
	ByFail      OrphanRule = "fail"
	ByKeep      OrphanRule = "keep"
)

// Reference says that columns hold keys of a key space.
type Reference struct {
	From    []Col   // all of one table, but in a list of kept ones
	Pattern Pattern `json:",omitzero"` // of a kept column that stands alone
	To      []Col   // as many as From; empty for Keep, but where the plan knows that a kept column may hold a table's row numbers (RowNumber)
	As      Form
	When    string     // SQL condition on the row; "" always
	None    []any      // values that mean nobody: int64, float64 or string
	Orphans OrphanRule // "" is ByTombstone
	By      *Col       // of a copy: the reference, in the same row, to the row that is copied from
	Via     string     // of a copy: lower, upper, base37 or an SQL expression over {}

	Separator, Path, Match string // of the forms list, json and text
	Bits                   []Bit  // of the form bits
}

// Bit places a part of a key inside an integer column: Width bits at bit At of the column hold the key's bits from bit Key on.
type Bit struct {
	Column         string
	At, Width, Key int
}

// Table is the referring table.
func (r *Reference) Table() string { return r.From[0].Table }

// Columns writes the referring columns, or the pattern, for a message.
func (r *Reference) Columns() string {
	if r.Pattern.Any() {
		return r.Pattern.Write(r.From[0])
	}
	return JoinCols(r.From)
}

// Names tells whether the reference names exactly these columns. A pattern names none.
func (r *Reference) Names(cols []Col) bool { return !r.Pattern.Any() && slices.Equal(r.From, cols) }

// Covers tells whether a column is one of the reference's, or its pattern matches it.
func (r *Reference) Covers(s *Schema, c Col) bool {
	return slices.ContainsFunc(r.From, func(from Col) bool { return r.Pattern.Covers(s, from, c) })
}

// String is "a.x -> b.y", with the condition when there is one.
func (r *Reference) String() string {
	s := r.Columns()
	if r.As == Keep {
		s += " (kept)"
	} else {
		s += " -> " + JoinCols(r.To)
	}
	if r.When != "" {
		s += " when " + r.When
	}
	return s
}

// Grade says how sure a proposal is.
type Grade string

// Grades, the surest first. Certain must be right every time.
const (
	Declared Grade = "declared"
	Certain  Grade = "certain"
	Likely   Grade = "likely"
	Doubtful Grade = "doubtful"
)

// Proposal is a reference that discovery found.
type Proposal struct {
	Reference
	Grade    Grade
	Evidence string // in words, with the counts of every shard
	Others   []Col  // further keys that fit, the best first
	Hardly   bool   // the name alone speaks for it, and the few values that are keys of To are so by chance
	ByName   bool   // the name alone speaks for it: no shard has a value that is one of its own To's, or hardly any
	Own      bool   // its column may as well number its own table's rows
	Captured bool   // it has few values, of which some are none of their own shard's To's, and one of another shard's
	Besides  []Col  // columns of other tables with the same name and some of the same values, where no key is called so: all may number groups that no table lists
}
