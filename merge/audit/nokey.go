package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// What makes the first columns of a table without a key tell its rows apart: how many columns, how many rows a first and a second look take, so few pairs that chance would make where
// their values come together by chance, and the share of the smaller shard's rows that stand in another one, too: of one column, or of whole rows, and of several.
const (
	firstColumns  = 3
	firstRows     = 2000
	mostRows      = 100_000
	firstValues   = 1000
	pairsByChance = 7 // that there is none has then a chance of one in a thousand
	sharedAlone   = 0.5
	sharedOf      = 0.1
	sharedLeast   = 2
)

// askKeyless asks what becomes of the rows of tables without any key whose first columns tell them apart in every shard, as settings by their names and lots by house and
// number, when two shards hold the same: copied as they are, both would stand there, and the game would find either.
func (a *auditor) askKeyless(ctx context.Context) error {
	a.tuples = map[string]*merge.Unique{}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows != merge.MergeRows || len(t.PrimaryKey) > 0 || slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return u.Plain() }) ||
			slices.ContainsFunc(a.undeclared, func(c merge.Col) bool { return c.Table == t.Name }) || !a.inTwoShards(line) {
			continue
		}
		u, shared, err := a.tellingColumns(ctx, line)
		if err != nil {
			return err
		}
		if u == nil {
			continue
		}
		a.tuples[t.Name] = u
		if line.decided || a.tableAsked(t.Name) || a.keyTableAsked(t.Name) || slices.ContainsFunc(u.Cols(), a.renumbered) {
			continue
		}
		if err := a.askTelling(ctx, line, u, shared); err != nil {
			return err
		}
	}
	return nil
}

func (a *auditor) inTwoShards(t *table) bool {
	n := 0
	for _, rows := range t.rows {
		if rows > 0 {
			n++
		}
	}
	return n > 1
}

// keyTableAsked tells whether an open question is about a key of a table, or about names of its rows.
func (a *auditor) keyTableAsked(name string) bool {
	return slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Key != nil && u.Key.Key.Table == name || u.Unique != nil && u.Unique.Unique[0].Table == name
	})
}

func (a *auditor) askTelling(ctx context.Context, t *table, u *merge.Unique, shared int64) error {
	first := t.first()
	text := fmt.Sprintf("no schema says what tells the rows of %s apart, but no two rows of a shard share %s, and %s in two shards: is it the same thing on every server? As the line below stands, both come, each beside the other. "+
		"%s takes one server's rows; to make one row of each two, declare PRIMARY KEY (%s) in copies of the shards and choose rows: union",
		t.Name, merge.JoinCols(u.Cols()), counted(shared, "such value stands", "such values stand"), oneServersLine(t.Name, a.name(first)), strings.Join(u.Columns, ", "))
	if own := a.ownColumn(u); own != "" && len(u.Columns) > 1 {
		text += fmt.Sprintf("; %s under keys keeps them apart, where %s numbers each server's own things", shiftLine(merge.Col{Table: t.Name, Name: own}), own)
	}
	held, err := a.heldTogether(ctx, u)
	if err != nil {
		return err
	}
	if held != "" {
		text += "; " + held
	}
	line := t.plan
	a.ask(merge.Undecided{Question: text, Rows: shared, Evidence: "no PRIMARY KEY, no UNIQUE", Table: &line})
	return nil
}

// tellingColumns are the fewest first columns that differ in every row of every shard, beyond chance, and of which two shards share values; nil when there are none.
func (a *auditor) tellingColumns(ctx context.Context, t *table) (*merge.Unique, int64, error) {
	u := &merge.Unique{Table: t.Name}
	for i, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if c.Generated || a.schema.Holds(col) == merge.Real {
			break
		}
		called := a.namesSomebody(col)
		if a.mayBeAnothers(col) || called && i > 0 {
			break
		}
		u.Columns, u.Collations = append(u.Columns, c.Name), append(u.Collations, c.Collation)
		whole := len(u.Columns) == len(t.Columns)
		if i >= firstColumns && !whole {
			continue
		}
		shared, err := a.tellApart(ctx, t, u)
		if err != nil {
			return nil, 0, err
		}
		share := sharedOf
		if i == 0 || whole {
			share = sharedAlone
		}
		if called {
			share = sameNames // a list of settings by their names
		}
		if shared >= sharedLeast && float64(shared) >= share*float64(t.secondMost()) {
			return u, shared, nil
		}
	}
	return nil, 0, nil
}

