package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// askNulls asks about names that a unique key holds apart together with a column that is null in some rows, as when each was deleted: no key forbids two of those, and yet the
// game has none in a shard. Where two shards have one, both would come under it.
func (a *auditor) askNulls(ctx context.Context) error {
	for _, known := range a.schema.Tables {
		t := a.tables[known.Name]
		if t.Opaque != "" || t.plan.Rows != merge.MergeRows || !a.inTwoShards(t) || a.mayFold(t.Name) {
			continue
		}
		for _, u := range t.Uniques {
			if !u.Plain() || u.Primary || len(u.Columns) < 2 {
				continue
			}
			for i, c := range u.Cols() {
				if a.schema.Holds(c) != merge.Text || !bearer(c.Name) || platform(c.Name) || a.follows(c) || a.namedAlone(t.Table, c.Name) {
					continue
				}
				if err := a.askNull(ctx, t, u, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// askNull asks about the names of one column of a unique key, in rows where another one is null.
func (a *auditor) askNull(ctx context.Context, t *table, u *merge.Unique, at int) error {
	c, others, terms := u.Cols()[at], []string(nil), []string(nil)
	for _, o := range u.Cols() {
		if o != c && !a.schema.Column(o).NotNull {
			others, terms = append(others, o.Name), append(terms, a.engine.Quote(o.Name)+" IS NULL")
		}
	}
	if len(terms) == 0 {
		return nil
	}
	name, among := a.engine.Quote(c.Name), "("+strings.Join(terms, " OR ")+")"
	for i, s := range a.shards {
		if t.rows[i] == 0 {
			continue
		}
		if slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return s.Schema().Column(c) == nil }) {
			return nil
		}
		twice, err := s.Any(ctx, t.Name, fmt.Sprintf("EXISTS (SELECT 1 FROM %s WHERE %s AND %s IS NOT NULL GROUP BY %[3]s HAVING count(*) > 1)", a.engine.Quote(t.Name), among, name))
		if err != nil || twice {
			return err
		}
	}
	key := merge.Unique{Table: t.Name, Columns: []string{c.Name}, Collations: u.Collations[at : at+1], Among: among}
	list, total, err := a.engine.Clashes(ctx, a.raw, key, "", "", listed)
	if err != nil || total == 0 {
		return err
	}
	var values []merge.ValueCount
	for _, clash := range list {
		values = append(values, merge.ValueCount{Value: clash.Rows[0].Values[:1]})
	}
	a.res.Verdict.NameClash += total
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("where %s is null, no two rows of a shard share a %s, but no key forbids it, for the unique key (%s) counts no null, and %s in two shards: rename the later shards' rows (or on_conflict: keep)? This line holds for all rows of %s",
			strings.Join(others, " or "), c, partsOf(u), counted(total, "name stands", "names stand"), t.Name),
		Rows: total, Evidence: sampleValues(values), Unique: &merge.UniquePlan{Unique: []merge.Col{c}, OnConflict: "rename", Template: a.template(c)},
	})
	return nil
}
