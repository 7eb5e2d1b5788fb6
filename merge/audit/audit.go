// Package audit finds everything in a set of shards that would collide or get lost in a merge, and settles it by a plan as far as the plan goes.
package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// Options are how an audit runs.
type Options struct {
	Progress *merge.Progress
	// Present is the cursor (tick and sequence of the game63 layout) of the present moment: IDs for legacy keys must stay below it.
	Present    int64
	NewKeys    merge.Rule // for key spaces that the plan leaves open; "" chooses by the key's columns
	ChangeAll  bool       // change every key that is not static
	ClashLimit int        // clashing values of one unique key that are told apart; 0 is a million
	// Assume counts as accepted what the plan does not accept, for a first audit without a plan.
	Assume []merge.Grade
	// Parked is what the plan's file itself holds undecided: open, as long as the plan does not decide it.
	Parked []merge.Undecided
}

// Result is what an audit found.
type Result struct {
	Verdict   Verdict
	Tables    []TableLine
	Findings  []merge.Finding
	Undecided []merge.Undecided
	Questions []discover.Question
	// Plan holds every decision that is in force: the plan's own, the declared references, accepted proposals and defaults.
	Plan *merge.Plan
	// Idle are the keys of lines that the plan was first written with and that have no effect any more: it says what these keys refer to.
	Idle []merge.Col
	// Evidence says why an entry of Plan stands there: for a reference by its String, for a table by its name.
	Evidence map[string]string
	LeftOut  []LeftOut
	// Settled is what a rewrite carries out; nil while something is undecided or blocked.
	Settled *merge.Settled
}

// Verdict is the audit in numbers.
type Verdict struct {
	Shards     int
	Decisions  int   // entries that a person has to settle
	Blocks     int   // findings that no plan settles
	Proposed   int   // references found with certainty that no plan records yet
	WrongRows  int64 // rows that would belong to somebody else after a naive merge
	NameClash  int64 // text values of unique keys that two shards hold
	Conflicts  int64 // keys that two shards hold
	Rows       int64
	Bytes      int64   // disk that a rewrite needs
	Seconds    float64 // about how long a rewrite takes
	MemoryPeak int64   // bytes
}

// TableLine is one table of the audit.
type TableLine struct {
	Table     string
	Rows      []int64 // by shard
	Policy    string
	Conflicts int64      // keys that change
	Rule      merge.Rule // of the table's own key space; "" when it has none
	Orphans   int64
}

// RefusedPlanError says that a plan does not fit the databases.
type RefusedPlanError struct {
	Problems []string
	Stale    bool // the schemas are not those that the plan was written for, which a refresh of the plan records
}

func (e *RefusedPlanError) Error() string {
	text := "the plan does not fit these databases:"
	for _, p := range e.Problems {
		text += "\n  " + p
	}
	return text
}

// auditor carries one audit from step to step.
type auditor struct {
	engine merge.Engine
	raw    []merge.Shard // as the engine knows them
	shards []merge.Shard // the same, with key columns read once
	given  *merge.Plan
	opt    Options
	began  time.Time

	schema *merge.Schema
	origin map[string]int // table to the shard whose declaration is used
	tables map[string]*table
	refs   []*reference
	spaces map[merge.Col]*space
	order  []*space
	nature map[merge.Col]discover.Nature

	tuples       map[string]*merge.Unique  // by table without a key: the first columns that tell its rows apart
	undeclared   []merge.Col               // numbers of rows that no schema holds unique
	archives     []discover.Archive        // keys of tables with old rows of others
	holding      map[merge.Col][]merge.Col // by key to which no reference is known: columns that hold none but its numbers
	found        []discover.Key
	leftovers    []discover.Leftover           // columns of which some numbers are keys, and nothing else says so
	byRow        map[merge.Col][]merge.Col     // columns of another table's row numbers that else would be asked about as groups, or as these keys
	plainNumbers map[merge.Col]bool            // columns of numbers for which discovery proposes nothing, and that are named like no amount
	likeNamed    map[merge.Col]merge.Col       // columns that are asked about only since they are named like a key, and that key
	grouped      map[merge.Col]bool            // columns whose numbers rows and shards share
	persons      map[merge.Col]merge.Col       // columns of texts that hold whom rows which fold are, and the column of these
	inGroups     map[merge.Col]bool            // columns that are asked about with those of groups whose name they have
	partly       []part                        // columns of which some texts are those of a name
	unnamed      []*bearing                    // columns that tell rows apart and share texts with other shards, and may hold names
	otherwise    []discover.Otherwise          // what the values of columns say that the plan decided
	doubted      []discover.Doubt              // what the values of columns say of which the schema says that all rows hold one key
	askedCopies  map[merge.Col][]*copying      // by column that is asked about as a copy: what it may repeat
	partCounts   map[merge.Col]bool            // columns in some rows of which the game counts by the plan, and in others not
	partHeld     map[merge.Col]float64         // keys of texts that are asked about as another's, which not all of their values are, and how much of them
	somebody     map[merge.Col]bool            // columns of texts whose names say that they hold somebody
	texts        map[heldTexts]map[string]bool // of columns that are looked at again and again
	ownNaming    map[merge.Col]bool            // whether columns hold what their rows are called, each another

	gone map[merge.Col][]map[string]bool // by key column and shard: values of rows that a reference drops
	lost map[merge.Col][]*merge.KeySet   // the integers among them, of keys without a space of their own

	burials map[merge.Col]*burial // by text key

	kepts       []declaredKey   // foreign keys whose columns the plan keeps
	counters    []merge.Counter // the plan's, and for other keys of the same sequences
	rename      []*merge.Rename
	newNames    map[*merge.Rename]map[string]string // by shard and old name: the new one
	chances     map[columnOf]float64                // chances of two rows of a shard sharing a value
	lostNames   map[*merge.Rename]map[loser]bool
	inForm      map[*merge.Unique]int          // clashes of a unique key of names that are one in the form in which another column of their row repeats them
	underOneKey map[*merge.Unique]*underOneKey // of unique keys whose clashes were looked for as the schema compares them
	behind      map[merge.Col][]framed         // by column that others may repeat: the frames in which it has names of others of these
	framedBy    map[merge.Col][]framed         // by column: the frames about which is asked one by one
	inShape     map[merge.Col]float64          // the share of a column's texts that repeat what it is asked to follow in another shape
	sameKey     map[string]*sameKey            // by table: the question whether rows of equal keys are the same thing
	unjudged    []string                       // tables with a unique key that only rows in their final form can be judged by
	memory      []*merge.Memory                // by shard; nil where there is none
	earlier     []earlier                      // what the merges that made the inputs decided
	newTexts    map[int]map[string]bool        // by shard: what they gave out
	proposed    map[merge.Col][]merge.Proposal // what discovery proposes of a column
	passed      []merge.Proposal               // in place of which earlier lines are asked
	keptAgain   []merge.Col                    // that may hold another's keys, and held none before

	res      *Result
	problems []string // of the plan
	stale    bool     // it was written for other schemas
}

