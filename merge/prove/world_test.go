package prove_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/prove"
)

const schema = `
CREATE TABLE players(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL COLLATE NOCASE UNIQUE, renamed INT NOT NULL DEFAULT 0, luck);
CREATE TABLE guilds(id INT NOT NULL PRIMARY KEY, leader INT REFERENCES players(id));
CREATE TABLE items(id INTEGER PRIMARY KEY, owner_id INT NOT NULL, amount INT);
CREATE TABLE targets(id INTEGER PRIMARY KEY, kind INT, target INT);
CREATE TABLE friends(a INT NOT NULL, b INT NOT NULL, PRIMARY KEY(a, b)) WITHOUT ROWID;
CREATE TABLE log(who, what TEXT COLLATE NOCASE);
CREATE TABLE "odd ""t"" x"("a.b" INTEGER PRIMARY KEY, "; DROP" TEXT);
CREATE TABLE templates(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE seq(name TEXT PRIMARY KEY, next INT);
CREATE TABLE mail(id INTEGER PRIMARY KEY, sender INT, sender_name TEXT);
CREATE TABLE sessions(token TEXT PRIMARY KEY);
CREATE TABLE notes(k TEXT PRIMARY KEY, v INT);
CREATE INDEX items_owner ON items(owner_id);
CREATE TRIGGER items_gone AFTER DELETE ON items BEGIN SELECT 1; END;
CREATE VIEW rich AS SELECT id FROM players;
`

const first = `
INSERT INTO players VALUES(1,'Ann',0,5),(2,'Bob',0,1.5),(5,'Cy',0,NULL);
INSERT INTO guilds VALUES(10,1);
INSERT INTO items VALUES(1,1,3),(2,0,4),(3,2,5),(6,44,1);
INSERT INTO targets VALUES(1,1,1),(2,2,10);
INSERT INTO friends VALUES(1,2);
INSERT INTO log VALUES(1,'x'),(1,'x');
INSERT INTO "odd ""t"" x" VALUES(1,'q');
INSERT INTO templates VALUES(1,'sword'),(2,'bow');
INSERT INTO seq VALUES('item',7);
INSERT INTO mail VALUES(1,1,'Ann');
INSERT INTO sessions VALUES('t1');
INSERT INTO notes VALUES(NULL,1),('a',2);
`

const second = `
INSERT INTO players VALUES(1,'Dan',0,5),(2,'bob',0,2),(7,'Gus',0,7);
INSERT INTO guilds VALUES(10,2);
INSERT INTO items VALUES(1,1,3),(2,5,4),(4,7,1),(5,44,2);
INSERT INTO targets VALUES(1,1,1),(2,2,10),(3,3,10);
INSERT INTO friends VALUES(1,2),(7,1);
INSERT INTO log VALUES('1','x'),(2,'y'),(2,'y');
INSERT INTO "odd ""t"" x" VALUES(1,'r');
INSERT INTO templates VALUES(2,'bow'),(3,'axe');
INSERT INTO seq VALUES('item',6);
INSERT INTO mail VALUES(1,2,'bob'),(2,7,'Gus');
INSERT INTO sessions VALUES('t2');
INSERT INTO notes VALUES(NULL,1);
`

const merged = `
INSERT INTO players VALUES(1,'Ann',0,5),(2,'Bob',0,1.5),(5,'Cy',0,NULL),(101,'Dan',0,5),(102,'S2.bob',1,2),(7,'Gus',0,7);
UPDATE sqlite_sequence SET seq = 102 WHERE name = 'players';
INSERT INTO guilds VALUES(10,1),(20,102);
INSERT INTO items VALUES(1,1,3),(2,0,4),(3,2,5),(6,92,1),(11,101,3),(12,90,4),(4,7,1),(5,91,2);
INSERT INTO targets VALUES(1,1,1),(2,2,10),(31,1,101),(32,2,20),(3,3,10);
INSERT INTO friends VALUES(1,2),(101,102),(7,101);
INSERT INTO log VALUES(1,'x'),(1,'x'),('101','x'),(102,'y'),(102,'y');
INSERT INTO "odd ""t"" x" VALUES(1,'q'),(2,'r');
INSERT INTO templates VALUES(1,'sword'),(2,'bow'),(3,'axe');
INSERT INTO seq VALUES('item',13);
INSERT INTO mail VALUES(1,1,'Ann'),(41,102,'S2.bob'),(2,7,'Gus');
INSERT INTO notes VALUES(NULL,1),('a',2),(NULL,1);
`

func col(table, name string) merge.Col { return merge.Col{Table: table, Name: name} }

func ref(from, to merge.Col, when string) merge.Reference {
	return merge.Reference{From: []merge.Col{from}, To: []merge.Col{to}, When: when}
}

