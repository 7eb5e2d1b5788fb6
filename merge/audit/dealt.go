package audit

import (
	"context"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// askAlive asks whether texts that repeat no row of their own server, and are the same one's on every server, find the row that another server has.
func (a *auditor) askAlive(r *reference) {
	if r.found == 0 || a.askedAgain(r) {
		return
	}
	line := r.Reference
	if a.keyTable(r).folds() && !a.holdsIdentity(r) {
		line.Orphans = merge.ByTombstone
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s holds texts that no row of %s has on its server, and another server's rows have: they would belong to those. Rows that fold have another %s on each server, so that one text on two is two people's: do they get tombstones, and name nobody, as before? "+
				"Say orphans: keep if the same text is the same one's everywhere", merge.JoinCols(r.From), r.To[0].Table, r.To[0].Name),
			Rows: r.found, Evidence: strings.Join(r.where, ", "), Reference: &line,
		})
		return
	}
	line.Orphans = merge.ByKeep
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s holds texts that no row of %s has on its server, and another server's rows have, where the same text is the same one everywhere: do they stay, and name these (orphans: keep)? Say orphans: tombstone if they shall name nobody",
			merge.JoinCols(r.From), r.To[0].Table), Rows: r.found, Evidence: strings.Join(r.where, ", "), Reference: &line,
	})
}

// dealtApart tells whether rows of two shards that fold mostly have different texts in the column that a reference repeats: each server gives its own, as numbers of telephones, and
// the same text there is somebody else's. Where no rows fold nothing says that it is the same one's.
func (a *auditor) dealtApart(ctx context.Context, r *reference, i, j int) (bool, error) {
	if r.As != merge.Copy || r.Orphans != "" {
		return false, nil
	}
	t := a.keyTable(r)
	e, ok := a.engine.(rowLister)
	if !ok || !t.folds() || a.holdsIdentity(r) || t.rows[i] == 0 || t.rows[j] == 0 {
		return false, nil
	}
	pairs, err := a.foldPairs(ctx, t, min(i, j), max(i, j))
	if err != nil {
		return false, err
	}
	both := int64(len(pairs))
	if pairs == nil {
		if both, _, err = a.engine.SameRows(ctx, a.raw[min(i, j)], a.raw[max(i, j)], t.Name, nil, 0); err != nil {
			return false, err
		}
	}
	differ, err := e.DifferentRows(ctx, a.raw[min(i, j)], a.raw[max(i, j)], t.Name, pairs, []string{r.To[0].Name})
	return 2*int64(len(differ)) > both || both == 0, err
}
