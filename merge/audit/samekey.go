package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// ladders are words of tables that a game makes anew from its players.
var ladders = []string{"highscore", "highscores", "hiscore", "hiscores", "ladder", "leaderboard", "ranking", "rankings"}

// seasons are words of columns that tell which of several ladders a row is of.
var seasons = []string{"season", "period", "round", "year", "month", "week", "day", "date", "cycle", "era", "赛季"}

// sameKey is what is asked about rows whose equal keys stay.
type sameKey struct {
	key      *merge.Unique
	values   int    // that stand in two shards
	later    int64  // rows of the later shards that hold them
	apart    string // in words, how many of them would get new numbers
	person   *merge.Col
	numbers  bool     // every value is a whole number
	whose    []string // columns that say whose a row is
	of       string   // the table that tells of the person; "" where there is none
	samples  string
	question string // "" where it waits for what is found about the person
}

// askSameKey asks what becomes of rows whose equal keys stay, and says in numbers what every answer loses. The line that stands loses least.
func (a *auditor) askSameKey(ctx context.Context, u *merge.Unique, t *table, list []merge.Clash, later int64, samples []string) error {
	q := &sameKey{key: u, values: len(list), later: later, person: a.personIn(u, list), numbers: allNumbers(list)}
	if folding, folds, err := a.wouldFold(ctx, u, t); err != nil {
		return err
	} else if folds > later {
		q.apart = fmt.Sprintf(", of which %s", counted(folding-q.values, "would get a new number if the rows stayed apart", "would get new numbers if the rows stayed apart"))
		q.values, q.later = folding, folds
	}
	a.sameKey[t.Name] = q
	q.samples = "keys " + strings.Join(samples, ", ")
	if q.person != nil { // a copy that follows parts the rows
		var err error
		if q.of, err = a.tableOf(ctx, *q.person); err != nil || q.of != "" {
			return err
		}
	}
	return a.askAboutSameKey(ctx, t, q)
}

func (a *auditor) askAboutSameKey(ctx context.Context, t *table, q *sameKey) error {
	entry, err := a.aboutSameKey(ctx, t, q)
	a.ask(entry)
	return err
}

// askSameKeysAgain asks anew about equal keys of tables of which meanwhile some column is asked about that says whose a row is, and about those that waited for it in vain: whom a row names follows a rename that is decided.
func (a *auditor) askSameKeysAgain(ctx context.Context) error {
	for _, known := range a.schema.Tables {
		t, q := a.tables[known.Name], a.sameKey[known.Name]
		if q != nil && q.question == "" && !a.refersBy(*q.person) && !a.renameOpen(q.of) {
			if err := a.askAboutSameKey(ctx, t, q); err != nil {
				return err
			}
			continue
		}
		if q == nil || q.question == "" || slices.Equal(q.whose, a.whoseColumns(t)) {
			continue
		}
		at := slices.IndexFunc(a.res.Undecided, func(u merge.Undecided) bool { return a.asksSameKey(t.Name, &u) })
		if at < 0 {
			continue
		}
		entry, err := a.aboutSameKey(ctx, t, q)
		if err != nil {
			return err
		}
		a.res.Undecided[at] = entry
	}
	return nil
}

// asksSameKey tells whether an open question is whether rows of a table with equal keys are the same thing.
func (a *auditor) asksSameKey(table string, u *merge.Undecided) bool {
	q := a.sameKey[table]
	return q != nil && q.question != "" && u.Question == q.question
}

