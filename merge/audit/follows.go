package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// How many values of a text key are looked up among another's, and how many of them must be there where the own server's are there and hardly ever another's; how
// many another key has of what is left.
const (
	textKeySample = 200
	keyCopyShare  = 0.3
	restLeast     = 0.1 // of the values that another key has, to be told beside it
	restMost      = 1.05
	listColumns   = 2 // of a table that is a list of names, with their numbers
)

// findTextReferences asks about text keys whose values are another text key's, as money.name and players.name: the rows belong together, so a rename of the one
// is one of the other, and the two must not be renamed apart.
func (a *auditor) findTextReferences(ctx context.Context) error {
	keys, homes, err := a.textTargets(ctx)
	if err != nil {
		return err
	}
	targets := slices.Concat(keys, homes)
	held, err := a.textHolders(ctx, targets)
	if err != nil {
		return err
	}
	if err := a.findBehind(ctx, targets, held); err != nil {
		return err
	}
	for _, from := range keys {
		if a.decided(from) || a.askedAs(from) >= 0 || a.uniquePlan(&merge.Unique{Table: from.Table, Columns: []string{from.Name}}) != nil {
			continue
		}
		var best merge.Col
		var evidence []string
		var share float64
		shares := map[merge.Col]float64{}
		samples, err := a.keySamples(ctx, from)
		if err != nil {
			return err
		}
		beside := unframed(samples, a.behind[from])
		near := held.near(samples)
		for i, to := range targets {
			if _, may := slices.BinarySearch(near, i); !may && a.plainly(to) || from.Table == to.Table {
				continue
			}
			if home, err := a.homeOfSome(ctx, to, from, targets); err != nil {
				return err
			} else if !home {
				continue
			}
			found, of, err := a.inside(ctx, beside, from, to)
			if err != nil {
				return err
			}
			if found == nil {
				continue
			}
			shares[to] = of
			better, weak := best.Name == "" || of >= keyCopyShare, of < keyCopyShare
			if best.Name != "" && weak == (share < keyCopyShare) {
				if better, err = a.home(ctx, to, best); err != nil {
					return err
				}
			}
			if better {
				best, evidence, share = to, found, of
			}
		}
		if best.Name != "" {
			line := &merge.Reference{From: []merge.Col{from}, To: []merge.Col{best}}
			question := fmt.Sprintf("does %s hold %s, so that the rows belong together and follow when that is renamed?", from, best)
			var rest []string
			for _, to := range targets {
				if of := shares[to]; to != best && of >= restLeast && share+of <= restMost {
					rest, share = append(rest, fmt.Sprintf("%s (%.0f %% of its values)", to, 100*of)), share+of
				}
			}
			if len(rest) == 0 && share < copyShare {
				other, of, err := a.otherHome(ctx, from, best, beside, targets)
				if err != nil {
					return err
				}
				if other.Name != "" {
					a.askEachHome(from, []merge.Col{best, other}, []string{strings.Join(evidence, "; "), fmt.Sprintf("%.0f %% of all its texts are", 100*of)})
					a.askBeside(from, a.behind[from])
					continue
				}
			}
			if len(rest) > 0 {
				question += fmt.Sprintf(" Or %s? Where it holds both, one line for each, with when:", strings.Join(rest, " or "))
			} else if share < copyShare { // more than a few of its rows are left over
				line.Orphans = merge.ByTombstone
			}
			if len(rest) == 0 && line.Orphans == "" {
				u, err := a.sampled(ctx, a.tables[from.Table], from)
				if err != nil {
					return err
				}
				if line.Via, err = a.oneCase(ctx, u, best); err != nil {
					return err
				}
				if line.Via != "" {
					line.As = merge.Copy
				}
			}
			if share < copyShare && len(a.behind[from]) == 0 {
				a.partHeld[from] = share
			}
			a.ask(merge.Undecided{
				Question: question, Evidence: strings.Join(evidence, "; "),
				Rows: a.tables[from.Table].total(), Reference: line,
			})
			a.askBeside(from, a.behind[from])
		}
	}
	return nil
}

