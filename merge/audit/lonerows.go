package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Where no name tells of a row of the game's own, such as the container of all others, it is the one to which most rows refer on every server and that is the same on all, as hardly any other row is.

// How many rows of one key two servers have at least where such rows are looked for, and how many others may be equal, by chance.
const (
	loneAmong = 20
	loneShare = 0.2
)

// addLone adds the lowest rows of a key that are the same in every column on every server, as hardly any other row of the table is, and to which far more rows refer than to others.
func (a *auditor) addLone(ctx context.Context, s *space, own *gamesOwn, moving *merge.KeySet, shard int) error {
	t := a.tables[own.key.Table]
	if !slices.Equal(t.PrimaryKey, []string{own.key.Name}) {
		return nil
	}
	var run []*alikeRows
	for v := range moving.All() {
		if v <= 0 {
			continue
		}
		like, err := a.alikeEverywhere(ctx, own.key, v)
		if err != nil {
			return err
		}
		if like == nil || len(like.differ) > 0 || !like.beside || len(run) == gamesMost {
			break
		}
		often, err := a.oftenHeld(ctx, s, own.key, v, shard)
		if err != nil {
			return err
		}
		if !often {
			break
		}
		run = append(run, like)
	}
	if len(run) == 0 {
		return nil
	}
	shared, equal, err := a.engine.SameRows(ctx, a.raw[0], a.raw[shard], t.Name, nil, 0)
	if err != nil || shared < loneAmong || float64(equal-int64(len(run))) > loneShare*float64(shared) {
		return err
	}
	for _, like := range run {
		own.add(like)
	}
	own.unnamed = true
	own.holds, err = a.textsUnder(ctx, own.key, run[0].key)
	return err
}

// oftenHeld tells whether some column refers to one row of a key far more often than to others, in the first shard as in a later one.
func (a *auditor) oftenHeld(ctx context.Context, s *space, key merge.Col, v int64, shard int) (bool, error) {
	for _, r := range s.users {
		often := len(r.From) == 1 && r.As == merge.Plain && r.To[0] == key
		for _, i := range []int{0, shard} {
			if _, ok := a.shards[i].Schema().Resolve(r.From[0]); !often || !ok {
				often = false
				break
			}
			l, err := a.ledToRows(ctx, r, []int64{v}, i)
			if err != nil {
				return false, err
			}
			often = l.often && l.rows >= zeroRows
		}
		if often {
			return true, nil
		}
	}
	return false, nil
}

// textsUnder are the texts, with their columns, of the first shard's row under a key.
func (a *auditor) textsUnder(ctx context.Context, key merge.Col, v int64) (list []string, err error) {
	for _, c := range a.tables[key.Table].Columns {
		value, _, has, err := a.valuesUnder(ctx, key, v, merge.Col{Table: key.Table, Name: c.Name}, 0)
		if err != nil {
			return nil, err
		}
		if text, ok := value.(string); has && ok && text != "" {
			list = append(list, fmt.Sprintf("%s %q", c.Name, text))
		}
	}
	return list, nil
}

// alone says what rows that no name tells of hold, the first one's texts, and what tells of them.
func (g *gamesOwn) alone() string {
	if !g.unnamed {
		return ""
	}
	words := ", as to hardly any other, and hardly any other row is equal on two servers"
	if len(g.holds) > 0 {
		words = fmt.Sprintf(" (%s)", strings.Join(g.holds[:min(len(g.holds), listed)], ", ")) + words
	}
	return words
}

// toldBy tells whether one column's references say that rows are the game's own.
func (g *gamesOwn) toldBy(l *ledTo) bool {
	return g.unnamed || l.tells && (l.more || !g.byName || slices.Min(g.keys) <= 0)
}

// apartFromItself limits the line of a column, in which rows of the game's own stay what they are, to the rows that refer to others, where one of these rows refers to itself: the later servers'
// goes on to do so under its new key, which the question about it says; nil where none does. Else it would lie in the first one, as what it holds does.
func (a *auditor) apartFromItself(ctx context.Context, own *gamesOwn, l *ledTo, shard int) (*merge.Undecided, error) {
	from := l.line.From[0]
	if from.Table != own.key.Table || from == own.key || l.line.To[0] != own.key {
		return nil, nil
	}
	name, key := a.engine.Quote(from.Name), a.engine.Quote(own.key.Name)
	itself := fmt.Sprintf("%s = %s", name, key)
	list := make([]string, len(own.keys))
	for i, v := range own.keys {
		list[i] = fmt.Sprint(v)
	}
	where := itself + " AND " + key + " IN (" + strings.Join(list, ", ") + ")"
	if l.line.When != "" {
		where += " AND " + bracketed(l.line.When)
	}
	n, err := a.shards[shard].Count(ctx, from.Table, where)
	if err != nil || n == 0 {
		return nil, err
	}
	line, others := l.line, fmt.Sprintf("%s <> %s", name, key)
	if line.When != "" {
		itself, others = bracketed(line.When)+" AND "+itself, bracketed(line.When)+" AND "+others
	}
	l.line.When, line.When, line.None = others, itself, []any{}
	return &merge.Undecided{
		Question: fmt.Sprintf("and where a row of %s holds its own %s in %s, does it go on to do so under a new key?", from.Table, own.key.Name, from),
		Evidence: counted(n, "such row of "+a.name(shard)+" does", "such rows of "+a.name(shard)+" do"), Rows: n, Reference: &line,
	}, nil
}
