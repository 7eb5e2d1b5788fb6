package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/prove"
	"github.com/gameid/gameid/merge/report"
	"github.com/gameid/gameid/merge/rewrite"
)

const rewriteHelp = `Writes one database that holds the rows of all shards. Keys that two shards hold
get new ones, every reference to them follows, and the result is proven against
the inputs before it gets its name. The inputs are never written.

Without --plan only declared references are used, and anything that needs a
person is refused with the list of it (exit 3).

The database is built in a folder .gameid-... beside OUT, which the next run
clears away when this one is killed. A failed proof leaves OUT.failed and the
report OUT.failed.txt, and exits 1. Ctrl-C removes what was begun and exits 130.`

type rewriteOptions struct {
	shardFlags
	keyFlags
	out     string
	unnamed bool // a dry run has no output; out is where one would be
	dryRun  bool
	args    []string
	started time.Time
}

func newMergeRewriteCommand(a *app) *cobra.Command {
	var o rewriteOptions
	c := &cobra.Command{
		Use: "merge-rewrite [NAME=]SHARD... -o OUT", SuggestFor: []string{"rewrite", "merge"}, Short: "Write the merged database and prove it", Long: rewriteHelp, GroupID: groupMerge,
		Example: `  gameid merge-rewrite a.db b.db --plan plan.yaml --dry-run -o merged.db
  gameid merge-rewrite a.db b.db --plan plan.yaml -o merged.db
  gameid merge-rewrite live.db --server s1=1042 --change all --new-keys gameid -o ids.db`,
		RunE: func(c *cobra.Command, args []string) error {
			o.args = args
			return a.mergeRewrite(c.Context(), c, &o)
		},
	}
	o.shardFlags.add(c)
	o.keyFlags.add(c)
	o.addPlan(c, "none, declared references alone")
	c.Flags().StringVarP(&o.out, "output", "o", "", "the new database (required without --dry-run; an existing file is refused)")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "write nothing: print counts, sample rows, and the time, disk and memory to expect; -o may be left out (default false)")
	keepOutOfConfig(c, "output")
	return c
}

func (a *app) mergeRewrite(ctx context.Context, c *cobra.Command, o *rewriteOptions) (err error) {
	o.started = time.Now()
	switch {
	case o.out == "" && o.dryRun:
		o.out, o.unnamed = "merged.db", true
	case o.out == "":
		return misused(c, errors.New("no output: say -o OUT"))
	}
	if _, err := engineFor(o.out); err != nil {
		return err
	}
	opt := audit.Options{Present: merge.IDCursorNow(time.Now())}
	if err := o.read(&opt); err != nil {
		return misused(c, err)
	}
	in, err := a.readInputs(c, &o.shardFlags, o.plan, o.args)
	if err != nil {
		return err
	}
	if o.unnamed {
		err = checkFolder(".", "output "+o.out)
	} else {
		err = in.checkNew(newFile{flag: "output", path: o.out, database: true, instead: "choose another output: nothing is ever overwritten"})
	}
	if err != nil {
		return err
	}
	if o.workDir == "" {
		o.workDir, o.beside = filepath.Dir(o.out), true
	}
	if err := in.open(ctx, a, &o.shardFlags); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	opt.Progress, opt.Parked = in.progress, in.parked
	res, err := audit.Run(ctx, in.engine, in.list, in.plan, opt)
	if err != nil || res.Settled == nil || o.dryRun {
		err = in.sound(ctx, err)
	}
	if err = in.unchanged(err); err != nil {
		return planTrouble(err, o.plan, o.words(in.sources)+o.again())
	}
	if err := o.checkUsed(a, in.plan, o.plan, res, o.words(in.sources)); err != nil {
		return err
	}
	if res.Settled == nil {
		in.stop()
		return a.refuseUnsettled(o, in.plan, in.parked, in.sources, res)
	}
	if o.dryRun {
		in.stop()
		return a.dryRun(ctx, in.shardSet, res, o)
	}
	if err := sqlite.CheckSpace(filepath.Dir(o.out), res.Verdict.Bytes); err != nil {
		return err
	}
	summary, out, err := rewrite.Run(ctx, in.engine, in.list, res.Settled, o.out, rewrite.Options{Plan: recordedPlan(&res.Settled.Plan), Progress: in.progress})
	if err != nil {
		return rewriteTrouble(in.sound(ctx, err), o.out)
	}
	defer func() { err = errors.Join(err, out.Abort()) }()
	proof, err := a.proveOutput(ctx, in.shardSet, out, in.progress)
	if err = in.sound(ctx, err); err != nil {
		return rewriteTrouble(err, o.out)
	}
	in.stop()
	if !proof.OK {
		return a.failProof(out, proof)
	}
	// Once the output has its name nobody runs this again to clear away what a kill leaves.
	left := in.Close()
	if err := out.Publish(ctx); err != nil {
		return errors.Join(rewriteTrouble(err, o.out), left)
	}
	if left != nil {
		return trouble(fmt.Errorf("%s is complete and proven, but not everything that was needed for it could be removed: %w", o.out, left),
			"check the disk and the permissions, and remove the folder; the next gameid that works there removes it, too")
	}
	return a.printSummary(o, in.sources, res, summary, proof)
}

