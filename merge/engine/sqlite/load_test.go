package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// testing2 is what testing.T and rapid.T have in common.
type testing2 interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// bench is an engine, its shards and an output that is being made.
type workbench struct {
	t      testing2
	dir    string
	engine *sqlite.Engine
	shards []merge.Shard
	out    merge.Output
}

// newBench makes one shard for each script and starts an output with the first one's schema.
func newBench(t testing2, dir string, scripts ...string) *workbench {
	t.Helper()
	b := &workbench{t: t, dir: dir, engine: sqlite.New()}
	for i, script := range scripts {
		path := filepath.Join(dir, fmt.Sprintf("s%d.db", i+1))
		run(t, path, script)
		s, err := b.engine.Open(context.Background(), merge.Source{Name: fmt.Sprintf("s%d", i+1), Source: path}, merge.OpenOptions{})
		if err != nil {
			t.Fatalf("Open(%s) = %v", path, err)
		}
		b.shards = append(b.shards, s)
	}
	out, err := b.engine.Create(context.Background(), filepath.Join(dir, "out.db"), merge.CreateOptions{Shards: b.shards, Schema: b.shards[0].Schema()})
	if err != nil {
		t.Fatalf("Create = %v", err)
	}
	b.out = out
	return b
}

func (b *workbench) close() {
	_ = b.out.Abort()
	for _, s := range b.shards {
		_ = s.Close()
	}
}

// job copies a table's columns by name.
func (b *workbench) job(shard int, table string) merge.TableJob {
	t := b.shards[0].Schema().Table(table)
	job := merge.TableJob{Table: t, Shard: shard, Rows: merge.MergeRows}
	for _, c := range t.Columns {
		if !c.Generated {
			job.Columns = append(job.Columns, merge.ColumnJob{Name: c.Name, Source: c.Name})
		}
	}
	return job
}

func (b *workbench) load(job merge.TableJob) int64 {
	b.t.Helper()
	n, err := b.out.Load(context.Background(), b.shards[job.Shard], job, nil)
	if err != nil {
		b.t.Fatalf("Load(%s of shard %d) = %v", job.Table.Name, job.Shard, err)
	}
	return n
}

func (b *workbench) finish(job merge.FinishJob) {
	b.t.Helper()
	if job.Schema == nil {
		job.Schema = b.shards[0].Schema()
	}
	if err := b.out.Finish(context.Background(), job); err != nil {
		b.t.Fatalf("Finish = %v", err)
	}
}

// column finds a column's job.
func column(job *merge.TableJob, name string) *merge.ColumnJob {
	for i := range job.Columns {
		if job.Columns[i].Name == name {
			return &job.Columns[i]
		}
	}
	panic("no column " + name)
}