// textTargets are the columns whose texts others may repeat: those by which keys alone tell rows apart, and those that do it in fact.
func (a *auditor) textTargets(ctx context.Context) (keys, inFact []merge.Col, err error) {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.total() == 0 || line.plan.Rows == merge.EmptyRows || line.dropped {
			continue
		}
		for _, u := range t.Uniques {
			if c := u.Cols(); len(c) == 1 && u.Plain() && a.schema.Holds(c[0]) == merge.Text && !slices.Contains(keys, c[0]) {
				keys = append(keys, c[0])
			}
		}
	}
	inFact, err = a.namesInFact(ctx)
	return keys, inFact, err
}

// namesInFact are the columns of texts that tell the rows of every shard apart, though no key holds them unique, where others refer to the rows by number or they are called
// names; those named like what the rows are called also where some share one, as the deleted keep theirs.
func (a *auditor) namesInFact(ctx context.Context) (list []merge.Col, err error) {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.total() == 0 || !line.mixes() || line.dropped {
			continue
		}
		numbered := a.numbersRows(line)
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if !numbered && (!a.calledAlone(col) || !slices.Contains(nameWords, lastWord(c.Name))) || a.schema.Holds(col) != merge.Text || c.Generated || !bearer(c.Name) && slices.Max(line.rows) > readWhole || a.follows(col) || a.hasUnique(t, c.Name) {
				continue
			}
			own, err := a.sampled(ctx, line, col)
			if err != nil {
				return nil, err
			}
			if !own.mayDiffer() {
				continue
			}
			_, names, err := a.tellsApart(ctx, line, col)
			if err == nil && !names && (numbered || own.hardlyTwice()) && a.calledAlone(col) { // a log of names is none
				names, err = a.mostlyDiffers(ctx, line, col)
			}
			if err != nil {
				return nil, err
			}
			if names {
				list = append(list, col)
			}
		}
	}
	return list, nil
}

// home tells whether a text key is likelier the one that another repeats: one beside whose names the other has those of a further table; a primary key of wider rows that has nearly
// all of the other one's values and more, as that of characters of whom some have a list of friends, which numbers them; else as issues tells.
func (a *auditor) home(ctx context.Context, to, from merge.Col) (bool, error) {
	if more, err := a.holdsMore(ctx, to, from); err != nil || more {
		return false, err
	}
	if more, err := a.holdsMore(ctx, from, to); err != nil || more {
		return more, err
	}
	if more, err := a.hasMore(ctx, from, to); err != nil || more {
		return false, err
	}
	whole, part := to, from
	if a.wider(from, to) {
		whole, part = from, to
	} else if !a.wider(to, from) {
		return a.issues(to, from), nil
	}
	samples, err := a.keySamples(ctx, part)
	if err != nil {
		return false, err
	}
	for i, sample := range samples {
		if sample == nil {
			continue
		}
		if n, err := a.folded(ctx, i, whole, "%s"+a.collateBy(a.laxer(from, to)), sample.Texts); err != nil {
			return false, err
		} else if float64(n) < copyShare*float64(len(sample.Texts)) {
			return a.issues(to, from), nil
		}
	}
	return whole == to, nil
}

// hasMore tells whether a text key of rows with a number of their own has every sampled value of another one, to whose rows nothing is known to refer by number, and more: as that of accounts
// of which some have characters. A list of names is none.
func (a *auditor) hasMore(ctx context.Context, key, other merge.Col) (bool, error) {
	x, y := a.tables[key.Table], a.tables[other.Table]
	if a.numberOf(x) == nil || len(x.Columns) <= listColumns || x.total() <= y.total() {
		return false, nil
	}
	if s := a.numberOf(y); s != nil && len(s.users) > 0 {
		return false, nil
	}
	samples, err := a.keySamples(ctx, other)
	if err != nil {
		return false, err
	}
	texts := 0
	for i, sample := range samples {
		if sample == nil {
			continue
		}
		n, err := a.folded(ctx, i, key, "%s"+a.collateBy(a.laxer(other, key)), sample.Texts)
		if err != nil || n < int64(len(sample.Texts)) {
			return false, err
		}
		texts += len(sample.Texts)
	}
	return texts >= fewNames, nil
}

// wider tells whether a text key is its table's primary key, and the other one not, of no fewer columns and of more rows.
func (a *auditor) wider(key, other merge.Col) bool {
	primary := func(c merge.Col) bool { return slices.Equal(a.tables[c.Table].PrimaryKey, []string{c.Name}) }
	x, y := a.tables[key.Table], a.tables[other.Table]
	return primary(key) && !primary(other) && len(x.Columns) >= len(y.Columns) && x.total() > y.total()
}

