package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// How many rows of two servers are equal in everything but a number of their own, at least, and what share of the rows of the server that has fewer, from which they rather came with the game than are everybody's own.
const (
	gameRows       = 5
	gameRowsShare  = 0.5
	gameRowsListed = 30
	gameRowsLess   = 0.25    // share that is enough of so many, or of rows that have no number of their own
	gameRowsMost   = 100_000 // of a shard: what has more is a log
)

// askEqual asks about tables whose rows stand on two servers, equal in everything but a number of their own, which refer to nothing that changes and to which nothing refers: what drops from a monster came with the
// game, and would drop twice.
func (a *auditor) askEqual(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.decided || line.plan.Rows != merge.MergeRows || !a.inTwoShards(line) || slices.Max(line.rows) > gameRowsMost || a.tableAsked(t.Name) || a.keyTableAsked(t.Name) || len(t.PrimaryKey) > 1 || !a.standsAlone(t) {
			continue
		}
		var own merge.Col
		if len(t.PrimaryKey) == 1 {
			if own = t.KeyCols()[0]; a.spaces[own] == nil {
				continue // a name, of which two rows clash
			}
		}
		u := &merge.Unique{Table: t.Name}
		for _, c := range t.Columns {
			if !c.Generated && c.Name != own.Name {
				u.Columns, u.Collations = append(u.Columns, c.Name), append(u.Collations, c.Collation)
			}
		}
		if len(u.Columns) == 0 || own.Name != "" && len(u.Columns) < 2 {
			continue
		}
		if err := a.askEqualRows(ctx, line, u, own); err != nil {
			return err
		}
	}
	return nil
}

// standsAlone tells whether a table's columns hold no keys that change, nobody's names, and no other table's columns hold its.
func (a *auditor) standsAlone(t *merge.Table) bool {
	for _, c := range t.Columns {
		if col := (merge.Col{Table: t.Name, Name: c.Name}); a.follows(col) || a.renumbered(col) && !slices.Contains(t.PrimaryKey, c.Name) {
			return false
		}
	}
	return !a.knownOrAsked(func(r *merge.Reference) bool {
		return r.As != merge.Keep && slices.ContainsFunc(r.To, func(c merge.Col) bool { return c.Table == t.Name })
	})
}

// askEqualRows asks it about one table, whose rows are compared in the columns of u, all but the number of their own.
func (a *auditor) askEqualRows(ctx context.Context, t *table, u *merge.Unique, own merge.Col) error {
	fewest := int64(-1)
	for _, n := range t.rows {
		if n > 0 && (fewest < 0 || n < fewest) {
			fewest = n
		}
	}
	found, equal, err := a.engine.Clashes(ctx, a.raw, *u, "", "", 1)
	if err != nil || equal < gameRows {
		return err
	}
	share := gameRowsShare
	if own.Name == "" || equal >= gameRowsListed {
		share = gameRowsLess
	}
	if float64(equal) < share*float64(fewest) {
		return nil
	}
	repeated, err := a.repeatedRows(ctx, t, u)
	if err != nil || repeated*4 > equal {
		return err // many are equal by chance
	}
	line, but, fold := t.plan, "", " (rows: first)"
	line.Rows = merge.FirstRows
	if own.Name != "" {
		if repeated > 0 {
			return nil
		}
		line.Rows, line.By = merge.ByValue, u.Columns
		but, fold = " but "+own.Name, ""
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%d rows of %s stand in two shards, equal in every column%s: did they come with the game, so that one of each two is enough%s? If both are somebody's own: %s; where the game expects one server's rows: %s",
			equal, t.Name, but, fold, rowsLine(t.Name, merge.MergeRows), oneServersLine(t.Name, a.name(t.first()))),
		Evidence: "such as (" + strings.Join(samplesOf(found[0].Rows[0].Values), ", ") + ")", Rows: equal, Table: &line,
	})
	return nil
}

// repeatedRows counts the rows that equal another one of their own shard in some columns, of the shard that has most.
func (a *auditor) repeatedRows(ctx context.Context, t *table, u *merge.Unique) (most int64, err error) {
	names := make([]string, len(u.Columns))
	for i, c := range u.Columns {
		names[i] = a.engine.Quote(c)
	}
	list := strings.Join(names, ", ")
	for i, s := range a.shards {
		if !a.has(i, t.Name) || t.rows[i] == 0 || !a.complete(t.Table, s.Schema().Table(t.Name)) {
			continue
		}
		n, err := s.Count(ctx, t.Name, fmt.Sprintf("(%s) IN (SELECT %[1]s FROM %[2]s GROUP BY %[1]s HAVING count(*) > 1)", list, a.engine.Quote(t.Name)))
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}
