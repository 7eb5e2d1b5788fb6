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

// findCopies asks about columns that repeat a name which is being renamed, as it is or in another shape: left alone, they would name the other server's player.
// So would dead texts of a key whose values stay, where another shard has a row of that name.
func (a *auditor) findCopies(ctx context.Context) error {
	own, others, err := a.renamedInPart(ctx)
	if err != nil {
		return err
	}
	renamed := a.renamedSince(slices.Concat(own, others))
	if err := a.copiesOf(ctx, renamed, a.textKeys(renamed)); err != nil {
		return err
	}
	own = slices.DeleteFunc(own, a.askedToFollow)
	if err := a.copiesOf(ctx, own, nil); err != nil {
		return err
	}
	stay, later, err := a.findNames(ctx)
	if err != nil {
		return err
	}
	// What is a copy of names that a key holds is none of its own; now there may be copies of those that none holds.
	if err := a.copiesOf(ctx, a.renamedSince(slices.Concat(renamed, own, others)), stay); err != nil {
		return err
	}
	others = slices.DeleteFunc(others, a.askedToFollow)
	asked := a.renamedSince(others)
	for _, n := range later {
		if a.follows(n.col) {
			continue
		}
		if err := a.askName(ctx, n); err != nil {
			return err
		}
	}
	return a.copiesOf(ctx, a.renamedSince(asked), nil)
}

// renamedSince are the text columns of which some values change, without some that are known.
func (a *auditor) renamedSince(known []merge.Col) []merge.Col {
	return slices.DeleteFunc(a.renamedColumns(), func(c merge.Col) bool { return slices.Contains(known, c) })
}

// copiesOf asks about the columns that repeat texts of which some change, or of keys that stay.
func (a *auditor) copiesOf(ctx context.Context, renamed, stay []merge.Col) error {
	if len(renamed)+len(stay) == 0 {
		return nil
	}
	var others, keys, held []*unexplained
	targets, err := a.textHolders(ctx, slices.Concat(renamed, stay))
	if err != nil {
		return err
	}
	changing := a.renamedColumns()
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows == merge.EmptyRows {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if c.Generated || a.decided(col) || a.spaces[col] != nil {
				continue
			}
			if said, err := a.askKindsAgain(ctx, col, renamed); err != nil {
				return err
			} else if said {
				continue
			}
			if a.partHeld[col] > 0 {
				u, err := a.sampled(ctx, line, col)
				if err != nil {
					return err
				}
				held = append(held, u)
				continue
			}
			if slices.Contains(changing, col) && !a.uniqueInPart(col) {
				if a.uniqueAlone(col) && !a.askedToFollow(col) && a.uniquePlan(&merge.Unique{Table: t.Name, Columns: []string{c.Name}}) == nil { // a key may be the small letters of another table's names
					u, err := a.sampled(ctx, line, col)
					if err != nil {
						return err
					}
					keys = append(keys, u)
				}
				continue
			}
			if asked := a.askedCopies[col]; a.askedToFollow(col) && (len(asked) == 0 && !a.numbersAsked(col) && !a.partInShape(col) || len(asked) > 0 && asked[0].share == 1) { // else it may rather repeat what was found since
				continue
			}
			u, err := a.sampled(ctx, line, col)
			if err != nil {
				return err
			}
			asked, err := a.askCopy(ctx, u, targets, len(renamed))
			if err != nil {
				return err
			}
			shaped, err := a.askShapedCopy(ctx, u, renamed)
			if err != nil {
				return err
			}
			if !asked && !shaped && !a.numbersAsked(col) {
				others = append(others, u)
			}
		}
	}
	if err := a.findLists(ctx, slices.Concat(others, keys, held), targets, len(renamed)); err != nil {
		return err
	}
	err = a.findShapes(ctx, slices.Concat(others, keys), renamed)
	a.texts = nil // they are many
	return err
}

// partInShape tells whether only some of a column's texts repeat what it is asked to follow in another shape.
func (a *auditor) partInShape(c merge.Col) bool { return a.inShape[c] > 0 && a.inShape[c] < 1 }

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

