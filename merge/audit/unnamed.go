package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// How long a name is at most, in characters and in words, and from how many characters a word with digits is rather a token.
const (
	nameMost      = 40
	nameWordsMost = 5
	tokenLeast    = 20
)

// hardlyShare is the share of different texts from which those that stand twice are accidents.
const hardlyShare = 0.95

// noName matches dates, addresses, lists and paths, and whatever is written for programs.
var noName = regexp.MustCompile(`[@/\\{}<>=;|,&%]|^\d{2,4}-\d{2}-\d{2}|\d:\d\d|^[0-9a-fA-F:.]+$`)

// nameLike tells whether a text may be what somebody is called.
func nameLike(text string) bool {
	digit := strings.ContainsFunc(text, unicode.IsDigit)
	for _, word := range strings.Fields(text) {
		if digit && len(word) >= tokenLeast {
			return false
		}
	}
	return len([]rune(text)) <= nameMost && len(strings.Fields(text)) <= nameWordsMost && hasLetter(text) && !noName.MatchString(text) && !madeOnce.MatchString(text)
}

// nameLike tells whether nearly all texts of a column may be names.
func (u *unexplained) nameLike() bool {
	texts, names := 0, 0
	for _, one := range u.samples {
		for _, text := range one.Texts {
			texts++
			if nameLike(text) {
				names++
			}
		}
	}
	return texts > 0 && float64(names) >= copyShare*float64(texts)
}

// hardlyTwice tells whether all but a few of every server's texts stand in one row each, as names that no key holds unique.
func (u *unexplained) hardlyTwice() bool {
	return !slices.ContainsFunc(u.samples, func(one *merge.Sample) bool { return float64(one.Others) < hardlyShare*float64(one.Other) })
}

// prose tells whether a column holds what somebody wrote: many of its texts hold several of the others as words, as those of a chat do.
func (a *auditor) prose(ctx context.Context, u *unexplained) (bool, error) {
	texts := 0
	for _, one := range u.samples {
		texts += len(one.Texts)
	}
	in, err := a.holdSeveral(ctx, u, u.col)
	return in.several >= namesLeast && float64(in.several) >= proseShare*float64(texts), err
}

// somebodysRows tells whether a column beside another one says whose a table's rows are.
func (a *auditor) somebodysRows(t *table, besides merge.Col) bool {
	return slices.ContainsFunc(a.whoseColumns(t), func(c string) bool { return c != besides.Name })
}

// othersRows tells whether the rows of every shard are others, whatever one of its columns says of them, as players have who each took one of the game's plots: another
// text tells them apart of which most stand in one shard alone, or each is of a row of which every shard has its own.
func (a *auditor) othersRows(ctx context.Context, t *table, besides merge.Col) (bool, error) {
	for _, c := range t.Columns {
		col := merge.Col{Table: t.Name, Name: c.Name}
		if col == besides || c.Generated {
			continue
		}
		if (a.uniqueAlone(col) || slices.Equal(t.PrimaryKey, []string{c.Name})) && a.followsRows(col) {
			return true, nil
		}
		if a.schema.Holds(col) != merge.Text {
			continue
		}
		collate, unique, err := a.tellsApart(ctx, t, col)
		if err != nil {
			return false, err
		}
		if !unique {
			continue
		}
		shared, _, err := a.engine.Clashes(ctx, a.raw, merge.Unique{Table: t.Name, Columns: []string{c.Name}, Collations: []string{c.Collation}}, collate, "", a.opt.ClashLimit)
		if err != nil {
			return false, err
		}
		if least, _ := t.sharedByTwo(shared); least < halfShared {
			return true, nil
		}
	}
	return false, nil
}

// askUnnamed asks, once for all of them, about the columns that tell the rows of every shard apart and of which some texts stand in two, though nothing says that these
// are names: no word, and no other table.
func (a *auditor) askUnnamed(ctx context.Context) error {
	line := &merge.Reference{As: merge.Keep}
	var words []string
	two := "no two rows"
	for _, n := range a.unnamed {
		if a.follows(n.col) || a.spokenOf(n.col) || a.hasUnique(a.schema.Table(n.col.Table), n.col.Name) {
			continue
		}
		if !n.nameLike() {
			a.askPlace(n)
			continue
		}
		if prose, err := a.prose(ctx, n.unexplained); err != nil {
			return err
		} else if prose {
			continue
		}
		if !n.unique {
			two = "hardly two rows"
		}
		line.From = append(line.From, n.col)
		words = append(words, fmt.Sprintf("%s of %s (%s)", counted(n.total, "text", "texts"), n.col, strings.Join(n.listed[:min(len(n.listed), 3)], ", ")))
	}
	if len(line.From) == 0 {
		return nil
	}
	what := merge.JoinCols(line.From)
	if len(line.From) > 1 {
		what = fmt.Sprintf("any of %d columns", len(line.From))
	}
	one := ""
	for _, c := range line.From {
		byValue := a.byValueLine(&merge.Unique{Table: c.Table, Columns: []string{c.Name}}, a.tables[c.Table])
		if one == "" && byValue != "" {
			one = fmt.Sprintf("; and where each two are one thing, as rows with which every server begins, %s makes one of them", byValue)
		}
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("%s of a shard share a text of %s, and some stand in two shards: may equal ones stay (as: keep)? What names players or what is theirs needs a line under uniques instead, such as %s%s",
			two, what, planfile.UniqueLine(&merge.UniquePlan{Unique: line.From[:1], OnConflict: "rename", Template: a.template(line.From[0])}), one),
		Evidence: strings.Join(words[:min(len(words), listed)], ", "), Reference: line,
	})
	return nil
}
