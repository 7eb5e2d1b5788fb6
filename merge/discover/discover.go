// Package discover finds the references that no schema declares.
//
// Names propose, data disposes: a column's name says which key it may hold, and the values of every shard, measured against that shard's own
// keys, confirm or refuse it. The strongest evidence is one that only a merge has: a true reference uses the keys of its own shard and leaves
// out the holes between them, also those that are keys in another shard; a level or an amount knows nothing of either.
package discover

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// Options are what is known before the search. The zero value knows nothing.
type Options struct {
	// Hubs names the key that stands for a role: "character" is what owners, senders and leaders are, "account" what logs in. It settles the
	// columns whose names tell only a role.
	Hubs map[string]merge.Col
	// Same compares the rows with the same key of shards a and b: how many keys are shared and how many of those rows are equal; of a table
	// without a key, how many rows were compared and how many have an equal one. Without it no table is called static.
	Same func(ctx context.Context, a, b int, table string) (shared, equal int64, err error)
	// Unlike counts the rows of one key in shards a and b that differ in every one of some columns. Without it every such row is taken for the same thing, changed.
	Unlike func(ctx context.Context, a, b int, table string, columns []string) (rows int64, err error)
	// Different counts, by column, the rows of one key in shards a and b that differ in it, of some keys where these are not nil. Without it no column is known to be the same everywhere.
	Different func(ctx context.Context, a, b int, table string, keys []int64) (rows map[string]int64, err error)
	// Quote writes a name and Literal a value as the engine's SQL, for conditions; without them it is standard SQL.
	Quote   func(name string) string
	Literal func(v any) string
	// Known are the references that the plan has decided, also those with As Keep. They count as declared, and no proposal is made for their columns; for those that
	// a pattern keeps, none but certain ones.
	Known []merge.Reference
	// Counters are where the plan says that the game counts.
	Counters []merge.Counter
	// Static are tables whose keys the plan never changes.
	Static []string
	// Numbered are columns to which the plan gives new numbers. One that is called the number of its table's rows is that, though some rows share one.
	Numbered []merge.Col
	// Again are columns among Known of which Otherwise says what their values say today.
	Again []merge.Col
	// Dynamic are tables that the plan merges row by row, however equal they look.
	Dynamic []string
	// Lists are tables whose rows the plan folds by what they hold, for every server has numbered them anew: their numbers mean something else on each.
	Lists []string
}

// Result is what a search found. Every list is sorted; the same databases give the same result.
type Result struct {
	Keys      []Key
	Proposals []merge.Proposal // by table and column; one for each column, or one for each condition of it
	Static    []StaticTable    // tables that look the same on every shard
	Questions []Question       // the answer that settles most columns first
	Unplaced  []Unplaced
	Groups    []Groups
	Counters  []Counter
	Opaque    []Opaque   // columns in which keys may hide
	Embedded  []Embedded // columns of text with numbers in it, in which keys may hide
	Leftovers []Leftover
	Otherwise []Otherwise
	Doubts    []Doubt
	Archives  []Archive            // by key
	Shared    map[merge.Col]bool   // columns whose numbers stand in several rows each and in two shards, and which are named neither like amounts nor like somebody or kinds of things, unless one owner has all rows of each
	Numbers   map[merge.Col]bool   // columns of several numbers that are named like no amount, and for which nothing is proposed
	Natures   map[merge.Col]Nature // of keys of one column
	Called    map[merge.Col]bool   // columns of texts whose names say that they hold somebody, or a row of some table
}

// Key is a column whose values identify the rows of its table in every shard.
type Key struct {
	Col     merge.Col
	Root    bool // numbers its rows itself; otherwise it repeats another key or is a natural one
	Generic bool // its name (id, guid) says nothing
	// Undeclared tells that no schema holds the values unique: they are in fact, and Reason says why they should be.
	Undeclared bool
	Reason     string
	Zeros      bool // 0 is no key, but says that a row has none
	// Like are the keys of other tables, the likeliest first, that it may hold instead of numbering its own rows, by its name and its values.
	Like []merge.Col
	// Holding are the columns of other tables that hold none but its numbers, the likeliest first, where no reference to it is known.
	Holding []merge.Col
	// Sides are the keys of other tables that could number their own rows and rather hold some of its numbers.
	Sides []Side
	// Columns are the keys of each shard, complete; a shard that lacks the table has an empty set.
	Columns []*merge.KeyColumn
}

