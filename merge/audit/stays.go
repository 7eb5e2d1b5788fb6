package audit

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// keepNobodys takes 0 and -1 out of a key that many rows share, as the number of a group that no table lists: they stand where a row is in no group, so they never change.
func (a *auditor) keepNobodys(ctx context.Context, s *space) error {
	if s.plan.New == merge.Static || a.tables[s.key.Table].folds() {
		return nil
	}
	repeats, none := false, map[string]any{}
	for i := range a.shards {
		k, err := a.shards[i].Keys(ctx, s.key)
		if err != nil {
			return err
		}
		repeats = repeats || k.Repeats()
		for _, v := range []int64{0, -1} {
			if k.Set.Has(v) {
				none[valueText(v)] = v
			}
		}
	}
	if !repeats || len(none) == 0 {
		return nil
	}
	for i := range s.alive {
		s.alive[i] = s.alive[i].Without(merge.NewKeySet(0, -1))
	}
	s.shared = true
	a.find(merge.Finding{
		Rule: "left-alone", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name,
		Text: fmt.Sprintf("many rows share a number of this key, so that %s means nobody, as in no group: it stays as it is", joinValues(none)),
		Next: "where it is a group as others are, give it another number in copies of the shards",
	})
	return nil
}
