package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// findCaptured finds the dead texts that another shard's rows are known by, and those of references that two shards hold. What becomes of them is the plan's word
// about orphans.
func (a *auditor) findCaptured(ctx context.Context) error {
	for _, r := range a.refs {
		if r.As != merge.Plain && r.As != merge.Copy || keptApart(r) || len(r.From) == 1 && r.As == merge.Plain && r.spaces[0] != nil {
			continue
		}
		if r.Orphans == merge.ByFail && r.As == merge.Copy {
			a.failCopied(r)
		}
		if r.Orphans == merge.ByFail || r.Orphans == merge.ByClear || r.Orphans == merge.ByDrop {
			continue
		}
		if err := a.capture(ctx, r); err != nil {
			return err
		}
	}
	a.checkGraveless()
	return a.captureTwice(ctx)
}

// failCopied refuses copied texts of nobody where the plan says so.
func (a *auditor) failCopied(r *reference) {
	var parts []string
	for i, c := range r.counts {
		if c != nil && c.Rows > c.Alive {
			parts = append(parts, fmt.Sprintf("%d of %d rows in %s (%s)", c.Rows-c.Alive, c.Rows, a.name(i), sampleValues(c.Dead)))
		}
	}
	if dead := r.dead(); dead > 0 {
		next := "repair the rows, or say orphans: keep where nobody is looked up by it"
		switch {
		case r.By != nil:
			next = fmt.Sprintf("repair the rows, or take the word orphans out of the line: beside %s the text finds nobody", r.By)
		case a.namesKey(r):
			next = "repair the rows, or say orphans: tombstone, or keep where nobody is looked up by it"
		}
		a.find(merge.Finding{
			Rule: "orphan", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: dead,
			Text: fmt.Sprintf("repeats no %s of its shard: %s; the plan says to fail", r.To[0], strings.Join(parts, "; ")), Next: next,
		})
	}
}

