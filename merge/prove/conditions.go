package prove

import (
	"context"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkCondition checks that a condition which looks at values that the merge changes, or at other tables, holds of as many rows of the output as it did in the
// inputs: the game reads it there. Rows are counted where every row of the inputs has a row of its own.
func (p *proof) checkCondition(ctx context.Context, r *reference, check Check) (bool, error) {
	ref := r.Reference
	if ref.When == "" || !p.mayTurn(&ref) || p.rule(ref.Table()).Rows != merge.MergeRows || p.drops(ref.Table()) {
		return true, nil
	}
	condition := p.engine.Quote(ref.From[0].Name) + " IS NOT NULL AND (" + ref.When + "\n)"
	var before int64
	for _, s := range p.shards {
		own, ok := s.Schema().Resolve(ref.From[0])
		if !ok {
			continue
		}
		n, err := s.Count(ctx, own.Table, condition)
		if err != nil {
			return false, err
		}
		before += n
	}
	after, err := p.merged.Count(ctx, ref.Table(), condition)
	if err != nil || after == before || ref.Orphans == merge.ByClear && after < before {
		return true, err
	}
	p.fail(check, "the condition %q of its reference to %s held for %d rows of the inputs and holds for %d of the output: new keys change what it says", ref.When, merge.JoinCols(ref.To), before, after)
	return false, nil
}

// mayTurn tells whether a condition may name a column whose values change, or another table.
func (p *proof) mayTurn(ref *merge.Reference) bool {
	when := merge.FoldASCII(ref.When)
	if strings.Contains(when, "select") {
		return true
	}
	named := func(c merge.Col) bool {
		return c.Table == ref.Table() && strings.Contains(when, merge.FoldASCII(c.Name))
	}
	for _, s := range p.spaces {
		if moves(s) && slices.ContainsFunc(s.users, named) {
			return true
		}
	}
	return slices.ContainsFunc(p.mem.Renames, func(m merge.MemoryRename) bool { return m.Via == "" && named(m.Column) })
}