// issues tells which of two text keys is likelier the one that the other repeats: that of a table to whose rows others refer by number, as they do to players and not to
// lines of a list of names; that of the table with the wider rows among those with at least as many rows; of equals, the first in the schema. What is left over on a
// server whose rows of the other table are gone makes no table the larger one.
func (a *auditor) issues(to, from merge.Col) bool {
	x, y := a.tables[to.Table], a.tables[from.Table]
	if n, m := a.numbersRows(x), a.numbersRows(y); n != m {
		return n
	}
	if n, m := spokenFor(x, y); n != m {
		return n > m
	}
	if n, m := len(x.Columns), len(y.Columns); n != m {
		return n > m
	}
	return slices.IndexFunc(a.schema.Tables, func(t *merge.Table) bool { return t.Name == to.Table }) < slices.IndexFunc(a.schema.Tables, func(t *merge.Table) bool { return t.Name == from.Table })
}

// keySamples are some values of a text key by shard; nil where it has none.
func (a *auditor) keySamples(ctx context.Context, c merge.Col) ([]*merge.Sample, error) {
	list := make([]*merge.Sample, len(a.shards))
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(c)
		if !ok || a.tables[c.Table].rows[i] == 0 {
			continue
		}
		var err error
		if list[i], err = s.Sample(ctx, own, textKeySample); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// inside tells, for every shard, how many sampled values of one text key are among another's, and the lowest share; nil when they are too few, or as many by chance.
// Shards that say nothing neither confirm nor veto.
func (a *auditor) inside(ctx context.Context, samples []*merge.Sample, from, to merge.Col) (evidence []string, share float64, err error) {
	share = 1
	telling, least, all := make([]*merge.Sample, len(samples)), 1.0, int64(0)
	for i, sample := range samples {
		if sample == nil {
			continue
		}
		n, err := a.folded(ctx, i, to, "%s"+a.collateBy(a.laxer(from, to)), sample.Texts)
		if err != nil {
			return nil, 0, err
		}
		texts := int64(len(sample.Texts))
		n = min(n, texts)
		of := float64(n) / float64(max(texts, 1))
		share = min(share, of)
		evidence = append(evidence, fmt.Sprintf("%d of %d sampled values are one in %s", n, texts, a.where(i, to)))
		if !a.says(i, a.tables[from.Table], to, n, texts) {
			continue
		}
		telling[i], least, all = sample, min(least, of), all+n
	}
	if all < fewCopies && (all == 0 || least < 1) { // a handful that are all there are no chance
		return nil, 0, nil
	}
	if least >= namedCopyShare { // part of them names rows that were deleted
		one, err := a.oneNumbering(ctx, telling, to)
		if err != nil {
			return nil, 0, err
		}
		if one || a.somebody[from] || len(from.Name) > 2 && a.schema.Equal(from.Name, to.Name) {
			least = 1
		}
	}
	if least < copyShare {
		few, err := a.lieAmong(ctx, telling, to, a.laxer(from, to))
		if err != nil || few.own < fewCopies || few.own < fallsShort*few.other || least < keyCopyShare && !few.repeat(a.called(from), bearer(to.Name)) {
			return nil, 0, err
		}
	}
	return evidence, share, nil
}

// digits are runs of digits in a text.
var digits = regexp.MustCompile(`[0-9]+`)

// numberedForm is the form of some texts that are alike but for their numbers, as chr-0007 and chr-0012 are; "" when they are not, or are numbers alone.
func numberedForm(samples []*merge.Sample) (form string) {
	for _, sample := range samples {
		if sample == nil {
			continue
		}
		for _, text := range sample.Texts {
			own := digits.ReplaceAllString(text, "0")
			if !digits.MatchString(text) || !hasLetter(own) || form != "" && own != form {
				return ""
			}
			form = own
		}
	}
	return form
}

// oneNumbering tells whether some texts and those of a text key are alike but for their numbers: tables that number their own rows begin each with letters of its own.
func (a *auditor) oneNumbering(ctx context.Context, samples []*merge.Sample, to merge.Col) (bool, error) {
	form := numberedForm(samples)
	if form == "" {
		return false, nil
	}
	others, err := a.keySamples(ctx, to)
	return err == nil && numberedForm(others) == form, err
}
