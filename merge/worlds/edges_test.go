package worlds

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/prove"
	"github.com/gameid/gameid/merge/rewrite"
)

// edge is a limit: what lies beyond it is refused before anything is written, and its neighbour is merged.
type edge struct {
	first, second string // SQL; %s is the value
	plan          string // %s is the value, too
	beyond        string // value that is refused
	within        string // value that is merged
	because       string // rule of the finding that blocks
	then          string // a query on the merged database that counts what must be there
	want          int64
}

const players, items = "CREATE TABLE players(id INTEGER PRIMARY KEY, tag TEXT);", "CREATE TABLE items(id INTEGER PRIMARY KEY, owner INT);"

var edges = map[string]edge{
	"M16 the last number of a counted key": {
		first:  "CREATE TABLE p(id INTEGER PRIMARY KEY AUTOINCREMENT, tag TEXT); INSERT INTO p VALUES(1, 'a')",
		second: "CREATE TABLE p(id INTEGER PRIMARY KEY AUTOINCREMENT, tag TEXT); INSERT INTO p VALUES(%s, 'b')",
		beyond: "9223372036854775807", within: "9223372036854775806", because: "auto-number",
		then: "SELECT count(*) FROM p WHERE id = 9223372036854775806", want: 1,
	},
	"M26 no room above the highest key": {
		first: players + "INSERT INTO players VALUES(1, 'a'), (9223372036854775806, 'b')", second: players + "INSERT INTO players VALUES(1, 'c')",
		plan: "keys: [{key: players.id, new: %s}]", beyond: "shift", within: "dense", because: "width",
		then: "SELECT count(*) FROM players WHERE id NOT IN (1, 9223372036854775806)", want: 1,
	},
	"M26 a range that is full": {
		first: players + "INSERT INTO players VALUES(1, 'a'), (2, 'b')", second: players + "INSERT INTO players VALUES(1, 'c'), (2, 'd')",
		plan: "keys: [{key: players.id, new: dense, range: [1, %s]}]", beyond: "3", within: "4", because: "width",
		then: "SELECT count(*) FROM players WHERE id IN (3, 4)", want: 2,
	},
	"M26 a column that is too narrow": {
		first:  "CREATE TABLE p(id INT PRIMARY KEY, tag TEXT); CREATE TABLE t(x %s REFERENCES p(id)); INSERT INTO p VALUES(255, 'a'), (127, 'b'); INSERT INTO t VALUES(127)",
		second: "CREATE TABLE p(id INT PRIMARY KEY, tag TEXT); CREATE TABLE t(x %s REFERENCES p(id)); INSERT INTO p VALUES(127, 'c'); INSERT INTO t VALUES(127)",
		plan:   "keys: [{key: p.id, new: shift}]", beyond: "tinyint unsigned", within: "smallint", because: "width",
		then: "SELECT count(*) FROM t JOIN p ON x = p.id WHERE tag IN ('b', 'c')", want: 2,
	},
	"M28 a nobody who is somebody": {
		first: players + items + "INSERT INTO players VALUES(1, 'a'); INSERT INTO items VALUES(1, 0)", second: players + items + "INSERT INTO players VALUES(%s, 'b'); INSERT INTO items VALUES(1, 0)",
		plan: "references: [{from: items.owner, to: players.id, none: [0]}]", beyond: "0", within: "-1", because: "nobody",
		then: "SELECT count(*) FROM items WHERE owner = 0", want: 2,
	},
	"M28 an orphan that nobody may be": {
		first: players + items + "INSERT INTO players VALUES(1, 'a'); INSERT INTO items VALUES(1, 1)", second: players + items + "INSERT INTO players VALUES(1, 'b'); INSERT INTO items VALUES(1, %s)",
		plan: "references: [{from: items.owner, to: players.id, orphans: fail}]", beyond: "9", within: "1", because: "orphan",
		then: "SELECT count(*) FROM items JOIN players ON owner = players.id", want: 2,
	},
	"M28 an orphan that cannot be cleared": {
		first:  players + "CREATE TABLE items(owner INT NOT NULL); INSERT INTO players VALUES(1, 'a'); INSERT INTO items VALUES(1), (7)",
		second: players + "CREATE TABLE items(owner INT NOT NULL); INSERT INTO players VALUES(7, 'b'); INSERT INTO items VALUES(7)",
		plan:   "references: [{from: items.owner, to: players.id, orphans: clear, none: [%s]}]", beyond: "", within: "0", because: "orphan",
		then: "SELECT count(*) FROM items WHERE owner = 0", want: 1,
	},
	"M20 a name that no new one fits": {
		first: "CREATE TABLE p(name %s PRIMARY KEY); INSERT INTO p VALUES('Bo')", second: "CREATE TABLE p(name %s PRIMARY KEY); INSERT INTO p VALUES('Bo')",
		plan: "uniques: [{unique: p.name, on_conflict: rename, template: \"{value}-{server}\"}]", beyond: "varchar(3)", within: "varchar(4)", because: "rename",
		then: "SELECT count(*) FROM p WHERE name IN ('Bo', 'Bo-2')", want: 2,
	},
	"a counter whose column ends": {
		first: players + "CREATE TABLE c(n tinyint); INSERT INTO players VALUES(%s, 'a'); INSERT INTO c VALUES(1)", second: players + "CREATE TABLE c(n tinyint)",
		plan: "counters: [{column: c.n, key: players.id, margin: 1}]", beyond: "127", within: "126", because: "width",
		then: "SELECT count(*) FROM c WHERE n = 127", want: 1,
	},
}

