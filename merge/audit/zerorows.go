package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// A game may keep a row for nobody, such as guild 0 of those who are in none, the same on every server. Under a new number its guildless players would be members of a guild.

// How much of a column's rows refer to such a row at least, where the column does not declare it its default.
const (
	zeroRows  = 3
	zeroShare = 0.05
	gameOften = 10 // times as many rows refer to a row of the game's own as to any other
	gameMore  = 3  // times, where nothing but the name is sure to be equal: else they are two players who chose one
)

// askZeroRows asks about references to rows with the keys 0 or -1, and to other rows of the game's own, that are the same on every server and would get other keys on the later ones.
func (a *auditor) askZeroRows(ctx context.Context) error {
	for _, s := range a.order {
		if a.tables[s.key.Table].plan.Rows != merge.MergeRows {
			continue
		}
		for _, key := range s.referredTo() {
			for i := range a.shards {
				if s.moving[i] == nil || a.tables[key.Table].plan.Rows != merge.MergeRows {
					continue
				}
				own, err := a.gamesRows(ctx, s, key, i)
				if err != nil {
					return err
				}
				if len(own.keys) == 0 {
					continue
				}
				if err := a.askZeroRow(ctx, s, own, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// referredTo are the keys of a space to which columns refer, its own first: those of tables whose rows are another's have new numbers by it, too.
func (s *space) referredTo() (keys []merge.Col) {
	for _, r := range s.users {
		if keys == nil {
			keys = append(keys, s.key)
		}
		if len(r.To) == 1 && r.As == merge.Plain && !slices.Contains(keys, r.To[0]) {
			keys = append(keys, r.To[0])
		}
	}
	return keys
}

// gamesMost is how many rows of the game's own may stand in a table of others; more are those of one past.
const gamesMost = 20

// gamesRows are one shard's rows that are the same on every server and get other keys: 0, -1, what a column that refers to them declares its default, further ones below, and, where each
// row has a name of its own, the lowest of all, up to the first that differs. Where there are none of these, they are the lowest ones that are the same in every column and to which most rows refer.
func (a *auditor) gamesRows(ctx context.Context, s *space, key merge.Col, shard int) (*gamesOwn, error) {
	own, moving := &gamesOwn{key: key}, s.moving[shard]
	if key != s.key {
		rows, err := a.shards[shard].Keys(ctx, key)
		if err != nil {
			return nil, err
		}
		moving = moving.Both(rows.Set)
	}
	t := a.tables[key.Table]
	single, open := []int64{0, -1}, a.tableAsked(t.Name)
	nameless := open || len(a.mayName(t)) == 0
	for _, v := range a.defaultsOf(key) {
		if v != 0 && v != -1 && shard > 0 && !open {
			single = append(single, v)
		}
	}
	looked, ends := 0, false
	var run []*alikeRows // above 0
	for v := range moving.All() {
		if v > 0 && (nameless || ends) || looked == gamesMost {
			break
		}
		looked++
		if v <= 0 && slices.Contains(single, v) {
			continue
		}
		if shard == 0 { // what the first server has is no other one's, too
			ends = v > 0
			continue
		}
		like, err := a.alikeEverywhere(ctx, key, v)
		if err != nil {
			return nil, err
		}
		switch ends = v > 0 && (like == nil || !like.named); {
		case like == nil || ends:
		case v > 0:
			run = append(run, like)
		default:
			own.add(like)
		}
	}
	if ends { // else all that are there are the same
		for _, like := range run {
			own.add(like)
		}
	}
	for _, v := range single {
		if !moving.Has(v) || slices.Contains(own.keys, v) {
			continue
		}
		like, err := a.alikeIn(ctx, key, v, shard)
		if err == nil && like != nil && v != 0 && v != -1 {
			like, err = a.alikeEverywhere(ctx, key, v)
		}
		if err != nil {
			return nil, err
		}
		if like != nil {
			own.add(like)
		}
	}
	if len(own.keys) == 0 && shard > 0 && !open {
		return own, a.addLone(ctx, s, own, moving, shard)
	}
	slices.Sort(own.keys)
	return own, nil
}

// ledTo is one column's part in the question about rows of the game's own: those of them that its plan line would name, and how many of its rows refer to them.
type ledTo struct {
	line  merge.Reference
	words []string
	rows  int64
	tells bool // so many, or by default, that it is hardly one player
	often bool // so many to each, or by default, that these are hardly players
	more  bool // so many to each that these are hardly two players of one name
}

// askZeroRow asks about the references that lead to one shard's rows for nobody, or of the game's own, once for all of these. As soon as one column tells that they are the game's own,
// or the plan says so of one, every column that refers to them is asked about: one that is not would go on to the doubles under new keys.
func (a *auditor) askZeroRow(ctx context.Context, s *space, own *gamesOwn, shard int) error {
	rows := own.keys
	var led []*ledTo
	var others []string // refer to the doubles, whatever is answered
	tells := false
	for _, r := range s.users {
		if _, ok := a.shards[shard].Schema().Resolve(r.From[0]); !ok || own.key != s.key && !slices.Contains(r.To, own.key) {
			continue
		}
		switch {
		case len(r.From) > 1 || r.As != merge.Plain:
			others = append(others, r.Columns())
		case r.None != nil:
			named := slices.ContainsFunc(rows, func(v int64) bool { return slices.Contains(r.None, any(v)) })
			if tells = tells || named; !named {
				others = append(others, r.Columns())
			}
		default:
			l, err := a.ledToRows(ctx, r, rows, shard)
			if err != nil {
				return err
			}
			if l.rows > 0 {
				led, tells = append(led, l), tells || own.toldBy(l)
			}
		}
	}
	if !tells && (len(led) == 0 || len(own.called) == 0 || slices.Min(rows) > 0) { // who is called the same under 0 on every server is the game's own, however few refer to him
		return nil
	}
	where := "nobody refers to them"
	if len(others) > 0 {
		slices.Sort(others)
		where = "only " + strings.Join(slices.Compact(others), ", ") + " may refer to them"
	}
	asked := len(a.res.Undecided)
	people := slices.Min(rows) > 0 && !slices.ContainsFunc(led, func(l *ledTo) bool { return l.often })
	for _, l := range led {
		if open := a.askedAs(l.line.From[0]); open >= 0 && (open < asked || a.res.Undecided[open].Reference.When == l.line.When) {
			continue
		}
		if people {
			a.askPeople(own, l, where, shard)
			continue
		}
		itself, err := a.apartFromItself(ctx, own, l, shard)
		if err != nil {
			return err
		}
		a.askLedTo(own, l, where, shard)
		if itself != nil {
			a.ask(*itself)
		}
	}
	return nil
}

// ledToRows looks up which rows of the game's own one column of a shard refers to, and how often.
func (a *auditor) ledToRows(ctx context.Context, r *reference, rows []int64, shard int) (*ledTo, error) {
	own, _ := a.shards[shard].Schema().Resolve(r.From[0])
	l := &ledTo{line: r.Reference}
	for _, v := range rows {
		where := fmt.Sprintf("%s = %d", a.engine.Quote(own.Name), v)
		if r.When != "" {
			where += " AND " + bracketed(r.When)
		}
		n, err := a.shards[shard].Count(ctx, own.Table, where)
		if err != nil {
			return nil, err
		}
		if n == 0 && (v == 0 || v == -1) {
			continue
		}
		l.often = l.often || n > 0 && a.defaultOf(r.From[0]) == strconv.FormatInt(v, 10)
		l.line.None, l.rows, l.words = append(l.line.None, v), l.rows+n, append(l.words, strconv.FormatInt(v, 10))
	}
	all, keys := a.tables[own.Table].rows[shard], a.tables[r.To[0].Table].rows[shard]
	l.tells = l.often || l.rows >= zeroRows && float64(l.rows) >= zeroShare*float64(all)
	each, other := l.rows*max(keys-int64(len(l.words)), 1), (all-l.rows)*int64(len(l.words))
	l.more = l.often || each >= gameMore*other
	l.often = l.often || each >= gameOften*other
	return l, nil
}

// askLedTo asks about one column that refers to rows of the game's own.
func (a *auditor) askLedTo(own *gamesOwn, l *ledTo, where string, shard int) {
	question, refer := fmt.Sprintf("the row of %s under %s is %s: does %[2]s mean nobody, or the game itself, in %[4]s, and stay %[2]s? The later servers' own rows of it then lie under new keys%[5]s, where %[6]s; none: [] says that it is a row as others are",
		own.key.Table, l.words[0], own.alike(), l.line.From[0], strings.Replace(own.with(), "their", "its", 1), strings.Replace(where, "them", "it", 1)), "it"
	if len(l.words) > 1 {
		question, refer = fmt.Sprintf("the rows of %s under %s are %s: do they mean nobody, or the game itself, in %s, and stay what they are? The later servers' own rows of them then lie under new keys%s, where %s; none: [] says that they are rows as others are",
			own.key.Table, strings.Join(l.words, ", "), own.alike(), l.line.From[0], own.with(), where), "them"
	}
	a.ask(merge.Undecided{
		Question: question,
		Evidence: counted(l.rows, "row of "+a.name(shard)+" refers", "rows of "+a.name(shard)+" refer") + " to " + refer + own.alone(), Rows: l.rows, Reference: &l.line,
	})
}

// askPeople asks about one column that refers to equal rows as often as to others, as what players own does: they may be players with whom both servers began. The line that stands
// gives nobody's things to another.
func (a *auditor) askPeople(own *gamesOwn, l *ledTo, where string, shard int) {
	game := planfile.ReferenceLine(&l.line)
	l.line.None = []any{}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("the rows of %s under %s are %s, and %s refers to them not much more often than to others: are they players as others are, or the same ones on both servers? none: [] says so, and what becomes of two with one name is asked by it. "+
			"If they mean nobody, or the game itself, and stay what they are, say %s; the later servers' own rows of them then lie under new keys%s, where %s", own.key.Table, strings.Join(l.words, ", "), own.alike(), l.line.From[0], game, own.with(), where),
		Evidence: counted(l.rows, "row of "+a.name(shard)+" refers", "rows of "+a.name(shard)+" refer") + " to them", Rows: l.rows, Reference: &l.line,
	})
}