// aboutSameKey is the question about equal keys, by what is known so far.
func (a *auditor) aboutSameKey(ctx context.Context, t *table, q *sameKey) (entry merge.Undecided, err error) {
	differ, known, err := a.differing(ctx, t)
	if err != nil {
		return entry, err
	}
	q.whose = a.whoseColumns(t)
	line := t.plan
	line.Rows, line.Columns = merge.FirstRows, nil
	text := "their rows are equal, so rows: first loses nothing"
	switch {
	case !known:
		line.Rows = merge.UnionRows
		text = "rows: first leaves " + counted(q.later, "row of the later shards", "rows of the later shards") + " out; rows: union makes one row of each two"
	case len(differ) > 0:
		if text, err = a.tellLosses(ctx, t, q, differ, &line); err != nil {
			return entry, err
		}
	}
	u := q.key
	if led := a.ledAlone(u); led != nil {
		text += fmt.Sprintf("; %s refers to %s: to keep every row, give those of one shard others that are free, in a copy of it", u.Cols()[0], staysAt(led))
	} else if len(u.Columns) == 1 && !q.numbers {
		text += fmt.Sprintf("; no rule under keys changes a key that is no number: to keep every row, give those of one shard other values of %s in a copy of it, and whatever refers to them", merge.JoinCols(u.Cols()))
	} else if len(u.Columns) == 1 {
		text += fmt.Sprintf("; %s instead keeps every row", shiftLine(u.Cols()[0]))
	} else if own := a.ownColumn(u); own != "" {
		text += fmt.Sprintf("; %s under keys, with %s, instead keeps every row, where %s numbers each server's own things", shiftLine(merge.Col{Table: t.Name, Name: own}), rowsLine(t.Name, merge.MergeRows), own)
	} else if !a.renameWorks(u) && slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return a.schema.Holds(c) == merge.Text && !a.schema.Column(c).Generated }) {
		text += "; if not, as where two people have one name, " + a.waysApart(u, "")
	}
	held, err := a.heldTogether(ctx, u)
	if err != nil {
		return entry, err
	}
	if held != "" {
		text += "; " + held
	}
	q.question = fmt.Sprintf("%s%s: the same thing on every server? Then %s", inTwo(q.values, "the key "+merge.JoinCols(u.Cols())), q.apart, text)
	entry = merge.Undecided{Question: q.question, Rows: q.later, Evidence: q.samples, Table: &line}
	if q.person != nil && len(differ) > 0 {
		entry.Table, entry.Unique = nil, &merge.UniquePlan{Unique: []merge.Col{*q.person}, OnConflict: "rename", Template: a.template(*q.person)}
	}
	return entry, nil
}

// tellLosses says what a fold of rows of equal keys loses and what a union of them makes, and makes of a table's line the one that loses least.
func (a *auditor) tellLosses(ctx context.Context, t *table, q *sameKey, differ map[string]int64, line *merge.TablePlan) (string, error) {
	var lost, fates, whose []string
	for _, c := range t.Columns {
		rows := min(differ[c.Name], q.later) // equal numbers of rows that move are other keys
		if rows == 0 {
			continue
		}
		lost = append(lost, fmt.Sprintf("%s (%s)", c.Name, counted(rows, "row", "rows")))
		how, err := a.combining(ctx, t, c, differ)
		if err != nil {
			return "", err
		}
		become := fate(how, c.Name)
		if key, left := a.leftTo(merge.Col{Table: t.Name, Name: c.Name}); left && how == "max" {
			become += fmt.Sprintf(" (choose first where it holds %s, an open question)", key)
		}
		if become == "" {
			become = fmt.Sprintf("loses the later shards' %s (%s)", c.Name, counted(rows, "row", "rows"))
		}
		fates = append(fates, become)
		if slices.Contains(q.whose, c.Name) {
			whose = append(whose, c.Name)
		}
		if line.Columns == nil {
			line.Columns = map[string]merge.Combine{}
		}
		line.Columns[c.Name] = merge.Combine{How: how}
	}
	line.Rows = merge.UnionRows
	text := fmt.Sprintf("rows: first leaves %s out, with what differs in them: %s; rows: union makes one row of each two", counted(q.later, "row of the later shards", "rows of the later shards"), strings.Join(lost, ", "))
	switch {
	case q.person != nil: // whose equal names are two players', and whose rows are nobody else's
		text += fmt.Sprintf("; as written below, names in %s of two shards are two players', the later ones get new ones, and every row stays", q.person)
	case len(whose) > 0 && laddered(t.Table) && !a.referredTo(t):
		line.Rows, line.Columns = merge.EmptyRows, nil
		text += fmt.Sprintf("; rows: empty leaves all %d out, as suits a list that the game makes anew from its players", t.total())
	case len(whose) > 0:
		line.Rows, line.Columns = merge.FirstRows, nil
		text += fmt.Sprintf(", and gives one's to another where %s says whose a row is", strings.Join(whose, ", "))
	default:
		text += ", and as written below " + strings.Join(fates, ", ")
		unkept, err := a.unkeptSums(ctx, t, line.Columns)
		return text + unkept, err
	}
	return text, nil
}

