package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// Names stand in lists, too: friends in JSON, assistants between commas.
var (
	betweenNames = regexp.MustCompile(`[^\pL\pN_.' -]+`)
	wordBefore   = regexp.MustCompile(`^[\pL_]+[^\pL\pN\s_.'-]+(.+)$`)
)

// How much of the words in a column's texts must be names of a target before it is asked about, and how long a word is that may be one.
const (
	listedShare = 0.3
	listedChars = 3
)

// findLists asks about columns whose texts hold several names of a target, of which some change, as those of the first targets do, or one as a value in JSON or behind a word: this version
// changes nothing inside a text.
func (a *auditor) findLists(ctx context.Context, list []*unexplained, targets *holders, first int) error {
	for _, u := range list {
		open := a.askedAs(u.col)
		part := a.partHeld[u.col] // of its texts, of which another question is
		if open >= 0 && a.res.Undecided[open].Reference.As != merge.Keep && a.res.Undecided[open].Reference.As != merge.InText && part == 0 {
			continue
		}
		framed, err := a.findFramed(ctx, u, targets, 0, first)
		if err != nil {
			return err
		}
		if len(framed) > 0 {
			in, err := a.holdSeveral(ctx, u, framed[0].target)
			if err != nil {
				return err
			}
			if framed[0].hits > in.several && float64(framed[0].hits) > part*float64(in.texts) {
				a.withdrawHeld(u.col)
				if err := a.askFramed(ctx, u, framed, in); err != nil {
					return err
				}
				continue
			}
		}
		if part == 0 {
			if dead, err := a.askDeadFramed(ctx, u, targets, first); err != nil {
				return err
			} else if dead {
				continue
			}
		}
		found, words := false, make([]*merge.Sample, len(u.samples))
		for i, one := range u.samples {
			words[i] = &merge.Sample{Texts: namesIn(one.Texts)}
		}
		for _, k := range targets.near(words) {
			if k >= first {
				break
			}
			target := targets.columns[k]
			if target == u.col {
				continue
			}
			n, err := a.lieAmong(ctx, words, target, "")
			if err != nil {
				return err
			}
			if n.hits < fewCopies || float64(n.hits) < listedShare*float64(n.texts) || n.other > n.own {
				continue
			}
			in, err := a.holdSeveral(ctx, u, target)
			if err != nil {
				return err
			}
			match := `([\pL\pN_.'-]+)`
			what, evidence := "several of "+target.String()+" in one text", counted(int64(in.several), "text holds", "texts hold")+" several"
			rows := in.several
			switch {
			case in.several >= namesLeast:
			case in.documents >= namesLeast:
				what, evidence = target.String()+" inside its texts", counted(int64(in.documents), "JSON text has", "JSON texts have")+" one as a value"
				rows = in.documents
			case in.quoted >= namesLeast:
				what, evidence = target.String()+" inside its texts", counted(int64(in.quoted), "text has", "texts have")+" one in quotes or as a key"
				rows = in.quoted
			case in.behind >= namesLeast:
				what, evidence = target.String()+" behind a word", counted(int64(in.behind), "text has", "texts have")+" one behind a word and a sign"
				rows = in.behind
			case in.rows >= fewCopies && float64(in.rows) >= copyShare*float64(in.texts):
				what, evidence, match = target.String()+" "+in.field.words(), counted(int64(in.rows), "text has", "texts have")+" one there", in.field.match()
				rows = in.rows
			default:
				continue
			}
			if float64(rows) <= part*float64(in.texts) {
				continue
			}
			found = true
			a.askInside(u, target, what, match, fmt.Sprintf("%d of %s are names of their own server's; %s%s", n.hits, counted(int64(n.texts), "word", "words"), evidence, a.withdrawHeld(u.col)))
			break
		}
		if found || part > 0 {
			continue
		}
		if err := a.askScattered(ctx, u, targets, first); err != nil {
			return err
		}
	}
	return nil
}

