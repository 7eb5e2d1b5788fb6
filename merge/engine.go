package merge

import "context"

// Engine is a kind of database. It holds only what differs between kinds; what to read, decide and write is the verbs' business.
type Engine interface {
	Name() string
	// Quote writes a name, and Literal a value, as SQL of this engine.
	Quote(name string) string
	Literal(v any) string
	// Open reads a shard in one consistent snapshot that lasts until Close. It never writes to the source.
	Open(ctx context.Context, src Source, opt OpenOptions) (Shard, error)
	// Create starts a new database beside its final name. It refuses an existing one.
	Create(ctx context.Context, path string, opt CreateOptions) (Output, error)
	// Clashes lists the values of a unique key that rows of two or more shards hold, by the engine's own comparison, up to limit values; total counts all.
	// collate, when it is not empty, replaces the key's collations. winner, when it is not empty, orders the rows that hold a value (SQL ORDER BY terms); otherwise shard order does.
	Clashes(ctx context.Context, shards []Shard, u Unique, collate, winner string, limit int) (list []Clash, total int64, err error)
	// SameRows compares rows of a table of two shards: those of pairs, or those that have the same primary key where pairs is nil. It tells how many there are, and how many of
	// them are equal in every column outside the key that both shards have. A table without a key compares whole rows. limit bounds the rows looked at; 0 is all.
	SameRows(ctx context.Context, a, b Shard, table string, pairs []KeyPair, limit int64) (shared, equal int64, err error)
	// Compare proves one table: that every row of every shard has the image that its job describes and that the merged table holds nothing else.
	Compare(ctx context.Context, merged Shard, shards []Shard, job CompareJob) (*Comparison, error)
	// Sound checks the merged database's integrity and lists what is wrong with it, and counts the violations of declared foreign keys by table.
	Sound(ctx context.Context, db Shard) (damage []string, violations map[string]int64, err error)
}

// OpenOptions are how a shard is opened.
type OpenOptions struct {
	WorkDir string // folder for private copies; "" is the folder of the output or of the source
	Check   bool   // verify the database's integrity first, all but its indexes: Shard.Verified waits for those
}

// CreateOptions are what a new database takes over.
type CreateOptions struct {
	Shards []Shard // the first one's page size, encoding, user version and application id are taken over
	Schema *Schema // the tables to create
}

// Shard is one opened, unchanging database. Its methods may not be called concurrently.
type Shard interface {
	Source() Source
	Schema() *Schema
	// Bytes is the size of the database on disk.
	Bytes() int64
	// Rows counts a table's rows.
	Rows(ctx context.Context, table string) (int64, error)
	// Keys reads every value of a column that is an integer to the engine.
	Keys(ctx context.Context, c Col) (*KeyColumn, error)
	// Sample takes up to limit distinct integer values of a column, spread over the table.
	Sample(ctx context.Context, c Col, limit int) (*Sample, error)
	// Kinds tells texts from other values, in rows that are spread over a table, by column. It leaves out what is declared for texts or computed.
	Kinds(ctx context.Context, table string) (map[string]Kinds, error)
	// Measure counts what a reference's columns hold.
	Measure(ctx context.Context, q RefQuery) (*RefCount, error)
	// Count counts the rows of a table for which an SQL condition holds, with values for its parameters (?); an error tells that the condition does not compile.
	Count(ctx context.Context, table, condition string, args ...any) (int64, error)
	// Any tells whether Count finds a row, and looks no further than the first.
	Any(ctx context.Context, table, condition string, args ...any) (bool, error)
	// Values lists the distinct values of a column with their rows, most frequent first, up to limit, for rows that satisfy an SQL condition ("" for all).
	Values(ctx context.Context, c Col, condition string, limit int) ([]ValueCount, error)
	// Tuples lists the distinct values of several columns of one table together, as Values does.
	Tuples(ctx context.Context, columns []Col, condition string, limit int) ([]ValueCount, error)
	// Top is the highest number of a counter's key, of texts the one that those of the counter's form end in; not ok where there is none.
	Top(ctx context.Context, c Counter) (top int64, ok bool, err error)
	// Memory reads what an earlier merge recorded; nil when there is none.
	Memory(ctx context.Context) (*Memory, error)
	// Unchanged returns an error when the source was replaced or written over since Open in a way that the snapshot does not keep out:
	// what was read is worth nothing then. A closed shard has no error.
	Unchanged() error
	// Verified waits for what OpenOptions.Check leaves to be looked at meanwhile, and returns an error when the database is damaged: what was read is worth nothing then.
	Verified(ctx context.Context) error
	Close() error
}

// KeyColumn is what a key column holds.
type KeyColumn struct {
	Set   *KeySet
	Rows  int64 // of the table
	Nulls int64
	Other int64 // values that are neither null nor an integer
	// Wholes counts those of Other that a column of no affinity stores as fractions and the engine takes for integers, as 401.0 for 401: Set holds
	// these, too. Whole are the first of them.
	Wholes int64
	Whole  []float64
	// Highest is the highest value the engine ever numbered in this column, when it remembers; 0 otherwise.
	Highest int64
}

