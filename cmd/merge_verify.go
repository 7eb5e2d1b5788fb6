package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/prove"
	"github.com/gameid/gameid/merge/report"
)

const verifyHelp = `Proves a merged database against the shards that it was made of, from the files
and from what the merged database records: every row has its image, all other
columns are equal, every reference of the plan points to the image of what it
pointed to, and what pointed at nobody still does.

References that the plan does not know are outside this proof. The plan that the
merged database records is believed, unless --plan FILE names the one it was
made with: then the recorded one must take the same decisions. Whoever can
change the merged database could change its record too, so keep the plan file.

Exit codes: 0 proven; 1 not as it must be; 2 trouble; 3 refused.`

type verifyOptions struct {
	shardFlags
	merged string
	args   []string
}

func newMergeVerifyCommand(a *app) *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use: "merge-verify [NAME=]SHARD... --merged OUT", SuggestFor: []string{"verify", "prove"}, Short: "Prove a merged database against its shards", Long: verifyHelp, GroupID: groupMerge,
		Example: "  gameid merge-verify a.db b.db --merged merged.db",
		RunE: func(c *cobra.Command, args []string) error {
			o.args = args
			return a.mergeVerify(c.Context(), c, &o)
		},
	}
	o.add(c)
	c.Flags().StringVar(&o.plan, "plan", "", "plan file that the recorded plan must follow (default: none, the recorded plan is believed)")
	c.Flags().StringVar(&o.merged, "merged", "", "the merged database (required)")
	keepOutOfConfig(c, "merged")
	keepToCommandLine(c, "plan")
	return c
}

func (a *app) mergeVerify(ctx context.Context, c *cobra.Command, o *verifyOptions) (err error) {
	if o.merged == "" {
		return misused(c, errors.New("no merged database: say --merged OUT"))
	}
	if _, err := engineFor(o.merged); err != nil {
		return err
	}
	in, err := a.readInputs(c, &o.shardFlags, o.plan, o.args)
	if err != nil {
		return err
	}
	if err := in.open(ctx, a, &o.shardFlags); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	merged, err := openMerged(ctx, in.engine, o.merged, o.workDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, merged.Close()) }()
	proof, err := prove.Run(ctx, in.engine, in.list, merged, prove.Options{Progress: in.progress, Plan: in.plan})
	if changed := cmp.Or(in.sound(ctx, nil), merged.Unchanged()); changed != nil {
		return changed
	}
	if errors.Is(err, prove.ErrNoRecord) {
		return fmt.Errorf("%s: %w", o.merged, err)
	}
	if err != nil {
		return brokenMerged(ctx, in.engine, o, err)
	}
	in.stop()
	columns, rows := checkRows(proof)
	if a.outFormat() == formatTable {
		columns, rows = checkTotals(proof)
	}
	if err := a.printRows(columns, rows); err != nil {
		return err
	}
	fmt.Fprintln(a.Err)
	if !proof.OK {
		writeProof(a.Err, proof)
		if !slices.ContainsFunc(proof.Checks, func(c prove.Check) bool { return !c.OK && c.Name != prove.CheckGiven }) {
			return findings(fmt.Errorf("%s is the merge of these inputs, under another plan than %s", o.merged, o.plan),
				"give the plan that the merge was made with; if that is this one, do not use the file, and merge again")
		}
		return findings(fmt.Errorf("%s is not the merge of these inputs under its plan", o.merged),
			"make sure that the inputs stand in the order of the merge and were not written to since; if so, do not use the file")
	}
	a.tell("Proven: " + proof.Claim + ".")
	for _, c := range proof.Checks {
		if c.Name == prove.CheckAccepted {
			a.tell("  " + report.Visible(c.Detail))
		}
	}
	if in.plan == nil {
		a.tell("The plan is believed as the merged database records it; --plan FILE compares it with the one that the merge was made with.")
	}
	return nil
}

// brokenMerged says whether a proof could not end because the merged database is broken, or its record is: both are a part of the proof, and nobody looked before.
func brokenMerged(ctx context.Context, engine merge.Engine, o *verifyOptions, err error) error {
	s, broken := engine.Open(ctx, merge.Source{Name: "merged", Source: o.merged}, merge.OpenOptions{WorkDir: o.workDir, Check: true})
	if broken != nil {
		return fmt.Errorf("merged database: %w", broken)
	}
	var source *sqlite.SourceError
	switch {
	case errors.As(err, &source) && errors.Is(source.Reason, sqlite.ErrMemory) && source.Path == s.Source().Source:
		err = findings(fmt.Errorf("%s is not as the merge wrote it: %w", o.merged, err), "do not use the file; merge again, or "+source.Next)
	case errors.Is(err, sqlite.ErrDamaged):
		err = trouble(fmt.Errorf("%w; read again, it is sound", err), "check the disk, then run it again")
	}
	return errors.Join(err, s.Close())
}

// checkRows is every check of a proof, for programs.
func checkRows(proof *prove.Report) (columns []string, rows [][]any) {
	for _, c := range proof.Checks {
		rows = append(rows, []any{c.Name, c.Table, c.Column, c.Shard, c.Rows, map[bool]string{true: "ok", false: "FAILED"}[c.OK], c.Detail})
	}
	return []string{"check", "table", "column", "shard", "rows", "result", "detail"}, rows
}

// checkTotals is one row for each kind of check, for people.
func checkTotals(proof *prove.Report) (columns []string, rows [][]any) {
	var order []string
	done, failed, looked := map[string]int{}, map[string]int{}, map[string]int64{}
	for _, c := range proof.Checks {
		if done[c.Name] == 0 {
			order = append(order, c.Name)
		}
		done[c.Name]++
		looked[c.Name] += c.Rows
		if !c.OK {
			failed[c.Name]++
		}
	}
	for _, name := range order {
		result := "ok"
		if failed[name] > 0 {
			result = fmt.Sprintf("FAILED: %d of %d", failed[name], done[name])
		}
		rows = append(rows, []any{name, done[name], looked[name], result})
	}
	return []string{"check", "times", "rows", "result"}, rows
}

// openMerged opens a merged database, its integrity left to whoever asks for it.
func openMerged(ctx context.Context, engine merge.Engine, path, workDir string) (merge.Shard, error) {
	s, err := engine.Open(ctx, merge.Source{Name: "merged", Source: path}, merge.OpenOptions{WorkDir: workDir})
	if err != nil {
		return nil, fmt.Errorf("merged database: %w", err)
	}
	return s, nil
}

// some are the words that say something.
func some(words ...string) []string {
	return slices.DeleteFunc(words, func(s string) bool { return s == "" })
}

// writeProof tells a person what is wrong.
func writeProof(w io.Writer, r *prove.Report) {
	for _, c := range r.Checks {
		if !c.OK {
			fmt.Fprintln(w, "failed: "+report.Visible(strings.Join(some(c.Name, c.Table, c.Column, c.Shard), " ")+": "+c.Detail))
		}
	}
	for _, b := range r.Bad {
		where := strings.Join(some(b.Shard, b.Table), " ")
		if b.Key != "" {
			where += ", row " + b.Key
		}
		if b.Column != "" {
			where += ", column " + b.Column
		}
		fmt.Fprintln(w, "  "+report.Visible(where+": want "+b.Want+", got "+b.Got))
	}
}