// askInside asks whether a column's texts hold names of a target, or adds that to what is asked about its texts.
func (a *auditor) askInside(u *unexplained, target merge.Col, what, match, evidence string) {
	if open := a.askedAs(u.col); open >= 0 && a.res.Undecided[open].Reference.As == merge.InText {
		a.res.Undecided[open].Question += fmt.Sprintf(". And %s? Names which change will be somebody else's there, too", what)
		a.res.Undecided[open].Evidence += "; " + evidence
		return
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s hold %s? This version renames nobody inside a text: keep means that names which change will be somebody else's there; or take them out in copies of the shards", u.col, what),
		Evidence: evidence, Rows: u.table.total(),
		Reference: &merge.Reference{From: []merge.Col{u.col}, To: []merge.Col{target}, As: merge.InText, Match: match},
	})
}

// heldIn counts the texts of a sample by where they have names: several as words, one as a value of JSON, one in quotes or as a key of a table, one behind a word and a sign, and one in a
// field.
type heldIn struct {
	texts, several, documents, quoted, behind int
	field                                     field
	rows                                      int // that have one in the field
}

// field is where a name stands between signs.
type field struct {
	sign string
	at   int
}

var fieldSign = regexp.MustCompile(`[;|:,\t]`)

// match is the pattern that finds it.
func (f field) match() string {
	return fmt.Sprintf(`^(?:[^%s]*%[1]s){%d}([^%[1]s]+)`, regexp.QuoteMeta(f.sign), f.at)
}

// words say where it is.
func (f field) words() string {
	return fmt.Sprintf("as number %d of what stands between %q", f.at+1, f.sign)
}

// holdSeveral tells where the texts of a sample have names of a target.
func (a *auditor) holdSeveral(ctx context.Context, u *unexplained, target merge.Col) (in heldIn, err error) {
	fields := map[field]int{}
	for i, one := range u.samples {
		has, err := a.lookUp(ctx, i, target, namesIn(one.Texts), "")
		if err != nil {
			return in, err
		}
		for _, text := range one.Texts {
			if text != "" {
				in.texts++
			}
			names := 0
			for _, w := range namesIn([]string{text}) {
				if has[folded(w)] {
					names++
				}
			}
			if names > 1 {
				in.several++
			}
			if slices.ContainsFunc(valuesIn(text), func(value string) bool { return has[folded(value)] }) {
				in.documents++
			}
			if slices.ContainsFunc(quotedIn(text), func(word string) bool { return has[folded(word)] }) {
				in.quoted++
			}
			if found := wordBefore.FindStringSubmatch(text); found != nil && has[folded(found[1])] {
				in.behind++
			}
			if sign := fieldSign.FindString(text); sign != "" {
				for at, word := range strings.Split(text, sign) {
					if has[folded(strings.TrimSpace(word))] {
						fields[field{sign, at}]++
					}
				}
			}
		}
	}
	for f, rows := range fields {
		if cmp.Or(cmp.Compare(rows, in.rows), cmp.Compare(in.field.at, f.at), cmp.Compare(in.field.sign, f.sign)) > 0 {
			in.field, in.rows = f, rows
		}
	}
	return in, nil
}

// valuesIn are the texts that an object or a list in JSON has as values; none for any other text.
func valuesIn(text string) (list []string) {
	var document any
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || json.Unmarshal([]byte(text), &document) != nil {
		return nil
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			list = append(list, v)
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(document)
	return list
}

// quotedWord is a word in quotes, as programs write texts and the keys of tables, and a key of a table in Lua without any.
var quotedWord = regexp.MustCompile(`"([^"\\]+)\\?"|'([^'\\]+)\\?'|[{,]\s*([\pL_][\pL\pN_]*)\s*=`)

// quotedIn are the words of a text that stand in quotes, or as keys of a table.
func quotedIn(text string) (list []string) {
	for _, found := range quotedWord.FindAllStringSubmatch(text, -1) {
		list = append(list, cmp.Or(found[1:]...))
	}
	return list
}

// namesIn are the words of those texts that hold several, each once.
func namesIn(texts []string) (list []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		words := betweenNames.Split(text, -1)
		if len(words) < 2 {
			words = strings.Fields(text)
		}
		if len(words) < 2 {
			continue
		}
		for _, w := range words {
			if w = strings.Trim(w, " -'."); utf8.RuneCountInString(w) >= listedChars && hasLetter(w) && !seen[w] {
				seen[w] = true
				list = append(list, w)
			}
		}
	}
	return list
}
