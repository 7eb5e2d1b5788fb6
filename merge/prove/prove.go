// Package prove checks a merged database against its inputs. It starts from the inputs, the output and what the output records, and shares no
// code with the rewrite that made it.
package prove

import (
	"context"
	"errors"
	"fmt"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// Claim is what a proof says when every check holds, and where it ends.
const Claim = "every row of the inputs has its image or a recorded reason, and every reference of the recorded plan points to the image of what it pointed to; " +
	"references the plan does not know are outside this proof"

// ClaimGiven is what it says when the operator's own plan was given.
const ClaimGiven = "every row of the inputs has its image or a recorded reason, every reference of the recorded plan points to the image of what it pointed to, and " +
	"the recorded plan takes the decisions of the plan that was given; references the plan does not know are outside this proof"

// ErrNoRecord says that the database does not record a merge, so there is nothing to start from. Run returns it.
var ErrNoRecord = errors.New("the database records no merge")

// InputError says that the inputs are not those that the output records. Run returns it. Its text leaves Next to whoever prints it.
type InputError struct {
	Shard string // the input concerned, "" for their number
	Text  string
	Next  string
}

func (e *InputError) Error() string {
	s := e.Text
	if e.Shard != "" {
		s = "input " + e.Shard + ": " + s
	}
	return s
}

// Options are the rare wishes.
type Options struct {
	Limit    int             // bad rows to describe for each table; 0 is 20
	Progress *merge.Progress // counts rows of the output; may be nil
	Plan     *merge.Plan     // the operator's own plan, that the recorded one must follow; nil believes the recorded one
}

// Report is the outcome of a proof.
type Report struct {
	OK     bool
	Checks []Check
	Bad    []Bad // some of the rows that are not as they must be
	Claim  string
}

// Bad is a row that is not as it must be, and the table it stands in.
type Bad struct {
	Table string
	merge.BadRow
}

// Names of checks.
const (
	CheckMaps       = "maps"       // recorded key maps are sane
	CheckGiven      = "given plan" // the recorded plan is the operator's own
	CheckAccepted   = "accepted"   // a reference that the operator's own plan does not name, but accepts by its grade
	CheckMarks      = "marks"      // the game's own numbers of the whole database
	CheckEarlier    = "earlier"    // what the inputs recorded is carried on
	CheckPlan       = "plan"       // the record agrees with the plan
	CheckRecord     = "record"     // nobody changed what the merge recorded
	CheckContents   = "contents"   // the inputs hold what the merge read
	CheckTables     = "tables"     // the output has the inputs' tables and no others
	CheckRows       = "rows"       // every row has its image, and every row is one
	CheckReferences = "references" // what was dead is dead, what was alive is alive
	CheckRenames    = "renames"    // new names are new
	CheckObjects    = "objects"    // indexes, triggers and views
	CheckCounters   = "counters"   // the engine's own counters
	CheckIntegrity  = "integrity"
	CheckForeign    = "foreign keys"
)

// Check is one thing that was looked at.
type Check struct {
	Name   string
	Table  string // "" for the whole database
	Column string // "" for the whole table
	Shard  string // "" for all
	Rows   int64  // rows or values that were looked at
	OK     bool
	Detail string // counts when it holds, what is wrong when it does not
}

// proof is one proof under way.
type proof struct {
	engine  merge.Engine
	shards  []merge.Shard
	merged  merge.Shard
	schema  *merge.Schema // of the output
	mem     *merge.Memory
	plan    *merge.Plan
	earlier []*merge.Memory // by shard: what it records itself; nil where that is nothing
	graves  map[keyColumn]*merge.KeySet
	spaces  map[merge.Col]*space
	rename  []*merge.Rename
	folded  map[string]bool             // renamed rows that fold into others, whose names they take
	buried  map[merge.Col]*merge.Burial // by text key: the tombstones of dead texts
	keys    map[keyColumn]*merge.KeyColumn
	refs    []*reference
	gone    map[keyColumn]*merge.KeySet // keys of rows that a reference with the rule drop leaves out
	left    map[rowsOf][]string         // conditions on those rows
	bereft  map[string]int64            // by table: rows that refer to tables of which the plan leaves rows out
	sound   <-chan soundness            // the output's integrity, checked meanwhile
	opt     Options
	report  *Report
}

// Run proves a merged database against its inputs, which must be given in the recorded order. A proof that fails is a report whose OK is false;
// an error says that it could not be made: ErrNoRecord, an *InputError, or what the engine says.
func Run(ctx context.Context, engine merge.Engine, shards []merge.Shard, merged merge.Shard, opt Options) (report *Report, err error) {
	if opt.Limit == 0 {
		opt.Limit = 20
	}
	p := &proof{
		engine: engine, shards: shards, merged: merged, schema: merged.Schema().Copy(), spaces: map[merge.Col]*space{}, folded: map[string]bool{}, buried: map[merge.Col]*merge.Burial{},
		graves: map[keyColumn]*merge.KeySet{}, keys: map[keyColumn]*merge.KeyColumn{}, gone: map[keyColumn]*merge.KeySet{}, left: map[rowsOf][]string{}, bereft: map[string]int64{}, opt: opt, report: &Report{OK: true, Claim: Claim},
	}
	if opt.Plan != nil {
		p.report.Claim = ClaimGiven
	}
	defer p.soundInBackground(ctx)()
	if err := p.readRecord(ctx); err != nil {
		return nil, err
	}
	if p.plan, err = planfile.Parse("the recorded plan", p.mem.Plan); err != nil { // without it nothing else can be checked
		p.fail(Check{Name: CheckRecord}, "the recorded plan cannot be read: %v", err)
		return p.report, nil
	}
	if err := p.readSpaces(); err != nil {
		return nil, err
	}
	if err := p.readBuried(); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		what string
		run  func(context.Context) error
	}{
		{"look what the columns hold", func(ctx context.Context) error { return merge.FindTexts(ctx, p.schema, p.shards) }},
		{"read what the inputs record", p.readEarlier},
		{"follow the dropped rows", p.findDropped},
		{"check the key maps", p.checkSpaces},
		{"check the renames", p.checkRenames},
		{"check who keeps a name", p.checkWinners},
		{"check the earlier merges", p.checkEarlier},
		{"check the record's own digest", p.checkRecord},
		{"check what the inputs hold", p.checkContents},
		{"check the record against the plan", p.checkPlan},
		{"check the recorded plan against the given one", p.checkGiven},
		{"check the references", p.checkReferences},
		{"check what the plan keeps", p.checkKept},
		{"check the filled references", p.checkFilled},
		{"check the tombstones", p.checkBuried},
		{"check the tombstones of texts", p.checkTombstones},
		{"compare the tables", p.compareTables},
		{"check the schema", p.checkObjects},
		{"check the counters", p.checkCounters},
		{"check the numbers of the whole database", p.checkMarks},
		{"check the output's integrity", p.checkSound},
	} {
		if err := step.run(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", step.what, err)
		}
	}
	return p.report, nil
}

