package audit

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// usedNames are the new names and, of copies, the texts that name nobody, folded: two candidates must not get one that the engine may call equal. A new name of another column
// is one for the same old name of the same shard alone, so that somebody who is known by it in both goes on to be.
func (a *auditor) usedNames(col merge.Col) map[string]namesake {
	used := map[string]namesake{}
	for _, other := range a.rename {
		for i, rows := range other.Shards {
			for _, row := range rows {
				of := namesake{i, folded(row.Old)}
				if (merge.Col{Table: other.Unique.Table, Name: other.Column}) == col {
					of = namesake{}
				}
				if known, again := used[folded(row.New)]; again && known != of {
					of = namesake{}
				}
				used[folded(row.New)] = of
			}
		}
	}
	for _, r := range a.refs { // nor what means nobody
		if r.As != merge.Keep && len(r.To) == 1 && (r.To[0] == col || a.keyOf(r) == col) {
			for _, v := range r.None {
				if text, ok := v.(string); ok {
					used[folded(text)] = namesake{}
				}
			}
		}
	}
	for _, copied := range a.refs { // a text that names nobody must not begin to name somebody
		if copied.As != merge.Copy || copied.Via != "" || copied.To[0] != col {
			continue
		}
		for _, c := range copied.counts {
			if c == nil {
				continue
			}
			for _, dead := range c.Dead {
				if text, ok := dead.Value[0].(string); ok {
					used[folded(text)] = namesake{}
				}
			}
		}
	}
	return used
}

// nextName makes the next name that fits the column and that no other loser has.
func (a *auditor) nextName(ctx context.Context, c *candidate, col merge.Col, plan *merge.UniquePlan, used map[string]namesake) error {
	server := ""
	if n := a.shards[c.shard].Source().Server; n != nil {
		server = strconv.FormatInt(*n, 10)
	} else if strings.Contains(plan.Template, "{server}") {
		return fmt.Errorf("the template %q needs the server number of %s", plan.Template, a.name(c.shard))
	}
	for ; c.n < renameTry; c.n++ {
		name, err := a.fitName(ctx, plan.Template, server, c, append([]merge.Col{col}, c.also...))
		if err != nil {
			return err
		}
		fold := folded(name)
		if of, taken := used[fold]; taken && (of.text == "" || of != namesake{c.shard, folded(c.row.Old)}) || name == c.row.Old {
			continue
		}
		if dead, err := a.namesNobody(ctx, col, name); err != nil {
			return err
		} else if dead {
			continue
		}
		used[fold] = namesake{}
		c.row.New = name
		c.n++
		return nil
	}
	return fmt.Errorf("no free name for %q after %d tries", c.row.Old, renameTry)
}

// takenNames tells whether any shard holds one of the candidates' names, as the column compares or one that holds its texts.
func (a *auditor) takenNames(ctx context.Context, col merge.Col, collate string, batch []*candidate) (bool, error) {
	for _, way := range append(a.laxerHolders(col), collate) {
		if taken, err := a.takenBy(ctx, col, way, batch); err != nil || taken {
			return taken, err
		}
	}
	return false, nil
}

// takenBy tells whether any shard holds one of the candidates' names by a collation.
func (a *auditor) takenBy(ctx context.Context, col merge.Col, collate string, batch []*candidate) (bool, error) {
	words := make([]string, len(batch))
	for i, c := range batch {
		words[i] = a.engine.Literal(c.row.New)
	}
	holders := []merge.Col{col}
	for _, r := range a.plain() { // a name that somebody refers to in vain must stay nobody's
		if len(r.From) == 1 && a.keyOf(r) == col {
			holders = append(holders, r.From[0])
		}
	}
	for _, c := range holders {
		condition := "+" + a.engine.Quote(c.Name)
		if c == col {
			condition = a.engine.Quote(c.Name)
		}
		if collate != "" {
			condition += " COLLATE " + collate
		}
		condition += " IN (" + strings.Join(words, ", ") + ")"
		taken, err := a.anyShard(func(i int) (bool, error) {
			if s := a.shards[i]; a.has(i, c.Table) && s.Schema().Column(c) != nil {
				return s.Any(ctx, c.Table, condition)
			}
			return false, nil
		})
		if taken || err != nil {
			return taken, err
		}
	}
	return false, nil
}
