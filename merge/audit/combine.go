package audit

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// checkCombined refuses arithmetic on keys: a sum of two keys, or the larger of two that change, is a stranger's. So is what has one of its parts from one row and another from the other.
func (a *auditor) checkCombined(t *table) {
	if t.plan.Rows != merge.UnionRows {
		return
	}
	var told []merge.Col
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		how, ok := lookupFold(a.schema, t.plan.Columns, c.Name)
		if !ok || !slices.Contains([]string{"sum", "max", "min"}, how.How) {
			continue
		}
		if what := a.keyWord(t, col, how.How); what != "" {
			told = append(told, col)
			a.find(merge.Finding{
				Rule: "combine", Severity: merge.Block, Table: t.Name, Column: c.Name,
				Text: fmt.Sprintf("%s is arithmetic on keys: the column %s, and the result would be somebody else's", how.How, what), Next: "choose first or latest for this column",
			})
		}
	}
	for i, r := range a.plain() {
		again := slices.ContainsFunc(a.plain()[:i], func(o *reference) bool { return slices.Equal(o.From, r.From) })
		if again || r.table() != t.Name || slices.ContainsFunc(r.From, func(c merge.Col) bool { return slices.Contains(told, c) }) {
			continue
		}
		if ways := a.waysOf(t, r.From); len(ways) > 1 {
			a.find(merge.Finding{
				Rule: "combine", Severity: merge.Block, Table: t.Name, Column: strings.Join(columnNames(r.From), ", "),
				Text: fmt.Sprintf("refer together to %s and are taken from the two rows by different rules (%s): the result would be what neither refers to, and somebody else's", merge.JoinCols(r.To), strings.Join(ways, ", ")),
				Next: fmt.Sprintf("choose one rule for all columns of %s: first, or latest by one column", merge.JoinCols(r.From)),
			})
		}
	}
}

// checkKinds refuses to take what a row refers to from one of two rows and what says to which table from the other, where both differ in rows that fold.
func (a *auditor) checkKinds(t *table, differ map[string]int64) {
	if t.plan.Rows != merge.UnionRows {
		return
	}
	for _, r := range a.plain() {
		if r.When == "" || r.table() != t.Name || len(r.From) > 1 || differ[r.From[0].Name] == 0 {
			continue
		}
		names, _ := merge.SQLNames(r.When)
		for _, c := range t.Columns {
			kind := merge.Col{Table: t.Name, Name: c.Name}
			if kind == r.From[0] || differ[c.Name] == 0 || !slices.Contains(names, merge.FoldASCII(c.Name)) {
				continue
			}
			if ways := a.waysOf(t, []merge.Col{r.From[0], kind}); len(ways) > 1 {
				a.findOnce(merge.Finding{
					Rule: "combine", Severity: merge.Block, Table: t.Name, Column: c.Name,
					Text: fmt.Sprintf("says of what table %s is, and the two are taken from the rows by different rules (%s): the result would be what neither row refers to", r.From[0], strings.Join(ways, ", ")),
					Next: "choose one rule for both: first, or make one row of each two in copies of the shards",
				})
			}
		}
	}
}

// tellMixed tells where a union takes a record from one of two rows and whose it is from the other.
func (a *auditor) tellMixed(t *table, differ map[string]int64) {
	if t.plan.Rows != merge.UnionRows || a.ofPeople(t.Table) {
		return
	}
	var record string
	var rank merge.Combine
	for _, c := range t.Columns {
		how, _ := lookupFold(a.schema, t.plan.Columns, c.Name)
		switch how.How {
		case "max":
			record, rank = c.Name, merge.Combine{How: "latest", By: c.Name}
		case "min":
			record, rank = c.Name, merge.Combine{How: "lowest", By: c.Name}
		case "sum":
			return // what adds up is no one's
		}
	}
	for _, r := range a.refs {
		if record == "" || len(r.From) > 1 || r.table() != t.Name || r.As != merge.Plain && r.As != merge.Copy {
			continue
		}
		c := r.From[0].Name
		how, _ := lookupFold(a.schema, t.plan.Columns, c)
		if to := a.tables[r.To[0].Table]; differ[c] == 0 || how.How != "" && how.How != "first" || slices.Contains(t.PrimaryKey, c) || to.folds() || to.plan.Rows == merge.ByValue {
			continue
		}
		line := merge.TablePlan{Table: t.Name, Rows: merge.UnionRows, Columns: maps.Clone(t.plan.Columns)}
		maps.DeleteFunc(line.Columns, func(name string, _ merge.Combine) bool { return a.schema.Equal(name, c) })
		line.Columns[c] = rank
		a.findOnce(merge.Finding{
			Rule: "combine", Severity: merge.Info, Table: t.Name, Column: c, Rows: differ[c],
			Text: fmt.Sprintf("is the first shard's, and %s is the better one of both rows: where they come from two rows, it is somebody else's", record),
			Next: fmt.Sprintf("take both from one row: %s, with {%s: %s} for what goes with it, too", planfile.TableLine(&line), rank.How, rank.By),
		})
	}
}

