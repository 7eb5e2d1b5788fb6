package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// askLetters asks whether names are found in any letters where a copy holds some that only so are a row's of their own shard, and another shard has a row called so: they would
// name that one. Where two rows of a shard are told apart by their letters alone, the game does not find them so.
func (a *auditor) askLetters(ctx context.Context, r *reference) (open bool, err error) {
	fold := a.foldCollation()
	if fold == "" || r.As != merge.Copy || r.Via != "" || r.By != nil || r.Orphans != "" {
		return false, nil
	}
	key, way := a.keyOf(r), []string{fold}
	plan := a.uniquePlanOf(key)
	if key != r.To[0] || sameCollation(a.keyCollation(key), way[0]) || a.laxer(r.From[0], key) != "" || plan != nil && (plan.OnConflict != "rename" || plan.Collate != "") {
		return false, nil
	}
	var rows, all int64
	var caught []merge.ValueCount
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		all += c.Rows
		spelled, err := a.otherSpellings(ctx, r, i, way)
		if err != nil {
			return false, err
		}
		if len(spelled) == 0 {
			continue
		}
		found, err := a.alsoElsewhere(ctx, r, i, spelled, way)
		if err != nil {
			return false, err
		}
		for _, v := range found {
			rows += v.Rows
		}
		caught = append(caught, found...)
	}
	if rows == 0 {
		return false, nil
	}
	if apart, err := a.uniqueEverywhere(ctx, a.tables[key.Table], key, way[0]); err != nil || !apart {
		return false, err
	}
	line := &merge.UniquePlan{Unique: []merge.Col{key}, OnConflict: "rename", Template: a.template(key)}
	if plan != nil {
		same := *plan
		line = &same
	}
	line.Collate = way[0]
	a.askLosers(merge.Undecided{
		Question: fmt.Sprintf("%s a %s in other letters, and rows of other shards are called so, too: does the game find names in any letters, so that these follow and names that differ by "+
			"letters alone clash? Where it does not, or looks nobody up by them, leave this line out and say orphans: tombstone or keep of %s", counted(rows, "row of "+r.From[0].String()+" holds", "rows of "+r.From[0].String()+" hold"), key, r.From[0]),
		Evidence: fmt.Sprintf("%d of %s: %s", rows, counted(all, "row", "rows"), sampleValues(caught)), Rows: rows, Unique: line,
	})
	return true, nil
}

// refuseLetters refuses dead texts most of which are names of their own shard in letters that no comparison of the engine calls equal, such as capitals beyond ASCII: they mean
// the living, whom they cannot follow.
func (a *auditor) refuseLetters(ctx context.Context, r *reference, dead [][]merge.ValueCount) (bool, error) {
	var rows int64
	var found []merge.ValueCount
	texts := 0
	for i, list := range dead {
		var words []string
		for _, v := range list {
			words = append(words, valueText(v.Value[0]))
		}
		if texts += len(words); len(words) == 0 {
			continue
		}
		own, err := a.lookUp(ctx, i, a.keyOf(r), words, a.foldCollation())
		if err != nil {
			return false, err
		}
		for _, v := range list {
			if text := valueText(v.Value[0]); strings.ContainsFunc(text, func(c rune) bool { return c > unicode.MaxASCII }) && own[folded(text)] {
				rows, found = rows+v.Rows, append(found, v)
			}
		}
	}
	if len(found) < namesLeast || float64(len(found)) < partlyLeast*float64(texts) {
		return false, nil
	}
	a.find(merge.Finding{
		Rule: "orphan", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: rows,
		Text: fmt.Sprintf("holds names of %s in other letters (%s), which the database does not call equal: they cannot follow", a.keyOf(r), sampleValues(found)),
		Next: fmt.Sprintf("write them as %s has them, in copies of the shards; or say as: keep where nobody is looked up by them", a.keyOf(r)),
	})
	return true, nil
}

// askInLetters asks about columns of which nearly all texts are names of a target in other letters, which the database does not call equal, and leaves the others.
func (a *auditor) askInLetters(ctx context.Context, open []part) (rest []part, err error) {
	for _, p := range open {
		if a.schema.Holds(p.col) != merge.Text || a.schema.Holds(p.of) != merge.Text || p.share < copyShare || p.gone || p.line.As != "" || a.besideCounters(p.col) != "" {
			rest = append(rest, p)
			continue
		}
		u, err := a.sampled(ctx, a.tables[p.col.Table], p.col)
		if err != nil {
			return nil, err
		}
		if u.texts() < fewNames {
			rest = append(rest, p)
			continue
		}
		p.line.As = merge.Copy
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does %s hold %s in other letters, so that it follows when that is renamed? Kept, names which change will be somebody else's there", p.col, p.of),
			Evidence: fmt.Sprintf("%s of its texts are there, in whatever letters", shareOf(p.share)), Rows: a.tables[p.col.Table].total(), Reference: p.line,
		})
	}
	return rest, nil
}

