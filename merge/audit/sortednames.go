package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// sortedSample is how many pairs of a shard's names a template is tried with.
const sortedSample = 2000

// sortedNames are two columns of a table that repeat names, in every row the lower one first: a game looks a pair up in that order.
type sortedNames struct{ low, high merge.Col }

// checkSortedNames says where new names turn pairs around that stand in order, and which new names would leave them so.
func (a *auditor) checkSortedNames(ctx context.Context) error {
	for _, r := range a.rename {
		col := merge.Col{Table: r.Unique.Table, Name: r.Column}
		list, err := a.namesInOrder(ctx, col)
		if err != nil {
			return err
		}
		for _, p := range list {
			rows, turned, err := a.turnedPairs(ctx, r, p)
			if err != nil {
				return err
			}
			plan := a.uniquePlan(&r.Unique)
			if turned == 0 || plan == nil || plan.Template == "" {
				continue
			}
			line := *plan
			if line.Template, err = a.keepingOrder(ctx, col, plan.Template, list); err != nil {
				return err
			}
			next := "where the game looks for the lower one first, look for both orders there"
			if line.Template != plan.Template {
				next = "where the game looks for the lower one first, give new names that keep the order, such as " + planfile.UniqueLine(&line)
			}
			a.find(merge.Finding{
				Rule: "order", Severity: merge.Info, Table: p.low.Table, Column: p.low.Name, Rows: turned,
				Text: fmt.Sprintf("every row names the lower of two of %s first, and the higher one in %s; under the new names %d of %s name the higher one first", col, p.high.Name, turned, counted(rows, "row", "rows")),
				Next: next,
			})
		}
	}
	return nil
}

// namesInOrder are the pairs of columns that repeat a column of names in order, by the schema, the plan or an open question.
func (a *auditor) namesInOrder(ctx context.Context, names merge.Col) (list []sortedNames, err error) {
	cols := []merge.Col{}
	a.knownOrAsked(func(r *merge.Reference) bool {
		if leads(r, names) && r.When == "" && !slices.Contains(cols, r.From[0]) {
			cols = append(cols, r.From[0])
		}
		return false
	})
	for _, low := range cols {
		for _, high := range cols {
			if low == high || low.Table != high.Table || a.schema.Holds(low) != merge.Text || a.schema.Holds(high) != merge.Text {
				continue
			}
			rows, err := a.inOrder(ctx, low, high, "''")
			if err != nil {
				return nil, err
			}
			if rows >= orderedLeast {
				list = append(list, sortedNames{low, high})
			}
		}
	}
	return list, nil
}

// turnedPairs counts the rows whose names stand in order, and those of them whose new names do not.
func (a *auditor) turnedPairs(ctx context.Context, r *merge.Rename, p sortedNames) (rows, turned int64, err error) {
	err = a.eachPair(ctx, p, 0, func(shard int, low, high string, n int64) {
		first, second := low, high
		if name := a.newName(r, shard, low); name != "" {
			first = name
		}
		if name := a.newName(r, shard, high); name != "" {
			second = name
		}
		if rows += n; a.higher(p, first, second) {
			turned += n
		}
	})
	return rows, turned, err
}

// higher tells whether the first of two names stands behind the second.
func (a *auditor) higher(p sortedNames, first, second string) bool {
	collation := a.schema.Column(p.low).Collation
	return merge.Collated(first, collation) > merge.Collated(second, collation)
}

// eachPair hands out the pairs of names in rows of the shards that come, so many of each shard at most; all for 0.
func (a *auditor) eachPair(ctx context.Context, p sortedNames, limit int, use func(shard int, low, high string, rows int64)) error {
	for i, s := range a.shards {
		low, there := s.Schema().Resolve(p.low)
		high, ok := s.Schema().Resolve(p.high)
		if !there || !ok || !a.tables[p.low.Table].takes(a.name(i)) {
			continue
		}
		list, err := s.Tuples(ctx, []merge.Col{low, high}, "", limit)
		if err != nil {
			return err
		}
		for _, v := range list {
			first, one := v.Value[0].(string)
			second, two := v.Value[1].(string)
			if one && two && first != "" && first != second {
				use(i, first, second, v.Rows)
			}
		}
	}
	return nil
}

// keepingOrder is the template, of one and of others that the columns take, under which the fewest pairs of names could turn around, whichever of the two gets a new name.
func (a *auditor) keepingOrder(ctx context.Context, col merge.Col, template string, list []sortedNames) (string, error) {
	templates := append([]string{template}, a.otherTemplates()...)
	turned := map[string]int64{}
	for _, p := range list {
		if err := a.eachPair(ctx, p, sortedSample, func(shard int, low, high string, rows int64) {
			server := ""
			if n := a.shards[shard].Source().Server; n != nil {
				server = strconv.FormatInt(*n, 10)
			}
			for _, t := range templates {
				frame := strings.NewReplacer("{server}", server, "{shard}", a.name(shard), "{n}", "1").Replace(t)
				first, second := strings.ReplaceAll(frame, "{value}", low), strings.ReplaceAll(frame, "{value}", high)
				if a.higher(p, first, high) || a.higher(p, low, second) {
					turned[t] += rows
				}
			}
		}); err != nil {
			return "", err
		}
	}
	if turned[template] == 0 {
		return template, nil
	}
	slices.SortStableFunc(templates, func(x, y string) int { return int(turned[x] - turned[y]) })
	other, err := a.passing(ctx, col, templates, nil)
	if err != nil || other == "" || turned[other] >= turned[template] {
		return template, err
	}
	return other, nil
}
