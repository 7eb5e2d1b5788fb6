package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// tellKept tells of the columns that the plan keeps and of which most texts are another column's, of which some change: what was kept as nobody's before it was known that these would be
// renamed then names others, or nobody.
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
	held, err := a.textHolders(ctx, renamed)
	if err != nil {
		return err
	}
	for _, t := range a.schema.Tables {
		for _, column := range t.Columns {
			c := merge.Col{Table: t.Name, Name: column.Name}
			if a.schema.Holds(c) != merge.Text || slices.Contains(renamed, c) || !a.keptByName(c) {
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