// wouldFold counts the rows of later shards that a fold by the key would make one with an earlier one's, and their keys: also those whose numbers clash with none, as they get new ones, and that lose
// these by it. 0 where no part of the key gets any.
func (a *auditor) wouldFold(ctx context.Context, u *merge.Unique, t *table) (values int, rows int64, err error) {
	if !slices.ContainsFunc(u.Cols(), a.renumbered) {
		return 0, 0, nil
	}
	list, _, err := a.search(ctx, u, nil)
	if err != nil {
		return 0, 0, err
	}
	for _, c := range list {
		images := map[string]int{}
		for _, row := range c.Rows {
			image := a.imageOf(t, u, row, nil)
			if images[image]++; images[image] > 1 {
				rows++
			}
			if images[image] == 2 {
				values++
			}
		}
	}
	return values, rows, nil
}

// personIn is the column of a key over several that names somebody of whom no table tells; nil when there is none. What a platform calls somebody is one person everywhere.
func (a *auditor) personIn(u *merge.Unique, list []merge.Clash) *merge.Col {
	for i, c := range u.Cols() {
		refers := func(r *merge.Reference) bool { return slices.Contains(r.From, c) }
		once := func(c merge.Clash) bool { return madeOnce.MatchString(valueText(c.Rows[0].Values[i])) }
		if len(u.Columns) > 1 && slices.ContainsFunc(list, func(c merge.Clash) bool { return !once(c) }) && a.schema.Holds(c) == merge.Text && namesPeople(c.Name) && !a.knownOrAsked(refers) && a.uniquePlanOf(c) == nil {
			return &c
		}
	}
	return nil
}

// numberless tells whether a key of one column holds no number in any shard, as one of bytes: nothing of it gets a new value.
func (a *auditor) numberless(u *merge.Unique) bool {
	if len(u.Columns) != 1 {
		return false
	}
	s := a.spaces[u.Cols()[0]]
	return s != nil && s.other > 0 && !slices.ContainsFunc(s.alive, func(k *merge.KeySet) bool { return k != nil && k.Len() > 0 })
}

// allNumbers tells whether every value that clashes is a whole number, which a rule for the key gives a new value.
func allNumbers(list []merge.Clash) bool {
	return !slices.ContainsFunc(list, func(c merge.Clash) bool {
		return slices.ContainsFunc(c.Rows, func(r merge.ClashRow) bool {
			_, ok := r.Values[0].(int64)
			return !ok
		})
	})
}

// ownColumn is the column of a key over several that may get new numbers: the last of its own columns; "" where it has none.
func (a *auditor) ownColumn(u *merge.Unique) string {
	if list := a.ownColumns(u); len(list) > 0 {
		return list[len(list)-1]
	}
	return ""
}

// ownColumns are the columns of whole numbers of a key that follow no other key: those that are not named like a kind or a time, which the game knows, or else all.
func (a *auditor) ownColumns(u *merge.Unique) (list []string) {
	var all []string
	for i, c := range u.Cols() {
		if a.schema.Holds(c) != merge.Integer || a.schema.Column(c).Generated ||
			slices.ContainsFunc(a.refs, func(r *reference) bool { return r.As == merge.Plain && slices.Contains(r.From, c) }) {
			continue
		}
		if all = append(all, u.Columns[i]); !slices.ContainsFunc(wordsOf(c.Name), known) {
			list = append(list, u.Columns[i])
		}
	}
	if len(list) == 0 {
		return all
	}
	return list
}

