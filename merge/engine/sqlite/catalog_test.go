package sqlite_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

func TestCatalog(t *testing.T) {
	s := fromSQL(t, `
		CREATE TABLE "Play""ers"(id INTEGER PRIMARY KEY AUTOINCREMENT, "select" VARCHAR ( 20 ) COLLATE NOCASE UNIQUE, "größe" SMALLINT UNSIGNED(5) NOT NULL DEFAULT (1 + 1), made TEXT AS (upper("select")) VIRTUAL, kept AS (1) STORED);
		CREATE TABLE a(id INT PRIMARY KEY, s TEXT DEFAULT 'autoincrement');
		CREATE TABLE d(id INTEGER PRIMARY KEY DESC);
		CREATE TABLE w(x INT, y TEXT COLLATE RTRIM, PRIMARY KEY(y, x)) WITHOUT ROWID;
		CREATE TABLE st(id INTEGER PRIMARY KEY, v ANY, r REAL) STRICT;
		CREATE TABLE f(p REFERENCES "play""ers", y, x, FOREIGN KEY(y, x) REFERENCES w, FOREIGN KEY(x) REFERENCES a(ID));
		CREATE UNIQUE INDEX f1 ON f(x) WHERE y > 1;
		CREATE UNIQUE INDEX f2 ON f(lower(x), y COLLATE NOCASE);
		CREATE INDEX f3 ON f(y);
		CREATE VIEW v AS SELECT * FROM f;
		CREATE TRIGGER tr AFTER INSERT ON f BEGIN SELECT 1; END;
		CREATE VIRTUAL TABLE notes USING fts4(body);
		CREATE TABLE notes_of(id);
		CREATE TABLE gameid_keys(a);
		CREATE TABLE gameid_mine(a);
		ANALYZE`).Schema()
	var got []string
	for _, tb := range s.Tables {
		line := tb.Name + ": key " + strings.Join(tb.PrimaryKey, "+")
		if tb.AutoColumn != "" {
			line += ", auto " + tb.AutoColumn
		}
		if tb.Counted {
			line += ", counted"
		}
		if tb.Opaque != "" {
			line = tb.Name + ": " + tb.Opaque
		}
		for _, u := range tb.Uniques {
			if tb.Opaque == "" {
				line += ", unique " + strings.Join(u.Columns, "+") + "/" + strings.Join(u.Collations, "+")
				for word, is := range map[string]bool{" primary": u.Primary, " partial": u.Where} {
					if is {
						line += word
					}
				}
			}
		}
		for _, f := range tb.ForeignKeys {
			line += ", " + strings.Join(f.Columns, "+") + " -> " + f.ToTable + " " + strings.Join(f.ToColumns, "+")
		}
		got = append(got, line)
	}
	want := []string{
		`Play"ers: key id, auto id, counted, unique id/BINARY primary, unique select/NOCASE`,
		"a: key id, unique id/BINARY primary",
		"d: key id, unique id/BINARY primary",
		"w: key y+x, unique y+x/RTRIM+BINARY primary",
		"st: key id, auto id, unique id/BINARY primary",
		`f: key , unique x/BINARY partial, unique +y/BINARY+NOCASE, p -> Play"ers id, y+x -> w y+x, x -> a id`,
		"notes: virtual table fts4", "notes_content: shadow table of notes", "notes_segments: shadow table of notes", "notes_segdir: shadow table of notes",
		"notes_docsize: shadow table of notes", "notes_stat: shadow table of notes",
		"notes_of: key ", "gameid_mine: key ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("tables (-want +got):\n%s", d)
	}
	columns := []*merge.Column{
		{Name: "id", Type: "INTEGER", Affinity: merge.Integer, Bytes: 8},
		{Name: "select", Type: "VARCHAR ( 20 )", Affinity: merge.Text, Chars: 20, Collation: "NOCASE"},
		{Name: "größe", Type: "SMALLINT UNSIGNED(5)", Affinity: merge.Integer, Bytes: 2, NotNull: true, Default: "1 + 1"},
		{Name: "made", Type: "TEXT", Affinity: merge.Text, Generated: true, Formula: `upper("select")`},
		{Name: "kept", Affinity: merge.Blob, Generated: true, Formula: "1"},
	}
	if d := cmp.Diff(columns, s.Tables[0].Columns); d != "" {
		t.Errorf("columns (-want +got):\n%s", d)
	}
	if v := s.Table("ST").Column("v", true); v.Affinity != merge.Blob {
		t.Errorf("ANY in a STRICT table has affinity %s; want blob", v.Affinity)
	}
	var objects []string
	for _, o := range s.Objects {
		objects = append(objects, o.Kind+" "+o.Name+" on "+o.Table)
	}
	if d := cmp.Diff([]string{"index f1 on f", "index f2 on f", "index f3 on f", "view v on ", "trigger tr on f"}, objects); d != "" {
		t.Errorf("objects (-want +got):\n%s", d)
	}
}

func TestDeclaredTypes(t *testing.T) {
	types := map[string]merge.Column{
		"TINYINT": {Affinity: merge.Integer, Bytes: 1}, "mediumint": {Affinity: merge.Integer, Bytes: 3}, "int unsigned(10)": {Affinity: merge.Integer, Bytes: 4},
		"UNSIGNED BIG INT": {Affinity: merge.Integer, Bytes: 8}, "bigint": {Affinity: merge.Integer, Bytes: 8}, "POINT": {Affinity: merge.Integer, Bytes: 8},
		"CHARINT": {Affinity: merge.Integer, Bytes: 8}, "nchar(5)": {Affinity: merge.Text, Chars: 5}, "CLOB": {Affinity: merge.Text}, "": {Affinity: merge.Blob}, "BLOB": {Affinity: merge.Blob},
		"double precision": {Affinity: merge.Real}, "FLOAT": {Affinity: merge.Real}, "decimal(10,2)": {Affinity: merge.Numeric}, "BOOLEAN": {Affinity: merge.Numeric}, "DATETIME": {Affinity: merge.Numeric},
	}
	for declared, want := range types {
		got := *fromSQL(t, "CREATE TABLE t(c "+declared+")").Schema().Tables[0].Columns[0]
		want.Name, want.Type = "c", declared
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", declared, d)
		}
	}
}

func TestContentOf(t *testing.T) {
	for statement, want := range map[string]string{
		`CREATE VIRTUAL TABLE f USING fts5(body, content='mail', content_rowid='id')`: "mail",
		`CREATE VIRTUAL TABLE f USING fts4(content="odd mail", body)`:                 "odd mail",
		"CREATE VIRTUAL TABLE f USING FTS5(body,\n\tCONTENT = mail )":                 "mail",
		`CREATE VIRTUAL TABLE f USING fts5(body, content='')`:                         "",
		`CREATE VIRTUAL TABLE f USING fts5(body, content_rowid='id')`:                 "own",
		`CREATE VIRTUAL TABLE f USING fts5(content, body)`:                            "own",
		`CREATE VIRTUAL TABLE f USING other(content='mail')`:                          "own",
	} {
		got, external := sqlite.ContentOf(statement)
		if !external {
			got = "own"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", statement, got, want)
		}
	}
}
