package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A game may look players up by a key that leaves out of their names what is neither a letter nor a digit: Ann-Lee and Ann_Lee are annlee. Names that differ by signs alone are one player's there.

// slugs are the shapes from which such a key is made.
var slugs = []rowShape{
	{"lower({})", "NOCASE"},
	{"{}", ""},
	{"upper({})", "NOCASE"},
	{"replace(lower({}), ' ', '_')", "NOCASE"},
	{"replace(lower({}), ' ', '-')", "NOCASE"},
	{"replace({}, ' ', '_')", ""},
	{"replace({}, ' ', '-')", ""},
}

const (
	pairsTried = 200 // rows of a shard of which the shape is guessed
	mostSigns  = 40  // different signs that names have
	ownSigns   = "-._"
)

// slugOf is a name in one of these shapes, with its signs.
func slugOf(via, name string) string {
	switch {
	case strings.Contains(via, "lower("):
		name = merge.FoldASCII(name)
	case strings.Contains(via, "upper("):
		name = strings.ToUpper(name)
	}
	for _, sign := range []string{"_", "-"} {
		if strings.Contains(via, "'"+sign+"'") {
			name = strings.ReplaceAll(name, " ", sign)
		}
	}
	return name
}

// leavingOut is the shape in which a column repeats another one of its row without signs that stand in that one and nowhere in the column; nil where it does not. Those that new
// names are made with are left out, too.
func (a *auditor) leavingOut(ctx context.Context, t *table, col, of merge.Col) (*rowShape, error) {
	var pairs [][2]string
	for i, s := range a.shards {
		own, ok1 := s.Schema().Resolve(col)
		other, ok2 := s.Schema().Resolve(of)
		if !ok1 || !ok2 || t.rows[i] == 0 || !t.takes(a.name(i)) {
			continue
		}
		list, err := s.Tuples(ctx, []merge.Col{own, other}, a.engine.Quote(own.Name)+" <> ''", pairsTried)
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			text, ok1 := v.Value[0].(string)
			name, ok2 := v.Value[1].(string)
			if ok1 && ok2 {
				pairs = append(pairs, [2]string{text, name})
			}
		}
	}
	at := slices.IndexFunc(slugs, func(shape rowShape) bool {
		var texts, names []string
		for _, p := range pairs {
			texts, names = append(texts, p[0]), append(names, slugOf(shape.via, p[1]))
		}
		signs, ok := leftOutSigns(texts, names)
		if !ok {
			return false
		}
		hits := 0
		for i := range names {
			if leaveOut(names[i], signs) == texts[i] {
				hits++
			}
		}
		return len(pairs) > 0 && float64(hits) >= copyShare*float64(len(pairs))
	})
	if at < 0 {
		return nil, nil
	}
	shape := slugs[at]
	texts, err := a.textsOf(ctx, t, col)
	if err != nil {
		return nil, err
	}
	names, err := a.textsOf(ctx, t, of)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		names[i] = slugOf(shape.via, name)
	}
	signs, ok := leftOutSigns(texts, names)
	if !ok {
		return nil, nil
	}
	for _, sign := range ownSigns {
		if len(signs) > 0 && !slices.Contains(signs, sign) && !slices.ContainsFunc(texts, func(text string) bool { return strings.ContainsRune(text, sign) }) {
			signs = append(signs, sign)
		}
	}
	slices.Sort(signs)
	for _, sign := range signs {
		shape.via = fmt.Sprintf("replace(%s, %s, '')", shape.via, a.engine.Literal(string(sign)))
	}
	return &shape, nil
}

// leftOutSigns are the characters of names that stand in none of some texts, none of them a letter or a digit of ASCII.
func leftOutSigns(texts, names []string) (signs []rune, ok bool) {
	kept, left := map[rune]bool{}, map[rune]bool{}
	for _, text := range texts {
		for _, r := range text {
			kept[r] = true
		}
	}
	for _, name := range names {
		for _, r := range name {
			if kept[r] || left[r] {
				continue
			}
			if r < ' ' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || len(signs) == mostSigns {
				return nil, false
			}
			left[r], signs = true, append(signs, r)
		}
	}
	return signs, true
}

// leaveOut is a text without some characters.
func leaveOut(text string, signs []rune) string {
	return strings.Map(func(r rune) rune {
		if slices.Contains(signs, r) {
			return -1
		}
		return r
	}, text)
}

// textsOf are all different texts of a column, of all shards.
func (a *auditor) textsOf(ctx context.Context, t *table, col merge.Col) (texts []string, err error) {
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(col)
		if !ok || t.rows[i] == 0 || !t.takes(a.name(i)) {
			continue
		}
		list, err := s.Values(ctx, own, "", 0)
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			if text, ok := v.Value[0].(string); ok {
				texts = append(texts, text)
			}
		}
	}
	return texts, nil
}
