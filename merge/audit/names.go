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
func (a *auditor) bears(ctx context.Context, t *table, col merge.Col) (bool, error) {
	if len(t.PrimaryKey) == 1 {
		if s := a.spaces[t.KeyCols()[0]]; s != nil && len(s.users) > 0 && slices.Min(t.rows) >= fewNames {
			return true, nil
		}
	}
	own, err := a.sampled(ctx, t, col)
	if err != nil {
		return false, err
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

func (a *auditor) hasUnique(t *merge.Table, column string) bool {
	if a.uniquePlan(&merge.Unique{Table: t.Name, Columns: []string{column}}) != nil {
		return true
	}
	return slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool {
		return slices.ContainsFunc(u.Columns, func(c string) bool { return a.schema.Equal(c, column) })
	})
}

func (a *auditor) askName(ctx context.Context, t *table, col merge.Col) error {
	collations := []string{""}
	if f, ok := a.engine.(interface{ FoldCollation() string }); ok {
		collations = []string{f.FoldCollation(), ""}
	}
	for _, collate := range collations {
		unique, err := a.uniqueEverywhere(ctx, t, col, collate)
		if err != nil {
			return err
		}
		if !unique {
			continue
		}
		u := merge.Unique{Table: col.Table, Columns: []string{col.Name}, Collations: []string{a.schema.Column(col).Collation}}
		list, total, err := a.engine.Clashes(ctx, a.raw, u, collate, "", a.opt.ClashLimit)
		if err != nil {
			return err
		}
		var samples []string
		for _, c := range list {
			if c.Rows[0].Values[0] == "" { // no name at all
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
		if bears, err := a.bears(ctx, t, col); err != nil || !bears {
			return err
		}
		a.res.Verdict.NameClash += total
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("no two rows of a shard share a %s, but %s in two shards: rename the later shards' rows (or as: keep)?", col, counted(total, "value stands", "values stand")),
			Rows:     total, Evidence: strings.Join(samples, ", "),
			Unique: &merge.UniquePlan{Unique: []merge.Col{col}, OnConflict: "rename", Template: a.template(), Collate: collate},
		})
		return nil
	}
	return nil
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
