package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/report"
)

const checkHelp = `Audits the databases of two or more game servers for everything that would
collide or get lost if they became one. Nothing is written to them.

The first lines are the verdict. Then follow the tables, the findings, and what
a person has to decide, each as the plan line that it would become. References
that no schema declares are found by names and by the values of every shard.

Shards are paths, named s1, s2 ... in order, or NAME=PATH. The first shard's keys
and names win ties.

Exit codes: 0 clean, or settled by --plan; 1 findings; 2 trouble; 3 refused.`

type checkOptions struct {
	shardFlags
	keyFlags
	writePlan  string
	updatePlan string
	html       string
	args       []string
}

func newMergeCheckCommand(a *app) *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use: "merge-check [NAME=]SHARD...", SuggestFor: []string{"check", "audit"}, Short: "Say what would clash or get lost if game servers became one", Long: checkHelp, GroupID: groupMerge,
		Example: `  gameid merge-check a.db b.db
  gameid merge-check a.db b.db --write-plan plan.yaml
  gameid merge-check a.db b.db --plan plan.yaml
  gameid merge-check live.db --server s1=1042 --change all --new-keys gameid --write-plan plan.yaml
  gameid merge-check eu1=a.db eu2=b.db --server eu1=1041 --server eu2=1042 --format json`,
		RunE: func(c *cobra.Command, args []string) error {
			o.args = args
			return a.mergeCheck(c.Context(), c, &o)
		},
	}
	o.shardFlags.add(c)
	o.keyFlags.add(c)
	o.addPlan(c, "none, what discovery is certain of is assumed")
	c.Flags().StringVar(&o.writePlan, "write-plan", "", "write the decisions found and the open ones to a new plan file (default: none; an existing file is refused)")
	c.Flags().StringVar(&o.updatePlan, "update-plan", "", "refresh the evidence of a plan file and keep its decisions; the old text goes to FILE.bak, or FILE.bak.1 and so on where that is taken (default: none)")
	c.Flags().StringVar(&o.html, "html", "", "write the report as one HTML page as well (default: none; an existing file is refused)")
	keepOutOfConfig(c, "html")
	keepToCommandLine(c, "write-plan", "update-plan")
	return c
}

func (a *app) mergeCheck(ctx context.Context, c *cobra.Command, o *checkOptions) (err error) {
	switch {
	case o.writePlan != "" && (o.plan != "" || o.updatePlan != ""):
		return misused(c, errors.New("--write-plan starts a new plan; with an existing one use --update-plan alone"))
	case o.plan != "" && o.updatePlan != "":
		return misused(c, errors.New("--update-plan names the plan itself; leave --plan out"))
	}
	opt := audit.Options{Present: merge.IDCursorNow(time.Now())}
	if err := o.read(&opt); err != nil {
		return misused(c, err)
	}
	in, err := a.readInputs(c, &o.shardFlags, o.plan+o.updatePlan, o.args)
	if err != nil {
		return err
	}
	err = in.checkNew(
		newFile{flag: "--write-plan", path: o.writePlan, instead: "refresh it with --update-plan " + quoteWord(o.writePlan) + ", or choose another name"},
		newFile{flag: "--html", path: o.html, instead: "choose another name for --html"})
	if err != nil {
		return err
	}
	if _, err := os.Lstat(o.updatePlan + ".bak"); errors.Is(err, syscall.ENAMETOOLONG) {
		return refused(fmt.Errorf("--update-plan %s: the name of the copy, with .bak, is too long", o.updatePlan), "give the plan a shorter name")
	}
	if err := in.open(ctx, a, &o.shardFlags); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()

	opt.Progress, opt.Parked = in.progress, in.parked
	given := in.plan
	if in.plan == nil {
		opt.Assume = []merge.Grade{merge.Certain}
	}
	if o.updatePlan != "" {
		copied := *in.plan
		copied.Schema = "" // the very thing that is refreshed
		given, opt.Parked = &copied, nil
	}
	res, err := audit.Run(ctx, in.engine, in.list, given, opt)
	if err = in.sound(ctx, err); err != nil {
		return planTrouble(err, o.plan+o.updatePlan, o.words(in.sources)+o.again())
	}
	// Once a plan has its name nobody runs this again to clear away what a kill leaves.
	if err := in.Close(); err != nil {
		return err
	}
	if err := o.checkUsed(a, in.plan, o.plan+o.updatePlan, res, o.words(in.sources)); err != nil {
		return err
	}
	if err := a.printAudit(in.sources, res); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err // stopped: nothing is written any more
	}
	if o.html != "" {
		if err := writeHTML(o.html, in.sources, res); err != nil {
			return err
		}
	}
	return a.afterCheck(o, in.plan, in.parked, in.sources, res)
}