// Run audits shards under a plan; a nil plan holds no decision. It returns a *RefusedPlanError when the plan names what the databases do not have, and the error
// of a shard that cannot be read.
func Run(ctx context.Context, engine merge.Engine, shards []merge.Shard, plan *merge.Plan, opt Options) (*Result, error) {
	if plan == nil {
		plan = &merge.Plan{}
	}
	if opt.ClashLimit == 0 {
		opt.ClashLimit = clashLimit
	}
	a := &auditor{
		engine: engine, raw: shards, given: plan.Apart(), opt: opt, began: time.Now(),
		origin: map[string]int{}, tables: map[string]*table{}, spaces: map[merge.Col]*space{}, holding: map[merge.Col][]merge.Col{}, likeNamed: map[merge.Col]merge.Col{},
		gone: map[merge.Col][]map[string]bool{}, lost: map[merge.Col][]*merge.KeySet{},
		burials: map[merge.Col]*burial{}, inGroups: map[merge.Col]bool{}, byRow: map[merge.Col][]merge.Col{}, proposed: map[merge.Col][]merge.Proposal{}, newNames: map[*merge.Rename]map[string]string{}, lostNames: map[*merge.Rename]map[loser]bool{}, underOneKey: map[*merge.Unique]*underOneKey{}, inForm: map[*merge.Unique]int{}, sameKey: map[string]*sameKey{}, askedCopies: map[merge.Col][]*copying{}, partHeld: map[merge.Col]float64{}, partCounts: map[merge.Col]bool{}, inShape: map[merge.Col]float64{}, framedBy: map[merge.Col][]framed{}, newTexts: map[int]map[string]bool{}, ownNaming: map[merge.Col]bool{}, res: &Result{Evidence: map[string]string{}},
	}
	for _, s := range shards {
		a.shards = append(a.shards, &cachedShard{Shard: s, keys: map[merge.Col]*merge.KeyColumn{}})
	}
	steps := []struct {
		name string
		run  func(context.Context) error
	}{
		{"origins", a.readMemories},
		{"schemas", a.align},
		{"tables", a.countTables},
		{"plan", a.checkPlan},
		{"keys", a.readKeys},
		{"references", a.knownReferences},
		{"counters", a.readBesideCounters},
		{"discovery", a.discover},
		{"key spaces", a.findSpaces},
		{"key spaces", a.checkRepeatedKeys},
		{"references", a.measureReferences},
		{"new keys", a.assignKeys},
		{"keys of one sequence", func(context.Context) error { a.checkOutOfSequence(); return nil }},
		{"keys made of others", a.askWithin},
		{"copies", a.tellBy},
		{"rows that fold by value", a.tellByValue},
		{"rows for nobody", a.askZeroRows},
		{"references", a.checkFollowed},
		{"references", a.askHalfNull},
		{"decided columns", a.checkDecided},
		{"declared references", a.askDoubts},
		{"order of keys", a.checkOrder},
		{"missing columns", a.askMissing},
		{"missing columns", a.checkFilled},
		{"filled keys", a.checkFilledKeys},
		{"text references", a.findTextReferences},
		{"dead texts", a.findCaptured},
		{"collations", a.checkCollations},
		{"names in other letters", a.askTwinLetters},
		{"unique keys", a.checkUniques},
		{"nulls in unique keys", a.askNulls},
		{"targets", a.checkTargets},
		{"tables without a key", a.askKeyless},
		{"tables of one row", a.askOneRow},
		{"rows of what folds", a.askDoubled},
		{"composite keys", a.askComposites},
		{"places", a.askCells},
		{"pairs", a.askPairs},
		{"rows of what folds", a.askOnceEach},
		{"places", a.askSpots},
		{"text keys", a.checkTexts},
		{"folded rows", a.checkFolds},
		{"parts of merged inputs", a.checkOrigins},
		{"one server twice", a.checkStates},
		{"copies", a.findCopies},
		{"copies", a.askNamesOfTwo},
		{"equal keys", a.askSameKeysAgain},
		{"kept copies", a.tellKept},
		{"names in frames", a.tellFramed},
		{"rows of no condition", a.askUncovered},
		{"rows of no condition", a.tellKeptKinds},
		{"chains of copies", a.leadChanging},
		{"names in frames", func(context.Context) error { a.askBesideFrames(); return nil }},
		{"earlier copies", func(ctx context.Context) error { return a.askEarlierReferences(ctx, true) }},
		{"computed keys", a.askComputed},
		{"names of two columns", a.askJoined},
		{"names", a.findLoose},
		{"names", a.askUnnamed},
		{"counters", a.checkCounters},
		{"literals", a.checkLiterals},
		{"row numbers", a.checkRowNumbers},
		{"texts of two columns", a.askComposed},
		{"columns left alone", a.askLeftovers},
		{"earlier answers", func(context.Context) error { a.remindEarlier(); return nil }},
		{"equal rows", a.askEqual},
		{"equal rows", a.tellEqual},
		{"order of rows", a.askTurnedRows},
		{"new names", a.checkTemplates},
		{"new names", a.checkSortedNames},
		{"new names", a.tellNamespaces},
		{"undecided entries", func(context.Context) error { a.askParked(); return nil }},
		{"plan", a.settle},
		{"checks", a.checkSettled},
	}
	for i, step := range steps {
		opt.Progress.Phase("audit: "+step.name, int64(len(steps)))
		opt.Progress.Add(int64(i))
		if err := step.run(ctx); err != nil {
			return nil, fmt.Errorf("audit, %s: %w", step.name, err)
		}
		if err := ctx.Err(); err != nil { // what looks like a problem may be this
			return nil, context.Cause(ctx)
		}
		if len(a.problems) > 0 {
			return nil, &RefusedPlanError{a.problems, a.stale}
		}
	}
	a.verdict()
	return a.res, nil
}

