package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// checkCombined refuses arithmetic on keys: a sum of two keys, or the larger of two that change, is a stranger's.
func (a *auditor) checkCombined(t *table) {
	if t.plan.Rows != merge.UnionRows {
		return
	}
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		how, ok := lookupFold(a.schema, t.plan.Columns, c.Name)
		if !ok || !slices.Contains([]string{"sum", "max", "min"}, how.How) {
			continue
		}
		if what := a.keyWord(t, col, how.How); what != "" {
			a.find(merge.Finding{
				Rule: "combine", Severity: merge.Block, Table: t.Name, Column: c.Name,
				Text: fmt.Sprintf("%s is arithmetic on keys: the column %s, and the result would be somebody else's", how.How, what), Next: "choose first or latest for this column",
			})
		}
	}
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
		name := map[string]string{"max": c.Name, "min": c.Name, "latest": how.By}[how.How]
		compared := t.Column(name, a.schema.Fold)
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
	}
	return ""
}
