package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// askOneRow asks about tables of which every shard has one row, as of the world's state or its settings: the game expects one there, and would find either of two. What
// something refers to is no such row, nor is a player.
func (a *auditor) askOneRow(context.Context) error {
	for _, known := range a.schema.Tables {
		t := a.tables[known.Name]
		if t.Opaque != "" || t.decided || t.plan.Rows != merge.MergeRows || !a.oneState(t) || !a.allStay(t) || a.tableAsked(t.Name) || a.keyTableAsked(t.Name) {
			continue
		}
		one := oneServersLine(t.Name, a.name(0))
		if s := a.numbering(t); s != nil && s.both() > 0 {
			one = rowsLine(t.Name, merge.FirstRows)
		}
		line := t.plan
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("every shard has one row in %s: is it the state or the settings of the world, of which the game expects one? Then take the first shard's: %s. As the line below stands, all come, each beside the others%s", t.Name, one, a.worldsIn(t)),
			Rows:     t.total(), Table: &line,
		})
	}
	return nil
}

// oneEach tells whether every shard has one row.
func (t *table) oneEach() bool {
	return len(t.rows) > 1 && !slices.ContainsFunc(t.rows, func(n int64) bool { return n != 1 })
}

// oneState tells whether every shard has one row of a table, which is no player and to which nothing refers.
func (a *auditor) oneState(t *table) bool {
	return t.oneEach() && !a.referredTo(t) && !a.personalTable(t.Name)
}

// numbering is the space of a table's key where that is one number; nil where there is none.
func (a *auditor) numbering(t *table) *space {
	if len(t.PrimaryKey) != 1 {
		return nil
	}
	return a.spaces[t.KeyCols()[0]]
}

// allStay tells whether all of a table's rows come, one of each shard, and nothing tells the game which is its own: they have no key, one number, of which the later ones get
// another, or each a day, a name or the like, which are others today. Other numbers are those of rows that each server counted for itself.
func (a *auditor) allStay(t *table) bool {
	if len(t.PrimaryKey) == 0 {
		return true
	}
	s := a.numbering(t)
	if s == nil {
		return a.textKey(t.Table)
	}
	return !s.byPlan && !a.referenceAsked(s.key) && (s.both() == int64(len(a.shards)-1) || a.nature[s.key].Thing != "")
}

// askFull asks about tables whose own check takes no further key, as CHECK (id = 1) of the world's state: of rows with one key one alone can come.
func (a *auditor) askFull(ctx context.Context) error {
	for _, known := range a.schema.Tables {
		t := a.tables[known.Name]
		if t.Opaque != "" || t.decided || t.plan.Rows != merge.MergeRows || len(t.Checks) == 0 || !a.inTwoShards(t) || a.tableAsked(t.Name) {
			continue
		}
		for _, u := range t.Uniques {
			if len(u.Columns) != 1 || !u.Plain() || len(t.PrimaryKey) > 0 && !u.Primary {
				continue
			}
			check, err := a.fullBy(ctx, t, u.Cols()[0])
			if err != nil {
				return err
			}
			if check == "" {
				continue
			}
			_, shared, err := a.engine.Clashes(ctx, a.raw, *u, "", "", 1)
			if err != nil {
				return err
			}
			if shared > 0 {
				a.askOneOfEach(t, u, fmt.Sprintf("the check (%s) takes no new one, so one row of each alone can come", check), shared)
				break
			}
		}
	}
	return nil
}

// askOneOfEach asks which of the rows of one key comes, and says why one alone does.
func (a *auditor) askOneOfEach(t *table, u *merge.Unique, why string, shared int64) {
	first := t.first()
	last := len(t.rows) - 1
	for t.rows[last] == 0 {
		last--
	}
	line, whose := merge.TablePlan{Table: t.Name, Rows: merge.FirstRows}, oneServersLine(t.Name, a.name(last))+" takes another's; "+rowsLine(t.Name, merge.UnionRows)+" makes one row of each two, with a rule for every column that differs"
	if !u.Primary {
		line, whose = merge.TablePlan{Table: t.Name, Rows: merge.FromRows, From: a.name(first)}, oneServersLine(t.Name, a.name(last))+" takes another's"
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s, and %s: whose? As the line below stands, the first shard's; %s", inTwo(int(shared), "the key "+merge.JoinCols(u.Cols())), why, whose),
		Rows:     t.total(), Table: &line,
	})
}

// fullBy is the check of a table that takes no other key than those of its rows: no number above them, and no text in place of the only one; "" when there is none.
func (a *auditor) fullBy(ctx context.Context, t *table, key merge.Col) (string, error) {
	others, err := a.otherKeys(ctx, t, key)
	if err != nil || len(others) == 0 {
		return "", err
	}
	for _, check := range t.Checks {
		full := merge.MayName(check, key.Name)
		for i := 0; full && i < len(a.shards); i++ {
			own := a.shards[i].Schema().Table(t.Name)
			if t.rows[i] == 0 {
				continue
			}
			full = a.complete(t.Table, own)
			for j := 0; full && j < len(others); j++ {
				n, err := a.shards[i].Count(ctx, own.Name, a.failing(own, check, key.Name, "?"), others[j])
				if err != nil {
					return "", fmt.Errorf("table %s: the check (%s) under another %s: %w", own.Name, check, key.Name, err)
				}
				full = n == t.rows[i]
			}
		}
		if top, ok := others[0].(int64); full && ok {
			keeps, err := a.keptByStep(ctx, t, key, check, top)
			if err != nil {
				return "", err
			}
			full = !keeps
		}
		if full {
			return check, nil
		}
	}
	return "", nil
}

// otherKeys are values that a key would take for a further row: the next number, or texts like the one of a table of one row, longer, as long and of other letters.
func (a *auditor) otherKeys(ctx context.Context, t *table, key merge.Col) ([]any, error) {
	text, top := "", int64(math.MinInt64)
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(key)
		if !ok || t.rows[i] == 0 {
			continue
		}
		if a.schema.Holds(key) == merge.Text {
			list, err := s.Values(ctx, own, "", 2)
			if err != nil || len(list) != 1 || t.rows[i] > 1 {
				return nil, err
			}
			text, _ = list[0].Value[0].(string)
			continue
		}
		k, err := s.Keys(ctx, own)
		if err != nil {
			return nil, err
		}
		if last, ok := k.Set.Max(); ok {
			top = max(top, last)
		}
	}
	switch {
	case text != "":
		return []any{text + "2", strings.Repeat("2", len([]rune(text))), "world"}, nil
	case top > math.MinInt64 && top < math.MaxInt64:
		return []any{top + 1}, nil
	}
	return nil, nil
}
