package prove

import (
	"context"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// uncounted is a number that nobody reaches who numbers one row after the other.
const uncounted = 1 << 52

// numberedAgain is the stretch of numbers, low < n <= high, that would be given to the next rows of a key although a row of an input had one as high, or its engine gave
// it out: rows were left out or have lower numbers now, and no counter remembers how far the engine had come. It is empty for a list that the plan calls static.
func (p *proof) numberedAgain(ctx context.Context, key merge.Col) (low, high int64, err error) {
	t := p.schema.Table(key.Table)
	if t == nil || p.static(key) && !p.folds(key.Table) || !p.numbers(t, key) {
		return 0, 0, nil
	}
	here, err := p.keysOf(ctx, -1, key)
	if err != nil {
		return 0, 0, err
	}
	low, _ = here.Set.Max()
	if p.rule(key.Table).Rows == merge.EmptyRows {
		return low, uncounted, nil
	}
	high = math.MinInt64
	for i := range p.shards {
		k, err := p.keysOf(ctx, i, key)
		if err != nil {
			return 0, 0, err
		}
		if k.Highest > 0 { // its engine remembers
			high = max(high, k.Highest)
		}
		if top, ok := k.Set.Max(); ok {
			high = max(high, top)
		}
	}
	return low, min(high, uncounted), nil
}

// numbers tells whether the next number of a key may be the one above its highest row. Only an engine's own counter remembers what was numbered before, and a
// game may go on above the highest row all the same, by a counter of its own.
func (p *proof) numbers(t *merge.Table, key merge.Col) bool {
	if !p.integerKey(key) || p.schema.Column(key).Generated {
		return false
	}
	return !t.Counted || !p.schema.Equal(t.AutoColumn, key.Name) || slices.ContainsFunc(p.plan.Counters, func(c merge.Counter) bool { return p.sameCol(c.Key, key) })
}
