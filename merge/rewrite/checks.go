package rewrite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Checker is an engine that can try a CHECK's condition on rows as a job makes them, without writing: it counts those that the job changes and that fail.
type Checker interface {
	FailingRows(ctx context.Context, s merge.Shard, job merge.TableJob, check string) (int64, error)
}

// Check tells why Run would refuse a settled plan, or could not write its rows: lines that this version cannot carry out, and rows that fail a declared check
// under their new keys. Nothing is written.
func Check(ctx context.Context, engine merge.Engine, shards []merge.Shard, s *merge.Settled) ([]merge.Finding, error) {
	p := &planner{settled: s, shards: shards}
	var refusal *Refusal
	if err := p.check(); errors.As(err, &refusal) {
		return []merge.Finding{{Rule: "plan", Severity: merge.Block, Text: refusal.Error(), Next: "change that line of the plan"}}, nil
	} else if err != nil {
		return nil, err
	}
	checker, ok := engine.(Checker)
	if !ok {
		return nil, nil
	}
	var list []merge.Finding
	for _, t := range s.Tables {
		if t.Table.Opaque != "" || len(t.Table.Checks) == 0 {
			continue
		}
		jobs, err := p.jobs(t)
		if err != nil {
			return nil, err
		}
		for _, job := range jobs {
			for _, check := range t.Table.Checks {
				if !touches(job, check) {
					continue
				}
				n, err := checker.FailingRows(ctx, shards[job.Shard], job, check)
				if err != nil {
					return nil, err
				}
				if n > 0 {
					name := s.Shards[job.Shard].Name
					list = append(list, merge.Finding{
						Rule: "check", Severity: merge.Block, Table: t.Table.Name, Shard: name, Rows: n,
						Text: fmt.Sprintf("the check (%s) of %s names a column whose values change, and fails for %d of the rows of %s under the new ones", check, t.Table.Name, n, name),
						Next: fmt.Sprintf("drop the check in copies of the shards, or correct those rows of %s there; a check of keys' order passes when all keys change (change: all, new: shift)", name),
					})
				}
			}
		}
	}
	return list, nil
}

// touches tells whether a job makes new values for a column that a condition may name.
func touches(job merge.TableJob, check string) bool {
	check = merge.FoldASCII(check)
	return slices.ContainsFunc(job.Columns, func(c merge.ColumnJob) bool {
		return (len(c.Cases) > 0 || len(c.Copies) > 0 || c.Source == "" || len(job.Renames) > 0) && strings.Contains(check, merge.FoldASCII(c.Name))
	})
}
