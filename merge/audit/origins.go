package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// What makes an input look like a part of another one, which is itself a merge: a share of its rows, or of its unique names, and how many are enough to tell.
const (
	originShare = 0.9
	originLeast = 10
	originRows  = 100_000 // rows of a table that are looked at
	originNames = 0.2     // the share of the names, where they stand in the very rows that a part's became
)

// checkOrigins looks whether the players of an input stand in a merged input already: the record knows the names and numbers of what it was made of, and
// not every merge had numbers. Who gives the input a server number of its own says that it is another server.
func (a *auditor) checkOrigins(ctx context.Context) error {
	digests, err := a.digests(ctx)
	if err != nil {
		return err
	}
	a.checkShared()
	for i, m := range a.memory {
		if m == nil {
			continue
		}
		for j := range a.shards {
			if j == i {
				continue
			}
			what, err := a.standsIn(ctx, j, i)
			if err != nil {
				return err
			}
			if part := a.recorded(i, digests[j]); what == "" && part != nil {
				what = fmt.Sprintf("it holds what %s held when it was merged", part.Name)
			}
			if what == "" {
				continue
			}
			f := merge.Finding{
				Rule: "same-origin", Severity: merge.Block, Shard: a.name(j), Text: fmt.Sprintf("%s seems to be a part of %s, which is a merge: %s", a.name(j), a.name(i), what),
				Next: fmt.Sprintf("leave %s out, or its players would stand there twice; if it is another server, say so by its number: --server %[1]s=N", a.name(j)),
			}
			if a.shards[j].Source().Server != nil {
				f.Severity, f.Next = merge.Info, "look once more whether it is the server of this number"
			}
			a.find(f)
		}
	}
	return nil
}

// standsIn says how much of an input stands in a merged one under the same keys, or under the same names; "" when it is not nearly everything.
func (a *auditor) standsIn(ctx context.Context, part, whole int) (string, error) {
	var rows, equal, named, known int64
	followed := map[string]int64{}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque != "" || line.plan.Rows != merge.MergeRows || line.rows[part] == 0 || len(t.PrimaryKey) != 1 {
			continue
		}
		if s := a.spaces[t.KeyCols()[0]]; s != nil && s.plan.New != merge.Static {
			_, same, err := a.engine.SameRows(ctx, a.raw[part], a.raw[whole], t.Name, nil, originRows)
			if err != nil {
				return "", err
			}
			rows, equal = rows+min(line.rows[part], originRows), equal+same
		}
		for _, u := range t.Uniques {
			if len(u.Columns) != 1 || u.Where || slices.Contains(t.PrimaryKey, u.Columns[0]) {
				continue
			}
			if a.schema.Holds(u.Cols()[0]) != merge.Text || !a.demands(part, u) {
				continue
			}
			n, err := a.shards[part].Count(ctx, t.Name, a.engine.Quote(u.Columns[0])+" IS NOT NULL")
			if err != nil {
				return "", err
			}
			list, shared, err := a.engine.Clashes(ctx, []merge.Shard{a.raw[part], a.raw[whole]}, *u, "", "", originRows)
			if err != nil {
				return "", err
			}
			named, known = named+n, known+shared
			if !a.tableAsked(t.Name) {
				follow(a.memory[whole], t.KeyCols()[0], list, followed)
			}
		}
	}
	switch {
	case mostOf(equal, rows):
		return fmt.Sprintf("%d of %s stand there, equal, under their keys", equal, counted(rows, "row", "rows")), nil
	case mostOf(known, named):
		return fmt.Sprintf("%d of %s stand there", known, counted(named, "unique name", "unique names")), nil
	}
	most := ""
	for _, origin := range slices.Sorted(maps.Keys(followed)) {
		if n := followed[origin]; n >= originLeast && float64(n) >= originNames*float64(named) && n > followed[most] {
			most = origin
		}
	}
	if most != "" {
		return fmt.Sprintf("%d of %s stand there, and %d of them in the rows that those of %s became", known, counted(named, "unique name", "unique names"), followed[most], most), nil
	}
	return "", nil
}

func mostOf(n, all int64) bool { return all >= originLeast && float64(n) >= originShare*float64(all) }

// follow counts, by the inputs of a merge and of earlier ones, the clashes of names that stand in the row which the merge made of the input's own. A name that is made of
// its row's number stands in the row of that number on every server.
func follow(m *merge.Memory, key merge.Col, clashes []merge.Clash, counts map[string]int64) {
	var origins []string
	for _, s := range m.Shards {
		origins = append(origins, s.Name)
	}
	for _, e := range m.Earlier {
		origins = append(origins, e.Via+e.Source.Name)
	}
	for _, c := range clashes {
		var keys [2]int64
		whole := true
		for _, row := range c.Rows {
			k, ok := int64(0), len(row.Key) == 1
			if ok {
				k, ok = row.Key[0].(int64)
			}
			keys[row.Shard], whole = k, whole && ok
		}
		if !whole || len(c.Rows) != len(keys) {
			continue
		}
		text, _ := c.Rows[0].Values[0].(string)
		for _, origin := range origins {
			if image(m, key, origin, keys[0]) == keys[1] && (keys[0] != keys[1] || !strings.Contains(text, strconv.FormatInt(keys[0], 10))) {
				counts[origin]++
			}
		}
	}
}

// image is what became of a key of an input of a merge, or of an earlier one that it carried on.
func image(m *merge.Memory, key merge.Col, origin string, k int64) int64 {
	for origin != "" {
		at := strings.LastIndexByte(origin, '/') + 1
		via, shard := origin[:at], origin[at:]
		for _, s := range m.Spaces {
			if s.Via != via || s.Shard != shard || s.Key != key {
				continue
			}
			for _, r := range s.Runs {
				if k >= r.Old && k <= r.Last() && (r.Among == nil || r.Among.Has(k)) {
					k = r.At(k - r.Old)
					break
				}
			}
		}
		origin = strings.TrimSuffix(via, "/")
	}
	return k
}
