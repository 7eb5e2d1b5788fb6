package merge

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// Schema is one database's catalogue, in the order in which the database lists it.
type Schema struct {
	Tables  []*Table
	Objects []Object // indexes, triggers and views with SQL text, in creation order
	// Fold tells whether table and column names that differ only in ASCII case are the same name.
	Fold bool

	texts  map[Col]bool                   // columns that hold texts though their types prefer something else; see FindTexts
	places atomic.Pointer[map[string]int] // where tables stand in Tables by their exact names, as far as known
}

// Copy is a schema of the same tables and objects, whose lists may be replaced.
func (s *Schema) Copy() *Schema {
	return &Schema{Tables: s.Tables, Objects: s.Objects, Fold: s.Fold, texts: s.texts}
}

// Table is one table.
type Table struct {
	Name        string
	SQL         string // as the database stores it
	Columns     []*Column
	PrimaryKey  []string  // column names in key order: of the declared key, or of what the engine adapter takes for it; empty when there is none
	Uniques     []*Unique // every unique key, the primary one included
	ForeignKeys []*ForeignKey
	// AutoColumn is the column that the engine numbers by itself ("" when none): a rowid alias, AUTO_INCREMENT, identity.
	AutoColumn string
	// Counted tells that the engine never numbers AutoColumn twice, also after deletions (AUTOINCREMENT).
	Counted bool
	// Strict tells that every column refuses values of another type (a STRICT table).
	Strict bool
	Checks []string // the conditions of CHECK constraints, spaced and spelled alike
	// Opaque says why the rows cannot be merged as rows ("virtual table fts5", "shadow table of notes"); "" when they can.
	Opaque string
	// MadeBy is the virtual table whose module makes this one, which comes with it; "" for others.
	MadeBy string
	// Source names, for a virtual table whose rows stand nowhere else, the shadow table with one row for each of them; "" where they can be built again from other tables.
	Source string
	// Refill is the statement that fills a virtual table from the tables whose rows it finds, once it is built again; "" where none does.
	Refill string
}

// RuledBy names the table whose line in a plan is about this one: the virtual one where a module makes it.
func (t *Table) RuledBy() string { return cmp.Or(t.MadeBy, t.Name) }

// Column is one column of a table.
type Column struct {
	Name      string
	Type      string // as declared, "" when none
	Affinity  Affinity
	Bytes     int // width of an integer type in bytes as MySQL reads it (INTEGER and BIGINT are 8, int(10) is 4); 0 for other types
	Chars     int // declared length of a text type in characters; 0 when none
	TextBytes int // declared length of a type that counts bytes, such as varbinary(12); 0 when none
	NotNull   bool
	Default   string // SQL text of the declared default; "" when none
	Generated bool   // left out of inserts
	Collation string // the engine's name; "" or "BINARY" compares bytes
	Formula   string // what a generated column is computed by, spaced and spelled alike
}

// Limit is the highest integer that the column's declared type holds, as MySQL reads the type, a text in its characters; for a type without a width, and for no column at
// all, the highest that leaves an engine's counter a next number.
func (c *Column) Limit() int64 {
	if c == nil || c.Bytes >= 8 {
		return math.MaxInt64 - 1
	}
	if c.Bytes > 0 {
		bits := 8*c.Bytes - 1
		if strings.Contains(strings.ToLower(c.Type), "unsigned") {
			bits++
		}
		return bitsLimit(bits)
	}
	if c.Affinity == Text && c.Chars > 0 {
		return digitsLimit(c.Chars)
	}
	if m := bitField.FindStringSubmatch(c.Type); m != nil {
		bits, _ := strconv.Atoi(m[1])
		return bitsLimit(bits)
	}
	if m := decimal.FindStringSubmatch(c.Type); m != nil {
		all, _ := strconv.Atoi(m[1])
		behind, _ := strconv.Atoi(m[2]) // "" is none
		return digitsLimit(all - behind)
	}
	return math.MaxInt64 - 1
}

// decimal matches the types that are declared by their decimal digits: all of them, and those behind the point.
var decimal = regexp.MustCompile(`(?i)^\s*(?:DECIMAL|DEC|NUMERIC|NUMBER|FIXED)\s*\(\s*(\d{1,2})\s*(?:,\s*(\d{1,2})\s*)?\)`)