// Sets are the key's values, by shard.
func (k *Key) Sets() []*merge.KeySet {
	list := make([]*merge.KeySet, len(k.Columns))
	for i, c := range k.Columns {
		list[i] = c.Set
	}
	return list
}

// Side is a key that could number its own rows, and most of whose numbers are another table's keys.
type Side struct {
	Col      merge.Col
	Others   []merge.Col // further keys that hold the rest of its numbers, where no number is one of two of these
	Orphans  float64     // the share of its numbers that are none of theirs
	Evidence string
	Own      bool // it rather numbers its own rows, as columns that are named after it say
	Called   bool // its table is called like more about the other's rows
}

// StaticTable is a table whose rows look the same on every shard, so that the same key is the same thing.
type StaticTable struct {
	Table    string
	Grade    merge.Grade // Doubtful asks: the keys are the same and the rows are not, or there is too little to tell
	Evidence string
	Differ   int64  // rows that are not equal to another shard's of their key, by pairs of shards
	Part     bool   // all rows of the one shard are equal to the other's, which has more, and nobody has made them: to fold them leaves no row out
	Unlike   int64  // of these, the rows that are another thing: they have nothing of what tells rows apart in common
	Things   bool   // whose rows are told apart by what is the same on every server, whatever else differs
	Owner    string // of these, the column that is called like somebody; "" where there is none
}

// Question is a question whose answer settles several columns at once.
type Question struct {
	Role     string      // "character": the name to answer under in Options.Hubs
	Key      merge.Col   // the answer that fits best
	Others   []merge.Col // other answers, the best first
	Columns  []merge.Col // what it would settle
	Text     string      // in words
	Evidence string      // why the first answer fits best
}

// Opaque is a column of which nobody can see whether it holds keys.
type Opaque struct {
	Col  merge.Col
	What string // it holds: bytes, texts in base64
}

// Unplaced is a column that is named like a key of something and holds values that no key of the databases explains well: an id of the client's
// files, of another server, or of a table that the name hides. A person says that it stays, or which table issues its numbers.
type Unplaced struct {
	Col      merge.Col
	Fits     []merge.Col // keys of other tables that all or nearly all of its values are among, the likeliest first, though nothing else speaks for them
	Lowest   []merge.Col // where there are none of them, the keys whose lowest numbers all or nearly all of its values are, that of its own table first
	Kind     string      // as SQL, the column beside it that is called as what tells kinds of rows apart, where it is called an id; "" where there is none
	Counts   merge.Col   // the key above which its table's one row stands on every server: the game may count there
	Evidence string
}

// Embedded is a text column whose values hold numbers among other things.
type Embedded struct {
	Col     merge.Col
	What    string   // "JSON", "serialized PHP", "a list" or "words with numbers"
	Samples []string // some of its values
	// Match finds the numbers that are keys of To, as far as can be told; "" when no key explains them.
	Match    string
	To       merge.Col
	Grade    merge.Grade
	Evidence string
	Also     []string // what other places of its texts hold, in words
}

// Counter is a place where the game seems to count a key by itself.
type Counter struct {
	merge.Counter
	Evidence string
	Numbered bool // its row is found by its table's own key, which has to stay the same
	Own      bool // its column is the key of its own table
	Past     bool // its value is above every key in every shard: nobody is meant
	// Fits are keys that all or nearly all of its column's values are among, the likeliest first: it may hold these and count nothing.
	Fits []merge.Col
}