// Repeats tells whether two rows hold the same key.
func (k *KeyColumn) Repeats() bool {
	return k.Rows-k.Nulls-k.Other > k.Set.Len()
}

// Marked is a database with numbers of its own beside its tables, such as the version of its schema, which a merge takes over from the first shard.
type Marked interface {
	Marks(ctx context.Context) (map[string]int64, error)
}

// Sample is a sample of a column.
type Sample struct {
	Rows     int64   // of the table
	Values   []int64 // distinct, ascending; null left out
	Weights  []int64 // rows seen with each value
	Complete bool    // Values holds every distinct integer of the column
	Other    int64   // rows seen with a value that is neither null nor an integer
	Others   int     // how many such values differ, all blobs taken as one
	Stored   int64   // rows of Other whose value is an integer stored as decimal text or as a fraction
	// Texts are some distinct texts that were seen, each cut after 200 characters.
	Texts []string
	// Frequent are those that were seen in more rows than one, cut like these, up to 1000, those of most rows first; FrequentRows are the rows of each.
	Frequent     []string
	FrequentRows []int64
}

// RefQuery asks what a reference's columns hold in one shard.
type RefQuery struct {
	Reference *Reference
	Alive     *KeySet // keys that exist; nil for a composite reference or one to text, which the engine looks up in the target itself
	Moving    *KeySet // keys that will change; nil when none
	// Collations compare the texts of each column, of a reference to text; where one is "", and without them, the target compares.
	Collations []string
	// Left is a condition on rows of the target that are left out of the merge: what holds their values is dead. Alive knows of them already. "" leaves none.
	Left string
}

// RefCount is what a reference's columns hold in one shard. Values named in None and nulls count as nobody.
type RefCount struct {
	Rows   int64 // rows that refer to something: not null, not none, and When holds
	Alive  int64 // of these, rows whose target exists
	Moving int64 // of these, rows whose target's key changes
	Named  int64 // of these, rows whose target's key is no integer
	AsText int64 // rows whose integer is stored as canonical decimal text
	Dead   []ValueCount
	// Other lists values that no integer key can equal: text that is not the canonical decimal of an integer, fractions, blobs.
	Other []ValueCount
}

// ValueCount is a value and in how many rows it stands. A composite value has several parts.
type ValueCount struct {
	Value []any // int64, float64, string, []byte
	Rows  int64
}

// Key is a single value in a form that is equal for equal values of one storage class, as a map needs it.
func (v ValueCount) Key() any { return v.KeyAt(0) }

// KeyAt is one of several values, in such a form.
func (v ValueCount) KeyAt(place int) any {
	if b, ok := v.Value[place].([]byte); ok {
		return bytesKey(b)
	}
	return v.Value[place]
}

// bytesKey is bytes that differ from the text of the same bytes.
type bytesKey string

// Clash is one unique value that several shards hold.
type Clash struct {
	Rows []ClashRow // the winner first
}

// ClashRow is one row that holds the value.
type ClashRow struct {
	Shard  int   // index into the shards
	Values []any // the unique's columns
	Key    []any // primary key; empty when the table has none
}

// KeyPair are the primary keys of two rows, one of either shard.
type KeyPair [2][]any

// SameKeys pairs each key with itself; nil for nil.
func SameKeys(keys []int64) (pairs []KeyPair) {
	for _, k := range keys {
		pairs = append(pairs, KeyPair{{k}, {k}})
	}
	return pairs
}

// RowPair are two rows, one of either shard, by their keys and with their values of some columns.
type RowPair [2]struct{ Key, Values []any }

// Output is a new database under construction.
type Output interface {
	// Load appends a shard's rows to a table, in final form.
	Load(ctx context.Context, s Shard, job TableJob, p *Progress) (rows int64, err error)
	// Finish makes indexes, triggers and views, sets counters, and records what happened.
	Finish(ctx context.Context, job FinishJob) error
	// Path is where the unfinished database is, so that it can be opened and proven.
	Path() string
	// Publish syncs the database and moves it to its final name, which must still be free.
	Publish(ctx context.Context) error
	// Fail moves the database aside and returns where.
	Fail() (string, error)
	// Abort removes it. After Publish or Fail it does nothing.
	Abort() error
}

// TableJob is how one shard's rows of one table become rows of the output.
type TableJob struct {
	Table   *Table // of the output
	Shard   int
	Columns []ColumnJob // generated columns are left out
	Rows    Rows        // MergeRows, FirstRows or UnionRows
	Key     []string    // by which FirstRows and UnionRows fold
	Drop    []Drop      // rows left out
	Renames []RenameJob
}