// run executes a script on a database that it makes.
func run(t testing2, path, script string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(script); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// rows reads a query's values as SQL literals, so that storage classes show.
func rows(t testing2, path, query string) []string {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	found, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = found.Close() }()
	names, _ := found.Columns()
	var list []string
	for found.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(sql.NullString)
		}
		if err := found.Scan(values...); err != nil {
			t.Fatal(err)
		}
		words := make([]string, len(values))
		for i, v := range values {
			if s := v.(*sql.NullString); s.Valid {
				words[i] = s.String
			} else {
				words[i] = "NULL"
			}
		}
		list = append(list, strings.Join(words, "|"))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func mapOf(t testing2, runs ...merge.Run) *merge.KeyMap {
	t.Helper()
	m, err := merge.NewKeyMap(runs)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// values are what a column may hold beside ordinary keys.
var hostile = []any{
	nil, "", "abc", "101abc", " 101", "101 ", "+101", "0101", "-0", "1e2", "0x65", "101.0", "9223372036854775808", "-9223372036854775809",
	"9223372036854775807", "-9223372036854775808", "1\x00", []byte("101"),
	[]byte{1},
	[]byte{},
	0.5, 101.5, 5.0, -0.5, 1e300, math.Inf(1), 9.3e18,
	int64(math.MinInt64), int64(math.MinInt64 + 1), int64(math.MaxInt64), int64(math.MaxInt64 - 1), int64(0), int64(-1), int64(1), "5", "-5",
}

// drawMap draws a map of runs of every kind, near zero, at the edges of 64 bits and far apart.
func drawMap(t *rapid.T) *merge.KeyMap {
	n := rapid.IntRange(1, 40).Draw(t, "runs")
	at := rapid.SampledFrom([]int64{math.MinInt64, -50, 0, 1, 90, 1 << 40, math.MaxInt64 - 5000}).Draw(t, "start")
	shift := rapid.Int64Range(-1000, 1<<20).Draw(t, "shift")
	var runs []merge.Run
	for range n {
		count := rapid.OneOf(rapid.Int64Range(1, 30), rapid.SampledFrom([]int64{300, 6000, 70_000, 1 << 42})).Draw(t, "count")
		if at > math.MaxInt64-count-1 {
			break
		}
		r := merge.Run{Old: at, Count: count}
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			r.Rule, r.New = merge.GameID, merge.IDAt(rapid.Int64Range(0, 1<<44).Draw(t, "cursor"), 77)
		case 1:
			r.Rule, r.New = merge.Dense, rapid.Int64Range(math.MinInt64, math.MaxInt64-count).Draw(t, "new")
		case 2:
			r.Rule, r.New = merge.GameID, merge.IDAt(max(0, min(at, 1<<43))+1000, 5)
		default:
			if r.Rule, r.New = merge.Shift, at+shift; shift < 0 && r.New > at || shift > 0 && (r.New < at || r.New > math.MaxInt64-count) {
				r.New = 12345
			}
		}
		if holes := rapid.Bool().Draw(t, "holes"); holes || count > 70_000 {
			r.Among = merge.NewKeySet(r.Old, r.Last())
			for _, i := range rapid.SliceOf(rapid.Int64Range(0, count-1)).Draw(t, "members") {
				r.Among.Add(r.Old + i)
			}
			if hole := r.Old + count/2; !r.Among.Has(hole) {
				runs = append(runs, merge.Run{Old: hole, Count: 1, New: -7 - int64(len(runs)), Rule: merge.Tombstone})
			}
		}
		runs = append(runs, r)
		gap := rapid.SampledFrom([]int64{0, 0, 1, 3, 40, 5000, 1 << 20, 1 << 41}).Draw(t, "gap")
		if at > math.MaxInt64-count-gap {
			break
		}
		at += count + gap
	}
	m, err := merge.NewKeyMap(runs)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// want is what a value becomes under a map.
func want(m *merge.KeyMap, v any, asText bool) any {
	switch v := v.(type) {
	case int64:
		image, _ := m.Lookup(v)
		return image
	case string:
		var i int64
		if _, err := fmt.Sscanf(v, "%d", &i); asText && err == nil && fmt.Sprint(i) == v {
			image, _ := m.Lookup(i)
			return fmt.Sprint(image)
		}
	}
	return v
}

// TestMapsLikeLookup runs random maps over random and hostile values in columns of every affinity and compares with the map itself.
func TestMapsLikeLookup(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		sub, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		m, asText := drawMap(t), rapid.Bool().Draw(t, "asText")
		values := append([]any{}, hostile...)
		for _, r := range m.Runs() {
			for _, k := range []int64{r.Old, r.Old + r.Count/2, r.Old + r.Count/3, r.Last()} {
				values = append(values, k, fmt.Sprint(k), float64(k)+0.5)
			}
			if r.Old > math.MinInt64 {
				values = append(values, r.Old-1)
			}
			if r.Old < math.MaxInt64-r.Count {
				values = append(values, r.Old+r.Count)
			}
		}
		path := filepath.Join(sub, "s1.db")
		run(t, path, "CREATE TABLE t(n INTEGER, none, i INTEGER, x TEXT, num NUMERIC, r REAL, i2 INT)")
		db, err := sql.Open("sqlite3", path)
		if err != nil {
			t.Fatal(err)
		}
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for n, v := range values {
			if _, err := tx.Exec("INSERT INTO t VALUES(?1, ?2, ?2, ?2, ?2, ?2, ?2)", n, v); err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		_ = db.Close()
		b := newBench(t, sub, "SELECT 1")
		defer b.close()
		job := b.job(0, "t")
		for _, name := range []string{"none", "i", "x", "num", "r", "i2"} {
			column(&job, name).Cases = []merge.Case{{Map: m, AsText: asText}}
		}
		column(&job, "i2").Cases[0].When = "true"
		if n := b.load(job); n != int64(len(values)) {
			t.Fatalf("Load = %d rows, want %d", n, len(values))
		}
		for _, name := range []string{"none", "i", "x", "num", "r", "i2"} {
			compareColumn(t, path, b.out.Path(), name, func(v any) any { return want(m, v, asText) })
		}
	})
}

// compareColumn compares a column of t in the output with the image of what the shard stores.
func compareColumn(t testing2, shard, out, name string, image func(any) any) {
	t.Helper()
	db, err := sql.Open("sqlite3", shard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("ATTACH ? AS o", "file:"+out+"?mode=ro"); err != nil {
		t.Fatal(err)
	}
	all, err := db.Query(fmt.Sprintf("SELECT +a.%[1]s, +b.%[1]s FROM main.t a JOIN o.t b USING (n)", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = all.Close() }()
	n := 0
	for all.Next() {
		var before, after any
		if err := all.Scan(&before, &after); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(image(before), after); diff != "" {
			t.Fatalf("column %s: %T %v (-want +got):\n%s", name, before, before, diff)
		}
		n++
	}
	if n == 0 || all.Err() != nil {
		t.Fatalf("%d rows, %v", n, all.Err())
	}
}
