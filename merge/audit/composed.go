package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// composedSigns are the signs by which games write two columns of a row as one text.
var composedSigns = []string{"@", ":", "/", "#", "-", "_", "|", ".", ",", ";", " ", "::"}

// composedShare is the share of a table's rows from which a text that is two others of its row is no chance.
const composedShare = 0.9

// askComposed asks about texts that are made of two other columns of their row, of which one changes, as a member's "rusty@falcons" beside his name and his team: no line rewrites both.
func (a *auditor) askComposed(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.total() < fewNames || line.plan.Rows == merge.EmptyRows {
			continue
		}
		var changing []string
		for _, c := range t.Columns {
			if !c.Generated && a.changesByRow(merge.Col{Table: t.Name, Name: c.Name}) {
				changing = append(changing, c.Name)
			}
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if len(changing) == 0 || c.Generated || a.schema.Holds(col) != merge.Text || a.decided(col) {
				continue
			}
			if made, err := a.composedOf(ctx, line, c.Name, changing); err != nil {
				return err
			} else if made != nil {
				if err := a.askMade(ctx, col, made); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// changesByRow tells whether a column follows keys or names that change, by the plan or an open question.
func (a *auditor) changesByRow(c merge.Col) bool {
	return a.knownOrAsked(func(r *merge.Reference) bool {
		return (r.As == merge.Plain || r.As == merge.Copy) && r.When == "" && len(r.From) == 1 && r.From[0] == c && (a.renumbers(r.To[0]) || slices.Contains(a.renamedColumns(), r.To[0]))
	})
}

// composed is of which two columns and with which sign between them a text is made.
type composed struct{ first, sign, second string }

// composedOf tells of what nearly all texts of a column are made, one part at least of what changes; nil where they are not. One text tells which ways are worth a look at all rows.
func (a *auditor) composedOf(ctx context.Context, t *table, column string, changing []string) (*composed, error) {
	u, err := a.sampled(ctx, t, merge.Col{Table: t.Name, Name: column})
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(u.samples, func(one *merge.Sample) bool { return len(one.Texts) > 1 }) // one alone is made of nothing that changes
	if at < 0 {
		return nil, nil
	}
	text := rarest(u.samples[at])
	signs := slices.DeleteFunc(slices.Clone(composedSigns), func(sign string) bool { return !strings.Contains(text, sign) })
	if len(signs) == 0 {
		return nil, nil
	}
	parts, err := a.partsBeside(ctx, at, t, column, text)
	if err != nil {
		return nil, err
	}
	var ways []*composed
	for _, part := range changing {
		for _, other := range t.Columns {
			for _, sign := range signs {
				for _, way := range []*composed{{part, sign, other.Name}, {other.Name, sign, part}} {
					if slices.ContainsFunc(parts[way.first], func(first string) bool {
						return slices.ContainsFunc(parts[way.second], func(second string) bool { return text == first+sign+second })
					}) {
						ways = append(ways, way)
					}
				}
			}
		}
	}
	for _, way := range ways {
		if all, err := a.madeSo(ctx, t, column, way); err != nil || all {
			return way, err
		}
	}
	return nil, nil
}

// How many columns are read at once, and of how many rows at most.
const (
	columnsAtOnce = 50
	partRows      = 20
)

// partsBeside are the numbers and texts of all other columns in rows of a shard that hold a text, by the column.
func (a *auditor) partsBeside(ctx context.Context, shard int, t *table, column, text string) (map[string][]string, error) {
	own, parts := a.shards[shard].Schema().Table(t.Name), map[string][]string{}
	others := slices.DeleteFunc(slices.Clone(t.Columns), func(c *merge.Column) bool {
		return c.Generated || c.Name == column || own.Column(c.Name, a.schema.Fold) == nil
	})
	for chunk := range slices.Chunk(others, columnsAtOnce) {
		var columns []merge.Col
		for _, c := range chunk {
			columns = append(columns, merge.Col{Table: own.Name, Name: own.Column(c.Name, a.schema.Fold).Name})
		}
		rows, err := a.shards[shard].Tuples(ctx, columns, fmt.Sprintf("%s = %s", a.engine.Quote(column), a.engine.Literal(text)), partRows)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			for i, c := range chunk {
				switch v := row.Value[i].(type) {
				case int64, string:
					parts[c.Name] = append(parts[c.Name], fmt.Sprint(v))
				}
			}
		}
	}
	return parts, nil
}

// rarest is a text that was seen once, or else in fewest rows.
func rarest(one *merge.Sample) string {
	for _, text := range one.Texts {
		if !slices.Contains(one.Frequent, text) {
			return text
		}
	}
	return one.Frequent[len(one.Frequent)-1]
}

// madeOf is the condition that a row's text is made in a way.
func (a *auditor) madeOf(column string, way *composed) string {
	q := a.engine.Quote
	return fmt.Sprintf("%s = %s || %s || %s", q(column), q(way.first), a.engine.Literal(way.sign), q(way.second))
}

// madeSo tells whether nearly all rows of every shard hold a text made in a way.
func (a *auditor) madeSo(ctx context.Context, t *table, column string, way *composed) (bool, error) {
	some := false
	for i, s := range a.shards {
		own := s.Schema().Table(t.Name)
		if t.rows[i] == 0 || own == nil || own.Column(column, a.schema.Fold) == nil || own.Column(way.first, a.schema.Fold) == nil || own.Column(way.second, a.schema.Fold) == nil {
			continue
		}
		rows, err := s.Count(ctx, own.Name, a.madeOf(column, way))
		if err != nil || float64(rows) < composedShare*float64(t.rows[i]) {
			return false, err
		}
		some = true
	}
	return some, nil
}

// askMade asks about such a text, in place of what was asked about the names or numbers in it.
func (a *auditor) askMade(ctx context.Context, c merge.Col, made *composed) error {
	a.withdrawForms(c)
	if a.askedAs(c) >= 0 {
		return nil
	}
	led, err := a.ledTo(ctx, c)
	if err != nil {
		return err
	}
	again, before := "", ""
	for _, from := range led {
		again += a.followMade(from, c, made) + "; "
	}
	if len(led) > 0 {
		before = fmt.Sprintf(", but first what leads to it (%s)", merge.JoinCols(led))
	}
	again += fmt.Sprintf("UPDATE %s SET %s", a.engine.Quote(c.Table), a.madeOf(c.Name, made))
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s is made of %s, %q and %s of its row, of which one changes at least: this version rewrites no text of two parts. Does it stay as it is, and is set anew in the output before the game starts%s: %s?",
			c, made.first, made.sign, made.second, before, again),
		Evidence: "nearly all rows of every shard hold it", Rows: a.tables[c.Table].total(), Reference: &merge.Reference{From: []merge.Col{c}, As: merge.Keep},
	})
	for _, from := range led {
		if !a.follows(from) && !a.decided(from) {
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("does %s hold %s, so that it follows when that is renamed, and is set anew with it in the output?", from, c),
				Evidence: "nearly all of its texts are there", Rows: a.tables[from.Table].total(), Reference: &merge.Reference{From: []merge.Col{from}, To: []merge.Col{c}},
			})
		}
	}
	return nil
}
