package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

var (
	rowNumber      = regexp.MustCompile(`(?i)\b(rowid|_rowid_|oid)\b`)
	rowNumberNamed = regexp.MustCompile(`(?i)(^|_)(row_?id|oid)$|RowId$|RowID$`)
	rowNumberOf    = regexp.MustCompile(`(?i)[^_]_(row_?id|oid)$`)
	rowNumberText  = regexp.MustCompile(`^(-1|[0-9]{0,10})$`)
)

// checkRowNumbers looks for uses of the hidden numbers by which an engine tells rows of a table without a key apart: a merge gives them anew, and nothing can follow.
func (a *auditor) checkRowNumbers(ctx context.Context) error {
	keyless, hidden := a.hiddenNumbers()
	if len(hidden) == 0 {
		return nil
	}
	for _, o := range a.schema.Objects {
		sql := withoutComments(o.SQL)
		hit := rowNumber.FindString(sql)
		for _, name := range keyless {
			if hit != "" && regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(name)+`\b`).MatchString(sql) {
				a.find(merge.Finding{
					Rule: "row-number", Severity: merge.Info, Table: name,
					Text: fmt.Sprintf("%s %s uses %s, and rows of %s, which has no key, get new row numbers", o.Kind, o.Name, hit, name),
					Next: "give the table an INTEGER PRIMARY KEY in copies of the shards, where anything keeps such numbers",
				})
			}
		}
	}
	called := map[merge.Col]bool{}
	whose, which, numbered := "rows without a key", "tables without a key: ", keyless
	if len(keyless) == 0 {
		whose, which, numbered = "rows whose key is no row number", "tables whose key is no row number: ", hidden
	}
	for _, t := range a.schema.Tables {
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if t.Opaque != "" || c.Generated || a.spaces[col] != nil || a.decided(col) || a.askedAs(col) >= 0 || !rowNumberNamed.MatchString(c.Name) || a.tables[t.Name].total() == 0 {
				continue
			}
			if may, err := a.mayBeRowNumbers(ctx, col); err != nil {
				return err
			} else if !may {
				continue
			}
			called[col] = true
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("%s is named like a hidden row number, and %s get new ones: does it hold none?", col, whose), Rows: a.tables[t.Name].total(),
				Evidence:  which + strings.Join(numbered[:min(len(numbered), listed)], ", ") + "; to keep their numbers, give them an INTEGER PRIMARY KEY in copies of the shards",
				Reference: &merge.Reference{From: []merge.Col{col}, As: merge.Keep},
			})
		}
	}
	return a.matchRowNumbers(ctx, hidden, called)
}

// hiddenNumbers are the tables without a key, and all whose rows the engine numbers by itself.
func (a *auditor) hiddenNumbers() (keyless, hidden []string) {
	for _, t := range a.schema.Tables {
		if line := a.tables[t.Name]; t.Opaque == "" && t.AutoColumn == "" && line.plan.Rows != merge.EmptyRows && line.total() > 0 {
			if hidden = append(hidden, t.Name); len(t.PrimaryKey) == 0 {
				keyless = append(keyless, t.Name)
			}
		}
	}
	return keyless, hidden
}

// mayBeRowNumbers tells whether what a column holds can be row numbers: of texts none that tell their own rows apart, nor other than numbers as they are written.
func (a *auditor) mayBeRowNumbers(ctx context.Context, col merge.Col) (bool, error) {
	if a.schema.Holds(col) != merge.Text {
		return true, nil
	}
	if a.uniqueAlone(col) {
		return false, nil
	}
	for _, s := range a.shards {
		own, ok := s.Schema().Resolve(col)
		if !ok {
			continue
		}
		list, err := s.Values(ctx, own, "", firstValues)
		if err != nil || slices.ContainsFunc(list, func(v merge.ValueCount) bool {
			return v.Value[0] != nil && !rowNumberText.MatchString(fmt.Sprint(v.Value[0]))
		}) {
			return false, err
		}
	}
	return true, nil
}

// rowNumberer is an engine that knows the hidden row numbers of its tables.
type rowNumberer interface {
	RowNumbers(ctx context.Context, of, in merge.Shard, c merge.Col, table string) (merge.RowNumbers, error)
}

// How unlikely it must be that numbers are row numbers by chance, and how many different ones say something without gaps: small numbers fit anybody.
const (
	byChance = 0.01
	manyRows = 10
)

