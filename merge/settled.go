package merge

// Settled is a plan with every decision taken and every key map made: what a rewrite carries out.
type Settled struct {
	Shards     []Source
	Schema     *Schema // of the output
	Plan       Plan    // every decision that took effect, also the declared, discovered and default ones
	Tables     []SettledTable
	Spaces     []*Space
	References []SettledReference
	Renames    []*Rename
	Burials    []*Burial
}

// SettledTable is one table and its policy.
type SettledTable struct {
	Table  *Table // as it stands in the output
	Origin int    // index of the shard whose declaration is used
	Plan   TablePlan
	Key    []string // the columns by which first and union fold rows; every column when the table has no key
}

// Space is a key space and what became of its keys.
type Space struct {
	Key   Col
	Rule  Rule
	Alive []*KeySet // by shard: the keys that exist; nil for a space that is static
	Maps  []*KeyMap // by shard: the keys that change and the dead values that get a tombstone; nil when nothing changes
}

// SettledReference is a reference and, for each of its columns, the key space whose map applies. A column whose target never changes has a nil space.
type SettledReference struct {
	Reference
	Spaces []*Space
	Grade  Grade
	AsText bool // some values are stored as decimal text, and stay text
	// Cleared lists, by shard, the dead values that ByClear or ByDrop remove; nil otherwise.
	Cleared []*ValueSet
	// Buried are the dead texts that get another one; nil when there are none.
	Buried *Burial
}

// Rename is what a unique conflict did to the rows of each shard that lost, or what folding did to rows of another name.
type Rename struct {
	Unique  Unique
	Column  string // the text column that changed
	Collate string
	Mark    map[string]string // column to SQL value, set on every renamed row
	Into    bool              // the rows fold into others, whose names these are
	Shards  [][]Renamed       // by shard
}

// Renamed is one row that got a new name.
type Renamed struct {
	Values []any  // the unique's column values before, in the unique's order
	Old    string // of the renamed column
	New    string
	Row    []any // primary key before the merge; empty for a table without one
}

// Burial is what became of the dead texts of a text key that would have been somebody's in the output: each got a tombstone, a fresh text that nobody is known by.
type Burial struct {
	Key    Col                 // at the end of the references that a key column is part of
	Shards []map[string]string // by shard: the text as some column holds it to its tombstone
}

// Space finds a key space by its key; nil when there is none.
func (s *Settled) Space(key Col) *Space {
	for _, sp := range s.Spaces {
		if sp.Key == key {
			return sp
		}
	}
	return nil
}
