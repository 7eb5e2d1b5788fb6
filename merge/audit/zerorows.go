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
)

// askZeroRows asks about references to rows with the keys 0 or -1, and to other rows of the game's own, that are the same on every server and would get other keys on the later ones.
func (a *auditor) askZeroRows(ctx context.Context) error {
	for _, s := range a.order {
		if a.tables[s.key.Table].plan.Rows != merge.MergeRows {
			continue
		}
		for i := range a.shards {
			if s.moving[i] == nil {
				continue
			}
			rows, err := a.gamesRows(ctx, s, i)
			if err != nil {
				return err
			}
			if len(rows) == 0 {
				continue
			}
			if err := a.askZeroRow(ctx, s, rows, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// gamesMost is how many rows of the game's own may stand in a table of others; more are those of one past.
const gamesMost = 20

// gamesRows are the keys of one shard's rows that are the same on every server and get other keys: 0, -1, further ones below, and, where each row has a name of its own, the
// lowest of all, up to the first that differs.
func (a *auditor) gamesRows(ctx context.Context, s *space, shard int) (list []int64, err error) {
	named := !a.tableAsked(s.key.Table) && slices.ContainsFunc(a.schema.Table(s.key.Table).Uniques, func(u *merge.Unique) bool {
		return u.Plain() && len(u.Columns) == 1 && a.schema.Holds(u.Cols()[0]) == merge.Text
	})
	looked, ends := 0, false
	for v := range s.moving[shard].All() {
		if v > 0 && (!named || ends) || looked == gamesMost {
			break
		}
		looked++
		if shard == 0 && v != 0 && v != -1 { // what the first server has is no other one's, too
			ends = v > 0
			continue
		}
		same, err := a.sameZeroRow(ctx, s.key, v, shard)
		if err == nil && same && v != 0 && v != -1 {
			same, err = a.standsForNobody(ctx, s.key, v)
		}
		if err != nil {
			return nil, err
		}
		if same {
			list = append(list, v)
		}
		ends = v > 0 && !same
	}
	if !ends { // all that are there are the same
		list = slices.DeleteFunc(list, func(v int64) bool { return v > 0 })
	}
	for _, v := range []int64{0, -1} {
		if looked == gamesMost && s.moving[shard].Has(v) && !slices.Contains(list, v) {
			same, err := a.sameZeroRow(ctx, s.key, v, shard)
			if err != nil {
				return nil, err
			}
			if same {
				list = append(list, v)
			}
		}
	}
	return list, nil
}

// sameZeroRow tells whether a shard's row under a key is equal, in every column, to that of the first shard that has one.
func (a *auditor) sameZeroRow(ctx context.Context, key merge.Col, v int64, shard int) (bool, error) {
	for _, c := range a.tables[key.Table].Columns {
		if c.Generated {
			continue
		}
		var texts []string
		for _, i := range []int{0, shard} {
			own, ok := a.shards[i].Schema().Resolve(merge.Col{Table: key.Table, Name: c.Name})
			k, has := a.shards[i].Schema().Resolve(key)
			if !ok || !has {
				return false, nil
			}
			list, err := a.shards[i].Values(ctx, own, fmt.Sprintf("%s = %d", a.engine.Quote(k.Name), v), 2)
			if err != nil {
				return false, err
			}
			if len(list) != 1 {
				return false, nil
			}
			texts = append(texts, fmt.Sprintf("%T %s", list[0].Value[0], valueText(list[0].Value[0])))
		}
		if texts[0] != texts[1] {
			return false, nil
		}
	}
	return true, nil
}

// ledTo is one column's part in the question about rows of the game's own: those of them that its plan line would name, and how many of its rows refer to them.
type ledTo struct {
	line  merge.Reference
	words []string
	rows  int64
	tells bool // so many, or by default, that it is hardly one player
	often bool // so many to each, or by default, that these are hardly players
}

// askZeroRow asks about the references that lead to one shard's rows for nobody, or of the game's own, once for all of these. As soon as one column tells that they are the game's own,
// or the plan says so of one, every column that refers to them is asked about: one that is not would go on to the doubles under new keys.
func (a *auditor) askZeroRow(ctx context.Context, s *space, rows []int64, shard int) error {
	var led []*ledTo
	var others []string // refer to the doubles, whatever is answered
	tells := false
	for _, r := range s.users {
		if _, ok := a.shards[shard].Schema().Resolve(r.From[0]); !ok {
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
				led, tells = append(led, l), tells || l.tells
			}
		}
	}
	if !tells {
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
			a.askPeople(s, l, where, shard)
		} else {
			a.askLedTo(s, l, where, shard)
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
		l.often = l.often || n > 0 && strings.Trim(a.schema.Column(r.From[0]).Default, "'") == strconv.FormatInt(v, 10)
		l.line.None, l.rows, l.words = append(l.line.None, v), l.rows+n, append(l.words, strconv.FormatInt(v, 10))
	}
	all, keys := a.tables[own.Table].rows[shard], a.tables[r.To[0].Table].rows[shard]
	l.tells = l.often || l.rows >= zeroRows && float64(l.rows) >= zeroShare*float64(all)
	l.often = l.often || l.rows*max(keys-int64(len(l.words)), 1) >= gameOften*(all-l.rows)*int64(len(l.words))
	return l, nil
}

// askLedTo asks about one column that refers to rows of the game's own.
func (a *auditor) askLedTo(s *space, l *ledTo, where string, shard int) {
	question, refer := fmt.Sprintf("the row of %s under %s is the same on every server: does %[2]s mean nobody in %[3]s, and stay %[2]s? The later servers' own rows of it then lie under new keys, where %[4]s; none: [] says that it is a row as others are", s.key.Table, l.words[0], l.line.From[0], strings.Replace(where, "them", "it", 1)), "it"
	if len(l.words) > 1 {
		question, refer = fmt.Sprintf("the rows of %s under %s are the same on every server: do they mean nobody, or the game itself, in %s, and stay what they are? The later servers' own rows of them then lie under new keys, where %s; none: [] says that they are rows as others are", s.key.Table, strings.Join(l.words, ", "), l.line.From[0], where), "them"
	}
	a.ask(merge.Undecided{
		Question: question,
		Evidence: counted(l.rows, "row of "+a.name(shard)+" refers", "rows of "+a.name(shard)+" refer") + " to " + refer, Rows: l.rows, Reference: &l.line,
	})
}

// askPeople asks about one column that refers to equal rows as often as to others, as what players own does: they may be players with whom both servers began. The line that stands
// gives nobody's things to another.
func (a *auditor) askPeople(s *space, l *ledTo, where string, shard int) {
	game := planfile.ReferenceLine(&l.line)
	l.line.None = []any{}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("the rows of %s under %s are the same on every server, and %s refers to them not much more often than to others: are they players as others are, or the same ones on both servers? none: [] says so, and what becomes of two with one name is asked by it. "+
			"If they mean nobody, or the game itself, and stay what they are, say %s; the later servers' own rows of them then lie under new keys, where %s", s.key.Table, strings.Join(l.words, ", "), l.line.From[0], game, where),
		Evidence: counted(l.rows, "row of "+a.name(shard)+" refers", "rows of "+a.name(shard)+" refer") + " to them", Rows: l.rows, Reference: &l.line,
	})
}

// standsForNobody tells whether every shard has the same row under a key, so that a plan may say that it means nobody.
func (a *auditor) standsForNobody(ctx context.Context, key merge.Col, v any) (bool, error) {
	n, ok := v.(int64)
	for i := range a.shards {
		if !ok {
			return false, nil
		}
		same, err := a.sameZeroRow(ctx, key, n, i)
		if err != nil || !same {
			return false, err
		}
	}
	return ok, nil
}