// known tells whether a word of a column's name says that the game itself knows its numbers: kinds and times.
func known(word string) bool {
	for _, list := range [][]string{things, starts, ends, moments} {
		if slices.Contains(list, word) {
			return true
		}
	}
	return false
}

// differing counts, by column, the rows of later shards that hold something else than the first row of their key, in whichever shard. A key of rows that move is another row's on every
// server, also where the numbers are equal. known is false where the engine cannot tell.
func (a *auditor) differing(ctx context.Context, t *table) (rows map[string]int64, known bool, err error) {
	d, ok := a.engine.(differing)
	if !ok {
		return nil, false, nil
	}
	rows = map[string]int64{}
	err = a.eachFold(ctx, t, func(stays, folds int) ([]merge.KeyPair, error) { return a.foldPairs(ctx, t, stays, folds) }, func(stays, folds int, pairs []merge.KeyPair) error {
		found, err := d.DifferentColumns(ctx, a.raw[stays], a.raw[folds], t.Name, pairs)
		for name, n := range found {
			if c := t.Column(name, a.schema.Fold); c != nil {
				rows[c.Name] += n
			}
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	first := t.first()
	for i := range a.shards {
		if i <= first || t.rows[i] == 0 {
			continue
		}
		for _, c := range t.Columns {
			col := merge.Col{Table: t.Name, Name: c.Name}
			if slices.Contains(t.PrimaryKey, c.Name) || !a.whose(col) || a.shards[i].Schema().Column(col) == nil {
				continue
			}
			name := a.engine.Quote(c.Name)
			n, err := a.shards[i].Count(ctx, t.Name, fmt.Sprintf("%s IS NOT NULL AND %[1]s NOT IN (0, -1, '')", name))
			if err != nil {
				return nil, false, err
			}
			if n > rows[c.Name] {
				rows[c.Name] = n
			}
		}
	}
	return rows, true, nil
}

// mayMove tells whether a column refers to a key whose rows get new ones, or is asked about as such a reference.
func (a *auditor) mayMove(c merge.Col) bool {
	for _, r := range a.plain() {
		if i := slices.Index(r.From, c); i >= 0 && r.spaces != nil && r.spaces[i] != nil && r.spaces[i].plan.New != merge.Static {
			return true
		}
	}
	return a.askedOf(func(r *merge.Reference) bool { return r.As == merge.Plain && slices.Contains(r.From, c) })
}

// whose tells whether a column says whose a row is: it refers to a key whose rows get new ones, or holds or repeats names of rows of which every shard has its own.
func (a *auditor) whose(c merge.Col) bool {
	return a.mayMove(c) || a.knownOrAsked(func(r *merge.Reference) bool {
		i := slices.Index(r.From, c)
		if i < 0 || r.As != merge.Plain && r.As != merge.Copy || a.schema.Holds(r.To[i]) != merge.Text {
			return false
		}
		to := a.tables[r.To[i].Table]
		return to.plan.Rows == merge.MergeRows && !a.mayFold(to.Name)
	})
}

// whoseColumns are those of a table's columns beside its key that say whose a row is.
func (a *auditor) whoseColumns(t *table) (list []string) {
	for _, c := range t.Columns {
		if !slices.Contains(t.PrimaryKey, c.Name) && a.whose(merge.Col{Table: t.Name, Name: c.Name}) {
			list = append(list, c.Name)
		}
	}
	return list
}

// referredTo tells whether anything refers to a table's rows.
func (a *auditor) referredTo(t *table) bool {
	return a.knownOrAsked(func(r *merge.Reference) bool {
		return r.As != merge.Keep && slices.ContainsFunc(r.To, func(c merge.Col) bool { return c.Table == t.Name })
	})
}

// laddered tells whether a table is called a ladder that a game makes anew: not one with those of past seasons, which it made once.
func laddered(t *merge.Table) bool {
	past := func(column string) bool {
		return slices.ContainsFunc(wordsOf(column), func(w string) bool { return slices.Contains(seasons, w) })
	}
	return slices.ContainsFunc(wordsOf(t.Name), func(w string) bool { return slices.Contains(ladders, w) }) && !slices.ContainsFunc(t.PrimaryKey, past)
}