// afterCheck writes the plan that was asked for, and says what comes next.
func (a *app) afterCheck(o *checkOptions, plan *merge.Plan, parked []merge.Undecided, sources []merge.Source, res *audit.Result) error {
	rerun := "gameid merge-check " + o.words(sources)
	switch {
	case o.writePlan != "":
		if err := planfile.WriteNew(o.writePlan, planText(res.Plan, res, nil)); err != nil {
			return unwritten(err, "--write-plan")
		}
		fmt.Fprintf(a.Err, "gameid: wrote %s: %s\n", o.writePlan, decisions(res))
		if res.Settled != nil {
			fmt.Fprintf(a.Err, "next: gameid merge-rewrite %s --plan %s -o merged.db\n", o.words(sources), quoteWord(o.writePlan))
			return nil
		}
		if len(res.Undecided) == 0 {
			return findings(nil, mendBlocks)
		}
		return findings(nil, fmt.Sprintf("answer the entries under 'undecided' in %[1]s, then: %[2]s --plan %[1]s", quoteWord(o.writePlan), rerun))
	case o.updatePlan != "":
		old := *plan
		old.Keys = slices.DeleteFunc(slices.Clone(plan.Keys), func(k merge.KeyPlan) bool { return slices.Contains(res.Idle, k.Key) })
		fresh := planfile.Merge(&old, res.Plan)
		fresh.Schema = res.Plan.Schema
		text, err := os.ReadFile(o.updatePlan)
		if err != nil {
			return trouble(err, "give the plan file with --update-plan")
		}
		refreshed := planText(fresh, res, planfile.ReadRemarks(text))
		kept, err := planfile.Replace(o.updatePlan, refreshed)
		if err != nil {
			return trouble(err, "check the folder's permissions and free space")
		}
		note := "the old text is in " + kept
		if kept == "" {
			note = "nothing had changed"
		}
		fmt.Fprintf(a.Err, "gameid: refreshed %s (%s): %s\n", o.updatePlan, note, decisions(res))
		a.tellLeftOut(o.updatePlan, text, refreshed, kept)
	}
	file := quoteWord(o.plan + o.updatePlan)
	rerun += o.again()
	switch {
	case res.Settled != nil && plan == nil && res.Verdict.Proposed == 0:
		return nil
	case res.Settled != nil && plan != nil:
		fmt.Fprintf(a.Err, "next: gameid merge-rewrite %s%s --plan %s -o merged.db\n", o.words(sources), o.again(), file)
		return nil
	case res.Verdict.Blocks > 0:
		return findings(nil, mendBlocks)
	case plan == nil:
		return findings(nil, rerun+" --write-plan plan.yaml")
	case o.updatePlan != "":
		return findings(nil, fmt.Sprintf("answer the entries under 'undecided' in %s, then: %s --plan %s", file, rerun, file))
	default:
		return findings(nil, addLines(plan, parked, res, file, rerun))
	}
}

const mendBlocks = "mend the findings of severity 'block'; each names its own next step"

