package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// askListed asks about a column of which some texts hold one name of a target, and more than a few of the others several, as lists of friends do: where it is taken for a reference, these name
// whomever they named.
func (a *auditor) askListed(ctx context.Context, u *unexplained, target merge.Col) (asked bool, err error) {
	if open := a.askedAs(u.col); open >= 0 && a.res.Undecided[open].Reference.As == merge.InText {
		return slices.Equal(a.res.Undecided[open].Reference.To, []merge.Col{target}), nil
	}
	rest := &unexplained{u.table, u.col, make([]*merge.Sample, len(u.samples))}
	words, texts, alone := make([]*merge.Sample, len(u.samples)), 0, 0
	for i, one := range u.samples {
		has, err := a.lookUp(ctx, i, target, one.Texts, "")
		if err != nil {
			return false, err
		}
		others := slices.DeleteFunc(slices.Clone(one.Texts), func(text string) bool { return has[folded(text)] })
		texts, alone = texts+len(one.Texts), alone+len(one.Texts)-len(others)
		rest.samples[i], words[i] = &merge.Sample{Texts: others}, &merge.Sample{Texts: namesIn(others)}
	}
	in, err := a.holdSeveral(ctx, rest, target)
	if err != nil || in.several < namesLeast || float64(in.several) < manyOrphans*float64(texts) {
		return false, err
	}
	n, err := a.lieAmong(ctx, words, target, "")
	if err != nil || float64(n.hits) < listedShare*float64(n.texts) || n.other > n.own {
		return false, err
	}
	line := merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{target}, As: merge.Copy, Orphans: merge.ByKeep}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s hold several of %s in one text, and one alone in others? This version renames nobody inside a text: keep means that names which change will be somebody else's there; %s leads the names that stand alone, and those in lists will be somebody else's; or take them out in copies of the shards", u.col, target, planfile.ReferenceLine(&line)),
		Evidence: fmt.Sprintf("%s one alone, %s several", counted(alone, "text holds", "texts hold"), counted(in.several, "text", "texts")), Rows: u.table.total(),
		Reference: &merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{target}, As: merge.InText, Match: `([\pL\pN_.'-]+)`},
	})
	return true, nil
}

// checkListed refuses renames of names that stand beside others in some texts of a column that holds or repeats them, as those whom a mail goes to: what refers to a name follows where the text
// is that name alone. Where the plan says what becomes of texts that are nobody's, they are told.
func (a *auditor) checkListed(ctx context.Context) error {
	for _, r := range a.refs {
		if r.As != merge.Plain && r.As != merge.Copy || r.Via != "" || len(r.From) != 1 || r.Orphans == merge.ByClear || r.Orphans == merge.ByDrop {
			continue
		}
		for i, c := range r.counts {
			renamed := a.renamedIn(r.To[0], i)
			if c == nil || len(renamed) == 0 {
				continue
			}
			signs, err := a.listSigns(ctx, r.To[0], i, c.Dead)
			if err != nil {
				return err
			}
			var lists []merge.ValueCount
			var rows int64
			for _, v := range c.Dead {
				if text, ok := v.Value[0].(string); ok && slices.ContainsFunc(listedIn(text, signs), func(name string) bool { return renamed[folded(name)] }) {
					lists, rows = append(lists, v), rows+v.Rows
				}
			}
			if len(lists) == 0 {
				continue
			}
			keep := "say orphans: keep"
			if r.As == merge.Plain {
				line := r.Reference
				line.As, line.Orphans = merge.Copy, merge.ByKeep
				keep = "say " + planfile.ReferenceLine(&line)
			}
			f := merge.Finding{
				Rule: "rename", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i), Rows: rows,
				Text: fmt.Sprintf("holds several names in one text beside single ones (%s), and some of them get new ones: this version renames nobody inside a text, so that another's name would stand there", sampleValues(lists)),
				Next: fmt.Sprintf("write the names of these rows apart in copies of the shards, or %s where nobody is looked up by %s", keep, r.From[0]),
			}
			if r.As == merge.Copy && r.Orphans != "" && r.Orphans != merge.ByTombstone {
				f.Severity, f.Next = merge.Info, ""
			}
			a.find(f)
		}
	}
	return nil
}

// listSigns are the signs between names in lists: those that games use, and those between which some text has several of a shard's names.
func (a *auditor) listSigns(ctx context.Context, target merge.Col, shard int, texts []merge.ValueCount) (signs string, err error) {
	signs = ",;|\n"
	var list []string
	for _, v := range texts {
		if text, ok := v.Value[0].(string); ok && betweenNames.MatchString(text) {
			list = append(list, text)
		}
	}
	has, err := a.lookUp(ctx, shard, target, namesIn(list), "")
	for _, text := range list {
		names := 0
		for _, word := range betweenNames.Split(text, -1) {
			if has[folded(strings.TrimSpace(word))] {
				names++
			}
		}
		if names > 1 {
			signs += strings.Join(betweenNames.FindAllString(text, -1), "")
		}
	}
	return signs, err
}

// renamedIn are the texts of a column that get new ones in a shard, in letters of one case.
func (a *auditor) renamedIn(c merge.Col, shard int) map[string]bool {
	texts := map[string]bool{}
	for _, n := range a.rename {
		if n.Unique.Table == c.Table && n.Column == c.Name {
			for _, row := range n.Shards[shard] {
				texts[folded(row.Old)] = true
			}
		}
	}
	return texts
}

// listedIn are the names in a text that lists several between some signs; nil for one that lists none.
func listedIn(text, signs string) []string {
	names := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(signs, r) })
	if len(names) < 2 {
		return nil
	}
	for i, name := range names {
		names[i] = strings.Trim(name, " \t\r\"'[](){}")
	}
	return names
}
