package prove

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// marker is a database with numbers of its own beside its tables, which a merge takes over from the first shard.
type marker interface {
	Marks(ctx context.Context) (map[string]int64, error)
}

// checkMarks checks that the game's own numbers of the whole database, such as its schema's version, are the first input's.
func (p *proof) checkMarks(ctx context.Context) error {
	first, ok := p.shards[0].(marker)
	out, both := p.merged.(marker)
	if !ok || !both {
		return nil
	}
	want, err := first.Marks(ctx)
	if err != nil {
		return err
	}
	got, err := out.Marks(ctx)
	if err != nil {
		return err
	}
	check, good := Check{Name: CheckMarks, Rows: int64(len(want))}, true
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			good = false
			p.fail(check, "%s is %d, and %d in %s", name, got[name], want[name], p.name(0))
		}
	}
	if good {
		check.Detail = fmt.Sprintf("as in %s", p.name(0))
		p.pass(check)
	}
	return nil
}
