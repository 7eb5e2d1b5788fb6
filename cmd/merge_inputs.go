package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
)

// inputs are what a merge command reads: its plan, if it has one, and its opened shards. It shows how far the reading is.
type inputs struct {
	*shardSet
	plan     *merge.Plan    // nil without a plan file
	sources  []merge.Source // as the command line or the plan names them
	progress *merge.Progress
	stop     func() // ends the display of the progress; may be called again
}

// openInputs reads the plan file, if planFile names one, and opens and checks the shards that the words of the command line name. What costs time comes last.
// The caller closes them.
func (a *app) openInputs(ctx context.Context, c *cobra.Command, f *shardFlags, planFile string, shards []string) (*inputs, error) {
	if err := f.checkWorkDir(); err != nil {
		return nil, err
	}
	plan, err := readPlan(planFile)
	if err != nil {
		return nil, err
	}
	sources, err := f.sources(shards, plan)
	if err != nil {
		return nil, misused(c, err)
	}
	for _, note := range overridden(sources, plan, planFile) {
		a.tell(note)
	}
	in := &inputs{plan: plan, sources: sources}
	in.progress, in.stop = a.watch()
	if in.shardSet, err = openShards(ctx, sources, merge.OpenOptions{WorkDir: f.workDir, Check: true}); err != nil {
		in.stop()
		return nil, err
	}
	return in, nil
}

// Close ends the display and the snapshots, and removes private copies; it may be called again.
func (in *inputs) Close() error {
	in.stop()
	return in.shardSet.Close()
}
