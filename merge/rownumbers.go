package merge

// RowNumber is the plan's word for the hidden number by which an engine tells the rows of a table without a key apart. A merge gives such rows new ones.
const RowNumber = "rowid"

// FarUp is how far up the row numbers the highest of some integers must stand to tell something where there are no gaps: small numbers fit anybody's.
const FarUp = 0.8

// RowNumbers is how a column's integers, but for 0 and -1, lie among a table's row numbers.
type RowNumbers struct {
	Values   int64   // rows that hold such an integer
	Distinct int64   // of these integers; uncounted where there are no gaps and Reach is below FarUp
	Miss     bool    // some integer is no row's number; nothing else was looked at then
	Reach    float64 // how far up the row numbers the highest of these integers stands
	Gaps     bool    // some number below the highest is no row's
	Chance   float64 // that as many integers from the same range would all be row numbers by chance
}