// bitField matches a type of so many bits.
var bitField = regexp.MustCompile(`(?i)^\s*BIT\s*\(\s*(\d{1,2})\s*\)`)

// digitsLimit is the highest integer of so many decimal digits.
func digitsLimit(digits int) int64 {
	limit := int64(1)
	for range digits {
		if limit > math.MaxInt64/10 {
			return math.MaxInt64 - 1
		}
		limit *= 10
	}
	return limit - 1
}

// bitsLimit is the highest integer of so many bits.
func bitsLimit(bits int) int64 {
	if bits >= 63 {
		return math.MaxInt64 - 1
	}
	return 1<<bits - 1
}

// Affinity is what kind of value a column prefers to store.
type Affinity string

// Affinities, named as SQLite does.
const (
	Integer Affinity = "integer"
	Text    Affinity = "text"
	Real    Affinity = "real"
	Numeric Affinity = "numeric"
	Blob    Affinity = "blob" // no preference: any value is stored as given
)

// Unique is a unique key of a table or one that a plan declares.
type Unique struct {
	Name       string // index name; "" when the plan declares it
	Table      string
	Columns    []string // "" for an expression
	Collations []string // one for each column, the engine's names
	Primary    bool
	Where      bool     // partial
	SQL        string   // the index's own SQL; "" for a constraint inside CREATE TABLE
	Among      string   // SQL condition: a search for clashes looks only at rows for which it holds; "" for all
	Whole      bool     // a search for clashes looks also at the rows that a partial key leaves out, at those last
	Key        []string // by which a search for clashes knows the rows of a table without a primary key; nil where nothing tells them apart
	// Images are, by shard and column, by what map a search for clashes takes numbers before it compares them, but for those of None; nil, or a case without a map, compares what
	// stands there. What it finds are the values that stand there.
	Images [][]Case
}

// Cols lists the unique key's columns.
func (u *Unique) Cols() []Col { return cols(u.Table, u.Columns) }

// Plain tells whether the key consists of whole columns over the whole table.
func (u *Unique) Plain() bool { return !u.Where && !slices.Contains(u.Columns, "") }

// RepeatedBy tells whether a reference repeats the texts of a key that leaves rows out, as one over the names of those who live: then a text that only such a row bears
// must not become another server's either, and a search for clashes has to look at all rows.
func (u *Unique) RepeatedBy(r *Reference) bool {
	return u.Where && len(u.Columns) == 1 && len(r.To) == 1 && r.To[0] == (Col{u.Table, u.Columns[0]}) && (r.As == Plain || r.As == Copy && r.By == nil)
}

// ForeignKey is a declared reference.
type ForeignKey struct {
	Columns   []string
	ToTable   string
	ToColumns []string
	Actions   string // what deleting and updating the target does: "ON DELETE CASCADE"; "" for nothing
}

// Object is an index, a trigger or a view.
type Object struct {
	Kind  string // "index", "trigger", "view"
	Name  string
	Table string // "" for a view
	SQL   string
}

// Equal compares two names as this database does.
func (s *Schema) Equal(a, b string) bool {
	return a == b || s.Fold && sameFolded(a, b)
}

// sameFolded tells whether two names are the same but for the case of ASCII letters. Names are looked up so often that folding both of them would cost more than the rest.
func sameFolded(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if x, y := a[i], b[i]; x != y && (x|0x20 != y|0x20 || x|0x20 < 'a' || x|0x20 > 'z') {
			return false
		}
	}
	return true
}

// Table finds a table by name; nil when there is none.
func (s *Schema) Table(name string) *Table {
	if places := s.places.Load(); places != nil {
		if at, ok := (*places)[name]; ok && at < len(s.Tables) && s.Tables[at].Name == name {
			return s.Tables[at]
		}
	}
	for _, t := range s.Tables {
		if s.Equal(t.Name, name) {
			if t.Name == name {
				s.notePlaces()
			}
			return t
		}
	}
	return nil
}