// ColumnJob is how one column's value is made.
type ColumnJob struct {
	Name    string // in the output
	Source  string // in the shard; "" when the shard lacks it
	Missing string // SQL value where the shard lacks the column
	Cases   []Case // the first that holds decides; otherwise the value stays
	Combine Combine
	Copies  []CopyJob
	Buried  []BuryJob
}

// Case maps a value when a condition on the row holds.
type Case struct {
	When    string    // SQL condition on the shard's row; "" always
	NotNull []string  // columns that must not be null as well, for composite references
	None    []any     // values that stay as they are
	Map     *KeyMap   // nil leaves the value as it is
	Clear   *ValueSet // dead values that become Cleared
	Cleared any       // nil for null
	AsText  bool      // integers stored as canonical decimal text are mapped too, and stay text
}

// Drop leaves out rows whose reference is dead.
type Drop struct {
	Column string
	When   string
	None   []any
	Values *ValueSet
}

// RenameJob renames rows of this table and shard.
type RenameJob struct {
	Rename *Rename
}

// CopyJob makes a column follow the renames of a text it copies.
type CopyJob struct {
	Rename *Rename
	When   string
	By     string // column of this row that holds the copied row's key; "" any equal value
	To     Col    // the key that By refers to
	Via    string
	None   []any // values that stay as they are
}

// BuryJob gives the dead texts of a column their tombstones.
type BuryJob struct {
	Burial *Burial // of which this shard's texts are meant, to the byte
	When   string
	None   []any // values that stay as they are
}

// CompareJob is what a table's rows must have become.
type CompareJob struct {
	Jobs     []TableJob // one for each shard whose rows take part, in shard order; the same description that Load takes, made from what was recorded
	Counters []Counter  // columns of this table that only have to be high enough
	Names    []string   // columns whose texts others repeat: where rows of a key fold, all have to be called as the one that comes of them
	Held     []Held     // conditions that must hold of an image where they held of its row; of tables whose rows fold none is looked at
	Limit    int        // how many bad rows to describe
}

// Held is a condition of a reference: the game reads it in the output.
type Held struct {
	Column string // of the reference; rows in which it holds null or a None value refer to nobody, whatever the condition says
	None   []any
	When   string
}

// Comparison is what Compare saw.
type Comparison struct {
	Shards []int64  // by job: the rows that have their image
	Merged int64    // rows of the merged table
	Bad    int64    // rows without their image, with a wrong one, or that came from nowhere
	Rows   []BadRow // some of these
	Turned []Turned // by Held: the rows of which a condition says something else than before
}

// Turned are the rows of the merged table of which a condition holds and held not before, or the other way round.
type Turned struct {
	Rows int64
	Key  string // the key of one of them as SQL literals, after the merge
}

// BadRow is a row that is not as it must be.
type BadRow struct {
	Shard  string // "" for a row of the merged table that came from nowhere
	Key    string // the row's key as SQL literals, before the merge; of a row without a key, what it should hold
	Column string // "" when the whole row is missing
	Want   string
	Got    string
}

// FinishJob completes an output.
type FinishJob struct {
	Schema   *Schema
	Floors   map[string]int64 // table to the lowest number its engine counter may stand at
	Beside   map[string][]Col // table to the keys of other tables that its engine counter numbers, too
	Counters []Counter
	Memory   *Memory
}

// Memory is what a merge records in its output, and what a proof starts from.
type Memory struct {
	Shards     []Source
	Earlier    []EarlierShard // the shards of earlier merges that the inputs came from
	Plan       []byte         // the settled plan, in the plan file's own format
	Spaces     []MemorySpace
	Renames    []MemoryRename
	Buried     []MemoryBuried
	References []MemoryReference
	Broken     string // how the record is not what its merge wrote; "" when it is. Not written
}

// EarlierShard is a shard of an earlier merge, and the inputs that carried it here, as in MemorySpace.
type EarlierShard struct {
	Via    string
	Source Source // its name and server number
}

// MemorySpace is what became of one shard's keys of one key space, in one merge.
type MemorySpace struct {
	Via        string // the inputs that carried it here from an earlier merge, "" for this one, "m/" when input m recorded it
	Key        Col
	Shard      string
	Runs       []Run
	Tombstones []Run
}

// MemoryReference tells under which key spaces a reference's columns were mapped; a zero Col means that the part stayed.
type MemoryReference struct {
	Reference Reference
	Spaces    []Col
}

// MemoryRename is one renamed row.
type MemoryRename struct {
	Via    string // as in MemorySpace
	Unique []Col
	Column Col
	Shard  string
	Row    []any // primary key after the merge
	Old    string
	New    string
}

// MemoryBuried is one dead text of a shard's references to a text key, and its tombstone.
type MemoryBuried struct {
	Via   string // as in MemorySpace
	Key   Col
	Shard string
	Old   string
	New   string
}
