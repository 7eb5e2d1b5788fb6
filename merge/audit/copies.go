package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// How much of a text column must be names of the renamed rows before it is asked about.
const (
	copyShare      = 0.9 // of the rows, whatever the column is called
	namedCopyShare = 0.5 // where the column is called a name
	fewCopies      = 5   // rows
)

// A text that is nobody's name and yet stands in many rows means nobody, or the game itself: '0', 'System'.
const (
	fillerShare  = 0.1 // of the rows
	fillersLeast = 5   // rows
	fillersMost  = 3   // such texts
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
					a.withdraw(col)
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

// withdraw takes back what was asked about equal values of keys of several columns of which one may follow renames, which tell the rows apart: that is asked first.
func (a *auditor) withdraw(col merge.Col) {
	part := func(u *merge.Undecided) bool {
		return u.Unique != nil && len(u.Unique.Unique) > 1 && slices.Contains(u.Unique.Unique, col) ||
			u.Table != nil && u.Question == a.sameKey[col.Table] && slices.Contains(a.schema.Table(col.Table).PrimaryKey, col.Name)
	}
	a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool { return part(&u) })
	for i := range a.res.Findings {
		f := &a.res.Findings[i]
		if columns := strings.Split(f.Column, ", "); f.Rule == "unique-conflict" && f.Severity == merge.Decide && f.Table == col.Table && len(columns) > 1 && slices.Contains(columns, col.Name) {
			f.Text += fmt.Sprintf(", unless %s follows renames (an open question)", col)
			f.Next = "answer that first"
		}
	}
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
	var none []any
	var words []string
	for _, target := range targets {
		found, nobody, evidence, err := a.copies(ctx, t, col, target)
		if err != nil {
			return false, err
		}
		if found > share {
			best, share, none, words = target, found, nobody, evidence
		}
	}
	if share < namedCopyShare || share < copyShare && !named(col.Name) {
		return false, nil
	}
	line := &merge.Reference{From: []merge.Col{col}, To: []merge.Col{best}, As: merge.Copy, None: none}
	question := fmt.Sprintf("does %s repeat %s, so that it follows when that is renamed?", col, best)
	if a.identifies(best) || a.referred(best) { // a reference to a key, whose lost values are lost rows
		question = fmt.Sprintf("does %s hold %s, so that it follows when that is renamed?", col, best)
		line.As = merge.Plain
		if share < 1-manyOrphans {
			line.Orphans = merge.ByTombstone
		}
		if line.None, err = a.withEmpty(ctx, t, col, none); err != nil {
			return false, err
		}
	}
	a.ask(merge.Undecided{Question: question, Evidence: strings.Join(words, "; "), Rows: t.total(), Reference: line})
	return true, nil
}

// referred tells whether a known reference has a column as its key.
func (a *auditor) referred(c merge.Col) bool {
	return slices.ContainsFunc(a.plain(), func(r *reference) bool { return len(r.To) == 1 && r.To[0] == c })
}

// withEmpty adds the empty text to the values that mean nobody, where rows hold it.
func (a *auditor) withEmpty(ctx context.Context, t *table, col merge.Col, none []any) ([]any, error) {
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(col)
		if !ok || !t.takes(a.name(i)) || slices.Contains(none, any("")) {
			continue
		}
		n, err := s.Count(ctx, own.Table, a.engine.Quote(own.Name)+" = ''")
		if err != nil {
			return nil, err
		}
		if n > 0 {
			none = append(none, "")
		}
	}
	return none, nil
}

// copies is the lowest share, over the shards, of a column's texts that are values of the target; 0 when there are too few to tell. Texts that mean nobody
// do not count; it tells which they are.
func (a *auditor) copies(ctx context.Context, t *table, col, target merge.Col) (share float64, none []any, evidence []string, err error) {
	share = 1
	var total int64
	for i, s := range a.shards {
		if t.rows[i] == 0 || s.Schema().Column(col) == nil || s.Schema().Column(target) == nil || !t.takes(a.name(i)) {
			continue
		}
		n, err := s.Measure(ctx, merge.RefQuery{Reference: a.copied(col, target, nil)})
		if err != nil {
			return 0, nil, nil, err
		}
		all := n.Rows
		if n.Alive >= fewCopies && float64(n.Alive) < copyShare*float64(n.Rows) {
			found, err := a.fillers(ctx, i, col, target, n.Rows)
			if err != nil {
				return 0, nil, nil, err
			}
			for _, f := range found {
				if !slices.Contains(none, f) {
					none = append(none, f)
				}
			}
		}
		if len(none) > 0 {
			if n, err = s.Measure(ctx, merge.RefQuery{Reference: a.copied(col, target, none)}); err != nil {
				return 0, nil, nil, err
			}
		}
		if n.Rows == 0 {
			continue
		}
		total += n.Alive
		share = min(share, float64(n.Alive)/float64(n.Rows))
		words := fmt.Sprintf("%d of %s in %s", n.Alive, counted(n.Rows, "text is one", "texts are one"), a.name(i))
		if all > n.Rows {
			words += fmt.Sprintf(", beside %s of %s", counted(all-n.Rows, "row", "rows"), tupleText(none))
		}
		evidence = append(evidence, words)
		if share < namedCopyShare {
			return 0, nil, nil, nil
		}
	}
	if total < fewCopies {
		return 0, nil, nil, nil
	}
	return share, none, evidence, nil
}

// copied is a reference from a column's texts to the target, without empty ones and those that mean nobody.
func (a *auditor) copied(col, target merge.Col, none []any) *merge.Reference {
	when := a.engine.Quote(col.Name) + " <> ''"
	for _, v := range none {
		when += " AND " + a.engine.Quote(col.Name) + " <> " + a.engine.Literal(v)
	}
	return &merge.Reference{From: []merge.Col{col}, To: []merge.Col{target}, As: merge.Copy, When: when}
}

// fillers are the texts that stand in many of a shard's rows and are no value of the target.
func (a *auditor) fillers(ctx context.Context, shard int, col, target merge.Col, rows int64) (list []any, err error) {
	s := a.shards[shard]
	own, ok := s.Schema().Resolve(col)
	to, known := s.Schema().Resolve(target)
	if !ok || !known {
		return nil, nil
	}
	found, err := s.Values(ctx, own, a.engine.Quote(own.Name)+" <> ''", fillersMost)
	if err != nil {
		return nil, err
	}
	for _, v := range found {
		text, ok := v.Value[0].(string)
		if !ok || v.Rows < fillersLeast || float64(v.Rows) < fillerShare*float64(rows) {
			continue
		}
		n, err := s.Count(ctx, to.Table, a.engine.Quote(to.Name)+" = "+a.engine.Literal(text))
		if err != nil {
			return nil, err
		}
		if n == 0 {
			list = append(list, text)
		}
	}
	return list, nil
}