// readRecord reads what the output records and checks that it speaks of these inputs.
func (p *proof) readRecord(ctx context.Context) (err error) {
	if p.mem, err = p.merged.Memory(ctx); err != nil {
		return err
	}
	if p.mem == nil || len(p.mem.Shards) == 0 {
		return ErrNoRecord
	}
	const next = "give the inputs of this merge, in its order and under its names"
	if len(p.shards) != len(p.mem.Shards) {
		return &InputError{"", fmt.Sprintf("the number of inputs is %d, but the output was made of %d", len(p.shards), len(p.mem.Shards)), next}
	}
	for i, want := range p.mem.Shards {
		got := p.shards[i].Source()
		if got.Name != want.Name {
			return &InputError{got.Name, fmt.Sprintf("number %d of the merge was %s", i+1, want.Name), next}
		}
		if got.Server != nil && (want.Server == nil || *want.Server != *got.Server) {
			return &InputError{got.Name, fmt.Sprintf("it is given as server %d, which is not what the merge recorded", *got.Server), next}
		}
	}
	return nil
}

// pass notes a check that holds.
func (p *proof) pass(c Check) {
	c.OK = true
	p.report.Checks = append(p.report.Checks, c)
}

// fail notes a check that does not hold.
func (p *proof) fail(c Check, format string, args ...any) {
	c.OK, c.Detail = false, fmt.Sprintf(format, args...)
	p.report.OK = false
	p.report.Checks = append(p.report.Checks, c)
}

// name is a shard's name.
func (p *proof) name(shard int) string { return p.shards[shard].Source().Name }

// keyColumn is a column of a shard; shard -1 is the output.
type keyColumn struct {
	shard int
	col   merge.Col
}

// keysOf reads a column's integers once. A shard without the column holds none.
func (p *proof) keysOf(ctx context.Context, shard int, col merge.Col) (*merge.KeyColumn, error) {
	at := keyColumn{shard, col}
	if k := p.keys[at]; k != nil {
		return k, nil
	}
	db := p.merged
	if shard >= 0 {
		db = p.shards[shard]
	}
	own, ok := db.Schema().Resolve(col)
	if !ok {
		p.keys[at] = &merge.KeyColumn{Set: merge.NewKeySet()}
		return p.keys[at], nil
	}
	k, err := db.Keys(ctx, own)
	if err == nil {
		p.keys[at] = k
	}
	return k, err
}
