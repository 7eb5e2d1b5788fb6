package cmd_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/cmd"
)

// manyTables makes two servers of a game with so many small tables, of every kind that a merge treats in its own way and none of which it asks about.
func manyTables(t testing.TB, tables int) (files []string) {
	t.Helper()
	const rows = 20
	for server := range 2 {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("s%d.db", server+1))
		db, err := sql.Open("sqlite3", file)
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
		exec("CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
		for i := range 500 {
			exec("INSERT INTO players VALUES (?, ?)", 3*i+server, fmt.Sprintf("p%d_%d", server, i))
		}
		for n := range tables {
			name := fmt.Sprintf("t%d_rows", n)
			key, label := "id INTEGER PRIMARY KEY, ", "TEXT"
			switch n % 4 {
			case 2:
				label = "TEXT UNIQUE"
			case 3:
				key = ""
			}
			exec("CREATE TABLE " + name + " (" + key + "player_id INT REFERENCES players(id), label " + label + ")")
			for i, at := range slices.Sorted(slices.Values(r.Perm(2 * rows)[:rows])) {
				values := []any{at + 1, 3*r.IntN(500) + server, fmt.Sprintf("l%d_%d_%d", server, n, i)}
				if key == "" {
					values = values[1:]
				}
				exec("INSERT INTO "+name+" VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", values...)
			}
		}
		exec("COMMIT")
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// BenchmarkTables reports how many times as long every command of a merge takes for a table of 800 as for one of 100: near 1 where no step holds every table against every
// other or reads the whole schema for each.
func BenchmarkTables(b *testing.B) {
	const few, many = 100, 800
	worlds := map[int][]string{few: manyTables(b, few), many: manyTables(b, many)}
	for _, command := range []string{"merge-check", "merge-rewrite", "merge-verify"} {
		b.Run(command, func(b *testing.B) {
			best := map[int]time.Duration{}
			for b.Loop() {
				for tables, files := range worlds {
					merged := filepath.Join(filepath.Dir(files[0]), "merged.db")
					args := append([]string{command, "--quiet"}, files...)
					switch command {
					case "merge-rewrite":
						_ = os.Remove(merged)
						args = append(args, "-o", merged)
					case "merge-verify":
						args = append(args, "--merged", merged)
					}
					var out bytes.Buffer
					start := time.Now()
					if code := cmd.Main(args, strings.NewReader(""), &out, &out); code != 0 {
						b.Fatalf("%s of %d tables exits with %d:\n%s", command, tables, code, out.String())
					}
					if took := time.Since(start); best[tables] == 0 || took < best[tables] {
						best[tables] = took
					}
				}
			}
			b.ReportMetric(best[many].Seconds()/many/(best[few].Seconds()/few), "ratio")
			b.ReportMetric(best[many].Seconds()/many*1000, "ms/table")
		})
	}
}