func (a *auditor) find(f merge.Finding) { a.res.Findings = append(a.res.Findings, f) }

// findOnce adds a finding that no other one says already.
func (a *auditor) findOnce(f merge.Finding) {
	if !slices.ContainsFunc(a.res.Findings, func(o merge.Finding) bool {
		return o.Rule == f.Rule && o.Table == f.Table && o.Column == f.Column && o.Text == f.Text
	}) {
		a.find(f)
	}
}

// ask leaves a decision to a person, unless none of the rows that it is about comes into the output.
func (a *auditor) ask(u merge.Undecided) {
	var about []merge.Col
	switch {
	case u.Reference != nil:
		about = u.Reference.From
	case u.Counter != nil:
		about = []merge.Col{u.Counter.Column}
	}
	left := func(c merge.Col) bool {
		return a.tables[c.Table] != nil && a.tables[c.Table].plan.Rows == merge.EmptyRows
	}
	if len(about) == 0 || slices.ContainsFunc(about, func(c merge.Col) bool { return !left(c) }) {
		a.res.Undecided = append(a.res.Undecided, u)
	}
}

func (a *auditor) problem(format string, args ...any) {
	a.problems = append(a.problems, fmt.Sprintf(format, args...))
}

// accepts tells whether a proposal of a grade counts as decided.
func (a *auditor) accepts(g merge.Grade) bool {
	return a.given.Accepts(g) || (&merge.Plan{Accept: a.opt.Assume}).Accepts(g)
}

// name is a shard's name.
func (a *auditor) name(i int) string { return a.shards[i].Source().Name }

// has tells whether a shard has a table.
func (a *auditor) has(shard int, table string) bool {
	return a.shards[shard].Schema().Table(table) != nil
}

// cachedShard reads each key column once.
type cachedShard struct {
	merge.Shard
	keys map[merge.Col]*merge.KeyColumn
}

// Keys reads a column the first time it is asked for.
func (c *cachedShard) Keys(ctx context.Context, col merge.Col) (*merge.KeyColumn, error) {
	if k, ok := c.keys[col]; ok {
		return k, nil
	}
	if c.Schema().Column(col) == nil { // absent in this shard: nobody holds a key
		return &merge.KeyColumn{Set: merge.NewKeySet()}, nil
	}
	k, err := c.Shard.Keys(ctx, col)
	if err == nil {
		c.keys[col] = k
	}
	return k, err
}
