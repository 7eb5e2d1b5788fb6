package audit

import (
	"context"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// How much of a text column must be names of the renamed rows before it is asked about.
const (
	copyShare      = 0.9 // of the rows, whatever the column is called
	namedCopyShare = 0.5 // where the column is called a name
	fewCopies      = 5   // rows
)

// findCopies asks about columns that repeat a name which is being renamed, as it is or in another shape: left alone, they would name the other server's player.
func (a *auditor) findCopies(ctx context.Context) error {
	targets := a.renamedColumns()
	if len(targets) == 0 {
		return nil
	}
	var others []*unexplained
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows == merge.EmptyRows {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if c.Generated || a.decided(col) || a.renames(col) || a.spaces[col] != nil {
				continue
			}
			if open := a.askedAs(col); open >= 0 && a.res.Undecided[open].Reference.As != merge.Keep {
				continue
			}
			if c.Affinity == merge.Text {
				asked, err := a.askCopy(ctx, line, col, targets)
				if err != nil {
					return err
				}
				if asked {
					continue
				}
			}
			u, err := a.sampled(ctx, line, col)
			if err != nil {
				return err
			}
			others = append(others, u)
		}
	}
	return a.findShapes(ctx, others, targets)
}

// renamedColumns are the text columns of which some values change, by the plan or by an open question.
func (a *auditor) renamedColumns() []merge.Col {
	var list []merge.Col
	for _, r := range a.rename {
		for _, rows := range r.Shards {
			if len(rows) > 0 {
				list = append(list, merge.Col{Table: r.Unique.Table, Name: r.Column})
				break
			}
		}
	}
	for _, u := range a.res.Undecided {
		if u.Unique != nil && u.Unique.OnConflict == "rename" && len(u.Unique.Unique) == 1 {
			list = append(list, u.Unique.Unique[0])
		}
	}
	return list
}

// renames tells whether a column is itself renamed, or its unique values are asked about.
func (a *auditor) renames(col merge.Col) bool {
	for _, c := range a.renamedColumns() {
		if c == col {
			return true
		}
	}
	return false
}

// askCopy asks whether a column repeats the target of which it holds the most values, when it holds enough.
func (a *auditor) askCopy(ctx context.Context, t *table, col merge.Col, targets []merge.Col) (asked bool, err error) {
	var best merge.Col
	var share float64
	var words []string
	for _, target := range targets {
		found, evidence, err := a.copies(ctx, t, col, target)
		if err != nil {
			return false, err
		}
		if found > share {
			best, share, words = target, found, evidence
		}
	}
	if share < namedCopyShare || share < copyShare && !named(col.Name) {
		return false, nil
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s repeat %s, so that it follows when that is renamed?", col, best), Evidence: strings.Join(words, "; "),
		Rows: t.total(), Reference: &merge.Reference{From: []merge.Col{col}, To: []merge.Col{best}, As: merge.Copy},
	})
	return true, nil
}

// copies is the lowest share, over the shards, of a column's texts that are values of the target; 0 when there are too few to tell.
func (a *auditor) copies(ctx context.Context, t *table, col, target merge.Col) (share float64, evidence []string, err error) {
	ref := &merge.Reference{From: []merge.Col{col}, To: []merge.Col{target}, As: merge.Copy, When: a.engine.Quote(col.Name) + " <> ''"}
	share = 1
	var total int64
	for i, s := range a.shards {
		if t.rows[i] == 0 || s.Schema().Column(col) == nil || s.Schema().Column(target) == nil || !t.takes(a.name(i)) {
			continue
		}
		n, err := s.Measure(ctx, merge.RefQuery{Reference: ref})
		if err != nil {
			return 0, nil, err
		}
		if n.Rows == 0 {
			continue
		}
		total += n.Alive
		share = min(share, float64(n.Alive)/float64(n.Rows))
		evidence = append(evidence, fmt.Sprintf("%d of %s in %s", n.Alive, counted(n.Rows, "text is one", "texts are one"), a.name(i)))
		if share < namedCopyShare {
			return 0, nil, nil
		}
	}
	if total < fewCopies {
		return 0, nil, nil
	}
	return share, evidence, nil
}