// refuseUnsettled lists what a person has to settle before anything is written.
func (a *app) refuseUnsettled(o *rewriteOptions, plan *merge.Plan, parked []merge.Undecided, sources []merge.Source, res *audit.Result) error {
	for _, f := range report.SortFindings(res.Findings) {
		if f.Severity == merge.Block {
			subject := cmp.Or(strings.Trim(f.Table+"."+f.Column, "."), f.Shard, f.Rule)
			fmt.Fprintf(a.Err, "\n  blocked: %s: %s\n", subject, f.Text)
			if len(f.Samples) > 0 {
				fmt.Fprintf(a.Err, "    such as %s\n", report.Visible(strings.Join(f.Samples, ", ")))
			}
			fmt.Fprintf(a.Err, "    next: %s\n", f.Next)
		}
	}
	a.printQuestions(res)
	rerun := "gameid merge-check " + o.words(sources) + o.again()
	next := rerun + " --write-plan plan.yaml"
	switch {
	case res.Verdict.Blocks > 0:
		next = "mend what is blocked first"
	case o.plan != "":
		next = addLines(plan, parked, res, quoteWord(o.plan), rerun)
	}
	return refused(fmt.Errorf("nothing was written: %s", openText(res)), next)
}

func openText(res *audit.Result) string {
	var words []string
	if n := res.Verdict.Blocks; n > 0 {
		words = append(words, report.Count(int64(n), "blocking finding"))
	}
	if n := res.Verdict.Decisions; n > 0 {
		words = append(words, report.Count(int64(n), "open decision"))
	}
	return strings.Join(words, ", ")
}

// sampled is how many rows of each table and shard a dry run looks at, to show those that change.
const sampled = 2

func (a *app) dryRun(ctx context.Context, set *shardSet, res *audit.Result, o *rewriteOptions) error {
	forecast, err := rewrite.Preview(ctx, set.engine, set.list, res.Settled, sampled)
	if err != nil {
		return rewriteTrouble(err, o.out)
	}
	var tables []rewrite.TableSummary
	for _, t := range forecast.Tables {
		tables = append(tables, t.TableSummary)
	}
	if err := a.printTables(res.Settled.Shards, tables); err != nil {
		return err
	}
	for _, t := range forecast.Tables {
		for _, s := range t.Samples {
			for i := range s.Before {
				if change := changes(s.Columns, s.Before[i], s.After[i]); change != "" {
					fmt.Fprintf(a.Err, "  %s of %s: %s\n", report.Visible(t.Table), s.Shard, report.Visible(change))
				}
			}
		}
	}
	about := "about "
	if res.Verdict.Seconds < 1 {
		about = ""
	}
	fmt.Fprintf(a.Err, "\nNothing was written. Expect %s%s, %s of disk beside %s and at most %s of memory.\n",
		about, report.Duration(time.Duration(res.Verdict.Seconds*float64(time.Second))), report.Bytes(forecast.Disk), o.out, report.Bytes(forecast.Memory))
	if free, err := sqlite.FreeSpace(filepath.Dir(o.out)); err == nil {
		fmt.Fprintf(a.Err, "%s are free there.\n", report.Bytes(free))
	}
	if free, err := sqlite.FreeSpace(o.workDir); err == nil && filepath.Clean(o.workDir) != filepath.Dir(o.out) {
		fmt.Fprintf(a.Err, "%s are free in %s, for private copies and temporary files.\n", report.Bytes(free), o.workDir)
	}
	return nil
}

// changes lists what becomes of a row: its first column, to know it by, and every column that changes; "" when none does.
func changes(columns, before, after []string) string {
	var words []string
	changed := false
	for i, c := range columns {
		switch {
		case before[i] != after[i]:
			words = append(words, c+" "+before[i]+" -> "+after[i])
			changed = true
		case i == 0:
			words = append(words, c+" "+before[i])
		}
	}
	if !changed {
		return ""
	}
	return strings.Join(words, ", ")
}

// printTables prints what became, or would become, of each table.
func (a *app) printTables(shards []merge.Source, tables []rewrite.TableSummary) error {
	columns := []string{"table", "policy"}
	for _, s := range shards {
		columns = append(columns, "rows_"+s.Name)
	}
	columns = append(columns, "merged", "new_keys", "renamed", "columns_mapped")
	var rows [][]any
	for _, t := range tables {
		row := []any{t.Table, string(t.Policy)}
		for _, n := range t.In {
			row = append(row, n)
		}
		rows = append(rows, append(row, t.Out, t.Keys, t.Renamed, t.Columns))
	}
	return a.printRows(columns, rows)
}