// TestEdges stands on both sides of each limit.
func TestEdges(t *testing.T) {
	for what, c := range edges {
		t.Run(what, func(t *testing.T) {
			t.Run("beyond", func(t *testing.T) {
				res, _ := c.merge(t, c.beyond)
				if res.Settled != nil {
					t.Fatalf("got a merge, want a refusal by %s", c.because)
				}
				for _, f := range res.Findings {
					if f.Severity == merge.Block && f.Rule == c.because && f.Next != "" {
						return
					}
				}
				t.Errorf("got %+v, want a blocking %s with a next step", res.Findings, c.because)
			})
			t.Run("within", func(t *testing.T) {
				res, path := c.merge(t, c.within)
				if path == "" {
					t.Fatalf("got %+v %+v, want a merge", res.Findings, res.Undecided)
				}
				db := open(t, path)
				defer func() { _ = db.Close() }()
				var n int64
				if err := db.QueryRow(c.then).Scan(&n); err != nil || n != c.want {
					t.Errorf("%s: got %d, %v, want %d", c.then, n, err, c.want)
				}
			})
		})
	}
}

// merge audits with one value; what is settled it rewrites and proves.
func (c edge) merge(t *testing.T, value string) (*audit.Result, string) {
	t.Helper()
	fill := func(s string) string { return strings.ReplaceAll(s, "%s", value) }
	e := sqlite.New()
	shards := databases(t, e, fill(c.first), fill(c.second))
	text := "version: 1\n" + fill(c.plan) + "\n"
	if !strings.Contains(c.plan, "tables:") {
		text += "tables: [{table: '*', rows: merge}]\n"
	}
	plan, err := planfile.Parse("plan", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	res, err := audit.Run(t.Context(), e, shards, plan, audit.Options{Present: merge.IDCursorNow(time.Now())})
	if err != nil {
		t.Fatal(err)
	}
	if res.Settled == nil {
		return res, ""
	}
	path := filepath.Join(t.TempDir(), "out.db")
	_, out, err := rewrite.Run(t.Context(), e, shards, res.Settled, path, rewrite.Options{Plan: planfile.Format(res.Plan, planfile.Notes{})})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	merged, err := e.Open(t.Context(), merge.Source{Name: "merged", Source: path}, merge.OpenOptions{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	report, err := prove.Run(t.Context(), e, shards, merged, prove.Options{})
	if err := errors.Join(err, merged.Close()); err != nil || !report.OK {
		t.Fatal(fmt.Sprintf("%+v", report), err)
	}
	return res, path
}
