package audit_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3" // the worlds are plain SQL

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
)

// open makes one database from each SQL script and opens them as s1, s2 ... with server numbers 1, 2 ...
func open(t *testing.T, scripts ...string) (merge.Engine, []merge.Shard) {
	t.Helper()
	engine := sqlite.New()
	var shards []merge.Shard
	for i, script := range scripts {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.db", i+1))
		db, err := sql.Open("sqlite3", file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(script); err != nil {
			t.Fatalf("%v\n%s", err, script)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		server := int64(i + 1)
		s, err := engine.Open(context.Background(), merge.Source{Name: fmt.Sprintf("s%d", i+1), Server: &server, Source: file}, merge.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		shards = append(shards, s)
	}
	return engine, shards
}

func plan(t *testing.T, text string) *merge.Plan {
	t.Helper()
	p, err := planfile.Parse("plan.yaml", []byte("version: 1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func check(t *testing.T, planText string, scripts ...string) *audit.Result {
	t.Helper()
	engine, shards := open(t, scripts...)
	res, err := audit.Run(context.Background(), engine, shards, plan(t, planText), audit.Options{Present: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	readable(t, res)
	return res
}

// said is everything that the audit found and asks, one line each.
func said(res *audit.Result) string {
	var lines []string
	for _, f := range res.Findings {
		lines = append(lines, fmt.Sprintf("%s %s %s.%s %s %d: %s", f.Severity, f.Rule, f.Table, f.Column, f.Shard, f.Rows, f.Text))
	}
	for i := range res.Undecided {
		_, line := planfile.UndecidedLine(&res.Undecided[i])
		lines = append(lines, "ask "+line+": "+res.Undecided[i].Question)
	}
	return strings.Join(lines, "\n")
}

// fill inserts rows id, text for the given numbers into a table of two columns.
func fill(table string, from, to int, second string) string {
	return fmt.Sprintf("WITH RECURSIVE numbers(n) AS (SELECT %d UNION ALL SELECT n + 1 FROM numbers WHERE n < %d) INSERT INTO %s SELECT n, %s FROM numbers;", from, to, table, second)
}

const game = `CREATE TABLE players(id INTEGER PRIMARY KEY, name VARCHAR(8) UNIQUE COLLATE NOCASE);
	CREATE TABLE items(id INTEGER PRIMARY KEY, owner_id INTEGER DEFAULT 0);`

// merged says that the rows of the game belong to players, however equal they look.
const merged = "tables: [{table: items, rows: merge}, {table: players, rows: merge}]\n"

func TestFindings(t *testing.T) {
	players := func(tag string, to int) string { return fill("players", 1, to, "'"+tag+"' || n") }
	items := fill("items", 1, 40, "1 + n % 20")
	for _, tt := range []struct {
		name, plan string
		shards     []string
		want       []string // parts of what is said
		never      []string
		settled    bool
	}{
		{
			name: "settled", plan: merged + "references: [{from: items.owner_id, to: players.id}]",
			shards:  []string{game + players("a", 20) + items, game + players("b", 20) + items},
			want:    []string{"info key-conflict players.id  20:", "info key-conflict items.id  40:"},
			settled: true,
		},
		{
			name:   "undeclared reference without a plan's word",
			shards: []string{game + players("a", 20) + items, game + players("b", 20) + items},
			want:   []string{"ask {from: items.owner_id, to: players.id}"},
		},
		{
			name: "zero means nobody?", plan: merged + "references: [{from: items.owner_id, to: players.id}]",
			shards: []string{game + players("a", 20) + items + "INSERT INTO items VALUES(99, 0);", game + players("b", 20) + items},
			want:   []string{"ask {from: items.owner_id, to: players.id, none: [0]}: does 0 in items.owner_id mean nobody?"},
		},
		{
			name: "zero is nobody", plan: merged + "references: [{from: items.owner_id, to: players.id, none: [0]}]",
			shards:  []string{game + players("a", 20) + items + "INSERT INTO items VALUES(99, 0);", game + players("b", 20) + items},
			never:   []string{"orphan"},
			settled: true,
		},
		{
			name: "zero is nobody here and somebody there", plan: merged + "references: [{from: items.owner_id, to: players.id, none: [0]}]",
			shards: []string{game + players("a", 20) + items, game + players("b", 20) + items + "INSERT INTO players VALUES(0, 'zero');"},
			want:   []string{"block nobody items.owner_id s2"},
		},
		{
			name: "too many orphans", plan: merged + "references: [{from: items.owner_id, to: players.id}]",
			shards: []string{game + players("a", 15) + items, game + players("b", 20) + items},
			want:   []string{"ask {from: items.owner_id, to: players.id, orphans: tombstone}: 12 % of items.owner_id point at nobody"},
		},
		{
			name: "orphans may fail", plan: "references: [{from: items.owner_id, to: players.id, orphans: fail}]",
			shards: []string{game + players("a", 20) + items + "INSERT INTO items VALUES(99, 77);", game + players("b", 20) + items},
			want:   []string{"block orphan items.owner_id  1:"},
		},
		{
			name: "text in a reference", plan: merged + "references: [{from: items.owner_id, to: players.id}]",
			shards: []string{game + players("a", 20) + items + "INSERT INTO items VALUES(99, '5x');", game + players("b", 20) + items},
			want:   []string{`none: ["5x"]}: items.owner_id holds values that are no whole number`},
		},
		{
			name: "names clash", plan: merged + "references: [{from: items.owner_id, to: players.id}]",
			shards: []string{game + players("a", 20) + items, game + players("A", 20) + items},
			want:   []string{"decide unique-conflict players.name  20:", "ask {unique: players.name, on_conflict: rename"},
		},
		{
			name:   "text keys clash",
			shards: []string{"CREATE TABLE kv(k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES('motd', 1), ('rules', 3);", "CREATE TABLE kv(k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES('motd', 2);"},
			want:   []string{`ask {unique: kv.k, on_conflict: rename, template: "S{server}.{value}"}`},
		},
		{
			name: "a column is missing", plan: "",
			shards: []string{"CREATE TABLE p(id INTEGER PRIMARY KEY, vip INT DEFAULT 3); INSERT INTO p VALUES(1, 1);", "CREATE TABLE p(id INTEGER PRIMARY KEY); INSERT INTO p VALUES(1);"},
			want:   []string{`ask {table: p, rows: merge, missing: {vip: "3"}}`},
		},
		{
			name:   "each side lacks a column",
			shards: []string{"CREATE TABLE p(id INTEGER PRIMARY KEY, a INT);", "CREATE TABLE p(id INTEGER PRIMARY KEY, b INT);"},
			want:   []string{"block drift p.b s2"},
		},
		{
			name:   "another kind of value",
			shards: []string{"CREATE TABLE p(id INTEGER PRIMARY KEY, a TEXT);", "CREATE TABLE p(id INTEGER PRIMARY KEY, a INT);"},
			want:   []string{"block drift p.a s2"},
		},
		{
			name:   "a narrower text",
			shards: []string{"CREATE TABLE p(id INTEGER PRIMARY KEY, a VARCHAR(20));", "CREATE TABLE p(id INTEGER PRIMARY KEY, a VARCHAR(50));"},
			want:   []string{"block drift p.a s2"},
		},
		{
			name: "no room in a narrow column", plan: "keys: [{key: p.id, new: shift}]\nreferences: [{from: c.p_id, to: p.id}]",
			shards: []string{
				"CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p_id TINYINT); INSERT INTO p VALUES(1),(100); INSERT INTO c VALUES(1),(100);",
				"CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p_id TINYINT); INSERT INTO p VALUES(1),(100); INSERT INTO c VALUES(1),(100);",
			},
			want: []string{"block width c.p_id"},
		},
		{
			name: "dense finds the room that shift lacks", plan: "tables: [{table: p, rows: merge}, {table: c, rows: merge}]\nreferences: [{from: c.p_id, to: p.id}]",
			shards: []string{
				"CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p_id TINYINT); INSERT INTO p VALUES(1),(100); INSERT INTO c VALUES(1),(100);",
				"CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p_id TINYINT); INSERT INTO p VALUES(1),(100); INSERT INTO c VALUES(1),(100);",
			},
			want: []string{"(dense)"}, settled: true,
		},
		{
			name: "kinds that no condition names", plan: `references: [{from: log.target_id, to: players.id, when: "kind = 1"}]`,
			shards: []string{
				game + players("a", 20) + "CREATE TABLE log(kind INT, target_id INT); INSERT INTO log VALUES(1, 5), (2, 6);",
				game + players("b", 20) + "CREATE TABLE log(kind INT, target_id INT); INSERT INTO log VALUES(1, 5);",
			},
			want: []string{`ask {from: log.target_id, as: keep, when: "kind = 2"}: 1 row`},
		},
		{
			name: "a trigger names a row", plan: merged + "references: [{from: items.owner_id, to: players.id}]",
			shards: []string{
				game + players("a", 20) + items + "CREATE TRIGGER gift AFTER INSERT ON items WHEN new.owner_id = 7 BEGIN SELECT 1; END;",
				game + players("b", 20) + items + "CREATE TRIGGER gift AFTER INSERT ON items WHEN new.owner_id = 7 BEGIN SELECT 1; END;",
			},
			want: []string{"info literal items."}, settled: true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := check(t, tt.plan, tt.shards...)
			got := said(res)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("got\n%s\nwant a line with %q", got, want)
				}
			}
			for _, never := range tt.never {
				if strings.Contains(got, never) {
					t.Errorf("got\n%s\nwant nothing about %q", got, never)
				}
			}
			if settled := res.Settled != nil; settled != tt.settled {
				t.Errorf("settled: got %v, want %v\n%s", settled, tt.settled, got)
			}
		})
	}
}

// TestClashesBeyondTheLimit: what is not told apart is not renamed, and is never taken for settled.
func TestClashesBeyondTheLimit(t *testing.T) {
	names := func(from, to int) string { return fill("players", from, to, "'p' || n") }
	tags := "CREATE TABLE guilds(id INTEGER PRIMARY KEY, tag TEXT);" + fill("guilds", 1, 3, "'a' || n")
	rename := merged + "references: [{from: items.owner_id, as: keep}]\nuniques: [{unique: players.name, on_conflict: rename, template: '{value}{server}'}]"
	const fold = "tables: [{table: '*', rows: first}]\nreferences: [{from: items.owner_id, as: keep}, {from: guilds.tag, as: keep}]\n"
	const tag = "uniques: [{unique: guilds.tag, on_conflict: %s}]"
	for _, tt := range []struct {
		name, plan string
		limit      int
		shards     []string
		want       string // "" for a settled plan
	}{
		{"as many as the limit", rename, 5, []string{game + names(1, 5), game + names(1, 5)}, ""},
		{"one more than the limit", rename, 4, []string{game + names(1, 5), game + names(1, 5)}, "block unique-conflict players.name  5: 5 values of the unique key players.name stand in two shards, and at most 4 are told apart"},
		{"rows that fold under a unique key of the schema", "tables: [{table: '*', rows: first}]\nreferences: [{from: items.owner_id, as: keep}]", 3, []string{game + names(1, 5), game + names(1, 5)}, ""},
		{
			"rows that do not fold, behind others, under a unique key of the plan alone", fold + fmt.Sprintf(tag, "rename, template: '{value}{server}'"), 3,
			[]string{game + tags + "INSERT INTO guilds VALUES (8, 'z')", game + tags + "INSERT INTO guilds VALUES (9, 'z')"},
			"block unique-conflict guilds.tag  4: 4 values of the unique key guilds.tag",
		},
		{
			"the same that must not clash", fold + fmt.Sprintf(tag, "fail"), 3,
			[]string{game + tags + "INSERT INTO guilds VALUES (8, 'z')", game + tags + "INSERT INTO guilds VALUES (9, 'z')"},
			"block unique-conflict guilds.tag  4: 4 values of the unique key guilds.tag",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			engine, shards := open(t, tt.shards...)
			res, err := audit.Run(context.Background(), engine, shards, plan(t, tt.plan), audit.Options{Present: 1 << 40, ClashLimit: tt.limit})
			if err != nil {
				t.Fatal(err)
			}
			if got := said(res); (res.Settled != nil) != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("settled: %v, want %q in\n%s", res.Settled != nil, tt.want, got)
			}
		})
	}
}

func TestRenamesFitTheColumnAndAreFree(t *testing.T) {
	const table = "CREATE TABLE players(id INTEGER PRIMARY KEY, name VARCHAR(8) UNIQUE COLLATE NOCASE); CREATE TABLE c(players_id INT REFERENCES players);"
	res := check(t, `uniques: [{unique: players.name, on_conflict: rename, template: "S{server}.{value}"}]`,
		table+"INSERT INTO players VALUES(1, 'Longname'), (2, '李小龙李小龙李小'), (3, 'bob'), (4, 's2.BOB'), (5, 'e\u0301e\u0301e\u0301e\u0301');",
		table+"INSERT INTO players VALUES(1, 'LONGNAME'), (2, '李小龙李小龙李小'), (3, 'Bob'), (5, 'e\u0301e\u0301e\u0301e\u0301');")
	if res.Settled == nil {
		t.Fatal(said(res))
	}
	got := map[string]string{}
	for _, r := range res.Settled.Renames[0].Shards[1] {
		got[r.Old] = r.New
	}
	want := map[string]string{
		"LONGNAME":                     "S2.LONGN",
		"李小龙李小龙李小":                     "S2.李小龙李小",
		"Bob":                          "S2.Bob2",           // S2.Bob is s2.BOB of the first shard
		"e\u0301e\u0301e\u0301e\u0301": "S2.e\u0301e\u0301", // no accent without its letter
	}
	for old, name := range want {
		if got[old] != name {
			t.Errorf("%q became %q, want %q", old, got[old], name)
		}
	}
	if len(got) != len(want) || len(res.Settled.Renames[0].Shards[0]) != 0 {
		t.Errorf("renamed %v and %v, want the second shard's four alone", got, res.Settled.Renames[0].Shards[0])
	}
}

func TestPlanThatDoesNotFit(t *testing.T) {
	for text, want := range map[string]string{
		"references: [{from: items.nobody, to: players.id}]":                                  "items.nobody",
		"references: [{from: items.owner_id, to: players.id, when: \"kind ==== 1\"}]":         "kind ==== 1",
		"keys: [{key: guilds.id, new: shift}]":                                                "guilds.id",
		"tables: [{table: guilds, rows: first}]":                                              "guilds",
		"tables: [{table: items, rows: {from: s9}}]":                                          "s9",
		"references: [{from: items.owner_id, to: players.id, as: list, separator: \",\"}]":    "list",
		"schema: \"sha256:0000000000000000000000000000000000000000000000000000000000000000\"": "merge-check --update-plan",
	} {
		engine, shards := open(t, game, game)
		_, err := audit.Run(context.Background(), engine, shards, plan(t, text), audit.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want one that names %s", text, err, want)
		}
	}
}

// TestOrderOfLaterShards checks that the verdict does not depend on the order of the shards after the first.
func TestOrderOfLaterShards(t *testing.T) {
	a := game + fill("players", 1, 20, "'a' || n") + fill("items", 1, 40, "1 + n % 20")
	b := game + fill("players", 5, 25, "'b' || n") + fill("items", 1, 40, "5 + n % 20")
	c := game + fill("players", 15, 60, "'c' || n") + fill("items", 1, 60, "15 + n % 20")
	const text = "references: [{from: items.owner_id, to: players.id}]"
	one, two := check(t, text, a, b, c), check(t, text, a, c, b)
	if one.Verdict.Conflicts != two.Verdict.Conflicts || one.Verdict.Decisions != two.Verdict.Decisions || (one.Settled == nil) != (two.Settled == nil) {
		t.Errorf("got %+v and, in another order, %+v", one.Verdict, two.Verdict)
	}
}