// waysOf are the different ways, in words, in which a union chooses the row from which it takes each of some columns. Columns of the key are the same in both rows, and the highest of
// a column stands in the row that is the latest by it, and the lowest in the lowest.
func (a *auditor) waysOf(t *table, cols []merge.Col) (ways []string) {
	for _, c := range cols {
		if slices.Contains(t.PrimaryKey, c.Name) {
			continue
		}
		way := "first"
		switch how, _ := lookupFold(a.schema, t.plan.Columns, c.Name); how.How {
		case "sum":
			way = how.How + " of " + c.Name
		case "max":
			way = "latest by " + c.Name
		case "min":
			way = "lowest by " + c.Name
		case "latest", "lowest", "set":
			way = how.How + " by " + how.By
			if by := t.Column(how.By, a.schema.Fold); by != nil {
				way = how.How + " by " + by.Name
			}
		}
		if !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return ways
}

// ordered are texts whose order is that of what they say: days, and moments, year first. Numbers are looked at row by row, by the engine.
var ordered = regexp.MustCompile(`^([0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}.*|-?[0-9]+(\.[0-9]*)?)?$`)

// checkCompared tells of texts that a union chooses by, as the later or the higher one, when their order may be another than what they say.
func (a *auditor) checkCompared(ctx context.Context, t *table) error {
	if t.plan.Rows != merge.UnionRows {
		return nil
	}
	by, told := map[string][]string{}, []string{}
	for _, c := range t.Columns {
		how, ok := lookupFold(a.schema, t.plan.Columns, c.Name)
		compared := t.Column(how.Compared(c.Name), a.schema.Fold)
		if !ok || compared == nil || compared.Affinity != merge.Text && compared.Affinity != merge.Blob {
			continue
		}
		if by[compared.Name] == nil {
			told = append(told, compared.Name)
		}
		by[compared.Name] = append(by[compared.Name], fmt.Sprintf("%s of %s", how.How, c.Name))
	}
	for _, name := range told {
		var odd []merge.ValueCount
		for _, s := range a.shards {
			own, ok := s.Schema().Resolve(merge.Col{Table: t.Name, Name: name})
			if !ok {
				continue
			}
			list, err := s.Values(ctx, own, "", comparedMost)
			if err != nil {
				return err
			}
			for _, v := range list {
				if text, ok := v.Value[0].(string); ok && !ordered.MatchString(text) {
					odd = append(odd, v)
				}
			}
		}
		if len(odd) > 0 {
			a.find(merge.Finding{
				Rule: "combine", Severity: merge.Info, Table: t.Name, Column: name,
				Text: fmt.Sprintf("%s compares texts letter by letter, such as %s: '9' comes after '10', and the day 02.01.2020 after 01.12.2024", strings.Join(by[name], ", "), sampleValues(odd)),
				Next: "if the later one there is not the one you mean, choose first, or latest by a column of numbers",
			})
		}
	}
	return nil
}

// comparedMost is how many values of a column are looked at for the form of its texts.
const comparedMost = 1000

// keyWord says how a column holds keys with which one must not count; "" when it holds none.
func (a *auditor) keyWord(t *table, c merge.Col, how string) string {
	if slices.Contains(t.PrimaryKey, c.Name) {
		return "is the table's key"
	}
	for _, r := range a.plain() {
		if slices.Contains(r.To, c) {
			return "is a key of " + merge.JoinCols(r.From)
		}
		i := slices.Index(r.From, c)
		if i < 0 {
			continue
		}
		// The larger of two keys that stay the same on every server is one of them.
		if how == "sum" || r.spaces[i] != nil && r.spaces[i].plan.New != merge.Static {
			return "refers to " + r.To[i].String()
		}
		if r.table() == t.Name && len(a.waysOf(t, r.From)) > 1 {
			return fmt.Sprintf("is a part of %s, which refers to %s", merge.JoinCols(r.From), merge.JoinCols(r.To))
		}
	}
	return ""
}