// matchRowNumbers looks whether a column that is named like a row number, that no key explains, or that the plan keeps, holds those of a table of which no column shows
// them; of any other column of numbers, whether it plainly does. Nothing can follow them, so it is kept only by a word that says what it may break.
// What is asked of a column that is only called so is not asked beside that.
func (a *auditor) matchRowNumbers(ctx context.Context, hidden []string, called map[merge.Col]bool) error {
	e, ok := a.engine.(rowNumberer)
	if !ok {
		return nil
	}
	for _, t := range a.schema.Tables {
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			open := slices.IndexFunc(a.res.Undecided, func(u merge.Undecided) bool {
				return u.Reference != nil && u.Reference.As == merge.Keep && slices.Equal(u.Reference.From, []merge.Col{col})
			})
			named := rowNumberOf.MatchString(c.Name) // plain "rowid" numbers the game's own rows, and small numbers fit anybody's by chance
			plain := open < 0 && len(a.keptBy(col)) == 0 && !named
			if t.Opaque != "" || c.Generated || a.tables[t.Name].plan.Rows == merge.EmptyRows {
				continue
			}
			if _, by := a.byRow[col]; a.spaces[col] != nil || plain && by {
				if err := a.judgeNumbered(ctx, col); err != nil {
					return err
				}
				continue
			}
			if plain && a.spokenOf(col) {
				continue
			}
			for _, table := range hidden {
				if plain && (table == t.Name || !a.plainNumbers[col] && !sharesWord(c.Name, table)) { // a place in the chat is a row of it
					continue
				}
				h, err := a.holdsRowNumbers(ctx, e, col, table, named)
				if err != nil {
					return err
				}
				if h.fits && (h.sure || !plain) {
					others := a.alsoKeys(col)
					if plain && len(others) > 0 && (!h.gaps || len(a.schema.Table(table).PrimaryKey) > 0) { // nobody counts the rows of what has no key, and leaves out the same ones, by chance
						a.askRowNumbersOrKeys(col, table, others)
						break
					}
					if a.judgeRowNumbers(col, table, h.sure, others) && open >= 0 && (called[col] || len(others) == 0) {
						a.res.Undecided = slices.Delete(a.res.Undecided, open, open+1)
					}
					break
				}
			}
		}
	}
	return nil
}

// sharesWord tells whether two names have a word in common.
func sharesWord(x, y string) bool {
	return slices.ContainsFunc(wordsOf(x), func(w string) bool { return slices.Contains(wordsOf(y), w) })
}

// judgeRowNumbers refuses a column that holds row numbers until the plan says that it knows, or what it refers to instead; false where that is not sure.
func (a *auditor) judgeRowNumbers(col merge.Col, table string, sure bool, others []merge.Col) bool {
	why := "which has no key"
	if t := a.schema.Table(table); len(t.PrimaryKey) > 0 {
		why = "whose key, " + merge.JoinCols(t.KeyCols()) + ", is another column"
	}
	kept := "kept values"
	if a.spaces[col] != nil {
		kept = "those that it gets of its own"
	}
	text := fmt.Sprintf("every value of %s is a row number of %s, %s: its rows get new numbers, also the first shard's, and %s would point elsewhere", col, table, why, kept)
	next := "give " + table + " an INTEGER PRIMARY KEY in copies of the shards"
	aware := merge.Reference{From: []merge.Col{col}, To: []merge.Col{{Table: table, Name: merge.RowNumber}}, As: merge.Keep}
	said := slices.ContainsFunc(a.keptBy(col), func(r *reference) bool { return slices.Equal(r.To, aware.To) })
	if !said && !sure { // small numbers fit anybody's rows by chance: the question that stands says enough
		return false
	}
	f := merge.Finding{Rule: "row-number", Severity: merge.Info, Table: col.Table, Column: col.Name, Rows: a.tables[col.Table].total(), Text: text + ", as the plan allows"}
	if !said {
		if len(others) > 0 {
			next = fmt.Sprintf("if it refers to %s, of which it holds some values, too, say so: %s; if not, %s", eitherOf(others), refersLine([]merge.Col{col}, others[:1]), next)
		}
		f.Severity, f.Text, f.Next = merge.Block, text, fmt.Sprintf("%s; if the numbers are others, say that you know: %s", next, planfile.ReferenceLine(&aware))
		if _, by := a.byRow[col]; a.spaces[col] != nil || by {
			f.Next += fmt.Sprintf(" under references and, where they number groups, %s under keys", shiftLine(col))
		}
	}
	a.find(f)
	return true
}

