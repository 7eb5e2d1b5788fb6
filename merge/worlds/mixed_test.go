package worlds

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// TestMixedValues audits databases of which any column may hold a value of any storage class, the discovery of references included: there is an answer to each, and none of
// them ends the program.
func TestMixedValues(t *testing.T) {
	for _, seed := range seeds(t, ordinary) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			ddl, modes := mixedSchema(r)
			e := sqlite.New()
			var shards []merge.Shard
			for server := range 2 {
				path := filepath.Join(dir, fmt.Sprintf("%d.db", server+1))
				fillMixed(t, path, ddl, modes, rand.New(rand.NewPCG(uint64(seed), uint64(server))), server)
				s, err := e.Open(t.Context(), merge.Source{Name: fmt.Sprintf("s%d", server+1), Source: path}, merge.OpenOptions{Check: true})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = s.Close() })
				shards = append(shards, s)
			}
			res, err := audit.Run(t.Context(), e, shards, &merge.Plan{}, audit.Options{Assume: []merge.Grade{merge.Certain, merge.Likely}, Present: merge.IDCursorNow(time.Now())})
			if err != nil {
				t.Fatalf("audit: %v\n%s", err, strings.Join(ddl, ";\n"))
			}
			if res.Settled == nil && len(res.Undecided) == 0 && len(res.Findings) == 0 {
				t.Errorf("neither settled, nor a question, nor a finding\n%s", strings.Join(ddl, ";\n"))
			}
		})
	}
}

// mixedSchema is up to three tables of up to three columns beside a key, and how each column is filled.
func mixedSchema(r *rand.Rand) (ddl []string, modes [][]int) {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	for i := range 1 + r.IntN(3) {
		columns := []string{"id " + one("integer primary key", "int primary key", "text primary key", "text collate nocase primary key", "int", "integer primary key autoincrement", "primary key", "blob primary key")}
		var how []int
		for j := range 1 + r.IntN(3) {
			columns = append(columns, fmt.Sprintf("%s%d %s", one("name", "p_id", "t0_id", "kind", "owner", "x", "memo", "value", "next_id"), j,
				one("text", "int", "", "blob", "real", "varchar(9)", "text unique", "int unique", "text collate nocase", "numeric")))
			how = append(how, r.IntN(12))
		}
		ddl, modes = append(ddl, fmt.Sprintf("CREATE TABLE t%d (%s)", i, strings.Join(columns, ", "))), append(modes, how)
	}
	return ddl, modes
}

// fillMixed makes one server's database. Rows that a key refuses are left out.
func fillMixed(t *testing.T, path string, ddl []string, modes [][]int, r *rand.Rand, server int) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, create := range ddl {
		if _, err := db.Exec(create); err != nil {
			t.Fatal(err)
		}
		for row := range 25 {
			args := []any{any(row + 1)}
			if r.IntN(20) == 0 {
				args[0] = anything(r, row)
			}
			for _, mode := range modes[i] {
				args = append(args, mixed(r, mode, row, server))
			}
			_, _ = db.Exec(fmt.Sprintf("INSERT INTO t%d VALUES (?%s)", i, strings.Repeat(", ?", len(args)-1)), args...)
		}
	}
}

// mixed is a column's next value: mostly of the column's own kind.
func mixed(r *rand.Rand, mode, row, server int) any {
	if mode < 6 && r.IntN(12) > 0 {
		return []any{row, 1 + r.IntN(25), fmt.Sprintf("u%d_%d", server, row), fmt.Sprintf("w%d", r.IntN(40)), r.IntN(3), fmt.Sprint(1 + r.IntN(25))}[mode]
	}
	return anything(r, row)
}

func anything(r *rand.Rand, row int) any {
	n := r.IntN(60)
	list := []any{
		row, n, fmt.Sprint(n), fmt.Sprintf("n%d", n),
		[]byte{byte(n)},
		[]byte{},
		nil, r.Float64() * 50, math.Inf(1), -n, int64(math.MaxInt64), int64(math.MinInt64), "",
		fmt.Sprintf("%d,%d", n, row), "\x00", "Bob", float64(n),
	}
	return list[r.IntN(len(list))]
}
