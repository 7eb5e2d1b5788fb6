package merge

import "slices"

// Plan says what happens to every table, key and reference. Its file form is read and written by the package planfile.
type Plan struct {
	Shards     []Source
	Schema     string  // fingerprint of the schemas that the plan was written for; "" pins nothing
	Accept     []Grade // discovery's proposals of these grades count as decided
	Keys       []KeyPlan
	References []Reference
	Tables     []TablePlan
	Uniques    []UniquePlan
	Counters   []Counter
}

// Source is where a shard comes from.
type Source struct {
	Name   string
	Server *int64 // nil when none was given; never inferred
	Source string // path or URL as the operator wrote it
	// Contents is, in a Memory alone, the digest of the rows that the shard held when it was merged (Contents.Rows); "" when that tells it from no other.
	Contents string
	// State is, in a Memory alone, the digest of everything that the shard held when it was merged (Contents.All); "" when it could not be digested.
	State string
}

// KeyPlan decides how a key space's conflicting keys are renewed.
type KeyPlan struct {
	Key Col
	New Rule
	All bool // change every key, not only the conflicting ones
	// Conflicts tells that the plan itself says to change the conflicting ones alone, though rows of one shard change their order by it.
	Conflicts bool
	Range     *[2]int64 // lowest and highest key allowed, inclusive; nil for the type's own range
	Widen     bool      // make the key and every referring column 8 bytes wide in the output
	// Sequence names what numbers the rows: keys of one sequence meet in no table. "" leaves it to the data, which show it where no shard has a number in two tables.
	Sequence string
	// None are the numbers that mean nobody, as in no group, where rows share the key's numbers: they stay as they are. An empty list says that each is a group's; nil leaves it
	// to the data.
	None []int64
	Role string // "character" or "account": tells discovery which table the role words (owner, sender) mean
}

// Rows is a table policy.
type Rows string

// Table policies.
const (
	MergeRows Rows = "merge"    // all rows of all shards
	FirstRows Rows = "first"    // rows of the same key fold into the first shard's
	FromRows  Rows = "from"     // one shard's rows only
	UnionRows Rows = "union"    // rows of the same key combine by column
	ByValue   Rows = "by-value" // dictionaries, and what belongs to rows that fold: rows of the same value fold
	EmptyRows Rows = "empty"    // no rows
)

// While is what a table's entry supposes: it stands as long as that holds, and gives way to another entry for the table.
type While string

// What an entry may suppose.
const (
	WhileEqual While = "equal" // rows of one key are equal in every shard; of FirstRows
	WhileEmpty While = "empty" // no shard has a row; of MergeRows
	WhileApart While = "apart" // no row belongs to one of another table that folds with another shard's; of MergeRows
)

// TablePlan decides what happens to a table's rows.
type TablePlan struct {
	Table   string
	Pattern bool   // '*' in Table stands for any run of characters: log_*
	Rows    Rows   // "" is MergeRows
	From    string // shard name, for FromRows
	While   While  // "" supposes nothing
	By      []string
	Columns map[string]Combine // for UnionRows; a column that is not named keeps the first shard's value
	Missing map[string]string  // SQL value of a column that a shard lacks
	Purge   map[string]string  // shard name or "default" to SQL condition
	On      map[string]string  // what the purge does to references
}

// Combine says how a column of rows with the same key becomes one value.
type Combine struct {
	How string // first, sum, max, min, latest, lowest, set
	Cap *int64 // highest sum of several rows, above 0
	By  string // of latest and lowest: the column whose highest or lowest value wins; of set: the one in which the first row that holds somebody or something wins
}

// Ranked is the rule of the column By under which it holds the value of the row that wins: max of latest, min of lowest, "" of others.
func (c Combine) Ranked() string { return map[string]string{"latest": "max", "lowest": "min"}[c.How] }

// Compared is the column of which the values of rows are compared to combine a column; "" where none are.
func (c Combine) Compared(column string) string {
	switch {
	case c.How == "max" || c.How == "min":
		return column
	case c.Ranked() != "":
		return c.By
	}
	return ""
}

// Unset are the values, beside null, of a column in which a row holds nobody and nothing, so that under the rule set another shard's row wins.
func Unset() []any { return []any{int64(0), int64(-1), ""} }

// UniquePlan decides what happens when two shards hold the same unique value.
type UniquePlan struct {
	Unique     []Col
	OnConflict string // "rename", "fail", or "keep": equal values stay, where no key of the schema forbids them
	Template   string // of a rename: {value} {server} {shard} {n}
	Column     string // of a rename over several columns: the one that changes
	Winner     string // SQL ORDER BY terms on the rows; "" the first shard keeps the value
	Mark       map[string]string
	Collate    string
}

// Counter is a place where the game itself counts keys.
type Counter struct {
	Column Col
	Where  string // SQL condition on its row; "" every row
	Key    Col
	Margin int64 // what the counter is above the highest key, at least; 1 means "the next free key"
	Floor  int64 // where some shard's counter stands, if above 0: what that one gave out is not given out again. No plan says it
	// Texts tells that the key is one of texts that end in a number, as H000151, and Head is what stands before it in the counter; where nothing does, what the keys have before
	// theirs is the game's business, unless it is another number. No plan says either.
	Texts bool
	Head  string
}

// ByEngine tells whether the column is one that the engine itself counts up and never gives a number twice, of a table that the game fills only to draw numbers.
func (c *Counter) ByEngine(s *Schema) bool {
	t := s.Table(c.Column.Table)
	return t != nil && t.Counted && s.Equal(t.AutoColumn, c.Column.Name)
}

// Next is the lowest number at which the counter may stand above a highest key.
func (c *Counter) Next(top int64) int64 {
	if c.Floor > 0 {
		return max(top+c.Margin, c.Floor)
	}
	return top + c.Margin
}

// Covers tells whether the decision is about a table, by its name or by a pattern.
func (t *TablePlan) Covers(s *Schema, table string) bool {
	return covers(s, t.Pattern, t.Table, table)
}

// Name writes the table, or the pattern, as a plan does.
func (t *TablePlan) Name() string { return writePattern(t.Pattern, t.Table) }

// TableRule finds the decision about a table: the exact name before a pattern, the first of several. It is nil when there is none.
func (p *Plan) TableRule(s *Schema, table string) *TablePlan {
	for _, fits := range []func(t *TablePlan) bool{
		func(t *TablePlan) bool { return !t.Pattern && t.While == "" },
		func(t *TablePlan) bool { return !t.Pattern },
		func(*TablePlan) bool { return true },
	} {
		for i := range p.Tables {
			if t := &p.Tables[i]; fits(t) && t.Covers(s, table) {
				return t
			}
		}
	}
	return nil
}

// Apart is the plan with an entry for each column of its lists of kept columns of several tables, which belong together in nothing else.
func (p *Plan) Apart() *Plan {
	apart := *p
	apart.References = nil
	for _, r := range p.References {
		if r.As != Keep || !slices.ContainsFunc(r.From, func(c Col) bool { return c.Table != r.From[0].Table }) {
			apart.References = append(apart.References, r)
			continue
		}
		for _, c := range r.From {
			apart.References = append(apart.References, Reference{From: []Col{c}, As: Keep})
		}
	}
	return &apart
}

// Accepts tells whether proposals of a grade count as decided.
func (p *Plan) Accepts(g Grade) bool {
	if g == Declared {
		return true
	}
	for _, a := range p.Accept {
		if a == g || a == Likely && g == Certain || a == Doubtful {
			return true
		}
	}
	return false
}
