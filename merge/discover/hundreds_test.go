package discover_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// asking counts how often a shard's columns are read.
type asking struct {
	merge.Shard
	asked *atomic.Int64 // the shards are asked at the same time
}

func (a asking) Values(ctx context.Context, c merge.Col, condition string, limit int) ([]merge.ValueCount, error) {
	a.asked.Add(1)
	return a.Shard.Values(ctx, c, condition, limit)
}

func (a asking) Tuples(ctx context.Context, columns []merge.Col, condition string, limit int) ([]merge.ValueCount, error) {
	a.asked.Add(1)
	return a.Shard.Tuples(ctx, columns, condition, limit)
}

// A table of hundreds of small numbers takes as long as its columns are many, not as pairs of them are. What stands beside a column tells its kinds apart there, too.
func TestHundredsOfColumns(t *testing.T) {
	asked := map[int]int{}
	for _, columns := range []int{60, 120} {
		var ddl, marks strings.Builder
		for i := range columns {
			if i == columns/2 {
				ddl.WriteString(", lx INT, mubiao INT")
			}
			fmt.Fprintf(&ddl, ", shu%c%c INT", 'a'+i/26, 'a'+i%26)
			marks.WriteString(", ?")
		}
		shards := realms(t, 2, `CREATE TABLE juese (juese_id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE wupin (id INTEGER PRIMARY KEY, born INT);
			CREATE TABLE xing (id INTEGER PRIMARY KEY`+ddl.String()+`)`, func(_ int, r *rand.Rand, exec func(string, ...any)) {
			people, _ := living(r, 80, 0.3)
			for _, k := range people {
				exec("INSERT INTO juese VALUES (?, hex(randomblob(6)))", 10_000+k)
			}
			for i := range 400 {
				exec("INSERT INTO wupin VALUES (?, ?)", i+1, r.IntN(1<<30))
			}
			for i := range 160 {
				lx := r.IntN(3)
				row := []any{i + 1}
				for n := range columns {
					if n == columns/2 {
						row = append(row, lx, []int64{r.Int64N(90), 10_000 + people[r.IntN(len(people))], r.Int64N(250_000)}[lx])
					}
					row = append(row, r.IntN([]int{3, 300}[n%2]))
				}
				exec("INSERT INTO xing VALUES (?, ?, ?"+marks.String()+")", row...)
			}
		})
		var n atomic.Int64
		found, err := discover.Run(context.Background(), shards[0].Schema(), []merge.Shard{asking{shards[0], &n}, asking{shards[1], &n}}, discover.Options{Same: same(shards)})
		if err != nil {
			t.Fatal(err)
		}
		p := find(found, "xing.mubiao")
		if p == nil || p.To[0].String() != "juese.juese_id" || !strings.HasPrefix(p.When, `"lx" = 1`) && p.When != "lx = 1" {
			t.Errorf("%d columns: xing.mubiao: got %+v, want a question whether it holds juese.juese_id when lx = 1", columns, p)
		}
		asked[columns] = int(n.Load())
	}
	t.Logf("asked %v", asked)
	if asked[120] > 5*asked[60]/2 {
		t.Errorf("twice the columns: got %d questions to the engine after %d, want about twice as many", asked[120], asked[60])
	}
}
