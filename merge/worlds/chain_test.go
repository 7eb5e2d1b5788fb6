package worlds

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/mapping"
)

// TestMergedAgain merges all shards but the last, merges the outcome with the last, and expects the same rows.
func TestMergedAgain(t *testing.T) {
	for _, seed := range seeds(t, ordinary/2) {
		w := generate(uint64(seed))
		if w.shards < 3 {
			continue
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			for i := range w.plan.Tables { // a cap that is applied twice forgets debts, and rows from one shard have one merge
				for name, c := range w.plan.Tables[i].Columns {
					c.Cap = nil
					w.plan.Tables[i].Columns[name] = c
				}
				for _, c := range w.tables[i].columns {
					c.combine.Cap = nil
				}
				if w.tables[i].rows == merge.FromRows {
					w.tables[i].from, w.plan.Tables[i].From = 0, "s1"
				}
			}
			for _, c := range w.copies { // a copy that says not whose it is can no longer tell the shards of a merged one apart
				if name := c.of.columns[c.ofColumn]; c.by == nil && name.worth != nil {
					name.worth = nil
					for i, u := range w.plan.Uniques {
						if u.Winner == name.winner {
							w.plan.Uniques[i].Winner = ""
						}
					}
				}
			}
			w.again = true
			w.build(t, t.TempDir())
			last := w.plan.Shards[w.shards-1]
			w.plan.Shards = w.plan.Shards[:w.shards-1]
			first, report := w.merge(t, t.TempDir())
			if first == "" || !report.OK {
				t.Fatalf("the first merge: %q %+v", first, report)
			}
			number := int64(900)
			w.plan.Shards = []merge.Source{{Name: "m", Server: &number, Source: first}, last}
			for i := range w.plan.Tables {
				if w.plan.Tables[i].From != "" {
					w.plan.Tables[i].From = "m"
				}
			}
			second, report := w.merge(t, t.TempDir())
			if second == "" {
				return
			}
			w.check(t, second, report)
			w.remembers(t, second)
		})
	}
}

// remembers asks the merged database what became of every key, through both merges.
func (w *world) remembers(t *testing.T, path string) {
	e := sqlite.New()
	s, err := e.Open(t.Context(), merge.Source{Name: "merged", Source: path}, merge.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	m, err := mapping.Open(t.Context(), e, s)
	if err != nil {
		t.Fatal(err)
	}
	a := w.answer(t, path)
	for _, x := range w.tables {
		k := x.find(key)
		if k < 0 || x.find(tag) < 0 || x.folds() || x.rows == merge.EmptyRows {
			continue
		}
		for shard, rows := range x.source {
			origin := fmt.Sprintf("m/s%d", shard+1)
			if shard == w.shards-1 {
				origin = fmt.Sprintf("s%d", shard+1)
			}
			for i, row := range rows {
				image := a.image(x, row)
				if image == nil || a.left[x][shard][i] {
					continue
				}
				if _, number := row[k].(int64); !number {
					continue
				}
				question := fmt.Sprintf("%s:%s=%d", origin, x.col(k), row[k])
				list, err := m.Lookup(t.Context(), question)
				if err != nil {
					t.Fatalf("%s: %v", question, err)
				}
				found := false
				for _, answer := range list {
					found = found || answer.New == strconv.FormatInt(image[k].(int64), 10)
				}
				if !found {
					t.Errorf("%s: %+v, want %v", question, list, image[k])
				}
			}
		}
	}
}
