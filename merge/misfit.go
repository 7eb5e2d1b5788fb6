package merge

// Misfit is a rule of an output's table that rows break in their final form, so that the engine would refuse to write them.
type Misfit struct {
	Kind    MisfitKind
	What    string   // the rule as declared: a check's condition, a unique key's index; of others, the engine's own words
	Columns []string // that the rule is about; empty for a check
	Shard   int      // index of the shard that the rows come from; -1 for several
	Rows    int64    // rows concerned; 0 when only the first was looked for
	Samples []string // some of these rows by shard and old key, as SQL literals
}

// MisfitKind is what kind of rule rows break.
type MisfitKind string

// Kinds of rules. Some are no declared rules: MisfitCut is sums of a union that a cap of the plan cuts, which the engine writes, and What is by how much;
// MisfitSum is two values of a union whose sum the column cannot hold, MisfitText two of which one is no number, MisfitOrder two numbers of which one is
// a text and that do not compare as numbers, MisfitTurned a reference's condition that holds of other rows in final form than before.
const (
	MisfitCheck  MisfitKind = "check"
	MisfitUnique MisfitKind = "unique"
	MisfitNull   MisfitKind = "null"
	MisfitType   MisfitKind = "type"
	MisfitSum    MisfitKind = "sum"
	MisfitText   MisfitKind = "text"
	MisfitOrder  MisfitKind = "order"
	MisfitCut    MisfitKind = "cut"
	MisfitTurned MisfitKind = "turned"
	MisfitOther  MisfitKind = "other"
)
