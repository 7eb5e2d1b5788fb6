package audit

import (
	"context"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// apartTimes is how many times as large a share of the rows of a condition points at nobody on one server as on another where the condition means something else there: the deleted
// leave as much behind on each.
const apartTimes = 5

// askKindsApart asks about a reference under a condition of which the rows of one server often point at nobody though those of another seldom do, or most do: the servers' games
// may number their kinds otherwise.
func (a *auditor) askKindsApart(ctx context.Context, r *reference) error {
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		dead := c.Rows - c.Alive
		if dead < strayRows || float64(dead) <= manyOrphans*float64(c.Rows) || 2*c.Alive >= c.Rows && !r.seldomDead(i) {
			continue
		}
		held, swapped, err := a.heldByKinds(ctx, r, i)
		if err != nil {
			return err
		}
		line, otherwise := r.Reference, " Where it does, these rows are of the deleted, as the line below says"
		if line.Orphans = merge.ByTombstone; swapped { // no row is of the deleted, so the line that is proposed stops the merge until they are put right
			line.Orphans, otherwise = merge.ByFail, " Until then the line below stops the merge; orphans: tombstone in it says that these rows are of the deleted"
		}
		evidence := fmt.Sprintf("%d of %d rows in %s (%s)", dead, c.Rows, a.name(i), sampleValues(c.Dead))
		for j, o := range r.counts {
			if o != nil && j != i && o.Rows > 0 {
				evidence += fmt.Sprintf(", %d of %d in %s", o.Rows-o.Alive, o.Rows, a.name(j))
			}
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%d %% of %s when %s point at nobody in %s: does the condition say the same on every server?%s%s", max(1, dead*100/c.Rows), r.From[0], r.When, a.name(i), held, otherwise),
			Rows:     dead, Evidence: evidence, Reference: &line,
		})
		return nil
	}
	return nil
}

// seldomDead tells whether another shard's rows of a reference point at nobody far more seldom than one's.
func (r *reference) seldomDead(shard int) bool {
	share := func(c *merge.RefCount) float64 { return float64(c.Rows-c.Alive) / float64(c.Rows) }
	for i, c := range r.counts {
		if c != nil && i != shard && c.Rows >= strayRows && apartTimes*share(c) <= share(r.counts[shard]) {
			return true
		}
	}
	return false
}

// heldByKinds says which key, of another line for the column, the values of a reference's rows are in a shard, "" when there is none, and whether that line's are
// this reference's in turn.
func (a *auditor) heldByKinds(ctx context.Context, r *reference, shard int) (text string, swapped bool, err error) {
	for _, o := range a.about(r.From[0]) {
		if o == r || o.As != merge.Plain || o.When == "" || len(o.From) != 1 || o.spaces[0] == nil || o.spaces[0] == r.spaces[0] {
			continue
		}
		mine, err := a.allAmong(ctx, r, o.spaces[0], shard)
		if err != nil {
			return "", false, err
		}
		if !mine {
			continue
		}
		if r.spaces[0] != nil {
			if swapped, err = a.allAmong(ctx, o, r.spaces[0], shard); err != nil {
				return "", false, err
			}
		}
		text = fmt.Sprintf(" There all these values are %s, to which other rows lead when %s", o.To[0], o.When)
		if swapped {
			text += fmt.Sprintf(", and those are all %s: the two look swapped in %s", r.To[0], a.name(shard))
		}
		return text + fmt.Sprintf(". If the kinds have other numbers there, give them those of the other servers in a copy of %s.", a.name(shard)), swapped, nil
	}
	return "", false, nil
}

// allAmong tells whether nearly every value that a reference's rows hold in a shard, nobody's left out, is a key of a space.
func (a *auditor) allAmong(ctx context.Context, r *reference, s *space, shard int) (bool, error) {
	conditions := []string{a.engine.Quote(r.From[0].Name) + " IS NOT NULL", bracketed(r.When)}
	for _, v := range r.None {
		conditions = append(conditions, a.engine.Quote(r.From[0].Name)+" IS NOT "+a.engine.Literal(v))
	}
	list, err := a.shards[shard].Values(ctx, r.From[0], strings.Join(conditions, " AND "), 0)
	if err != nil || len(list) == 0 {
		return false, err
	}
	lost, rows := int64(0), int64(0)
	for _, v := range list {
		rows += v.Rows
		if k, ok := v.Value[0].(int64); !ok || !s.alive[shard].Has(k) {
			lost += v.Rows
		}
	}
	return float64(lost) <= manyOrphans*float64(rows), nil
}