// askRowNumbersOrKeys asks about a column of numbers whose values are keys that change, half of them or more, whether it refers to these: that they are row numbers of a table as well may be
// chance, for as many rows as there are keys have no other numbers.
func (a *auditor) askRowNumbersOrKeys(col merge.Col, table string, others []merge.Col) {
	aware := merge.Reference{From: []merge.Col{col}, To: []merge.Col{{Table: table, Name: merge.RowNumber}}, As: merge.Keep}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s hold %s, or row numbers of %s?", col, eitherOf(others), table), Rows: a.tables[col.Table].total(),
		Evidence: fmt.Sprintf("half of its values or more are such keys, and all are row numbers of %s, which get new ones: if it holds those, give that table an INTEGER PRIMARY KEY in copies of the shards; if it holds neither, say that you know: %s",
			table, planfile.ReferenceLine(&aware)),
		Reference: &merge.Reference{From: []merge.Col{col}, To: others[:1]},
	})
}

// alsoKeys are the keys that change of which a column holds half of the values or more, first those to which most references lead, known or asked about. A key that refers
// to another of them is none of its own.
func (a *auditor) alsoKeys(c merge.Col) (keys []merge.Col) {
	users := map[merge.Col]int{}
	for _, l := range a.leftovers {
		if l.Col != c || a.mayHold(l) < 0 {
			continue
		}
		for _, key := range l.Most {
			if key == c {
				continue
			}
			follows := a.knownOrAsked(func(r *merge.Reference) bool {
				if r.As == merge.Plain && slices.Contains(r.To, key) {
					users[key]++
				}
				return r.As == merge.Plain && slices.Equal(r.From, []merge.Col{key}) && slices.Contains(l.Most, r.To[0])
			})
			if !follows && a.spaces[a.top(key)] != nil && (a.renumbers(key) || l.Captured) {
				keys = append(keys, key)
			}
		}
	}
	slices.SortStableFunc(keys, func(x, y merge.Col) int { return users[y] - users[x] })
	return keys
}

// eitherOf lists columns: "a, b or c".
func eitherOf(list []merge.Col) string {
	text := list[0].String()
	for i, c := range list[1:] {
		if i < len(list)-2 {
			text += ", " + c.String()
		} else {
			text += " or " + c.String()
		}
	}
	return text
}

// held is what a column's values have to do with a table's row numbers.
type held struct {
	fits    bool // every value is one, in every shard
	sure    bool // that is no chance
	telling bool // every shard holds many, up to its last rows
	gaps    bool // the table's numbers leave some out
}

// holdsRowNumbers tells whether every value of a column is a row number of a table in every shard, and whether that is no chance: the name says so and there are
// gaps, they all lie between gaps, or a shard's values are its own rows' numbers and not another's.
func (a *auditor) holdsRowNumbers(ctx context.Context, e rowNumberer, col merge.Col, table string, named bool) (h held, err error) {
	var holders []int
	h.telling = true
	for i, s := range a.raw {
		if _, has := s.Schema().Resolve(col); !has || !a.has(i, table) {
			continue
		}
		r, err := e.RowNumbers(ctx, s, s, col, table)
		if err != nil || r.Miss {
			return held{}, err
		}
		if r.Values > 0 {
			holders = append(holders, i)
			h.sure = h.sure || named && r.Gaps || r.Chance < byChance
			h.gaps, h.telling = h.gaps || r.Gaps, h.telling && r.Distinct >= manyRows && r.Reach >= merge.FarUp
		}
	}
	for _, i := range holders {
		for _, j := range holders {
			if i == j || h.sure || !h.gaps && !h.telling || !named && float64(a.tables[table].rows[j]) > merge.FarUp*float64(a.tables[table].rows[i]) {
				continue // where one has nearly as many rows, a number that is the highest anywhere may lie between the two ends
			}
			r, err := e.RowNumbers(ctx, a.raw[i], a.raw[j], col, table)
			if err != nil {
				return held{}, err
			}
			h.sure = r.Miss
		}
	}
	h.fits = len(holders) > 0
	return h, nil
}

// resolveRowNumbers spells the table whose row numbers a kept column may hold.
func (a *auditor) resolveRowNumbers(r *merge.Reference) bool {
	if len(r.To) == 0 {
		return true
	}
	t := a.schema.Table(r.To[0].Table)
	if t == nil || t.AutoColumn != "" {
		a.problem("references: %s: to: %s is no table whose row numbers no column holds", merge.JoinCols(r.From), r.To[0].Table)
		return false
	}
	r.To = []merge.Col{{Table: t.Name, Name: merge.RowNumber}}
	return true
}
