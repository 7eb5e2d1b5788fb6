package prove

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkMarks checks that the game's own numbers of the whole database, such as its schema's version, are the first input's.
func (p *proof) checkMarks(ctx context.Context) error {
	first, ok := p.shards[0].(merge.Marked)
	out, both := p.merged.(merge.Marked)
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