func run(old, count, to int64) merge.Run {
	return merge.Run{Old: old, Count: count, New: to, Rule: merge.Shift}
}

func tomb(old, to int64) merge.Run {
	return merge.Run{Old: old, Count: 1, New: to, Rule: merge.Tombstone}
}

// record is what the right merge of the two shards records.
func record() (*merge.Memory, *merge.Plan) {
	player, guild := col("players", "id"), col("guilds", "id")
	owner := ref(col("items", "owner_id"), player, "")
	owner.None = []any{int64(0)}
	sender := ref(col("mail", "sender_name"), col("players", "name"), "")
	by := col("mail", "sender")
	sender.As, sender.By = merge.Copy, &by
	refs := []merge.MemoryReference{
		{Reference: ref(col("guilds", "leader"), player, ""), Spaces: []merge.Col{player}},
		{Reference: owner, Spaces: []merge.Col{player}},
		{Reference: ref(col("targets", "target"), player, "kind = 1"), Spaces: []merge.Col{player}},
		{Reference: ref(col("targets", "target"), guild, "kind = 2"), Spaces: []merge.Col{guild}},
		{Reference: ref(col("friends", "a"), player, ""), Spaces: []merge.Col{player}},
		{Reference: ref(col("friends", "b"), player, ""), Spaces: []merge.Col{player}},
		{Reference: ref(col("log", "who"), player, ""), Spaces: []merge.Col{player}},
		{Reference: ref(by, player, ""), Spaces: []merge.Col{player}},
		{Reference: sender},
	}
	one, two := int64(1), int64(2)
	m := &merge.Memory{
		Shards: []merge.Source{{Name: "s1", Server: &one}, {Name: "s2", Server: &two}},
		Spaces: []merge.MemorySpace{
			{Key: player, Shard: "s1", Tombstones: []merge.Run{tomb(44, 92)}},
			{Key: player, Shard: "s2", Runs: []merge.Run{run(1, 2, 101)}, Tombstones: []merge.Run{tomb(5, 90), tomb(44, 91)}},
			{Key: guild, Shard: "s2", Runs: []merge.Run{run(10, 1, 20)}},
			{Key: col("items", "id"), Shard: "s2", Runs: []merge.Run{run(1, 2, 11)}},
			{Key: col("targets", "id"), Shard: "s2", Runs: []merge.Run{run(1, 2, 31)}},
			{Key: col(`odd "t" x`, "a.b"), Shard: "s2", Runs: []merge.Run{run(1, 1, 2)}},
			{Key: col("mail", "id"), Shard: "s2", Runs: []merge.Run{run(1, 1, 41)}},
		},
		Renames:    []merge.MemoryRename{{Unique: []merge.Col{col("players", "name")}, Column: col("players", "name"), Shard: "s2", Row: []any{int64(102)}, Old: "bob", New: "S2.bob"}},
		References: refs,
	}
	plan := &merge.Plan{
		Keys: []merge.KeyPlan{{Key: player, New: merge.Shift}, {Key: guild, New: merge.Shift}},
		Tables: []merge.TablePlan{
			{Table: "templates", Rows: merge.FirstRows}, {Table: "seq", Rows: merge.FirstRows}, {Table: "sessions", Rows: merge.EmptyRows},
		},
		Uniques:  []merge.UniquePlan{{Unique: []merge.Col{col("players", "name")}, OnConflict: "rename", Template: "S{server}.{value}", Mark: map[string]string{"renamed": "1"}}},
		Counters: []merge.Counter{{Column: col("seq", "next"), Where: "name = 'item'", Key: col("items", "id"), Margin: 1}},
	}
	for _, r := range refs {
		plan.References = append(plan.References, r.Reference)
	}
	return m, plan
}

const memoryTables = `
CREATE TABLE gameid_shards(via TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, server INTEGER, contents TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY(via, position)) WITHOUT ROWID;
CREATE TABLE gameid_keys(via TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT NOT NULL, shard TEXT NOT NULL, first_old INTEGER NOT NULL, count INTEGER NOT NULL, first_new INTEGER NOT NULL, rule TEXT NOT NULL, members BLOB, PRIMARY KEY(via, table_name, column_name, shard, first_old)) WITHOUT ROWID;
CREATE TABLE gameid_tombstones(via TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT NOT NULL, shard TEXT NOT NULL, first_old INTEGER NOT NULL, count INTEGER NOT NULL, first_new INTEGER NOT NULL, rule TEXT NOT NULL, PRIMARY KEY(via, table_name, column_name, shard, first_old)) WITHOUT ROWID;
CREATE TABLE gameid_text_tombstones(via TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT NOT NULL, shard TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, PRIMARY KEY(via, table_name, column_name, shard, old)) WITHOUT ROWID;
CREATE TABLE gameid_renames(id INTEGER PRIMARY KEY, via TEXT NOT NULL, unique_key TEXT NOT NULL, column_name TEXT NOT NULL, shard TEXT NOT NULL, row_key TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL);
CREATE TABLE gameid_references(id INTEGER PRIMARY KEY, reference TEXT NOT NULL, spaces TEXT NOT NULL);
CREATE TABLE gameid_plan(id INTEGER PRIMARY KEY, via TEXT NOT NULL, plan TEXT NOT NULL);
CREATE TABLE gameid_seal(digest TEXT NOT NULL);
`

