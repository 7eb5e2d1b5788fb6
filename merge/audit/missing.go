package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// askMissing asks what columns become in the rows of shards that lack them: one line of the plan for a whole table.
func (a *auditor) askMissing(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		if t.Opaque == "" {
			if err := a.missingColumns(ctx, a.tables[t.Name]); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// unfilled is a table's plan that has a word also for columns which only shards without rows lack: nobody was asked, for nothing gets it.
func (a *auditor) unfilled(t *table) merge.TablePlan {
	plan := t.plan
	plan.Missing = maps.Clone(plan.Missing)
	for i, s := range a.shards {
		own := s.Schema().Table(t.Name)
		if own == nil || t.rows[i] > 0 {
			continue
		}
		for _, c := range t.Columns {
			if _, said := lookupFold(a.schema, plan.Missing, c.Name); said || c.Generated || own.Column(c.Name, a.schema.Fold) != nil {
				continue
			}
			if plan.Missing == nil {
				plan.Missing = map[string]string{}
			}
			plan.Missing[c.Name] = "NULL"
		}
	}
	return plan
}

func (a *auditor) missingColumns(ctx context.Context, t *table) error {
	line := t.plan
	line.Missing = maps.Clone(t.plan.Missing)
	var questions, notes []string
	var rows int64
	for i, s := range a.shards {
		own := s.Schema().Table(t.Name)
		if own == nil || t.rows[i] == 0 || !t.takes(a.name(i)) {
			continue
		}
		var lacks []string
		for _, c := range t.Columns {
			if c.Generated || own.Column(c.Name, a.schema.Fold) != nil {
				continue
			}
			if _, ok := lookupFold(a.schema, t.plan.Missing, c.Name); ok {
				continue
			}
			if _, ok := line.Missing[c.Name]; ok {
				lacks = append(lacks, c.Name)
				continue // as for another shard
			}
			unique := slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return len(u.Columns) == 1 && u.Columns[0] == c.Name })
			value, note, err := a.fill(ctx, i, t, c, unique)
			if err != nil {
				return err
			}
			if value == "" {
				a.unfillable(i, t, c, unique)
				continue
			}
			lacks = append(lacks, c.Name)
			if line.Missing == nil {
				line.Missing = map[string]string{}
			}
			if line.Missing[c.Name] = value; note != "" {
				notes = append(notes, note)
			}
		}
		if len(lacks) > 0 {
			rows += t.rows[i]
			questions = append(questions, fmt.Sprintf("%s lacks %s of %s: what do its %s get?", a.name(i), strings.Join(lacks, ", "), t.Name, counted(t.rows[i], "row", "rows")))
		}
	}
	if len(questions) > 0 {
		a.ask(merge.Undecided{Question: strings.Join(questions, " "), Rows: rows, Evidence: strings.Join(notes, "; "), Table: &line})
	}
	return nil
}

// fill is what is proposed for a column that a shard lacks, and why it is not what the column's declaration says: the default, unless rows would all hold one key by
// it, their own or somebody's. Where only a word for nobody can stand and there is none yet, it asks for one. The value is "" where nothing can be proposed.
func (a *auditor) fill(ctx context.Context, shard int, t *table, c *merge.Column, unique bool) (value, note string, err error) {
	value = c.Default
	steady := value != "" && a.tryCondition(ctx, t.Name, value) == nil // not the present moment, which is another in every run
	null := !steady || strings.EqualFold(value, "null")
	if null && !c.NotNull {
		return "NULL", "", nil
	}
	col := merge.Col{Table: t.Name, Name: c.Name}
	to, none, refers := a.refersTo(col)
	switch {
	case unique && !c.NotNull:
		return "NULL", fmt.Sprintf("%s is unique, so its default %s would stand in one row alone", c.Name, value), nil
	case unique && (null || t.rows[shard] > 1), null && !refers, refers && c.NotNull && a.bound(col):
		return "", "", nil
	case refers && a.bound(col):
		return "NULL", fmt.Sprintf("%s is declared to refer to %s, so that nothing but a key or null may stand in it", c.Name, to), nil
	case !refers, slices.ContainsFunc(none, func(v any) bool { return a.engine.Literal(v) == value }):
		return value, "", nil
	}
	other := "NULL"
	if c.NotNull {
		if len(none) == 0 {
			if none, err = a.askNobody(ctx, shard, col, to); err != nil {
				return "", "", err
			}
		}
		other = a.engine.Literal(none[0])
	}
	if other == value || null {
		return other, "", nil
	}
	return other, fmt.Sprintf("%s may refer to %s, and its default %s would be somebody", c.Name, to, value), nil
}

// askNobody asks whether a value that is no row's key means nobody in a column that takes no null and that a shard lacks, and returns it: its rows can hold nothing else.
func (a *auditor) askNobody(ctx context.Context, shard int, col, to merge.Col) ([]any, error) {
	none := []any{int64(0)}
	if a.schema.Holds(col) == merge.Text {
		none = []any{""}
	} else if held, err := a.somebodys(ctx, to, none[0]); err != nil {
		return nil, err
	} else if held {
		none = []any{int64(-1)}
	}
	why := fmt.Sprintf("%s lacks the column, which takes no null, and no row of %s has that key", a.name(shard), to.Table)
	asked := false
	for i := range a.res.Undecided {
		if u := &a.res.Undecided[i]; u.Reference != nil && u.Reference.As != merge.Keep && slices.Equal(u.Reference.From, []merge.Col{col}) {
			u.Reference.None, u.Evidence, asked = none, u.Evidence+"; "+why+": none says that it means nobody", true
		}
	}
	for _, r := range a.refs {
		if asked || r.As == merge.Keep || !slices.Equal(r.From, []merge.Col{col}) {
			continue
		}
		line := r.Reference
		line.None = none
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does %s in %s mean nobody?", tupleText(none), col), Rows: a.tables[col.Table].rows[shard], Evidence: why, Reference: &line,
		})
	}
	return none, nil
}

// refersTo is the key to which a column refers, or is asked about as referring, and what means nobody in it; a key that is the same thing on every server is none of
// these: any row may refer to it.
func (a *auditor) refersTo(c merge.Col) (to merge.Col, none []any, ok bool) {
	look := func(r *merge.Reference) {
		i := slices.Index(r.From, c)
		if i < 0 || i >= len(r.To) || r.As != merge.Plain && r.As != merge.Copy || a.sameEverywhere(r.To[i]) {
			return
		}
		if none = append(none, r.None...); !ok {
			to, ok = r.To[i], true
		}
	}
	for _, r := range a.refs {
		look(&r.Reference)
	}
	for _, u := range a.res.Undecided {
		if u.Reference != nil {
			look(u.Reference)
		}
	}
	return to, none, ok
}
