package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// nameWords are the last words of columns by which players know each other or log in. A game often keeps them unique in its own code alone.
var nameWords = []string{"name", "username", "login", "nick", "nickname", "charname", "playername", "loginname", "account", "名", "名字", "角色名", "玩家名", "昵称", "账号", "帐号", "用户名"}

// differShare is the share of different names from which a column holds what its rows are called, and not whom each of them is about.
const differShare = 0.6

// How many names a shard must hold before their being different says anything: where other tables repeat them, and where none does.
const (
	namesLeast = 3
	fewNames   = 10
)

// findNames asks about text columns whose values are unique in every shard, though no schema says so, and that two shards share.
func (a *auditor) findNames(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows != merge.MergeRows {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if c.Affinity != merge.Text || c.Generated || !named(c.Name) || a.decided(col) || a.hasUnique(t, c.Name) || a.spaces[col] != nil {
				continue
			}
			if err := a.askName(ctx, line, col); err != nil {
				return err
			}
		}
	}
	return nil
}

// bears tells whether a table's rows have a name of their own in a column: others refer to them by number, or other tables repeat it. Elsewhere a name is a
// copy.
func (a *auditor) bears(ctx context.Context, own *unexplained, unique bool) (bool, error) {
	t, col := own.table, own.col
	if unique && len(t.PrimaryKey) == 1 {
		if s := a.spaces[t.KeyCols()[0]]; s != nil && len(s.users) > 0 && slices.Min(t.rows) >= fewNames {
			return true, nil
		}
	}
	repeated := false
	for _, o := range a.schema.Tables {
		other := a.tables[o.Name]
		if o == t.Table || o.Opaque != "" || other.plan.Rows == merge.EmptyRows {
			continue
		}
		for _, c := range o.Columns {
			at := merge.Col{Table: o.Name, Name: c.Name}
			if c.Affinity != merge.Text || c.Generated || !a.called(at) {
				continue
			}
			u, err := a.sampled(ctx, other, at)
			if err != nil {
				return false, err
			}
			there, err := a.lieAmong(ctx, u.samples, col)
			if err != nil {
				return false, err
			}
			here, err := a.lieAmong(ctx, own.samples, at)
			if err != nil {
				return false, err
			}
			all := here.hits == here.texts
			if all && (other.total() > t.total() || other.total() == t.total() && before(a.schema, o, t.Table)) {
				if unique, err := a.uniqueEverywhere(ctx, other, at, ""); err != nil || unique {
					return false, err // those are the names, and these repeat them
				}
			}
			repeated = repeated || there.hits > 0 && float64(there.hits) >= namedCopyShare*float64(there.texts)
		}
	}
	return repeated, nil
}

// before tells whether a schema lists a table earlier than another.
func before(s *merge.Schema, t, o *merge.Table) bool {
	return slices.Index(s.Tables, t) < slices.Index(s.Tables, o)
}

// called tells whether a column is named like a name or like somebody.
func (a *auditor) called(c merge.Col) bool { return named(c.Name) || a.somebody[c] }

func named(column string) bool {
	words := wordsOf(column)
	return len(words) > 0 && slices.Contains(nameWords, words[len(words)-1])
}

// wordsOf are the words of a name, in small letters.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(camel(name)), func(r rune) bool { return !unicode.IsLetter(r) })
}

// camel puts an underscore before every capital that follows a small letter.
func camel(s string) string {
	var b strings.Builder
	small := false
	for _, r := range s {
		if small && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}

// hasUnique tells whether a key of the schema or the plan says already what becomes of equal names, or a question does.
func (a *auditor) hasUnique(t *merge.Table, column string) bool {
	if a.uniquePlan(&merge.Unique{Table: t.Name, Columns: []string{column}}) != nil {
		return true
	}
	return slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool {
		return !u.Where && slices.ContainsFunc(u.Columns, func(c string) bool { return a.schema.Equal(c, column) })
	}) || slices.ContainsFunc(a.res.Undecided, func(u merge.Undecided) bool {
		return u.Unique != nil && slices.Equal(u.Unique.Unique, []merge.Col{{Table: t.Name, Name: column}})
	})
}