// capture looks for one reference's dead values among the other shards' rows.
func (a *auditor) capture(ctx context.Context, r *reference) error {
	t, to := a.keyTable(r), r.To
	if a.namesKey(r) {
		to = []merge.Col{a.keyOf(r)}
	}
	if r.Orphans == "" {
		defer func() {
			if r.As == merge.Copy && !a.identifies(r.To[0]) {
				a.askAlive(r)
				return
			}
			a.askDead(r, r.found, strings.Join(r.where, ", "), "a row of another", "the other shard's row")
		}()
	}
	for i, c := range r.counts {
		if c == nil || t.plan.Rows == merge.FromRows && t.rows[i] == 0 { // what has no rows of its own was lent the other's from the start
			continue
		}
		lost, err := a.lostWays(ctx, r, i)
		if err != nil {
			return err
		}
		for j, s := range a.shards {
			if j == i || s.Schema().Column(to[0]) == nil || !t.takes(a.name(j)) {
				continue
			}
			var caught []merge.ValueCount
			for _, way := range lost {
				for dead := range slices.Chunk(way.dead, checkBatch) {
					list, err := a.captured(ctx, r, to, j, dead, way.collations)
					if err != nil {
						return err
					}
					caught = append(caught, without(list, caught)...)
				}
			}
			if len(caught) > 0 {
				if err := a.judgeCaptured(ctx, r, i, j, caught); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// judgeCaptured says what becomes of dead values of one shard that another one's rows are known by.
func (a *auditor) judgeCaptured(ctx context.Context, r *reference, i, j int, caught []merge.ValueCount) error {
	f := merge.Finding{
		Rule: "orphan", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i),
		Text: fmt.Sprintf("holds values that no row of %s has in %s and rows of %s have: they would belong to those (%s)", r.To[0].Table, a.name(i), a.name(j), sampleValues(caught)),
	}
	for _, v := range caught {
		f.Rows += v.Rows
	}
	repair := "change them in copies of " + a.name(i)
	apart, err := a.dealtApart(ctx, r, i, j)
	if err != nil {
		return err
	}
	switch {
	case r.Orphans == "" && r.As == merge.Copy && r.By == nil && a.keyTable(r).folds() && !a.holdsIdentity(r) && apart:
		r.found += f.Rows
		r.where = append(r.where, fmt.Sprintf("%s of %s (%s)", counted(f.Rows, "row", "rows"), a.name(i), sampleValues(caught)))
		return nil
	case r.As == merge.Copy && (r.By != nil || r.Orphans == merge.ByKeep || r.Orphans == "" && a.keyTable(r).folds() && !a.holdsIdentity(r)):
		f.Severity = merge.Info
		f.Next = "if that is wrong, " + repair + ", or say orphans: fail"
	case r.Orphans == "" && (a.oneEverywhere(r) || len(r.From) == 1 && onceMade(caught)): // rows of equal keys are the same thing everywhere: only a person can tell whether what was dead may find it
		r.found += f.Rows
		r.where = append(r.where, fmt.Sprintf("%s of %s (%s)", counted(f.Rows, "row", "rows"), a.name(i), sampleValues(caught)))
		return nil
	case r.Via != "":
		f.Next = a.unburied(r, repair) + ": a text in another form gets no tombstone"
	case len(r.From) > 1:
		f.Next = fmt.Sprintf("%s: a reference by several columns gets no tombstone; or say %s, where the row of another server may be found", repair, keepLine(r.From...))
	case !a.holdsTexts(r.From[0]):
		f.Next = fmt.Sprintf("%s: a column of the type %s holds no tombstone of a text", a.unburied(r, repair), a.schema.Column(r.From[0]).Type)
	default:
		buried, other, err := a.buryTexts(ctx, r, i, caught)
		if err != nil {
			return err
		}
		if other > 0 {
			f.Rows, f.Next = other, a.unburied(r, repair)+": only texts get tombstones"
			break
		}
		if buried == 0 {
			return nil
		}
		f.Severity, f.Rows = merge.Info, buried
		f.Text += ", so they get tombstones"
		if r.As == merge.Copy {
			f.Next = "where nobody is looked up by it, orphans: keep leaves the texts as they are"
		}
	}
	a.find(f)
	return nil
}

// oneEverywhere tells whether a value of a reference means one row, or one player, on every server: the rows that it names fold by it.
func (a *auditor) oneEverywhere(r *reference) bool {
	return a.keyTable(r).folds() || len(r.From) == 1 && a.foldsByText(a.keyOf(r))
}

// foldsByText tells whether a column alone says which rows of its table become one by their values.
func (a *auditor) foldsByText(c merge.Col) bool {
	t := a.tables[c.Table]
	return t != nil && t.plan.Rows == merge.ByValue && len(t.plan.By) == 1 && a.schema.Equal(t.plan.By[0], c.Name)
}

// onceMade tells whether texts are such as no two servers make by chance.
func onceMade(list []merge.ValueCount) bool {
	return !slices.ContainsFunc(list, func(v merge.ValueCount) bool {
		return len(v.Value) != 1 || !madeOnce.MatchString(valueText(v.Value[0]))
	})
}

// captureTwice notes the dead texts of references that two shards hold: they were two lost rows, or two players, and one text would make one of them. Under keys that are
// the same thing everywhere they are one. What a copy holds so may be a word of the game: that is asked about, unless the plan says what its dead are or who is nobody.
func (a *auditor) captureTwice(ctx context.Context) error {
	type lost struct {
		key  merge.Col
		text string
	}
	at := func(r *reference, v merge.ValueCount) lost {
		key := a.keyOf(r)
		return lost{key, merge.Collated(valueText(v.Value[0]), a.keyCollation(key))}
	}
	dead, err := a.lostTexts(ctx)
	if err != nil {
		return err
	}
	holders := map[lost]map[int]bool{} // shards
	for _, r := range a.refs {
		for i, list := range dead[r] {
			for _, v := range list {
				if holders[at(r, v)] == nil {
					holders[at(r, v)] = map[int]bool{}
				}
				holders[at(r, v)][i] = true
			}
		}
	}
	for _, r := range a.refs {
		var twice []merge.ValueCount
		var blocked int64
		for i, list := range dead[r] {
			for _, v := range list {
				if len(holders[at(r, v)]) < 2 {
					continue
				}
				if !a.holdsTexts(r.From[0]) {
					blocked += v.Rows
					continue
				}
				buried, other, err := a.buryTexts(ctx, r, i, []merge.ValueCount{v})
				if err != nil {
					return err
				}
				if blocked += other; buried > 0 {
					twice = append(twice, v)
				}
			}
		}
		if len(twice) > 0 || blocked > 0 {
			a.judgeTwice(r, twice, dead[r], blocked)
		}
	}
	return nil
}

// lostTexts are the texts of references, by shard, that are no row's by any comparison and get tombstones where they need one, without what is refused or asked about first:
// texts in other letters than the names', and those of a column that holds something else.
func (a *auditor) lostTexts(ctx context.Context) (map[*reference][][]merge.ValueCount, error) {
	all := map[*reference][][]merge.ValueCount{}
	for _, r := range a.refs {
		shaped := r.As == merge.Copy && r.Via != "" && r.By == nil && r.Orphans == ""
		if !a.tombs(r) && !shaped || a.oneEverywhere(r) {
			continue
		}
		if open, err := a.askLetters(ctx, r); err != nil {
			return nil, err
		} else if open {
			continue
		}
		dead := make([][]merge.ValueCount, len(a.shards))
		for i, c := range r.counts {
			switch {
			case c == nil:
				continue
			case shaped:
				dead[i] = c.Dead
				continue
			}
			ways, err := a.lostWays(ctx, r, i)
			if err != nil {
				return nil, err
			}
			dead[i] = ways[len(ways)-1].dead
		}
		refused, err := a.refuseLetters(ctx, r, dead)
		if err != nil {
			return nil, err
		}
		a.askFruitless(r, dead)
		if refused || shaped {
			continue
		}
		var framed []framed
		if r.As == merge.Copy && r.Orphans == "" {
			if framed, err = a.framedBeside(ctx, a.tables[r.table()], r.From[0], r.To[0], dead); err != nil {
				return nil, err
			}
		}
		for i, list := range dead {
			dead[i] = slices.DeleteFunc(slices.Clone(list), func(v merge.ValueCount) bool {
				return r.As == merge.Copy && v.Value[0] == any("") || inFrames(framed, v.Value[0]) // nobody's name, and a living one's
			})
		}
		all[r] = dead
	}
	return all, nil
}

// judgeTwice says what becomes of values of a reference that two shards hold and no row has; dead are all of which none has, by shard.
func (a *auditor) judgeTwice(r *reference, twice []merge.ValueCount, dead [][]merge.ValueCount, blocked int64) {
	f := merge.Finding{
		Rule: "orphan", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: blocked,
		Text: fmt.Sprintf("holds values that no row of %s has in two shards: two lost rows would be one", r.To[0].Table),
		Next: a.unburied(r, "change them in copies of the shards") + ": only texts in columns of text get tombstones",
	}
	if blocked > 0 {
		a.find(f)
	}
	if len(twice) == 0 || r.As != merge.Copy {
		return
	}
	f.Severity, f.Rows = merge.Info, 0
	texts := map[string]any{}
	for _, v := range twice {
		f.Rows, texts[valueText(v.Value[0])] = f.Rows+v.Rows, v.Value[0]
	}
	f.Text = fmt.Sprintf("holds texts that no row of %s has in two shards (%s): they named two, so they get tombstones", r.To[0].Table, joinValues(texts))
	f.Next = "name under none what means nobody; where nobody is looked up by it, orphans: keep leaves the texts as they are"
	a.find(f)
	if r.Orphans != "" || r.None != nil || a.askedAgain(r) {
		return
	}
	line := r.Reference
	if frequent(twice, dead) {
		line.None = sortedValues(texts)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: these texts are no %s on two servers, in many rows of each: do they mean nobody, as words of the game do? If they named somebody on each, so that they become two, say orphans: tombstone", r.From[0], r.To[0]),
			Rows:     f.Rows, Evidence: joinValues(texts), Reference: &line,
		})
		return
	}
	if onceMade(twice) {
		line.Orphans = merge.ByKeep
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s: these texts are no %s on two servers, and such values are made once: do they mean the same one on both, and stay (orphans: keep)? Say orphans: tombstone if they become two", r.From[0], r.To[0]),
			Rows:     f.Rows, Evidence: joinValues(texts), Reference: &line,
		})
		return
	}
	line.Orphans = merge.ByTombstone
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s: these texts are no %s on two servers; did they name somebody on each, so that they become two? Name under none what means nobody, as words of the game do", r.From[0], r.To[0]),
		Rows:     f.Rows, Evidence: joinValues(texts), Reference: &line,
	})
}

// caught says which dead texts of a column are alive in another shard than theirs; "" when none is.
func (a *auditor) caught(ctx context.Context, c *copying) (string, error) {
	var words []string
	for i, dead := range c.dead {
		var found []merge.ValueCount
		var rows int64
		for j, s := range a.shards {
			if j == i || s.Schema().Column(c.target) == nil || len(dead) == 0 {
				continue
			}
			for some := range slices.Chunk(dead, checkBatch) {
				list, err := a.captured(ctx, nil, []merge.Col{c.target}, j, some, c.collations)
				if err != nil {
					return "", err
				}
				found = append(found, list...)
			}
		}
		for _, v := range found {
			rows += v.Rows
		}
		if rows > 0 && !onceMade(found) {
			words = append(words, fmt.Sprintf("%s of %s (%s)", counted(rows, "row", "rows"), a.name(i), sampleValues(found)))
		}
	}
	if len(words) == 0 {
		return "", nil
	}
	return "dead there and another shard's: " + strings.Join(words, ", "), nil
}
