package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// drift is a way in which a column may differ.
type drift struct {
	what    string
	differ  func(out, other *merge.Column) bool
	blocked bool // its values may not fit
}

// drifts are the ways in which a column of another shard may differ from the output's, and whether its values still fit.
var drifts = []drift{
	{"stores another kind of value", func(out, o *merge.Column) bool { return out.Affinity != o.Affinity }, true},
	{"is wider", func(out, o *merge.Column) bool {
		return o.Bytes > out.Bytes && out.Bytes > 0 || out.Bytes > 0 && o.Bytes == 0 && o.Affinity == merge.Integer || o.Chars > out.Chars && out.Chars > 0 || out.Chars > 0 && o.Chars == 0 ||
			out.TextBytes > 0 && o.TextBytes > out.TextBytes
	}, true},
	{"may be null", func(out, o *merge.Column) bool { return out.NotNull && !o.NotNull }, true},
	{"is generated in one of the two only", func(out, o *merge.Column) bool { return out.Generated != o.Generated }, true},
	{"is computed in another way", func(out, o *merge.Column) bool { return out.Generated && o.Generated && out.Formula != o.Formula }, true},
	{"compares by another collation", func(out, o *merge.Column) bool { return !sameCollation(out.Collation, o.Collation) }, true},
	{"may not be null", func(out, o *merge.Column) bool { return !out.NotNull && o.NotNull }, false},
	{"has another default", func(out, o *merge.Column) bool { return out.Default != o.Default }, false},
	{"is declared in other words", func(out, o *merge.Column) bool { return !strings.EqualFold(out.Type, o.Type) }, false},
}

// joint is what stands between the two declarations in a sentence.
func (d drift) joint() string {
	if strings.HasPrefix(d.what, "may") || strings.HasSuffix(d.what, "only") {
		return ", and in"
	}
	return " than in"
}

func sameCollation(a, b string) bool {
	norm := func(s string) string {
		if s == "" {
			return "BINARY"
		}
		return strings.ToUpper(s)
	}
	return norm(a) == norm(b)
}

// compareTables reports how another shard declares a table, and blocks where its rows would not fit or would mean something else.
func (a *auditor) compareTables(ctx context.Context, t *merge.Table, best int, other *merge.Table, shard int) error {
	for _, c := range t.Columns {
		o := other.Column(c.Name, a.schema.Fold)
		if o == nil {
			continue // a missing column is the plan's business
		}
		held := *o
		if o.Name == other.AutoColumn { // it is never null, and may have to be of this type to be numbered: compareNumbering looks at the keys
			held.NotNull, held.Bytes = c.NotNull, c.Bytes
		}
		for _, d := range drifts {
			if !d.differ(c, &held) {
				continue
			}
			if c.Affinity != held.Affinity {
				kept, err := a.keepsTexts(ctx, t, c, best, other, o, shard)
				if err != nil {
					return err
				}
				if kept {
					a.find(merge.Finding{
						Rule: "drift", Severity: merge.Info, Table: t.Name, Column: c.Name, Shard: a.name(shard),
						Text: fmt.Sprintf("in %s it %s (%s)%s %s (%s), but holds only texts, which stay as they are", a.name(shard), d.what, describe(o), d.joint(), a.name(best), describe(c)),
					})
					held.Affinity, held.Type = c.Affinity, c.Type // what else differs counts
					continue
				}
			}
			f := merge.Finding{
				Rule: "drift", Severity: merge.Info, Table: t.Name, Column: c.Name, Shard: a.name(shard),
				Text: fmt.Sprintf("in %s it %s (%s)%s %s (%s)", a.name(shard), d.what, describe(o), d.joint(), a.name(best), describe(c)),
			}
			if d.blocked {
				f.Severity, f.Next = merge.Block, "declare the column alike in every shard"
			}
			a.find(f)
			break
		}
	}
	if !slices.EqualFunc(t.PrimaryKey, other.PrimaryKey, a.schema.Equal) {
		a.find(merge.Finding{
			Rule: "drift", Severity: merge.Block, Table: t.Name, Shard: a.name(shard),
			Text: fmt.Sprintf("the primary key is (%s) in %s and (%s) in %s", strings.Join(t.PrimaryKey, ", "), a.name(best), strings.Join(other.PrimaryKey, ", "), a.name(shard)),
			Next: "declare the key alike in every shard",
		})
	}
	for _, u := range other.Uniques {
		if !slices.ContainsFunc(t.Uniques, func(v *merge.Unique) bool { return a.sameUnique(u, v) }) {
			f := merge.Finding{
				Rule: "drift", Severity: merge.Block, Table: t.Name, Shard: a.name(shard),
				Text: fmt.Sprintf("only %s demands that (%s) is unique", a.name(shard), partsOf(u)),
				Next: "create the unique index in every shard, or drop it",
			}
			if i := slices.IndexFunc(t.Uniques, func(v *merge.Unique) bool { return a.sameButCollation(u, v) }); i >= 0 {
				f.Text = fmt.Sprintf("(%s) is unique in both, compared by %s in %s and by %s in %s", partsOf(u), collationsOf(u), a.name(shard), collationsOf(t.Uniques[i]), a.name(best))
				f.Next = "declare the column or the unique index with one collation in copies of the shards"
			}
			a.find(f)
		}
	}
	for _, u := range t.Uniques {
		if !slices.ContainsFunc(other.Uniques, func(v *merge.Unique) bool { return a.sameUnique(u, v) || a.sameButCollation(u, v) }) { // how they compare is told above
			a.drift(t.Name, shard, "only %s demands that (%s) is unique; the output demands it of all rows", a.name(best), partsOf(u))
		}
	}
	a.compareForeignKeys(t, best, other, shard)
	return a.compareNumbering(ctx, t, best, other, shard)
}