// remember writes a record by hand.
func remember(t *testing.T, db *sql.DB, m *merge.Memory, plan *merge.Plan) {
	t.Helper()
	do := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	do(memoryTables)
	for i, s := range m.Shards {
		do(`INSERT INTO gameid_shards VALUES('', ?, ?, ?, '', '')`, i, s.Name, s.Server)
	}
	for _, s := range m.Spaces {
		if len(s.Runs) == 0 {
			do(`INSERT INTO gameid_keys VALUES(?, ?, ?, ?, 0, 0, 0, 'static', NULL)`, s.Via, s.Key.Table, s.Key.Name, s.Shard)
		}
		for _, r := range s.Runs {
			do(`INSERT INTO gameid_keys VALUES(?, ?, ?, ?, ?, ?, ?, ?, NULL)`, s.Via, s.Key.Table, s.Key.Name, s.Shard, r.Old, r.Count, r.New, string(r.Rule))
		}
		for _, r := range s.Tombstones {
			do(`INSERT INTO gameid_tombstones VALUES(?, ?, ?, ?, ?, ?, ?, ?)`, s.Via, s.Key.Table, s.Key.Name, s.Shard, r.Old, r.Count, r.New, string(r.Rule))
		}
	}
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	pairs := func(list []merge.Col) []*[2]string {
		out := []*[2]string{}
		for _, c := range list {
			if c == (merge.Col{}) {
				out = append(out, nil)
			} else {
				out = append(out, &[2]string{c.Table, c.Name})
			}
		}
		return out
	}
	for _, r := range m.Renames {
		do(`INSERT INTO gameid_renames VALUES(NULL, ?, ?, ?, ?, ?, ?, ?)`, r.Via, text(pairs(r.Unique)), text([2]string{r.Column.Table, r.Column.Name}), r.Shard, text(r.Row), r.Old, r.New)
	}
	for _, b := range m.Buried {
		do(`INSERT INTO gameid_text_tombstones VALUES(?, ?, ?, ?, ?, ?)`, b.Via, b.Key.Table, b.Key.Name, b.Shard, b.Old, b.New)
	}
	for _, r := range m.References {
		do(`INSERT INTO gameid_references VALUES(NULL, ?, ?)`, text(r.Reference), text(pairs(r.Spaces)))
	}
	do(`INSERT INTO gameid_plan VALUES(NULL, '', ?)`, string(planfile.Format(plan, planfile.Notes{})))
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	seal, err := sqlite.Seal(context.Background(), conn)
	if err := errors.Join(err, conn.Close()); err != nil {
		t.Fatal(err)
	}
	do(`INSERT INTO gameid_seal VALUES(?)`, seal)
}

func build(t *testing.T, name string, fill func(*sql.DB), scripts ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for i, s := range append([]string{"PRAGMA synchronous = OFF"}, scripts...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s, script %d: %v", name, i, err)
		}
	}
	if fill != nil {
		fill(db)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// world is what a test changes before the proof.
type world struct {
	first, second, merged string // more SQL
	record                func(*merge.Memory, *merge.Plan)
}

func (w world) prove(t *testing.T) (*prove.Report, error) {
	t.Helper()
	ctx, e := context.Background(), sqlite.New()
	m, plan := record()
	if w.record != nil {
		w.record(m, plan)
	}
	open := func(name, path string) merge.Shard {
		s, err := e.Open(ctx, merge.Source{Name: name, Source: path}, merge.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	out := open("merged", build(t, "merged", func(db *sql.DB) { remember(t, db, m, plan) }, schema, merged, w.merged))
	shards := []merge.Shard{open("s1", build(t, "s1", nil, schema, first, w.first)), open("s2", build(t, "s2", nil, schema, second, w.second))}
	return prove.Run(ctx, e, shards, out, prove.Options{})
}

func failures(r *prove.Report) string {
	s := ""
	for _, c := range r.Checks {
		if !c.OK {
			s += fmt.Sprintf("%s %s.%s %s: %s\n", c.Name, c.Table, c.Column, c.Shard, c.Detail)
		}
	}
	return s
}