// Run searches the shards. The schema is the aligned one: a shard may lack a table or a column, which then counts as empty. It reads each
// key column once and a sample of each other column that may hold keys, and closes nothing.
func Run(ctx context.Context, schema *merge.Schema, shards []merge.Shard, opt Options) (*Result, error) {
	if len(shards) == 0 {
		return nil, fmt.Errorf("discover references: no shard")
	}
	s := &search{ctx: ctx, schema: schema, shards: shards, opt: opt, continued: map[*key]*key{}, lending: map[*key][]*key{}, counting: map[*key]bool{}, sequence: map[[2]*key]bool{}, archives: map[*key]*key{}, partsOf: map[*key][]*key{}, common: map[string]bool{}, counted: map[string]bool{}, left: map[[2]*key]bool{}, parted: map[[2]*key]bool{}, waiting: map[merge.Col]bool{}, tellers: map[merge.Col]string{}, rests: map[merge.Col]*column{}, seen: map[merge.Col][]*merge.Sample{}, kinds: map[merge.Col]map[int][]string{}, opaque: map[merge.Col]string{}, labels: map[merge.Col]*labels{}, paired: map[rowName]*rowLabels{}}
	for _, step := range []func() error{
		s.readNames, s.readKeys, s.readNumberings, s.readColumns, s.numberBeside, s.rootKeys, s.compareTables, s.findArchives, s.readZeros, s.findElders, s.match, s.conditions, s.findNamedSettings, s.doubtParents, s.keepLike, s.lookAgain, s.doubtDeclared, s.findOutlived, s.keepUsed, s.doubtServers, s.settleStatic, s.judgeNatures, s.findTextCounters, s.findCounters, s.findDrawn, s.countersInPart, s.besideCounters, s.notCells, s.findEmbedded, s.findQuestions,
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("discover references: %w", err)
		}
	}
	r := s.result()
	if s.failed != nil {
		return nil, fmt.Errorf("discover references: %w", s.failed)
	}
	return r, nil
}

// search is one run's state; each step fills in what the next ones read.
type search struct {
	ctx    context.Context
	schema *merge.Schema
	shards []merge.Shard
	opt    Options

	words     *vocabulary
	tables    map[string]*table
	keys      []*key
	columns   []*column
	continued map[*key]*key
	lending   map[*key][]*key
	counting  map[*key]bool                  // whether they plainly number their own rows
	sequence  map[[2]*key]bool               // pairs of keys that one sequence numbers
	archives  map[*key]*key                  // by key of a table with old rows, the one whose numbers it has
	common    map[string]bool                // names that the keys of many tables bear
	counted   map[string]bool                // those by which many tables count rows that differ between the servers
	left      map[[2]*key]bool               // whether the rows of the one are left from the other's
	parted    map[[2]*key]bool               // whether keys of one name have nothing else in common
	seen      map[merge.Col][]*merge.Sample  // of columns of text
	tellers   map[merge.Col]string           // what may tell the kinds of columns apart that are called ids and of which no values do
	kinds     map[merge.Col]map[int][]string // values of columns that have so many at most
	divided   *column                        // of which divisions are
	divisions map[*merge.Column]*division
	hubs      []*key                    // keys that role words may mean, the likeliest first
	fits      map[*column]map[*key]*fit // how well whole columns fit keys
	picks     []*pick
	failed    error                  // of a look at the rows while columns were compared
	labels    map[merge.Col]*labels  // of columns of texts
	paired    map[rowName]*rowLabels // rows that every shard has, by what names them
	statics   []StaticTable
	alike     map[string]bool // tables whose rows are the same in every shard, or whose keys are by the plan
	same      map[string]bool // those of the plan whose rows are equal indeed
	differ    map[string]bool // those of the plan of which some rows are not
	counters  []Counter
	rests     map[merge.Col]*column // columns in some rows of which the game counts, without these
	questions []Question
	waiting   map[merge.Col]bool // columns that a role's answer may concern
	embedded  []Embedded
	reading   merge.Col            // the column of text that is looked into,
	written   map[string][]written // and the numbers of its texts
	otherwise []Otherwise
	doubts    []Doubt

	opaque      map[merge.Col]string // what columns hold in which keys may hide, whatever they are declared to hold
	unreadable  []Unplaced           // columns that are named like keys, with numbers in a spelling of their own
	natures     map[merge.Col]Nature
	whenCounted map[*key]Nature     // those of keys that the game itself should count
	partsOf     map[*key][]*key     // keys that have the numbers of one among themselves, as far as anybody asked
	laid        map[*table][]string // columns that are the same at the same key in every shard, as far as that was looked at
	cells       map[*key]bool       // that seem to be places, for their numbers are the same everywhere and nothing else
	grows       map[*table]bool     // tables whose rows were added one at a time, as far as that was looked at
	titled      map[*table]bool     // whose rows have names of their own, or are people, as far as that was looked at
}
