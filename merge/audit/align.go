package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// readMemories reads what earlier merges recorded, and refuses two inputs that carry the same origin.
func (a *auditor) readMemories(ctx context.Context) error {
	origins := map[string]string{}
	servers := map[int64]string{}
	for i, s := range a.shards {
		m, err := s.Memory(ctx)
		if err != nil {
			return err
		}
		a.memory = append(a.memory, m)
		if m != nil && m.Broken != "" {
			a.find(merge.Finding{
				Rule: "record", Severity: merge.Block, Shard: a.name(i), Text: fmt.Sprintf("%s is a merge whose record is not as it was written: %s", a.name(i), m.Broken),
				Next: "restore the gameid_ tables from the merge's own output",
			})
		}
		claims := []*int64{s.Source().Server}
		if m != nil {
			// A merged server carries its parts: the part is known by its name and server number.
			for _, part := range parts(m) {
				name := part.Name
				if part.Server != nil {
					name = fmt.Sprintf("%s, server %d", name, *part.Server)
				}
				if part.Server != nil {
					if other, ok := origins[name]; ok && other != a.name(i) {
						a.find(merge.Finding{
							Rule: "same-origin", Severity: merge.Block, Shard: a.name(i), Text: fmt.Sprintf("%s and %s both hold the players of %s", other, a.name(i), name),
							Next: "merge each origin once: leave one of the two inputs out",
						})
					}
					origins[name] = a.name(i)
				}
				claims = append(claims, part.Server)
			}
		}
		for _, n := range claims {
			if n == nil {
				continue
			}
			if other, ok := servers[*n]; ok && other != a.name(i) {
				a.find(merge.Finding{
					Rule: "server-number", Severity: merge.Block, Shard: a.name(i), Text: fmt.Sprintf("server number %d is claimed by %s and by %s", *n, other, a.name(i)),
					Next: "give every shard the number that its own generator used: --server NAME=N",
				})
			}
			servers[*n] = a.name(i)
		}
	}
	a.readEarlier()
	return nil
}

// align makes one schema of all shards' schemas, by name. Each table is declared as in the first shard that has all of its columns.
func (a *auditor) align(ctx context.Context) error {
	first := a.shards[0].Schema()
	a.schema = &merge.Schema{Fold: first.Fold}
	for i, s := range a.shards {
		for _, t := range s.Schema().Tables {
			if a.schema.Table(t.Name) != nil {
				continue
			}
			widest, err := a.widest(ctx, t, i)
			if err != nil {
				return err
			}
			a.schema.Tables = append(a.schema.Tables, widest)
			a.missingTable(t.Name)
		}
	}
	for i, s := range a.shards {
		for _, o := range s.Schema().Objects {
			a.alignObject(i, o)
		}
	}
	if err := a.compareMarks(ctx); err != nil {
		return err
	}
	return merge.FindTexts(ctx, a.schema, a.shards)
}