// mayBeAnothers tells whether a column's values are, or may be, what other rows get new numbers or names for, so that equal ones of two shards mean two.
func (a *auditor) mayBeAnothers(c merge.Col) bool {
	return a.mayMove(c) ||
		slices.ContainsFunc(a.res.Questions, func(q discover.Question) bool { return slices.Contains(q.Columns, c) }) ||
		a.knownOrAsked(func(r *merge.Reference) bool {
			return r.As != merge.Keep && r.As != merge.Plain && slices.Contains(r.From, c)
		})
}

// namesSomebody tells whether a column is named like a name, or like somebody whom its own table is not about.
func (a *auditor) namesSomebody(c merge.Col) bool {
	return named(c.Name) || a.somebody[c] && !strings.Contains(strings.ToLower(c.Table), strings.ToLower(c.Name))
}

// tellApart counts the values of some columns that two shards share; 0 where two rows of one shard share one, or where chance keeps them apart.
func (a *auditor) tellApart(ctx context.Context, t *table, u *merge.Unique) (int64, error) {
	var names []string
	for _, c := range u.Columns {
		names = append(names, a.engine.Quote(c))
	}
	list, from, expected := strings.Join(names, ", "), a.engine.Quote(t.Name), 0.0
	for i, s := range a.shards {
		if t.rows[i] == 0 {
			continue
		}
		if slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return s.Schema().Column(c) == nil }) {
			return 0, nil
		}
		n, err := a.pairs(ctx, i, u)
		if err != nil {
			return 0, err
		}
		expected = max(expected, n*float64(t.rows[i])*float64(t.rows[i]-1)/2)
	}
	if len(u.Columns) > 1 && expected < pairsByChance {
		return 0, nil
	}
	for _, most := range []int{firstRows, mostRows, -1} { // the first rows of most tables tell enough
		rows := fmt.Sprintf("(SELECT %s FROM %s LIMIT %d)", list, from, most)
		for i, s := range a.shards {
			if t.rows[i] == 0 {
				continue
			}
			twice, err := s.Any(ctx, t.Name, fmt.Sprintf("EXISTS (SELECT 1 FROM %s GROUP BY %s HAVING count(*) > 1)", rows, list))
			if err != nil || twice {
				return 0, err
			}
		}
	}
	_, shared, err := a.engine.Clashes(ctx, a.raw, *u, "", "", 1)
	return shared, err
}

// pairs is the chance that two rows of a shard share values of all columns, were the columns independent.
func (a *auditor) pairs(ctx context.Context, shard int, u *merge.Unique) (float64, error) {
	if len(u.Columns) < 2 {
		return 1, nil
	}
	both := 1.0
	for _, c := range u.Cols() {
		chance, err := a.chance(ctx, shard, c)
		if err != nil {
			return 0, err
		}
		both *= chance
	}
	return both, nil
}

// columnOf is a column of one shard.
type columnOf struct {
	shard  int
	column merge.Col
}

// chance is that of two rows of a shard sharing a column's value, which is worked out once.
func (a *auditor) chance(ctx context.Context, shard int, c merge.Col) (float64, error) {
	if known, ok := a.chances[columnOf{shard, c}]; ok {
		return known, nil
	}
	list, err := a.shards[shard].Values(ctx, c, "", firstValues)
	if err != nil {
		return 0, err
	}
	var rows, squares float64
	for _, v := range list {
		rows += float64(v.Rows)
		squares += float64(v.Rows) * float64(v.Rows)
	}
	if a.chances == nil {
		a.chances = map[columnOf]float64{}
	}
	a.chances[columnOf{shard, c}] = squares / max(rows*rows, 1)
	return a.chances[columnOf{shard, c}], nil
}
