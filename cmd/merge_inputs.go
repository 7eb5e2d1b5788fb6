package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
)

// inputs are what a merge command reads: its plan, if it has one, and its opened shards. It shows how far the reading is.
type inputs struct {
	*shardSet
	plan     *merge.Plan       // nil without a plan file
	parked   []merge.Undecided // what the plan file holds undecided
	planFile string
	sources  []merge.Source // as the command line or the plan names them
	progress *merge.Progress
	stop     func() // ends the display of the progress; may be called again
}

// readInputs reads the plan file, if planFile names one, and finds out which shards the words of the command line name. It opens none.
func (a *app) readInputs(c *cobra.Command, f *shardFlags, planFile string, shards []string) (*inputs, error) {
	if err := f.checkWorkDir(); err != nil {
		return nil, err
	}
	plan, err := readPlan(planFile)
	if err != nil {
		return nil, err
	}
	in := &inputs{planFile: planFile}
	if plan != nil {
		in.plan, in.parked = &plan.Plan, plan.Undecided
	}
	if in.sources, err = f.sources(shards, in.plan); err != nil {
		return nil, misused(c, err)
	}
	return in, nil
}

// open opens and checks the shards, which costs time. The caller closes them, unless there is an error.
func (in *inputs) open(ctx context.Context, a *app, f *shardFlags) (err error) {
	for _, note := range overridden(in.sources, in.plan, in.planFile) {
		a.tell(note)
	}
	in.progress, in.stop = a.watch()
	if in.shardSet, err = openShards(ctx, in.sources, merge.OpenOptions{WorkDir: f.workDir, Check: true}); err != nil {
		in.stop()
	}
	return err
}

// sound is err, the outcome of work on the inputs, unless one of them turned out to be damaged, or was replaced or written over meanwhile: what came of that is
// worth nothing. It waits until everything of them has been looked at.
func (in *inputs) sound(ctx context.Context, err error) error {
	for _, s := range in.list {
		if damaged := s.Verified(ctx); damaged != nil {
			return in.unchanged(fmt.Errorf("shard %s: %w", s.Source().Name, damaged))
		}
	}
	return in.unchanged(err)
}

// unchanged is err, unless an input was replaced or written over meanwhile.
func (in *inputs) unchanged(err error) error {
	for _, s := range in.list {
		if changed := s.Unchanged(); changed != nil {
			return fmt.Errorf("shard %s: %w", s.Source().Name, changed)
		}
	}
	return err
}

// Close ends the display and the snapshots, and removes private copies; it may be called again.
func (in *inputs) Close() error {
	in.stop()
	return in.shardSet.Close()
}
