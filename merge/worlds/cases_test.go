package worlds

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
)

// TestCases audits small databases whose answer is a word.
func TestCases(t *testing.T) {
	const players = "CREATE TABLE players(id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
	for what, c := range map[string]struct {
		first, second, plan, want string
	}{
		"a lost name of one shard is a player of the other": {
			players + "CREATE TABLE fans(idol TEXT REFERENCES players(name)); INSERT INTO fans VALUES('Bob')", players + "CREATE TABLE fans(idol TEXT REFERENCES players(name)); INSERT INTO players VALUES(1, 'Bob')",
			"references: [{from: fans.idol, to: players.name, orphans: tombstone}]", "fans.idol -> players.name",
		},
		"a foreign key that only the second shard declares": {
			players + "CREATE TABLE t(x INT); INSERT INTO players VALUES(1, 'a'); INSERT INTO t VALUES(1)", players + "CREATE TABLE t(x INT REFERENCES players); INSERT INTO players VALUES(1, 'b'); INSERT INTO t VALUES(1)",
			"", "t.x -> players.id",
		},
		"a foreign key to a table of the other shard": {
			"CREATE TABLE t(x INT REFERENCES players); INSERT INTO t VALUES(1)", players + "CREATE TABLE t(x INT REFERENCES players); INSERT INTO players VALUES(1, 'b'); INSERT INTO t VALUES(1)",
			"references: [{from: t.x, to: players.id, orphans: tombstone}]", "t.x -> players.id moves 1",
		},
		"zero is a lost key": {
			players + "CREATE TABLE t(x INT); INSERT INTO players VALUES(1, 'a'); INSERT INTO t VALUES(1), (0)", players + "CREATE TABLE t(x INT); INSERT INTO players VALUES(1, 'b'); INSERT INTO t VALUES(1), (0)",
			"references: [{from: t.x, to: players.id, none: [], orphans: tombstone}]", "t.x -> players.id moves 0",
		},
		"a pair that holds a renamed name": {
			"CREATE TABLE p(realm INT, name TEXT, id INTEGER PRIMARY KEY, UNIQUE(realm, name)); CREATE TABLE f(r INT, n TEXT, FOREIGN KEY(r, n) REFERENCES p(realm, name)); INSERT INTO p VALUES(1, 'a', 1); INSERT INTO f VALUES(1, 'a')",
			"CREATE TABLE p(realm INT, name TEXT, id INTEGER PRIMARY KEY, UNIQUE(realm, name)); CREATE TABLE f(r INT, n TEXT, FOREIGN KEY(r, n) REFERENCES p(realm, name)); INSERT INTO p VALUES(1, 'a', 1); INSERT INTO f VALUES(1, 'a')",
			"uniques: [{unique: [p.realm, p.name], on_conflict: rename, column: name, template: \"{shard}{value}\"}]", "blocked: rename f.r",
		},
		"a pair whose row has no key": {
			"CREATE TABLE p(realm INT, name TEXT, UNIQUE(realm, name)); INSERT INTO p VALUES(1, 'a')", "CREATE TABLE p(realm INT, name TEXT, UNIQUE(realm, name)); INSERT INTO p VALUES(1, 'a')",
			"uniques: [{unique: [p.realm, p.name], on_conflict: rename, column: name, template: \"{shard}{value}\"}]", "blocked: rename p.name",
		},
		"a name that rows without a key share": {
			"CREATE TABLE p(name TEXT, alive INT); CREATE UNIQUE INDEX u ON p(name) WHERE alive; INSERT INTO p VALUES('a', 1)", "CREATE TABLE p(name TEXT, alive INT); CREATE UNIQUE INDEX u ON p(name) WHERE alive; INSERT INTO p VALUES('a', 1), ('a', 0)",
			"uniques: [{unique: p.name, on_conflict: rename, template: \"{shard}{value}\"}]", "blocked: rename p.name",
		},
		"a name under two unique keys": {
			players + "CREATE UNIQUE INDEX u ON players(name COLLATE NOCASE); INSERT INTO players VALUES(1, 'Bob')", players + "CREATE UNIQUE INDEX u ON players(name COLLATE NOCASE); INSERT INTO players VALUES(2, 'Bob')",
			"uniques: [{unique: players.name, on_conflict: rename, template: \"{shard}{value}\"}]", "renamed 1",
		},
	} {
		t.Run(what, func(t *testing.T) {
			e := sqlite.New()
			shards := databases(t, e, c.first, c.second)
			plan, err := planfile.Parse("plan", []byte("version: 1\ntables: [{table: '*', rows: merge}]\n"+c.plan+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			res, err := audit.Run(t.Context(), e, shards, plan, audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range res.Findings {
				if f.Severity == merge.Block {
					got = append(got, fmt.Sprintf("blocked: %s %s.%s", f.Rule, f.Table, f.Column))
				}
			}
			for _, r := range res.Plan.References {
				line := r.String()
				if res.Settled != nil {
					if sp := res.Settled.Space(r.To[0]); sp != nil {
						_, moved := sp.Maps[0].Lookup(int64(1))
						_, zero := sp.Maps[0].Lookup(int64(0))
						if moved {
							line += " moves 1"
						}
						if zero {
							line += " moves 0"
						}
					}
				}
				got = append(got, line)
			}
			if res.Settled != nil {
				n := 0
				for _, r := range res.Settled.Renames {
					for _, rows := range r.Shards {
						n += len(rows)
					}
				}
				got = append(got, fmt.Sprint("renamed ", n))
			}
			for _, u := range res.Undecided {
				got = append(got, "undecided: "+u.Question)
			}
			if !strings.Contains(strings.Join(got, "\n")+"\n", c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// databases are shards made by SQL.
func databases(t *testing.T, e *sqlite.Engine, texts ...string) (shards []merge.Shard) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf("%d.db", i))
		db := open(t, path)
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		number := int64(i + 1)
		s, err := e.Open(t.Context(), merge.Source{Name: fmt.Sprintf("s%d", i+1), Source: path, Server: &number}, merge.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		shards = append(shards, s)
	}
	return shards
}