// askName asks about names that differ in every shard, or, where other tables repeat them, nearly all do, as those of players who were deleted and of others who took them.
func (a *auditor) askName(ctx context.Context, t *table, col merge.Col) error {
	own, err := a.sampled(ctx, t, col)
	if err != nil || !own.mayDiffer() {
		return err
	}
	collate, unique, err := a.tellsApart(ctx, t, col)
	if err != nil {
		return err
	}
	if !unique {
		if most, err := a.mostlyDiffers(ctx, t, col); err != nil || !most {
			return err
		}
	}
	u := merge.Unique{Table: col.Table, Columns: []string{col.Name}, Collations: []string{a.schema.Column(col).Collation}}
	list, total, err := a.engine.Clashes(ctx, a.raw, u, collate, "", a.opt.ClashLimit)
	if err != nil {
		return err
	}
	var samples []string
	for _, c := range list {
		if nameless(c) {
			total--
			continue
		}
		if len(samples) < listed {
			samples = append(samples, tupleText(c.Rows[0].Values))
		}
	}
	if total == 0 {
		return nil
	}
	if bears, err := a.bears(ctx, own, unique); err != nil || !bears {
		return err
	}
	a.res.Verdict.NameClash += total
	question := "no two rows of a shard share a %s, but %s in two shards: rename the later shards' rows (or as: keep)?"
	if !unique {
		question = "other tables repeat %s, and %s in two shards: rename the later shards' rows (or as: keep)? Rows of one shard that share a name go on sharing it"
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf(question, col, counted(total, "value stands", "values stand")),
		Rows:     total, Evidence: strings.Join(samples, ", "),
		Unique: &merge.UniquePlan{Unique: []merge.Col{col}, OnConflict: "rename", Template: a.template(), Collate: collate},
	})
	return nil
}

// tellsApart is the comparison that calls most names equal of those by which no two rows of a shard share one.
func (a *auditor) tellsApart(ctx context.Context, t *table, col merge.Col) (collate string, unique bool, err error) {
	collations := []string{""}
	if f, ok := a.engine.(interface{ FoldCollation() string }); ok {
		collations = []string{f.FoldCollation(), ""}
	}
	for _, collate := range collations {
		if unique, err := a.uniqueEverywhere(ctx, t, col, collate); err != nil || unique {
			return collate, unique, err
		}
	}
	return "", false, nil
}

// mayDiffer tells whether a sample lets most names of a column differ: rows that were seen with one name tell about how many there are of each.
func (u *unexplained) mayDiffer() bool {
	for i, one := range u.samples {
		if rows, names := float64(one.Other), float64(one.Others); names > 0 {
			each := max(rows/names, 1+2*(rows-names)/(rows*rows)*float64(u.table.rows[i]))
			if each > 2/differShare {
				return false
			}
		}
	}
	return true
}

// mostlyDiffers tells whether few rows of any shard share a name with another one.
func (a *auditor) mostlyDiffers(ctx context.Context, t *table, col merge.Col) (bool, error) {
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(col)
		if !ok || t.rows[i] == 0 {
			continue
		}
		list, err := s.Values(ctx, own, a.engine.Quote(own.Name)+" <> ''", 0)
		if err != nil {
			return false, err
		}
		var rows int64
		for _, v := range list {
			rows += v.Rows
		}
		if len(list) < fewNames || float64(len(list)) < differShare*float64(rows) {
			return false, nil
		}
	}
	return true, nil
}

// uniqueEverywhere tells whether no two rows of any shard hold the same text, empty ones left out.
func (a *auditor) uniqueEverywhere(ctx context.Context, t *table, col merge.Col, collate string) (bool, error) {
	name := a.engine.Quote(col.Name)
	key := name
	if collate != "" {
		key += " COLLATE " + collate
	}
	twice := fmt.Sprintf("%s <> '' AND %s IN (SELECT %s FROM %s GROUP BY %s HAVING count(*) > 1)", name, key, name, a.engine.Quote(t.Name), key)
	for i, s := range a.shards {
		if !a.has(i, t.Name) || t.rows[i] == 0 {
			continue
		}
		own, ok := s.Schema().Resolve(col)
		if !ok {
			return false, nil
		}
		if n, err := s.Count(ctx, own.Table, twice); err != nil || n > 0 {
			return false, err
		}
		if n, err := s.Count(ctx, own.Table, name+" <> ''"); err != nil || n < namesLeast {
			return false, err
		}
	}
	return true, nil
}
