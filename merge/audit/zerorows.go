package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A game may keep a row for nobody, such as guild 0 of those who are in none, the same on every server. Under a new number its guildless players would be members of a guild.

// How much of a column's rows refer to such a row at least, where the column does not declare it its default.
const (
	zeroRows  = 3
	zeroShare = 0.05
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

// askZeroRow asks about the references that lead to one shard's rows for nobody, or of the game's own, once for all of these.
func (a *auditor) askZeroRow(ctx context.Context, s *space, rows []int64, shard int) error {
	for _, r := range s.users {
		own, ok := a.shards[shard].Schema().Resolve(r.From[0])
		if !ok || len(r.From) > 1 || r.As != merge.Plain || r.None != nil {
			continue
		}
		line, all, isDefault := r.Reference, int64(0), false
		var words []string
		for _, v := range rows {
			where := fmt.Sprintf("%s = %d", a.engine.Quote(own.Name), v)
			if r.When != "" {
				where += " AND " + bracketed(r.When)
			}
			n, err := a.shards[shard].Count(ctx, own.Table, where)
			if err != nil {
				return err
			}
			if n == 0 && (v == 0 || v == -1) {
				continue
			}
			isDefault = isDefault || n > 0 && strings.Trim(a.schema.Column(r.From[0]).Default, "'") == strconv.FormatInt(v, 10)
			line.None, all, words = append(line.None, v), all+n, append(words, strconv.FormatInt(v, 10))
		}
		if all == 0 || !isDefault && (all < zeroRows || float64(all) < zeroShare*float64(a.tables[own.Table].rows[shard])) || a.askedAs(r.From[0]) >= 0 {
			continue
		}
		question, refer := fmt.Sprintf("the row of %s under %s is the same on every server: does %[2]s mean nobody in %[3]s, and stay %[2]s? The later servers' own rows of it then lie under new keys, where nobody refers to them; none: [] says that it is a row as others are", s.key.Table, words[0], r.From[0]), "it"
		if len(words) > 1 {
			question, refer = fmt.Sprintf("the rows of %s under %s are the same on every server: do they mean nobody, or the game itself, in %s, and stay what they are? The later servers' own rows of them then lie under new keys, where nobody refers to them; none: [] says that they are rows as others are", s.key.Table, strings.Join(words, ", "), r.From[0]), "them"
		}
		a.ask(merge.Undecided{
			Question: question,
			Evidence: counted(all, "row of "+a.name(shard)+" refers", "rows of "+a.name(shard)+" refer") + " to " + refer, Rows: all, Reference: &line,
		})
	}
	return nil
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