// addLines says how open questions are answered in a plan; a line about the same thing that stands there already has to be changed, not doubled.
func addLines(plan *merge.Plan, parked []merge.Undecided, res *audit.Result, file, rerun string) string {
	stands := func(u merge.Undecided) bool {
		_, line := planfile.UndecidedLine(&u)
		return slices.ContainsFunc(parked, func(p merge.Undecided) bool { _, other := planfile.UndecidedLine(&p); return other == line })
	}
	if !slices.ContainsFunc(res.Undecided, func(u merge.Undecided) bool { return !stands(u) }) {
		return fmt.Sprintf("answer the entries under 'undecided' in %s, then: %s --plan %s", file, rerun, file)
	}
	for i := range res.Undecided {
		if what := planfile.Standing(plan, &res.Undecided[i]); what != "" {
			return fmt.Sprintf("add the lines above to %s, where it has one about the same thing (%s) in place of that; then: %s --plan %s", file, what, rerun, file)
		}
	}
	return fmt.Sprintf("add the lines above to %s, or have them added under 'undecided': %s --update-plan %s", file, rerun, file)
}

// tellLeftOut names the lines under 'undecided' of a plan that its refreshed text has nowhere, and about which it does not decide: a person may have corrected them there.
func (a *app) tellLeftOut(name string, old, refreshed []byte, kept string) {
	before, err := planfile.Read(name, old)
	if err != nil {
		return // it was read before, and somebody has written over it since
	}
	for i := range before.Undecided {
		u := &before.Undecided[i]
		if section, line := planfile.UndecidedLine(u); planfile.Standing(&before.Plan, u) == "" && !bytes.Contains(refreshed, []byte("\n  - "+line)) {
			fmt.Fprintf(a.Err, "gameid: not carried over, as what stands under 'undecided' settles nothing and is now proposed otherwise or not at all: %s; if you corrected it, move it from %s to %s\n", line, kept, section)
		}
	}
}

func decisions(res *audit.Result) string {
	return report.Count(int64(len(res.Plan.References)), "reference") + ", " + report.Count(int64(len(res.Undecided)), "open decision")
}

// problemsShown is how many problems of one plan are listed.
const problemsShown = 10

// planTrouble classifies an audit's error. A long list is cut: a plan of another game would fill the screen.
func planTrouble(err error, plan, shards string) error {
	var bad *audit.RefusedPlanError
	if !errors.As(err, &bad) {
		return err
	}
	short := &audit.RefusedPlanError{Problems: bad.Problems, Stale: bad.Stale}
	if more := len(bad.Problems) - problemsShown; more > 0 {
		short.Problems = append(slices.Clone(bad.Problems[:problemsShown]), fmt.Sprintf("and %s more; is it the plan of another game?", report.Number(int64(more))))
	}
	if !short.Stale {
		return refused(short, fmt.Sprintf("correct %[1]s, then: gameid merge-check %[2]s --plan %[1]s", quoteWord(plan), shards))
	}
	return refused(short, fmt.Sprintf("correct %[1]s, or have it refreshed: gameid merge-check %[2]s --update-plan %[1]s", quoteWord(plan), shards))
}

// planText is a plan as a person gets it; remarks are the comments of the plan that it replaces.
func planText(plan *merge.Plan, res *audit.Result, remarks *planfile.Remarks) []byte {
	head := verdictText(res)
	for _, q := range res.Questions {
		head += "\n\n" + q.Text + "\nOne answer for all: make the key's line  - " + questionLine(plan, &q)
	}
	notes := planfile.Notes{Head: head, Comments: map[string]string{}, Undecided: res.Undecided, Remarks: remarks}
	for i := range plan.References {
		r := &plan.References[i]
		if why := res.Evidence[r.String()]; why != "" {
			notes.Comments[planfile.ReferenceLine(r)] = why
		}
	}
	for i := range plan.Tables {
		t := &plan.Tables[i]
		if why, ok := res.Evidence[t.Table]; ok {
			notes.Comments[planfile.TableLine(t)] = why
		}
	}
	return planfile.Format(plan, notes)
}

func writeHTML(path string, sources []merge.Source, res *audit.Result) error {
	var page bytes.Buffer
	if err := auditReport(sources, res).WriteHTML(&page); err != nil {
		return err
	}
	if err := planfile.WriteNew(path, page.Bytes()); err != nil {
		return unwritten(err, "--html")
	}
	return nil
}