// textKeys are the columns by whose texts alone a table's rows are told apart, without those that are renamed and those that are another key's.
func (a *auditor) textKeys(renamed []merge.Col) (list []merge.Col) {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.total() == 0 || !line.mixes() || line.dropped {
			continue
		}
		for _, u := range t.Uniques {
			c := u.Cols()
			if len(c) != 1 || !u.Plain() || a.schema.Holds(c[0]) != merge.Text || slices.Contains(renamed, c[0]) || slices.Contains(list, c[0]) {
				continue
			}
			if _, another := a.parent(c[0]); !another && !a.referenceAsked(c[0]) && !a.repeatsName(c[0]) {
				list = append(list, c[0])
			}
		}
	}
	return list
}

// wholeKeys tells whether most of a column's texts are, as they stand, those by which another table's rows are told apart.
func (a *auditor) wholeKeys(ctx context.Context, col merge.Col) (bool, error) {
	u, err := a.sampled(ctx, a.tables[col.Table], col)
	if err != nil {
		return false, err
	}
	for _, target := range a.textKeys(nil) {
		if target == col {
			continue
		}
		few, err := a.lieAmong(ctx, u.samples, target, "")
		if err != nil {
			return false, err
		}
		if few.hits > 0 && float64(few.hits) >= partlyLeast*float64(few.texts) {
			return true, nil
		}
	}
	return false, nil
}

// askCopy asks whether a column repeats the target of which it holds the most values, when it holds enough: one of those that are renamed, which come first, or one that
// stays and of which it holds values that are dead in one shard and alive in another.
func (a *auditor) askCopy(ctx context.Context, u *unexplained, targets *holders, renamed int) (asked bool, err error) {
	found := slices.Clone(a.askedCopies[u.col])
	before := len(found)
	own, err := a.ownNames(ctx, u)
	if err != nil {
		return false, err
	}
	for _, n := range targets.near(u.samples) {
		target := targets.columns[n]
		c, err := a.copies(ctx, u, target)
		if err != nil {
			return false, err
		}
		rather, err := a.ratherHeld(ctx, u, target, targets.columns[:renamed])
		if err != nil {
			return false, err
		}
		if c == nil || !rather {
			continue
		}
		through, err := a.throughOthers(ctx, u, target)
		if err != nil {
			return false, err
		}
		if !through && (!c.enough(a.called(u.col) || a.schema.Equal(u.col.Name, target.Name), a.tied(u.col, target)) || own && !c.gone && float64(c.hits) < namedCopyShare*float64(c.texts)) {
			continue
		}
		home, err := a.homeOf(ctx, u, target)
		if err != nil {
			return false, err
		}
		if home {
			continue
		}
		if c.renamed = slices.Contains(targets.columns[:renamed], target); !c.renamed {
			caught, err := a.caught(ctx, c)
			if err != nil {
				return false, err
			}
			if caught == "" || a.foldsByText(target) { // who is alive elsewhere is the same one
				continue
			}
			c.evidence = append(c.evidence, caught)
		}
		found = append(found, c)
	}
	if len(found) == before {
		return before > 0, nil
	}
	if rather, err := a.repeatsOther(ctx, u, found); err != nil || rather {
		return false, err
	}
	slices.SortStableFunc(found, func(x, y *copying) int { return cmp.Compare(y.share, x.share) })
	if found[0].renamed {
		if listed, err := a.askListed(ctx, u, found[0].target); err != nil || listed {
			return listed, err
		}
	}
	if found[0].renamed {
		if found[0].framed, err = a.framedBeside(ctx, u.table, u.col, found[0].target, found[0].dead); err != nil {
			return false, err
		}
		found[0].withoutFramed()
	}
	a.askedCopies[u.col] = found
	if via, evidence, err := a.inOneForm(ctx, u, found[0]); err != nil {
		return false, err
	} else if via != "" {
		a.askShape(u, found[0].target, via, evidence)
		return true, nil
	}
	if a.numbersAsked(u.col) && (before > 0 || !found[0].renamed || a.askBesideNumbers(u, found[0])) {
		return true, nil
	}
	return true, a.askHeld(ctx, u, found[0], found[1:], found[0].renamed)
}