// notePlaces notes where the tables stand: with hundreds of them, looking through all for each column costs more than the rest of a search.
func (s *Schema) notePlaces() {
	places := make(map[string]int, len(s.Tables))
	for i, t := range s.Tables {
		places[t.Name] = i
	}
	s.places.Store(&places)
}

// Column finds a column; nil when there is none.
func (s *Schema) Column(c Col) *Column {
	if t := s.Table(c.Table); t != nil {
		return t.Column(c.Name, s.Fold)
	}
	return nil
}

// Column finds a column by name; fold ignores ASCII case. It is nil when there is none.
func (t *Table) Column(name string, fold bool) *Column {
	for _, c := range t.Columns {
		if c.Name == name || fold && sameFolded(c.Name, name) {
			return c
		}
	}
	return nil
}

// TakesNull tells whether rows may hold null in a column: one that the engine numbers by itself makes a number of it.
func (s *Schema) TakesNull(c Col) bool {
	t := s.Table(c.Table)
	if t == nil {
		return false
	}
	column := t.Column(c.Name, s.Fold)
	return column != nil && !column.NotNull && column.Name != t.AutoColumn
}

// Resolve spells a column as the schema does; ok is false when there is no such column.
func (s *Schema) Resolve(c Col) (_ Col, ok bool) {
	t := s.Table(c.Table)
	if t == nil {
		return c, false
	}
	column := t.Column(c.Name, s.Fold)
	if column == nil {
		return c, false
	}
	return Col{t.Name, column.Name}, true
}

// KeyOver is what tells a table's rows apart by some of its columns: the schema's own key over them, else one that leaves rows out, as those without a name, else the columns as they
// compare.
func (t *Table) KeyOver(columns []string) Unique {
	key := Unique{Table: t.Name, Columns: columns}
	for _, name := range columns {
		key.Collations = append(key.Collations, t.Column(name, true).Collation)
	}
	for _, u := range t.Uniques {
		switch {
		case !slices.Equal(u.Columns, columns) || slices.Contains(columns, ""):
		case u.Plain():
			key.Collations = u.Collations
			key.Name, key.Where, key.SQL = "", false, ""
			return key
		case u.Where:
			key.Name, key.Collations, key.Where, key.SQL = u.Name, u.Collations, true, u.SQL
		}
	}
	return key
}

// KeyCols lists the primary key's columns.
func (t *Table) KeyCols() []Col { return cols(t.Name, t.PrimaryKey) }

func cols(table string, names []string) []Col {
	list := make([]Col, len(names))
	for i, n := range names {
		list[i] = Col{table, n}
	}
	return list
}

// Fingerprint is "sha256:" and the hash of everything that a plan depends on. Two databases whose tables, columns, keys,
// indexes, triggers and views are declared alike have the same fingerprint, in whatever order they were created.
func (s *Schema) Fingerprint() string {
	lines := make([]string, 0, len(s.Tables)+len(s.Objects))
	for _, t := range s.Tables {
		lines = append(lines, "table\x00"+t.Name+"\x00"+t.Fingerprint())
	}
	for _, o := range s.Objects {
		lines = append(lines, o.Kind+"\x00"+o.Name+"\x00"+o.Table+"\x00"+o.SQL)
	}
	return digest(lines)
}

// Fingerprint is "sha256:" and the hash of the table's columns and keys.
func (t *Table) Fingerprint() string {
	var lines []string
	for _, c := range t.Columns {
		lines = append(lines, fmt.Sprintf("column\x00%+v", *c))
	}
	for _, u := range t.Uniques {
		lines = append(lines, fmt.Sprintf("unique\x00%q %q %v %q", u.Columns, u.Collations, u.Primary, u.SQL))
	}
	for _, f := range t.ForeignKeys {
		lines = append(lines, fmt.Sprintf("foreign\x00%+v", *f))
	}
	for _, c := range t.Checks {
		lines = append(lines, "check\x00"+c)
	}
	lines = append(lines, "auto\x00"+t.AutoColumn, "opaque\x00"+t.Opaque, fmt.Sprintf("strict\x00%v", t.Strict))
	return digest(lines)
}

func digest(lines []string) string {
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\x01")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// FoldASCII lowers the ASCII letters of a name and leaves every other character alone, as SQLite compares names.
func FoldASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