// widest finds the declaration that holds every shard's columns; when there is none, it blocks and takes the first.
func (a *auditor) widest(ctx context.Context, t *merge.Table, shard int) (*merge.Table, error) {
	name, best := t.Name, shard
	for i := range a.shards {
		other := a.shards[i].Schema().Table(name)
		if other != nil && len(other.Columns) > len(t.Columns) {
			t, best = other, i
		}
	}
	a.origin[name] = best
	for i := range a.shards {
		other := a.shards[i].Schema().Table(name)
		if other == nil {
			continue
		}
		if err := a.compareChecks(ctx, t, best, other, i); err != nil {
			return nil, err
		}
		if i == best {
			continue
		}
		for _, c := range other.Columns {
			if t.Column(c.Name, a.schema.Fold) == nil {
				a.find(merge.Finding{
					Rule: "drift", Severity: merge.Block, Table: name, Column: c.Name, Shard: a.name(i),
					Text: fmt.Sprintf("%s has the column %s, which %s lacks, and neither has all columns", a.name(i), c.Name, a.name(best)),
					Next: "add the missing columns to one of the two",
				})
			}
		}
		if err := a.compareTables(ctx, t, best, other, i); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (a *auditor) missingTable(name string) {
	var lack []string
	for i := range a.shards {
		if !a.has(i, name) {
			lack = append(lack, a.name(i))
		}
	}
	if len(lack) > 0 {
		a.find(merge.Finding{
			Rule: "drift", Severity: merge.Info, Table: name, Text: "absent in " + strings.Join(lack, ", ") + "; treated as empty there",
		})
	}
}

// alignObject takes an index, trigger or view into the output's schema, the first shard's text where they differ.
func (a *auditor) alignObject(shard int, o merge.Object) {
	const trigger = "trigger" // may be called like anything else
	if t := a.schema.Table(o.Name); t != nil && o.Kind != trigger {
		a.sameName(shard, o, a.holders(t.Name), "a table")
		return
	}
	for _, have := range a.schema.Objects {
		if !a.schema.Equal(have.Name, o.Name) || (have.Kind == trigger) != (o.Kind == trigger) {
			continue
		}
		if have.Kind != o.Kind || !a.schema.Equal(have.Table, o.Table) {
			a.sameName(shard, o, a.holdersOf(have), article(have)+described(have))
			return
		}
		if have.SQL != o.SQL {
			a.find(merge.Finding{
				Rule: "drift", Severity: merge.Info, Table: o.Table, Shard: a.name(shard),
				Text: fmt.Sprintf("%s %s is declared in other words; the output takes that of %s", o.Kind, o.Name, a.holdersOf(o)[0]),
			})
		}
		return
	}
	a.schema.Objects = append(a.schema.Objects, o)
	if shard > 0 {
		a.find(merge.Finding{
			Rule: "drift", Severity: merge.Info, Table: o.Table, Shard: a.name(shard),
			Text: fmt.Sprintf("%s %s stands only in %s; the output takes it over", o.Kind, o.Name, strings.Join(a.holdersOf(o), ", ")),
		})
	}
}

// sameName blocks where two shards call different things by one name.
func (a *auditor) sameName(shard int, o merge.Object, others []string, what string) {
	a.find(merge.Finding{
		Rule: "drift", Severity: merge.Block, Table: cmp.Or(o.Table, o.Name), Shard: a.name(shard),
		Text: fmt.Sprintf("%s is the name of the %s in %s and of %s in %s: one database cannot hold both", o.Name, described(o), a.name(shard), what, strings.Join(others, ", ")),
		Next: fmt.Sprintf("in a copy of %s: DROP %s %s, or create it under another name; then merge the copy", a.name(shard), strings.ToUpper(o.Kind), a.engine.Quote(o.Name)),
	})
}

// described is an object in words.
func described(o merge.Object) string {
	if o.Table == "" {
		return o.Kind
	}
	return o.Kind + " of " + o.Table
}

// article is what stands before an object in words: only one of a table is that one.
func article(o merge.Object) string {
	if o.Table == "" {
		return "a "
	}
	return "the "
}

// holders are the shards that have a table.
func (a *auditor) holders(table string) (list []string) {
	for i := range a.shards {
		if a.has(i, table) {
			list = append(list, a.name(i))
		}
	}
	return list
}

// holdersOf are the shards that have an index, trigger or view.
func (a *auditor) holdersOf(o merge.Object) (list []string) {
	for i, s := range a.shards {
		if slices.ContainsFunc(s.Schema().Objects, func(x merge.Object) bool {
			return x.Kind == o.Kind && a.schema.Equal(x.Name, o.Name) && a.schema.Equal(x.Table, o.Table)
		}) {
			list = append(list, a.name(i))
		}
	}
	return list
}

// Fingerprint is the fingerprint of a set of shards' schemas: it does not depend on their order or number, so that one plan serves every merge of a game.
func Fingerprint(shards []merge.Shard) string {
	var prints []string
	for _, s := range shards {
		prints = append(prints, s.Schema().Fingerprint())
	}
	slices.Sort(prints)
	prints = slices.Compact(prints)
	if len(prints) == 1 {
		return prints[0]
	}
	var all merge.Schema
	for _, p := range prints {
		all.Objects = append(all.Objects, merge.Object{Kind: "schema", Name: p})
	}
	return all.Fingerprint()
}
