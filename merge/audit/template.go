package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// template is the proposed new name: with the server's number where every shard that could lose a name has one, and with nothing but a counter where a declared length
// leaves no room for more.
func (a *auditor) template(cols ...merge.Col) string {
	template := "{shard}.{value}"
	if a.numberedShards() {
		template = "S{server}.{value}"
	}
	for _, r := range a.refs {
		for i, to := range r.To {
			if r.As == merge.Plain && slices.Contains(cols, to) {
				cols = append(slices.Clone(cols), r.From[i])
			}
		}
	}
	for _, s := range a.shards[min(1, len(a.shards)):] {
		server := ""
		if s.Source().Server != nil {
			server = fmt.Sprint(*s.Source().Server)
		}
		name := strings.NewReplacer("{server}", server, "{shard}", s.Source().Name, "{value}", strings.Repeat("x", keptCharacters)).Replace(template)
		if slices.ContainsFunc(cols, func(c merge.Col) bool { return a.schema.Column(c) != nil && tooLong(a.schema.Column(c), name) != "" }) {
			return "{value}{n}"
		}
	}
	return template
}

// triedNames is how many names of a shard a template is tried with.
const triedNames = 20

// otherTemplates are further forms of a new name, for columns whose checks refuse the proposed one, as where a name has letters alone, or begins with one.
func (a *auditor) otherTemplates() []string {
	shard := "{shard}"
	if a.numberedShards() {
		shard = "S{server}"
	}
	return []string{shard + ".{value}", shard + "_{value}", shard + "-{value}", "{value}_" + shard, "{value}-" + shard, "{value}" + shard, shard + "{value}", "{value}{n}", "{value}x", "{value}X", "{value}z", "{value}q", "x{value}"}
}

// checkTemplates puts another template into the open questions about renames where the checks of the table refuse the proposed one, and some other makes names that pass, or where
// another leaves pairs of names in their order.
func (a *auditor) checkTemplates(ctx context.Context) error {
	for i := range a.res.Undecided {
		u := &a.res.Undecided[i]
		if u.Unique == nil || u.Unique.OnConflict != "rename" || len(u.Unique.Unique) == 0 {
			continue
		}
		col := u.Unique.Unique[0]
		if u.Unique.Column != "" {
			col.Name = u.Unique.Column
		}
		ordered, err := a.namesInOrder(ctx, col)
		if err != nil {
			return err
		}
		if len(ordered) > 0 {
			template, err := a.keepingOrder(ctx, col, u.Unique.Template, ordered)
			if err != nil {
				return err
			}
			if template != u.Unique.Template {
				u.Unique.Template = template
				alsoSays(u, fmt.Sprintf("Every row of %s has the lower of two names in %s, as where a game looks pairs up in that order: these new names leave it there", ordered[0].low.Table, ordered[0].low.Name))
				continue
			}
		}
		if t := a.schema.Table(col.Table); t == nil || !slices.ContainsFunc(t.Checks, func(check string) bool { return merge.MayName(check, col.Name) }) {
			continue
		}
		other, err := a.passing(ctx, col, append([]string{u.Unique.Template}, a.otherTemplates()...), nil)
		if err != nil {
			return err
		}
		if other != "" {
			u.Unique.Template = other
		}
	}
	return nil
}

// passing is the first of some templates whose names every column that has to hold them takes, of those names of the later shards that another one has, too, or of a candidate's
// alone; "" when there is none.
func (a *auditor) passing(ctx context.Context, col merge.Col, templates []string, c *candidate) (string, error) {
	tried := []*candidate{c}
	if c == nil {
		var err error
		if tried, err = a.someNames(ctx, col); err != nil {
			return "", err
		}
	}
next:
	for _, template := range templates {
		for _, one := range tried {
			server := ""
			if n := a.shards[one.shard].Source().Server; n != nil {
				server = strconv.FormatInt(*n, 10)
			}
			if fits, err := a.tryName(ctx, col, template, server, *one); err != nil {
				return "", err
			} else if !fits {
				continue next
			}
		}
		return template, nil
	}
	return "", nil
}

// tryName tells whether a template makes a name that fits, and, where somebody has that name already, another one behind it.
func (a *auditor) tryName(ctx context.Context, col merge.Col, template, server string, try candidate) (bool, error) {
	for try.n = 0; try.n < 2; try.n++ {
		var err error
		if try.row.New, err = a.fitName(ctx, template, server, &try, append([]merge.Col{col}, try.also...)); err != nil {
			if ctx.Err() != nil {
				return false, context.Cause(ctx)
			}
			return false, nil
		}
		if taken, err := a.takenNames(ctx, col, a.keyCollation(col), []*candidate{&try}); err != nil || !taken {
			return err == nil, err
		}
	}
	return true, nil
}

// someNames are names of a column of the later shards, first of all those that the first one has, too.
func (a *auditor) someNames(ctx context.Context, col merge.Col) (list []*candidate, err error) {
	known := map[string]bool{}
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(col)
		if !ok || a.tables[col.Table].rows[i] == 0 {
			continue
		}
		values, err := s.Values(ctx, own, "", triedNames*triedNames)
		if err != nil {
			return nil, err
		}
		var shared, others []*candidate
		for _, v := range values {
			text, ok := v.Value[0].(string)
			switch one := (&candidate{shard: i, row: merge.Renamed{Old: text}}); {
			case !ok || text == "":
			case known[folded(text)]:
				shared = append(shared, one)
			default:
				others = append(others, one)
			}
			known[folded(text)] = true
		}
		if all := slices.Concat(shared, others); i > 0 {
			list = append(list, all[:min(len(all), triedNames)]...)
		}
	}
	return list, nil
}
