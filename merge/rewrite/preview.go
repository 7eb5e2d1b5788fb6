package rewrite

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// Sampler is an engine that can show rows before and after without writing. Values are SQL literals, long ones cut.
type Sampler interface {
	SampleRows(ctx context.Context, s merge.Shard, job merge.TableJob, limit int) (columns []string, before, after [][]string, err error)
}

// Forecast is what a rewrite would do.
type Forecast struct {
	Tables []TableForecast
	Disk   int64 // bytes that the output and its temporary files are expected to take
	Memory int64 // bytes of memory expected at most
}

// TableForecast is what would become of one table. Out is an upper bound where rows fold.
type TableForecast struct {
	TableSummary
	Samples []RowSample
}

// RowSample is some rows of one shard before and after. Columns are those of the output.
type RowSample struct {
	Shard         string
	Columns       []string
	Before, After [][]string
}

// Preview tells what Run would do, with up to limit sample rows for each table and shard, the changed ones first. It writes nothing and refuses what Run refuses.
func Preview(ctx context.Context, engine merge.Engine, shards []merge.Shard, s *merge.Settled, limit int) (*Forecast, error) {
	p := &planner{settled: s, shards: shards}
	work, err := p.plan(ctx)
	if err != nil {
		return nil, err
	}
	sampler, _ := engine.(Sampler)
	f := &Forecast{Memory: p.expectedMemory()}
	for _, sh := range shards {
		f.Disk += sh.Bytes() + sh.Bytes()/8 // longer keys
	}
	for _, w := range work {
		t := TableForecast{TableSummary: w.summary}
		for _, job := range w.jobs {
			t.Out += w.summary.In[job.Shard]
			if sampler == nil || limit <= 0 {
				continue
			}
			sample := RowSample{Shard: s.Shards[job.Shard].Name}
			if sample.Columns, sample.Before, sample.After, err = sampler.SampleRows(ctx, shards[job.Shard], job, limit); err != nil {
				return nil, fmt.Errorf("sample %s of shard %s: %w", job.Table.Name, sample.Shard, err)
			}
			t.Samples = append(t.Samples, sample)
		}
		f.Tables = append(f.Tables, t)
	}
	return f, nil
}

// expectedMemory is the caches and two bytes for each key of the widest change sets.
func (p *planner) expectedMemory() int64 {
	const caches = 256 << 20
	var most int64
	for i := range p.shards {
		var sum int64
		for _, sp := range p.settled.Spaces {
			m := mapOf(sp, i)
			if m == nil {
				continue
			}
			lo, hi, _ := m.Span()
			wide := hi - lo + 1
			if n := m.Len() * 8; wide <= 0 || wide > n {
				wide = n
			}
			sum += 2 * wide
		}
		most = max(most, sum)
	}
	return caches + most
}