// inOneForm is the form, small or capital letters, in which a column repeats a renamed target whose texts it holds as they are only where these have no letters, as ids in base 16 may; ""
// where it does not.
func (a *auditor) inOneForm(ctx context.Context, u *unexplained, c *copying) (via string, evidence []string, err error) {
	if !c.renamed || c.share >= copyShare {
		return "", nil, nil
	}
	whole, err := a.lieAmong(ctx, u.samples, c.target, a.foldCollation())
	if err != nil || whole.share() < copyShare || whole.share() <= c.share+mixedLetters {
		return "", nil, err
	}
	for _, shape := range shapes {
		if !u.writtenSo(shape.via) {
			continue
		}
		if evidence, _, err := a.shaped(ctx, u, shape.via, shape.numbers, c.target); err != nil || evidence != nil {
			return shape.via, evidence, err
		}
	}
	return "", nil, nil
}

// nameCollation is the comparison that calls most names equal of those that hold for a column: the plan's, a unique key's or its own.
func (a *auditor) nameCollation(col merge.Col, plan *merge.UniquePlan) string {
	if plan.Collate != "" {
		return plan.Collate
	}
	for _, u := range a.schema.Table(col.Table).Uniques {
		for i, c := range u.Columns {
			if a.schema.Equal(c, col.Name) && i < len(u.Collations) && !sameCollation(u.Collations[i], "") {
				return u.Collations[i]
			}
		}
	}
	if fold := a.foldCollation(); fold != "" && a.schema.KnowsNoCase(col) {
		return fold
	}
	return a.schema.Column(col).Collation
}

// keyCollation is nameCollation with what the plan says of the column.
func (a *auditor) keyCollation(col merge.Col) string {
	plan := a.uniquePlan(&merge.Unique{Table: col.Table, Columns: []string{col.Name}})
	if plan == nil {
		plan = &merge.UniquePlan{}
	}
	return a.nameCollation(col, plan)
}

// oneCase is the form in which a column has names of a target where it has them in small letters alone, or in capitals alone, and the target's own are mostly written otherwise: lower or
// upper; "" where it has them in both.
func (a *auditor) oneCase(ctx context.Context, u *unexplained, target merge.Col) (via string, err error) {
	texts := 0
	for _, one := range u.samples {
		texts += len(one.Texts)
	}
	if texts < fewCopies {
		return "", nil
	}
	names, err := a.sampled(ctx, a.tables[target.Table], target)
	if err != nil {
		return "", err
	}
	for _, form := range []struct {
		via  string
		text func(string) string
	}{{"lower", strings.ToLower}, {"upper", strings.ToUpper}} {
		other := func(text string) bool { return text != form.text(text) }
		all := u.writtenSo(form.via)
		for _, one := range names.samples {
			n := 0
			for _, text := range one.Texts {
				if other(text) {
					n++
				}
			}
			all = all && 2*n >= len(one.Texts)
		}
		if all {
			return form.via, nil
		}
	}
	return "", nil
}

// askOneCase asks in which letters a reference to names writes them where it has small ones alone, or capitals: equal by the comparison of the names, a new one would stand there in the letters
// of the name. The word orphans says that it may.
func (a *auditor) askOneCase(ctx context.Context, r *reference) error {
	if r.As != merge.Plain || len(r.From) != 1 || r.Orphans != "" || r.When != "" || a.schema.Holds(r.From[0]) != merge.Text || !slices.Contains(a.renamedColumns(), r.To[0]) || a.askedAgain(r) {
		return nil
	}
	u, err := a.sampled(ctx, a.tables[r.table()], r.From[0])
	if err != nil {
		return err
	}
	via, err := a.oneCase(ctx, u, r.To[0])
	if err != nil || via == "" {
		return err
	}
	line, as := r.Reference, r.Reference
	line.As, line.Via, as.Orphans = merge.Copy, via, merge.ByTombstone
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s holds %s in the form %s alone, as a game does that looks it up so: do new names stand there in that form, too? Where the game finds names in any letters, %s writes them as they are", r.From[0], r.To[0], via, planfile.ReferenceLine(&as)),
		Evidence: fmt.Sprintf("%s that were looked at are in that form, and most of %s are not", counted(u.texts(), "text", "texts"), r.To[0]), Rows: u.table.total(), Reference: &line,
	})
	return nil
}

// nameLine is the line by which a column that holds names of a target in some form follows: a form of which more are names than as they stand, and no few.
func (a *auditor) nameLine(ctx context.Context, from, to merge.Col) (*merge.Reference, error) {
	line := &merge.Reference{From: []merge.Col{from}, To: []merge.Col{to}}
	if a.schema.Holds(from) != merge.Text || a.schema.Holds(to) != merge.Text {
		return line, nil
	}
	u, err := a.sampled(ctx, a.tables[from.Table], from)
	if err != nil {
		return nil, err
	}
	form, err := a.formIn(ctx, u.samples, to)
	if err != nil {
		return nil, err
	}
	var names int64
	for i, one := range u.samples {
		n, err := a.folded(ctx, i, to, form+" COLLATE BINARY", one.Texts)
		if err != nil {
			return nil, err
		}
		names += n
	}
	if via, _, formed := strings.Cut(form, "("); formed && float64(names) >= namedCopyShare*float64(u.texts()) {
		line.As, line.Via = merge.Copy, via
	}
	return line, nil
}