// recordedPlan is the plan as the output records it: without the paths of this machine.
func recordedPlan(p *merge.Plan) []byte {
	record := *p
	record.Shards = slices.Clone(p.Shards)
	for i := range record.Shards {
		record.Shards[i].Source = ""
	}
	return planfile.Format(&record, planfile.Notes{})
}

// proveOutput proves the unfinished output from inputs, output and what the output records.
func (a *app) proveOutput(ctx context.Context, set *shardSet, out merge.Output, p *merge.Progress) (*prove.Report, error) {
	merged, err := set.engine.Open(ctx, merge.Source{Name: "merged", Source: out.Path()}, merge.OpenOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = merged.Close() }()
	report, err := prove.Run(ctx, set.engine, set.list, merged, prove.Options{Progress: p})
	if errors.Is(err, sqlite.ErrDamaged) { // the inputs are sound
		err = trouble(fmt.Errorf("what was written cannot be read back: %w", err), "check the disk, then run it again")
	}
	return report, err
}

// failProof moves the output aside and writes what is wrong with it next to it.
func (a *app) failProof(out merge.Output, proof *prove.Report) error {
	failed, err := out.Fail()
	if err != nil {
		return err
	}
	var text strings.Builder
	writeProof(&text, proof)
	fmt.Fprint(a.Err, text.String())
	reason := fmt.Errorf("the proof failed: the merged database is not what the plan says; it lies in %s", failed)
	if err := planfile.WriteNew(failed+".txt", []byte(text.String())); err != nil {
		return findings(errors.Join(reason, err), "do not use the file; report this with the list above")
	}
	return findings(reason, "do not use the file; the report is "+failed+".txt")
}

// rewriteTrouble classifies an error of the rewrite, and names the file that the disk would not take.
func rewriteTrouble(err error, out string) error {
	var refusal *rewrite.Refusal
	var output *sqlite.OutputError
	var source *sqlite.SourceError
	switch {
	case errors.As(err, &refusal):
		return refused(err, "change that line of the plan")
	case sqlite.DiskTrouble(err) && !errors.As(err, &output) && !errors.As(err, &source):
		return fmt.Errorf("output %s was not written: %w", out, err)
	}
	return err
}

// printSummary says what was done. The output stands whether or not anybody reads the table.
func (a *app) printSummary(o *rewriteOptions, sources []merge.Source, res *audit.Result, summary *rewrite.Summary, proof *prove.Report) error {
	printed := a.printTables(res.Settled.Shards, summary.Tables)
	if list := res.Settled.Renames; len(list) > 0 {
		n := 0
		for _, r := range list {
			for _, shard := range r.Shards {
				n += len(shard)
			}
		}
		if n > 0 {
			fmt.Fprintf(a.Err, "\n%s; the list: gameid merge-map %s --renamed\n", report.Count(int64(n), "renamed row"), quoteWord(o.out))
		}
	}
	fmt.Fprintln(a.Err)
	a.tell(fmt.Sprintf("%s is written and proven in %s: %s.", o.out, report.Duration(time.Since(o.started)), proof.Claim))
	a.printCutOver(o, sources, res.LeftOut)
	if printed != nil {
		return fmt.Errorf("%s is complete, but its summary could not be written: %w", o.out, printed)
	}
	return nil
}

// printCutOver says how the output takes the servers' place, and how to go back.
func (a *app) printCutOver(o *rewriteOptions, sources []merge.Source, leftOut []audit.LeftOut) {
	fmt.Fprintf(a.Err, `
To cut over:
  1. Stop the servers.
  2. Make sure that nothing was written to them since:
     gameid merge-verify %s --merged %s
`, o.words(sources), quoteWord(o.out))
	step := 3
	for _, l := range leftOut {
		why := ""
		if len(l.Needs) > 0 {
			why = ", which " + strings.Join(l.Needs, ", ") + map[bool]string{true: " needs", false: " need"}[len(l.Needs) == 1]
		}
		fmt.Fprintf(a.Err, "  %d. Build %s again in %s%s:\n", step, report.Visible(l.Table), o.out, report.Visible(why))
		for i, statement := range l.SQL {
			fmt.Fprintf(a.Err, "     %s%s\n", report.Visible(statement), map[bool]string{true: ";"}[i < len(l.SQL)-1])
		}
		if l.Rows > 0 {
			fmt.Fprintf(a.Err, "     and fill it: %s of the inputs are not in %s\n", report.Count(l.Rows, "row"), o.out)
		}
		step++
	}
	fmt.Fprintf(a.Err, `  %d. Put %s in place of the first server's database, and start that server.
To go back: put the inputs back; they were not touched.
Keep the gameid_ tables in it: gameid merge-map %s KEY answers support's questions from them.
`, step, o.out, quoteWord(o.out))
}
