package discover_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// manyTables makes two servers of a game with so many small tables of its own, as a game has whose contents live in the database.
func manyTables(t testing.TB, tables int) []merge.Shard {
	t.Helper()
	const rows = 59
	dir := t.TempDir()
	var shards []merge.Shard
	for server := range 2 {
		file := filepath.Join(dir, fmt.Sprintf("s%d.db", server+1))
		db, err := sql.Open("sqlite3", "file:"+file)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		exec := func(q string, args ...any) {
			if _, err := db.Exec(q, args...); err != nil {
				t.Fatalf("%s: %v", q, err)
			}
		}
		r := rand.New(rand.NewPCG(1, uint64(server)))
		exec("BEGIN")
		exec("CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT)")
		for i := range 500 {
			exec("INSERT INTO players VALUES (?, ?)", 3*i+server, fmt.Sprintf("p%d_%d", server, i))
		}
		for n := range tables {
			name := fmt.Sprintf("%s_%s_%s", []string{"fire", "ice", "iron", "gold", "sea"}[n%5], []string{"sword", "quest", "monster", "recipe"}[n/5%4], string([]byte{'a' + byte(n/20%26), 'a' + byte(n/520)}))
			exec("CREATE TABLE " + name + " (id INTEGER PRIMARY KEY, player_id INT, kind INT, price INT, label TEXT)")
			for i, at := range r.Perm(2 * rows)[:rows] {
				exec("INSERT INTO "+name+" VALUES (?, ?, ?, ?, ?)", at+1, 3*r.IntN(500)+server, r.IntN(5), r.IntN(1000), fmt.Sprintf("l%d_%d", server, i))
			}
		}
		exec("COMMIT")
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		shards = append(shards, openShard(t, fmt.Sprintf("s%d", server+1), file))
	}
	return shards
}

// BenchmarkManyTables reports how many times as long a search takes as reading every column once. It does not grow with the number of tables; comparing every column
// with every key in full took about 20 times as long with 400.
func BenchmarkManyTables(b *testing.B) {
	shards := manyTables(b, 400)
	ctx := context.Background()
	var floor, took time.Duration
	for b.Loop() {
		start := time.Now()
		for _, s := range shards {
			for _, table := range s.Schema().Tables {
				for _, c := range table.Columns {
					if _, err := s.Sample(ctx, merge.Col{Table: table.Name, Name: c.Name}, 2000); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		floor += time.Since(start)
		start = time.Now()
		run(b, shards, discover.Options{})
		took += time.Since(start)
	}
	b.ReportMetric(float64(took)/float64(floor), "x-reading")
}
