package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
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

The database is built as OUT.partial. A failed proof leaves OUT.failed and the
report OUT.failed.txt, and exits 1. Ctrl-C removes what was begun and exits 130.`

type rewriteOptions struct {
	shardFlags
	out     string
	dryRun  bool
	keys    string
	change  string
	args    []string
	started time.Time
}

func newMergeRewriteCommand(a *app) *cobra.Command {
	var o rewriteOptions
	c := &cobra.Command{
		Use: "merge-rewrite [NAME=]SHARD... -o OUT", Short: "Write the merged database and prove it", Long: rewriteHelp, GroupID: groupMerge,
		Example: `  gameid merge-rewrite a.db b.db --plan plan.yaml --dry-run -o merged.db
  gameid merge-rewrite a.db b.db --plan plan.yaml -o merged.db
  gameid merge-rewrite live.db --server s1=1042 --change all --new-keys gameid -o ids.db`,
		RunE: func(c *cobra.Command, args []string) error {
			o.args = args
			return a.mergeRewrite(c.Context(), c, &o)
		},
	}
	o.add(c)
	o.addPlan(c)
	c.Flags().StringVarP(&o.out, "output", "o", "", "the new database (required; an existing file is refused)")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "write nothing: print counts, sample rows, and the time, disk and memory to expect (default false)")
	c.Flags().StringVar(&o.keys, "new-keys", "", "rule for every key space that the plan leaves open: shift, dense or gameid (default: shift for keys that the engine numbers or 32-bit columns hold, else gameid)")
	c.Flags().StringVar(&o.change, "change", "", "which keys change: conflicts, as the plan says, or all that are not static (default conflicts)")
	keepOutOfConfig(c, "output", "new-keys", "change")
	return c
}

func (a *app) mergeRewrite(ctx context.Context, c *cobra.Command, o *rewriteOptions) error {
	o.started = time.Now()
	if o.out == "" {
		return misused(c, errors.New("no output: say -o OUT"))
	}
	if exists(o.out) {
		return refused(fmt.Errorf("%s exists", o.out), "choose another output, or move the file away")
	}
	if info, err := os.Stat(filepath.Dir(o.out)); err != nil || !info.IsDir() {
		return refused(fmt.Errorf("the folder of %s does not exist", o.out), "create it first")
	}
	plan, err := readPlan(o.plan)
	if err != nil {
		return err
	}
	sources, err := o.sources(o.args, plan)
	if err != nil {
		return misused(c, err)
	}
	opt := audit.Options{Present: merge.IDCursorNow(time.Now())}
	if opt.NewKeys, opt.ChangeAll, err = o.keyDefaults(); err != nil {
		return misused(c, err)
	}
	if o.workDir == "" {
		o.workDir = filepath.Dir(o.out)
	}
	progress, stop := a.watch()
	defer stop()
	set, err := openShards(ctx, sources, merge.OpenOptions{WorkDir: o.workDir, Check: true})
	if err != nil {
		return err
	}
	defer func() { _ = set.Close() }()
	opt.Progress = progress
	res, err := audit.Run(ctx, set.engine, set.list, plan, opt)
	if err != nil {
		return planTrouble(err)
	}
	if res.Settled == nil {
		stop()
		return a.refuseUnsettled(o, res)
	}
	if o.dryRun {
		stop()
		return a.dryRun(ctx, set, res, o)
	}
	summary, out, err := rewrite.Run(ctx, set.engine, set.list, res.Settled, o.out, rewrite.Options{Plan: recordedPlan(&res.Settled.Plan), Progress: progress})
	if err != nil {
		return rewriteTrouble(err)
	}
	defer func() { _ = out.Abort() }()
	proof, err := a.proveOutput(ctx, set, out, progress)
	if err != nil {
		return err
	}
	stop()
	if !proof.OK {
		return a.failProof(out, proof)
	}
	if err := out.Publish(ctx); err != nil {
		return err
	}
	return a.printSummary(o, res, summary, proof)
}

// keyDefaults reads --new-keys and --change.
func (o *rewriteOptions) keyDefaults() (merge.Rule, bool, error) {
	switch merge.Rule(o.keys) {
	case "", merge.Shift, merge.Dense, merge.GameID:
	default:
		return "", false, fmt.Errorf("--new-keys %q is none of shift, dense, gameid", o.keys)
	}
	switch o.change {
	case "", "conflicts", "all":
		return merge.Rule(o.keys), o.change == "all", nil
	}
	return "", false, fmt.Errorf("--change %q is none of conflicts, all", o.change)
}

// refuseUnsettled lists what a person has to settle before anything is written.
func (a *app) refuseUnsettled(o *rewriteOptions, res *audit.Result) error {
	fmt.Fprintln(a.Err, verdictText(res))
	for _, f := range report.SortFindings(res.Findings) {
		if f.Severity == merge.Block {
			fmt.Fprintf(a.Err, "\n  blocked: %s: %s\n    next: %s\n", strings.Trim(f.Table+"."+f.Column, "."), f.Text, f.Next)
		}
	}
	a.printQuestions(res)
	next := "gameid merge-check " + strings.Join(o.args, " ") + " --write-plan plan.yaml, answer it, and merge with --plan plan.yaml"
	if o.plan != "" {
		next = fmt.Sprintf("answer the entries in %s; gameid merge-check %s --update-plan %s lists them there", o.plan, strings.Join(o.args, " "), o.plan)
	}
	if res.Verdict.Blocks > 0 {
		next = "mend what is blocked first; no plan settles that"
	}
	return refused(fmt.Errorf("nothing was written: %s", openText(res)), next)
}

func openText(res *audit.Result) string {
	return report.Count(int64(res.Verdict.Decisions), "open decision") + ", " + report.Count(int64(res.Verdict.Blocks), "blocking finding")
}

// sampled is how many rows of each table and shard a dry run shows.
const sampled = 2

func (a *app) dryRun(ctx context.Context, set *shardSet, res *audit.Result, o *rewriteOptions) error {
	forecast, err := rewrite.Preview(ctx, set.engine, set.list, res.Settled, sampled)
	if err != nil {
		return rewriteTrouble(err)
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
				fmt.Fprintf(a.Err, "\n%s of %s\n  before: %s\n  after:  %s\n", t.Table, s.Shard, pairs(s.Columns, s.Before[i]), pairs(s.Columns, s.After[i]))
			}
		}
	}
	fmt.Fprintf(a.Err, "\nNothing was written. Expect about %s, %s of disk beside %s and at most %s of memory.\n",
		report.Duration(time.Duration(res.Verdict.Seconds*float64(time.Second))), report.Bytes(forecast.Disk), o.out, report.Bytes(forecast.Memory))
	return nil
}

func pairs(columns, values []string) string {
	var words []string
	for i, c := range columns {
		words = append(words, c+"="+values[i])
	}
	return strings.Join(words, " ")
}

// printTables prints what became, or would become, of each table.
func (a *app) printTables(shards []merge.Source, tables []rewrite.TableSummary) error {
	columns := []string{"table", "policy"}
	for _, s := range shards {
		columns = append(columns, s.Name)
	}
	columns = append(columns, "merged", "new keys", "renamed", "columns mapped")
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
	return prove.Run(ctx, set.engine, set.list, merged, prove.Options{Progress: p})
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

// rewriteTrouble classifies an error of the rewrite.
func rewriteTrouble(err error) error {
	var refusal *rewrite.Refusal
	if errors.As(err, &refusal) {
		return refused(err, "change that line of the plan")
	}
	return err
}

func (a *app) printSummary(o *rewriteOptions, res *audit.Result, summary *rewrite.Summary, proof *prove.Report) error {
	if err := a.printTables(res.Settled.Shards, summary.Tables); err != nil {
		return err
	}
	if list := res.Settled.Renames; len(list) > 0 {
		n := 0
		for _, r := range list {
			for _, shard := range r.Shards {
				n += len(shard)
			}
		}
		if n > 0 {
			fmt.Fprintf(a.Err, "\n%s; the list: gameid merge-map %s --renamed\n", report.Count(int64(n), "renamed row"), o.out)
		}
	}
	fmt.Fprintf(a.Err, "\n%s is written and proven: %s (%s).\n", o.out, proof.Claim, time.Since(o.started).Round(100*time.Millisecond))
	fmt.Fprintf(a.Err, `
To cut over: stop the servers, compare that the inputs have not changed since
(gameid merge-verify %[1]s --merged %[2]s), put %[2]s in place of the first
server's database, and start one server. To go back: put the inputs back; they
were not touched. Keep %[2]s or its gameid_ tables: support needs them
(gameid merge-map %[2]s KEY).
`, strings.Join(o.args, " "), o.out)
	return nil
}