// numberer is an engine that can tell numbers from texts: a condition that holds where a column holds a number, or a text of which a column that prefers another kind of
// value would make one.
type numberer interface {
	Numbers(column string, as merge.Affinity) string
}

// keepsTexts tells whether a column that prefers another kind of value than the output's holds texts and nothing else, which the output's column stores as they are, and
// whether that one is a column of texts, too. A key is what its type says.
func (a *auditor) keepsTexts(ctx context.Context, t *merge.Table, c *merge.Column, best int, other *merge.Table, o *merge.Column, shard int) (bool, error) {
	engine, ok := a.engine.(numberer)
	if !ok || c.Affinity == merge.Integer || c.Affinity == merge.Real || c.Generated || o.Generated || slices.ContainsFunc(t.PrimaryKey, func(k string) bool { return a.schema.Equal(k, c.Name) }) {
		return false, nil
	}
	holds := func(shard int, table, column string, as merge.Affinity) (bool, error) {
		column = a.engine.Quote(column)
		texts, err := a.shards[shard].Any(ctx, table, column+" IS NOT NULL")
		if err != nil || !texts {
			return false, err
		}
		numbers, err := a.shards[shard].Any(ctx, table, engine.Numbers(column, as))
		return !numbers, err
	}
	if ok, err := holds(shard, other.Name, o.Name, c.Affinity); err != nil || !ok || c.Affinity == merge.Text {
		return ok, err
	}
	own := a.shards[best].Schema().Table(t.Name)
	return holds(best, own.Name, own.Column(c.Name, a.schema.Fold).Name, merge.Blob)
}

func (a *auditor) sameUnique(u, v *merge.Unique) bool {
	return slices.EqualFunc(u.Columns, v.Columns, a.schema.Equal) && u.Where == v.Where && slices.EqualFunc(u.Collations, v.Collations, sameCollation)
}

// sameButCollation tells whether two unique keys demand the same of the same columns, compared by whatever.
func (a *auditor) sameButCollation(u, v *merge.Unique) bool {
	return u.Where == v.Where && slices.EqualFunc(u.Columns, v.Columns, a.schema.Equal)
}

// collationsOf is how a unique key compares, for people.
func collationsOf(u *merge.Unique) string {
	words := make([]string, len(u.Collations))
	for i, c := range u.Collations {
		words[i] = cmp.Or(c, "BINARY")
	}
	return strings.Join(words, ", ")
}

func describe(c *merge.Column) string {
	words := []string{c.Type}
	if c.Type == "" {
		words[0] = "no type"
	}
	if c.NotNull {
		words = append(words, "not null")
	}
	if c.Default != "" {
		words = append(words, "default "+c.Default)
	}
	if c.Formula != "" {
		words = append(words, "as ("+c.Formula+")")
	}
	if !sameCollation(c.Collation, "") {
		words = append(words, "collate "+c.Collation)
	}
	return strings.Join(words, " ")
}

// compareMarks blocks where the shards bear other numbers of the whole database: the output has the first one's, and a game that reads its schema's version there would make changes a second
// time on the others' rows, or never.
func (a *auditor) compareMarks(ctx context.Context) error {
	first, ok := a.raw[0].(merge.Marked)
	if !ok {
		return nil
	}
	want, err := first.Marks(ctx)
	if err != nil {
		return err
	}
	for i := range a.raw[1:] {
		got, err := a.raw[i+1].(merge.Marked).Marks(ctx)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				a.find(merge.Finding{
					Rule: "drift", Severity: merge.Block, Shard: a.name(i + 1), Text: fmt.Sprintf("%s is %d in %s and %d in %s; the output has the first one's, and the game takes it for that of all rows", name, want[name], a.name(0), got[name], a.name(i+1)),
					Next: fmt.Sprintf("start each server once with the same version of the game, so that it brings its database there; or, where nothing depends on it, say PRAGMA %s = %d in a copy of %s", name, want[name], a.name(i+1)),
				})
			}
		}
	}
	return nil
}
