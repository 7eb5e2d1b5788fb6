package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// namespaceLeast is how many names of two tables on different servers are the same ones, where no server has one in both, for that to be no chance.
const namespaceLeast = 5

// tellNamespaces says of names that a game keeps apart over two tables, as those of players and of guilds that one command reaches, which will be in both: new names keep those of one table
// apart alone.
func (a *auditor) tellNamespaces(ctx context.Context) error {
	var names []*unexplained
	for _, c := range a.nameKeys() {
		u, err := a.sampled(ctx, a.tables[c.Table], c)
		if err != nil {
			return err
		}
		names = append(names, u)
	}
	for i, u := range names {
		for _, o := range names[i+1:] {
			if u.col.Table == o.col.Table {
				continue
			}
			met, err := a.meetAcross(ctx, u, o.col)
			if err != nil {
				return err
			}
			if len(met) >= namespaceLeast {
				a.tellNamespace(u.col, o.col, met)
			}
		}
	}
	return nil
}

// nameKeys are the columns of texts by which alone rows are told apart that are mixed row by row, and of which nothing says yet that they repeat another one.
func (a *auditor) nameKeys() (list []merge.Col) {
	for _, t := range a.schema.Tables {
		if line := a.tables[t.Name]; t.Opaque != "" || line.total() == 0 || !line.mixes() || line.folds() || line.dropped {
			continue
		}
		for _, u := range t.Uniques {
			c := u.Cols()[0]
			known := slices.ContainsFunc(a.about(c), func(r *reference) bool { return r.As != merge.Keep })
			if len(u.Columns) == 1 && u.Plain() && a.schema.Holds(c) == merge.Text && !known && !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	slices.SortFunc(list, func(x, y merge.Col) int { return strings.Compare(x.String(), y.String()) })
	return list
}

// meetAcross are the names of one column that keep standing on a server while another column has them on another one; none where some server has one in both.
func (a *auditor) meetAcross(ctx context.Context, u *unexplained, other merge.Col) (met []string, err error) {
	for j, s := range a.shards {
		at, ok := s.Schema().Resolve(other)
		if !ok || a.tables[other.Table].rows[j] == 0 || !a.tables[other.Table].takes(a.name(j)) {
			continue
		}
		for i, one := range u.samples {
			for texts := range slices.Chunk(one.Texts, checkBatch) {
				words := make([]string, len(texts))
				for n, text := range texts {
					words[n] = a.engine.Literal(text)
				}
				list, err := s.Values(ctx, at, a.engine.Quote(at.Name)+" <> '' AND "+a.engine.Quote(at.Name)+" IN ("+strings.Join(words, ", ")+")", 0)
				if err != nil || i == j && len(list) > 0 {
					return nil, err
				}
				for _, v := range list {
					if text, is := v.Value[0].(string); is && !slices.Contains(met, text) && !a.losesName(u.col, i, text) && !a.losesName(other, j, text) {
						met = append(met, text)
					}
				}
			}
		}
	}
	slices.Sort(met)
	return met, nil
}

// losesName tells whether a text of a shard's column gets a new name by the plan.
func (a *auditor) losesName(c merge.Col, shard int, text string) bool {
	return slices.ContainsFunc(a.rename, func(r *merge.Rename) bool {
		return r.Unique.Table == c.Table && r.Column == c.Name && a.newName(r, shard, text) != ""
	})
}

// tellNamespace tells of two columns of names, in the question about new names of one of them where that is open, too.
func (a *auditor) tellNamespace(one, other merge.Col, met []string) {
	what := fmt.Sprintf("no server has a name in %s and in %s, and %s: the game may keep them apart, and new names keep apart those of one table alone",
		one, other, counted(int64(len(met)), "name of one server's is another's in the other", "names of one server's are another's in the other"))
	next := "where one name must not mean two, as that to which messages go, give these rows of one of the tables other names in copies of the later shards"
	a.find(merge.Finding{Rule: "one-namespace", Severity: merge.Info, Table: one.Table, Column: one.Name, Rows: int64(len(met)), Samples: met[:min(len(met), listed)], Text: what, Next: next})
	says := func(u *merge.Undecided) bool {
		if r := u.Reference; r != nil && r.As != merge.Keep && len(r.From) == 1 && len(r.To) == 1 {
			return r.From[0] == one && r.To[0] == other || r.From[0] == other && r.To[0] == one
		}
		return u.Unique != nil && u.Unique.OnConflict == "rename" && (slices.Contains(u.Unique.Unique, one) || slices.Contains(u.Unique.Unique, other))
	}
	for i := range a.res.Undecided {
		u := &a.res.Undecided[i]
		if !says(u) {
			continue
		}
		if u.Reference != nil {
			next = fmt.Sprintf("where they are the rows' own names, say %s, and %s", keepLine(u.Reference.From...), next)
		}
		alsoSays(u, fmt.Sprintf("And %s, such as %s; %s", what, fewNamed(met), next))
		return
	}
}

// fewNamed is a few names in words.
func fewNamed(names []string) string {
	quoted := make([]string, min(len(names), listed))
	for i := range quoted {
		quoted[i] = fmt.Sprintf("%q", names[i])
	}
	return strings.Join(quoted, ", ")
}
