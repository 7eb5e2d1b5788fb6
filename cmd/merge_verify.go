package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/prove"
)

const verifyHelp = `Proves a merged database against the shards that it was made of, from the files
and from what the merged database records: every row has its image, all other
columns are equal, every reference of the plan points to the image of what it
pointed to, and what pointed at nobody still does.

References that the plan does not know are outside this proof.

Exit codes: 0 proven; 1 not as it must be; 2 trouble; 3 refused.`

type verifyOptions struct {
	shardFlags
	merged string
	args   []string
}

func newMergeVerifyCommand(a *app) *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use: "merge-verify [NAME=]SHARD... --merged OUT", Short: "Prove a merged database against its shards", Long: verifyHelp, GroupID: groupMerge,
		Example: "  gameid merge-verify a.db b.db --merged merged.db",
		RunE: func(c *cobra.Command, args []string) error {
			o.args = args
			return a.mergeVerify(c.Context(), c, &o)
		},
	}
	o.add(c)
	c.Flags().StringVar(&o.merged, "merged", "", "the merged database (required)")
	keepOutOfConfig(c, "merged")
	return c
}

func (a *app) mergeVerify(ctx context.Context, c *cobra.Command, o *verifyOptions) error {
	if o.merged == "" {
		return misused(c, errors.New("no merged database: say --merged OUT"))
	}
	sources, err := o.sources(o.args, nil)
	if err != nil {
		return misused(c, err)
	}
	progress, stop := a.watch()
	defer stop()
	set, err := openShards(ctx, sources, merge.OpenOptions{WorkDir: o.workDir, Check: true})
	if err != nil {
		return err
	}
	defer func() { _ = set.Close() }()
	merged, err := openMerged(ctx, set.engine, o.merged, o.workDir)
	if err != nil {
		return err
	}
	defer func() { _ = merged.Close() }()
	proof, err := prove.Run(ctx, set.engine, set.list, merged, prove.Options{Progress: progress})
	if err != nil {
		return err
	}
	stop()
	var rows [][]any
	for _, c := range proof.Checks {
		rows = append(rows, []any{c.Name, c.Table, c.Column, c.Shard, c.Rows, map[bool]string{true: "ok", false: "FAILED"}[c.OK], c.Detail})
	}
	if err := a.printRows([]string{"check", "table", "column", "shard", "rows", "result", "detail"}, rows); err != nil {
		return err
	}
	if !proof.OK {
		writeProof(a.Err, proof)
		return findings(errors.New("the merged database is not what the plan says"), "do not use it; merge again from the shards")
	}
	fmt.Fprintf(a.Err, "\nProven: %s.\n", proof.Claim)
	return nil
}

// openMerged opens a merged database, its integrity left to whoever asks for it.
func openMerged(ctx context.Context, engine merge.Engine, path, workDir string) (merge.Shard, error) {
	s, err := engine.Open(ctx, merge.Source{Name: "merged", Source: path}, merge.OpenOptions{WorkDir: workDir})
	if err != nil {
		return nil, fmt.Errorf("merged database: %w", err)
	}
	return s, nil
}

// writeProof tells a person what is wrong.
func writeProof(w io.Writer, r *prove.Report) {
	for _, c := range r.Checks {
		if !c.OK {
			fmt.Fprintf(w, "failed: %s: %s: %s\n", c.Name, strings.Join(slices.DeleteFunc([]string{c.Table, c.Column, c.Shard}, func(s string) bool { return s == "" }), " "), c.Detail)
		}
	}
	for _, b := range r.Bad {
		fmt.Fprintf(w, "  %s %s: row %s, column %q: want %s, got %s\n", b.Shard, b.Table, b.Key, b.Column, b.Want, b.Got)
	}
}
