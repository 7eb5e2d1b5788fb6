package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// tellKept tells of the columns that the plan keeps and of which most texts are another column's, of which some change: what was kept as nobody's before it was known that these would be
// renamed then names others, or nobody. So does what is kept and renamed by itself.
func (a *auditor) tellKept(ctx context.Context) error {
	changing := map[merge.Col][]*merge.Rename{}
	var renamed []merge.Col
	for _, r := range a.rename {
		c := merge.Col{Table: r.Unique.Table, Name: r.Column}
		if changing[c] == nil {
			renamed = append(renamed, c)
		}
		changing[c] = append(changing[c], r)
	}
	if len(renamed) == 0 {
		return nil
	}
	if err := a.tellKeptRenamed(ctx, renamed, changing); err != nil {
		return err
	}
	held, err := a.textHolders(ctx, renamed)
	if err != nil {
		return err
	}
	for _, t := range a.schema.Tables {
		for _, column := range t.Columns {
			c := merge.Col{Table: t.Name, Name: column.Name}
			if a.schema.Holds(c) != merge.Text || column.Generated || slices.Contains(renamed, c) || !a.keptByName(c) { // what is computed follows by itself
				continue
			}
			u, err := a.sampled(ctx, a.tables[t.Name], c)
			if err != nil {
				return err
			}
			for _, n := range held.near(u.samples) {
				of := renamed[n]
				among, err := a.lieAmong(ctx, u.samples, of, a.laxer(c, of))
				if err != nil {
					return err
				}
				left := 0
				for i, one := range u.samples {
					for _, r := range changing[of] {
						left += a.namesRenamed(r, i, one)
					}
				}
				if left == 0 || among.share() < partlyLeast {
					continue
				}
				a.find(merge.Finding{
					Rule: "kept-copy", Severity: merge.Info, Table: t.Name, Column: c.Name, Rows: u.table.total(),
					Text: fmt.Sprintf("the plan keeps it, and %s of its texts are %s, of which some are renamed: %s, and stay as they are", shareOf(among.share()), of, counted(left, "text names a renamed row", "texts name renamed rows")),
					Next: "where it names these, say so instead of as: keep: " + planfile.ReferenceLine(&merge.Reference{From: []merge.Col{c}, To: []merge.Col{of}, As: merge.Copy}),
				})
				break
			}
		}
	}
	a.texts = nil
	return nil
}

// tellKeptRenamed tells of the columns that the plan keeps and yet gives new names, and of which most texts are another column's, which does not get these: they name nobody then.
func (a *auditor) tellKeptRenamed(ctx context.Context, renamed []merge.Col, changing map[merge.Col][]*merge.Rename) error {
	kept := slices.DeleteFunc(slices.Clone(renamed), func(c merge.Col) bool { return !a.keptByName(c) })
	if len(kept) == 0 {
		return nil
	}
	keys, inFact, err := a.textTargets(ctx)
	if err != nil {
		return err
	}
	targets := slices.Concat(keys, inFact)
	held, err := a.textHolders(ctx, targets)
	if err != nil {
		return err
	}
	for _, c := range kept {
		u, err := a.sampled(ctx, a.tables[c.Table], c)
		if err != nil {
			return err
		}
		for _, n := range held.near(u.samples) {
			of := targets[n]
			if of.Table == c.Table {
				continue
			}
			among, err := a.lieAmong(ctx, u.samples, of, a.laxer(c, of))
			if err != nil {
				return err
			}
			if among.share() < partlyLeast {
				continue
			}
			left, err := a.renamedAlone(ctx, u, of, changing)
			if err != nil {
				return err
			}
			if left > 0 {
				a.find(merge.Finding{
					Rule: "kept-copy", Severity: merge.Info, Table: c.Table, Column: c.Name, Rows: u.table.total(),
					Text: fmt.Sprintf("the plan keeps it, as it refers to nothing, and renames it (uniques); %s of its texts are %s: %s of which these rows know nothing", shareOf(among.share()), of, counted(left, "text gets a new name", "texts get new names")),
					Next: "where it names these, say so in place of both lines: " + planfile.ReferenceLine(&merge.Reference{From: []merge.Col{c}, To: []merge.Col{of}, As: merge.Copy}),
				})
				break
			}
		}
	}
	return nil
}

// renamedAlone counts the sampled texts of a column that a rename gives new names, and that are texts of another column which does not get the same.
func (a *auditor) renamedAlone(ctx context.Context, u *unexplained, of merge.Col, changing map[merge.Col][]*merge.Rename) (texts int, err error) {
	for i, one := range u.samples {
		has, err := a.lookUp(ctx, i, of, one.Texts, a.laxer(u.col, of))
		if err != nil {
			return 0, err
		}
		for _, text := range one.Texts {
			its := a.followed(of, i, text)
			for _, r := range changing[of] {
				its = cmp.Or(its, a.newName(r, i, text))
			}
			now := ""
			for _, r := range changing[u.col] {
				now = cmp.Or(now, a.newName(r, i, text))
			}
			if now != "" && now != its && has[folded(text)] {
				texts++
			}
		}
	}
	return texts, nil
}

// namesRenamed counts the sampled texts of a shard that rows of it bore which a rename gave another one.
func (a *auditor) namesRenamed(r *merge.Rename, shard int, sample *merge.Sample) (texts int) {
	if sample == nil {
		return 0
	}
	for _, text := range sample.Texts {
		if now := a.newName(r, shard, text); now != "" && now != text {
			texts++
		}
	}
	return texts
}

// keptAmongPersons tells whether the plan keeps a column that holds whom rows of another table are, which fold, so that the same name is the same one's on every server, or which are renamed,
// or of which that is asked: renamed alone, it would name nobody.
func (a *auditor) keptAmongPersons(ctx context.Context, u *unexplained) (bool, error) {
	if !a.keptByName(u.col) || a.numbersRows(u.table) {
		return false, nil
	}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		fold := line.folds() || line.plan.Rows == merge.ByValue || a.tableAsked(t.Name)
		for _, key := range t.Uniques {
			c := key.Cols()
			if t == u.table.Table || len(c) != 1 || !key.Plain() || a.schema.Holds(c[0]) != merge.Text || !fold && !a.uniqueAsked(c[0]) && !a.renamed(c[0]) {
				continue
			}
			among, err := a.lieAmong(ctx, u.samples, c[0], a.laxer(u.col, c[0]))
			if err != nil || among.texts > 0 && among.share() >= sameNames {
				return err == nil, err
			}
		}
	}
	return false, nil
}
