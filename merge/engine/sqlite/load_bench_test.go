package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gameid/gameid/fixtures"
	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// BenchmarkRewrite loads the items of two servers by what a merge does and by its floor, INSERT ... SELECT column + constant of the same rows from an
// attached file into a fresh one, in turns, and reports the ratio of the fastest runs. GAMEID_BENCH_ROWS sets the rows of each world.
func BenchmarkRewrite(b *testing.B) {
	count := 2_000_000
	if s := os.Getenv("GAMEID_BENCH_ROWS"); s != "" {
		if _, err := fmt.Sscan(s, &count); err != nil {
			b.Fatal(err)
		}
	}
	dir := b.TempDir()
	var paths []string
	for server := 1; server <= 2; server++ {
		path := filepath.Join(dir, fmt.Sprintf("s%d.db", server))
		if err := fixtures.Write(b.Context(), path, fixtures.World{Seed: 1, Server: server, Rows: count}); err != nil {
			b.Fatal(err)
		}
		paths = append(paths, path)
	}
	items, owners := conflicts(b, paths, "items"), conflicts(b, paths, "characters")
	dense := int64(50_000_000)
	for _, way := range []struct {
		name string
		rule func(merge.Run) merge.Run
	}{
		{"shift", func(r merge.Run) merge.Run {
			return merge.Run{Old: r.Old, Count: r.Count, New: r.Old + 50_000_000, Rule: merge.Shift}
		}},
		{"dense", func(r merge.Run) merge.Run {
			dense += r.Count
			return merge.Run{Old: r.Old, Count: r.Count, New: dense - r.Count, Rule: merge.Dense}
		}},
		{"gameid", func(r merge.Run) merge.Run {
			return merge.Run{Old: r.Old, Count: r.Count, New: merge.IDAt(1<<20+r.Old, 7), Rule: merge.GameID}
		}},
	} {
		maps := map[string]*merge.KeyMap{}
		for name, runs := range map[string][]merge.Run{"id": items, "owner_id": owners} {
			var list []merge.Run
			for _, r := range runs {
				list = append(list, way.rule(r))
			}
			maps[name] = mapOf(b, list...)
		}
		b.Run(way.name, func(b *testing.B) {
			var best, floor timing
			for b.Loop() {
				floor.least(floorRun(b, paths, way.name))
				best.least(rewriteRun(b, paths, maps))
			}
			b.ReportMetric(best.all()/floor.all(), "ratio")
			b.ReportMetric(best[1].Seconds()/floor[1].Seconds(), "second-ratio")
			b.ReportMetric(best.all(), "rewrite-s")
			b.ReportMetric(floor.all(), "floor-s")
		})
	}
}

// timing is how long each server's rows took.
type timing [2]time.Duration

func (t *timing) least(o timing) {
	for i, d := range o {
		if t[i] == 0 || d < t[i] {
			t[i] = d
		}
	}
}

func (t *timing) all() float64 { return (t[0] + t[1]).Seconds() }

// conflicts are the runs of keys that both servers hold.
func conflicts(b *testing.B, paths []string, table string) []merge.Run {
	b.Helper()
	db, err := sql.Open("sqlite3", paths[0])
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("ATTACH ? AS o", paths[1]); err != nil {
		b.Fatal(err)
	}
	found, err := db.Query(fmt.Sprintf("SELECT id FROM main.%[1]s INTERSECT SELECT id FROM o.%[1]s", table))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	var runs []merge.Run
	for found.Next() {
		var k int64
		if err := found.Scan(&k); err != nil {
			b.Fatal(err)
		}
		if n := len(runs); n > 0 && runs[n-1].Old+runs[n-1].Count == k {
			runs[n-1].Count++
			continue
		}
		runs = append(runs, merge.Run{Old: k, Count: 1})
	}
	if err := found.Err(); err != nil {
		b.Fatal(err)
	}
	return runs
}

// floorRun writes rows of the same number and width with nothing but arithmetic: the first server's as they are, the second's with new keys.
func floorRun(b *testing.B, paths []string, way string) (took timing) {
	b.Helper()
	out := filepath.Join(b.TempDir(), "floor.db")
	db, err := sql.Open("sqlite3", out)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close(); _ = os.Remove(out) }()
	db.SetMaxOpenConns(1)
	const create = `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -98304; PRAGMA locking_mode = EXCLUSIVE;
		CREATE TABLE items (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL, template_id INTEGER NOT NULL, slot INTEGER NOT NULL, amount INTEGER NOT NULL, durability INTEGER NOT NULL)`
	if _, err := db.Exec(create); err != nil {
		b.Fatal(err)
	}
	add := int64(50_000_000)
	if way == "gameid" {
		add = 50_000_000 << 26
	}
	for i, p := range paths {
		start := time.Now()
		if _, err := db.Exec("ATTACH ? AS src", p); err != nil {
			b.Fatal(err)
		}
		_, err := db.Exec("INSERT INTO items SELECT id + ?1, owner_id + ?1, template_id, slot, amount, durability FROM src.items NOT INDEXED", int64(i)*add)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := db.Exec("DETACH src"); err != nil {
			b.Fatal(err)
		}
		took[i] = time.Since(start)
	}
	return took
}

// rewriteRun writes the first server's items as they are and the second's with the conflicting keys changed.
func rewriteRun(b *testing.B, paths []string, maps map[string]*merge.KeyMap) (took timing) {
	b.Helper()
	dir := b.TempDir()
	w := &workbench{t: b, dir: dir, engine: sqlite.New()}
	for i, p := range paths {
		s, err := w.engine.Open(context.Background(), merge.Source{Name: fmt.Sprint(i), Source: p}, merge.OpenOptions{})
		if err != nil {
			b.Fatal(err)
		}
		w.shards = append(w.shards, s)
	}
	out, err := w.engine.Create(context.Background(), filepath.Join(dir, "out.db"), merge.CreateOptions{Shards: w.shards, Schema: w.shards[0].Schema()})
	if err != nil {
		b.Fatal(err)
	}
	w.out = out
	defer w.close()
	for i := range paths {
		start := time.Now()
		job := w.job(i, "items")
		if i > 0 {
			for name, m := range maps {
				column(&job, name).Cases = []merge.Case{{Map: m}}
			}
		}
		w.load(job)
		took[i] = time.Since(start)
	}
	return took
}
