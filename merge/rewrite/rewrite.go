package rewrite

import (
	"context"
	"errors"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// Options are what a rewrite may be given beside its plan.
type Options struct {
	Plan     []byte // the settled plan in the plan file's own format, recorded in the output
	Progress *merge.Progress
}

// Summary is what a rewrite did.
type Summary struct{ Tables []TableSummary }

// TableSummary is what became of one table.
type TableSummary struct {
	Table   string
	Policy  merge.Rows
	In      []int64 // rows by shard
	Out     int64   // rows of the output
	Keys    int64   // keys of the table that changed
	Renamed int64   // rows that got a new name
	Columns int     // columns that were mapped or follow a rename
}

// Run builds the output that a settled plan describes and finishes it, unproven: the caller proves output.Path() and then calls Publish or Fail. When it
// returns an error nothing is left behind. A *Refusal names the line of the plan that this version cannot carry out.
func Run(ctx context.Context, engine merge.Engine, shards []merge.Shard, s *merge.Settled, out string, opt Options) (_ *Summary, _ merge.Output, err error) {
	p := &planner{settled: s, shards: shards}
	work, err := p.plan(ctx)
	if err != nil {
		return nil, nil, err
	}
	memory, err := p.memory(ctx, opt.Plan)
	if err != nil {
		return nil, nil, err
	}
	output, err := engine.Create(ctx, out, merge.CreateOptions{Shards: shards, Schema: s.Schema})
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, output.Abort())
		}
	}()
	var total int64
	for _, w := range work {
		for _, job := range w.jobs {
			total += w.summary.In[job.Shard]
		}
	}
	opt.Progress.Phase("rewrite", total)
	summary := &Summary{}
	for _, w := range work {
		for _, job := range w.jobs {
			rows, err := output.Load(ctx, shards[job.Shard], job, opt.Progress)
			if err != nil {
				return nil, nil, err
			}
			w.summary.Out += rows
		}
		summary.Tables = append(summary.Tables, w.summary)
	}
	opt.Progress.Phase("indexes", int64(len(s.Schema.Objects)))
	finish := merge.FinishJob{Schema: s.Schema, Floors: p.floors(), Beside: p.beside(), Counters: s.Plan.Counters, Memory: memory}
	if err := output.Finish(ctx, finish); err != nil {
		return nil, nil, fmt.Errorf("finish the output: %w", err)
	}
	return summary, output, nil
}

// tableWork is one table's jobs and what they will have done.
type tableWork struct {
	jobs    []merge.TableJob
	summary TableSummary
}

// plan makes every job before anything is written.
func (p *planner) plan(ctx context.Context) ([]tableWork, error) {
	if len(p.shards) != len(p.settled.Shards) {
		return nil, fmt.Errorf("the plan is settled for %d shards, but %d are open", len(p.settled.Shards), len(p.shards))
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	var list []tableWork
	for _, t := range p.settled.Tables {
		if t.Table.Opaque != "" {
			continue
		}
		jobs, err := p.jobs(t)
		if err != nil {
			return nil, err
		}
		w := tableWork{jobs: jobs, summary: TableSummary{Table: t.Table.Name, Policy: t.Plan.Rows, In: make([]int64, len(p.shards))}}
		if w.summary.Policy == "" {
			w.summary.Policy = merge.MergeRows
		}
		for i, s := range p.shards {
			if s.Schema().Table(t.Table.Name) == nil {
				continue
			}
			if w.summary.In[i], err = s.Rows(ctx, t.Table.Name); err != nil {
				return nil, err
			}
		}
		p.count(&w)
		list = append(list, w)
	}
	return list, nil
}

// count fills in what a table's jobs will change.
func (p *planner) count(w *tableWork) {
	touched := map[string]bool{}
	for _, job := range w.jobs {
		for _, sp := range p.settled.Spaces {
			if m := mapOf(sp, job.Shard); m != nil && p.settled.Schema.Equal(sp.Key.Table, job.Table.Name) {
				for _, r := range m.Runs() {
					if r.Rule != merge.Tombstone {
						w.summary.Keys += r.Keys()
					}
				}
			}
		}
		for _, r := range job.Renames {
			w.summary.Renamed += int64(len(r.Rename.Shards[job.Shard]))
		}
		for _, c := range job.Columns {
			if len(c.Cases)+len(c.Copies)+len(c.Buried) > 0 {
				touched[c.Name] = true
			}
		}
	}
	w.summary.Columns = len(touched)
}
