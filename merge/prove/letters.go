package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// ways are the comparisons, other than bytes, by which the texts of a key are told apart: its column's, those of keys over it alone, and the plan's.
func (p *proof) ways(c merge.Col) (list []string) {
	column := p.schema.Column(c)
	if column == nil {
		return nil
	}
	list = append(list, column.Collation)
	for _, u := range p.schema.Table(c.Table).Uniques {
		if len(u.Columns) == 1 && p.schema.Equal(u.Columns[0], c.Name) {
			list = append(list, u.Collations...)
		}
	}
	for _, u := range p.plan.Uniques {
		if len(u.Unique) == 1 && p.schema.Equal(u.Unique[0].Table, c.Table) && p.schema.Equal(u.Unique[0].Name, c.Name) {
			list = append(list, u.Collate)
		}
	}
	if p.schema.KnowsNoCase(c) {
		list = append(list, "NOCASE")
	}
	for i := range list {
		list[i] = strings.ToUpper(list[i])
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(way string) bool { return way == "" || way == "BINARY" })
}

// folded is a value in a form in which keys that some comparisons call equal have equal bytes.
func folded(v any, ways []string) string {
	text := fmt.Sprint(v)
	for _, way := range ways {
		text = merge.Collated(text, way)
	}
	return text
}

// checkLetters checks that no row of the output is called, in other letters that its key's comparisons call equal, as dead texts of an input are in the output. Texts that
// a row of their own input is called are not dead by that comparison. rows are the dead values by what they are in the output.
func (p *proof) checkLetters(ctx context.Context, key merge.Col, check Check, shard int, rows map[any]merge.ValueCount) (good bool, err error) {
	good = true
	for _, way := range p.ways(key) {
		if len(rows) == 0 || way == strings.ToUpper(p.schema.Column(key).Collation) { // the column's own has been looked at
			continue
		}
		own, err := p.called(ctx, p.shards[shard], key, way, p.leftOut(shard, key.Table))
		if err != nil {
			return false, err
		}
		everybody, err := p.called(ctx, p.merged, key, way, "")
		if err != nil {
			return false, err
		}
		for image, d := range rows {
			text, ok := image.(string)
			if !ok || own[merge.Collated(fmt.Sprint(d.Value[0]), way)] || !everybody[merge.Collated(text, way)] {
				continue
			}
			good = false
			p.fail(check, "the dead value %v of %d rows is %v in the output, where a row of %s has it in other letters", d.Value[0], d.Rows, image, key.Table)
			p.bad(check.Table, merge.BadRow{Shard: check.Shard, Column: check.Column, Want: "a value that no row has", Got: text})
		}
	}
	return good, nil
}

// inLetters tells of a text whether a row of an input is called so in letters that some of the comparisons call equal.
func (p *proof) inLetters(ctx context.Context, shard int, key merge.Col, ways []string) (func(v any) bool, error) {
	own := map[string]map[string]bool{}
	for _, way := range ways {
		if way == "" || strings.EqualFold(way, "BINARY") {
			continue
		}
		texts, err := p.called(ctx, p.shards[shard], key, strings.ToUpper(way), p.leftOut(shard, key.Table))
		if err != nil {
			return nil, err
		}
		own[strings.ToUpper(way)] = texts
	}
	return func(v any) bool {
		for way, texts := range own {
			if texts[merge.Collated(fmt.Sprint(v), way)] {
				return true
			}
		}
		return false
	}, nil
}

// called are the texts of a database's column in a form in which equal ones have equal bytes, without rows for which left holds.
func (p *proof) called(ctx context.Context, db merge.Shard, c merge.Col, way, left string) (map[string]bool, error) {
	own, ok := db.Schema().Resolve(c)
	if !ok {
		return nil, nil
	}
	if left != "" {
		left = "(" + left + "\n) IS NOT TRUE"
	}
	list, err := db.Values(ctx, own, left, 0)
	if err != nil {
		return nil, err
	}
	texts := make(map[string]bool, len(list))
	for _, v := range list {
		if text, ok := v.Value[0].(string); ok {
			texts[merge.Collated(text, way)] = true
		}
	}
	return texts, nil
}