// repeatsOther tells whether a column repeats what another table's rows are called, all of it, and of what it was found to repeat less than half: by chance.
func (a *auditor) repeatsOther(ctx context.Context, u *unexplained, found []*copying) (bool, error) {
	if slices.ContainsFunc(found, func(c *copying) bool { return c.gone || float64(c.hits) >= namedCopyShare*float64(c.texts) }) {
		return false, nil
	}
	for _, t := range a.schema.Tables {
		for _, c := range t.Columns {
			of := merge.Col{Table: t.Name, Name: c.Name}
			if t.Name == u.col.Table || t.Opaque != "" || c.Generated || !bearer(c.Name) || a.schema.Holds(of) != merge.Text || slices.ContainsFunc(found, func(c *copying) bool { return c.target == of || a.leadsTo(of, c.target) }) {
				continue
			}
			n, err := a.lieAmong(ctx, u.samples, of, a.laxer(u.col, of))
			if err != nil || n.texts >= fewCopies && float64(n.hits) >= copyShare*float64(n.texts) {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// askHeld asks whether a column repeats a target, instead of what was asked about it before.
func (a *auditor) askHeld(ctx context.Context, u *unexplained, best *copying, rest []*copying, renamed bool) error {
	if a.counterAsked(u.col) {
		return nil // the next one is nobody yet
	}
	when, told, err := a.kindsThatHold(ctx, u, best)
	if err != nil {
		return err
	}
	if when != "" {
		verb, as := "repeat", merge.Copy
		if a.identifies(best.target) || a.referred(best.target) {
			verb, as = "hold", merge.Plain
		}
		line := &merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{best.target}, As: as, When: when}
		a.withdrawLine(line) // there may have been fewer targets
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does %s %s %s when %s, so that it follows when that is renamed?", u.col, verb, best.target, when),
			Evidence: told, Rows: u.table.total(), Reference: line,
		})
		return nil
	}
	if best.words() {
		best.none, best.twice = append(best.none, slices.Collect(maps.Values(best.twice))...), nil
		slices.SortFunc(best.none, func(x, y any) int { return strings.Compare(valueText(x), valueText(y)) })
	}
	if err := a.takeWordsAmongNames(ctx, u, best); err != nil {
		return err
	}
	line := &merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{best.target}, As: merge.Copy, None: best.none}
	evidence := slices.Clone(best.evidence)
	verb := "repeat"
	if a.identifies(best.target) || a.referred(best.target) { // a reference to a key, whose lost values are lost rows
		verb, line.As = "hold", merge.Plain
		if best.lost {
			line.Orphans = merge.ByTombstone
		}
		var err error
		if line.None, err = a.withEmpty(ctx, u.table, u.col, best.none); err != nil {
			return err
		}
	}
	form := ""
	if line.As == merge.Copy {
		via, err := a.oneCase(ctx, u, best.target)
		if err != nil {
			return err
		}
		if via != "" { // equal by the target's comparison, and yet the game writes them in this form
			line.Via, form = via, " in the form "+via
		}
	}
	if len(best.none) > 0 {
		evidence = append(evidence, fmt.Sprintf("none says that %s names nobody on any server, as words of the game do", tupleText(best.none)))
	}
	if best.alive == 0 && line.As == merge.Copy && line.Via == "" {
		line.Orphans = merge.ByTombstone
		evidence = append(evidence, "as the line below stands, all its texts are those of the deleted (orphans: tombstone)")
	}
	switch {
	case len(best.twice) == 0 || a.tables[best.target.Table].folds():
	case line.Via != "":
		evidence = append(evidence, joinValues(best.twice)+" are dead on two servers, and stay as they are: a text in another form gets no tombstone")
	default:
		line.Orphans = merge.ByTombstone
		evidence = append(evidence, joinValues(best.twice)+" are dead on two servers, and become two (orphans: tombstone): name under none what means nobody")
	}
	question := fmt.Sprintf("does %s %s %s%s, so that it follows when that is renamed?", u.col, verb, best.target, form)
	if !renamed {
		question = fmt.Sprintf("does %s %s %s, so that what is dead stays dead?", u.col, verb, best.target)
	}
	var others []string
	for _, c := range rest {
		others = append(others, fmt.Sprintf("%s (%s)", c.target, counted(c.alive, "row", "rows")))
	}
	if len(others) > 0 {
		question += fmt.Sprintf(" Or %s? Where it holds both, one line for each, with when:", strings.Join(others, " or "))
	}
	entry := merge.Undecided{Question: question, Evidence: strings.Join(evidence, "; "), Rows: u.table.total(), Reference: line}
	if renamed || a.uniqueInPart(u.col) {
		a.withdraw(u.col, "follows renames")
	}
	if open := a.askedAs(u.col); open >= 0 {
		a.res.Undecided[open] = entry
	} else {
		a.ask(entry)
	}
	return nil
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
