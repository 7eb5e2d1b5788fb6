package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// Every kind of index that is as it must be is found sound, and one that was left behind when its table changed is not.
func TestVerifiedIndexes(t *testing.T) {
	const rows = `INSERT INTO plain VALUES (1, 'a', 0.5, 7, x'01'), (2, 'B', 2, NULL, 'x'), (3, 'b', -0.0, 9007199254740993, 3), (4, '', 1e300, 8, 3.5);
		INSERT INTO kept(a, b, c) VALUES ('k', 1, 1.5), ('l', 2, 'text'), ('m', 3, x'00ff')`
	const schema = `CREATE TABLE plain(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, r REAL, n INT, any);
		CREATE TABLE kept(a TEXT, b INT, c, g AS (b * 2), PRIMARY KEY (a, b)) WITHOUT ROWID;
		CREATE TABLE hidden(rowid, _rowid_, oid, x INT UNIQUE); INSERT INTO hidden VALUES (1, 2, 3, 4), (NULL, 'a', 0.5, 5)`
	for _, encoding := range []string{"UTF-8", "UTF-16le"} {
		for _, tt := range []struct{ table, index, change string }{
			{"plain", "ON plain(name)", "UPDATE plain SET name = 'c' WHERE id = 2"},
			{"plain", "ON plain(name COLLATE RTRIM DESC, r)", "UPDATE plain SET r = 3 WHERE id = 2"},
			{"plain", "ON plain(r)", "UPDATE plain SET r = 2.5 WHERE id = 2"},
			{"plain", "ON plain(any, n)", "UPDATE plain SET any = 4 WHERE id = 3"},
			{"plain", "ON plain(any)", "UPDATE plain SET any = x'0102' WHERE id = 1"},
			{"plain", "ON plain(n) WHERE n > 5", "UPDATE plain SET n = 9 WHERE id = 1"},
			{"plain", "ON plain(name) WHERE n > 5", "UPDATE plain SET n = 6 WHERE id = 2"},
			{"plain", "ON plain(lower(name))", "UPDATE plain SET name = 'z' WHERE id = 2"},
			{"plain", "ON plain(n, lower(name), any)", "UPDATE plain SET name = 'z' WHERE id = 2"},
			{"plain", "ON plain(abs(n)) WHERE n > 5", "UPDATE plain SET n = 9 WHERE id = 1"},
			{"plain", "ON plain(json_quote(name))", "UPDATE plain SET name = 'z' WHERE id = 2"},
			{"plain", "ON plain(upper(name))", "UPDATE aside SET sql = replace(sql, 'upper', 'lower')"},
			{"plain", "ON plain(name, upper(name))", "UPDATE aside SET sql = replace(sql, 'upper', 'lower')"},
			{"plain", "ON plain(id, n + 1)", "UPDATE aside SET sql = replace(sql, '+', '-')"},
			{"kept", "ON kept(abs(b), c)", "UPDATE kept SET c = 3 WHERE b = 2"},
			{"kept", "ON kept(c)", "UPDATE kept SET c = 3 WHERE b = 2"},
			{"kept", "ON kept(g, c)", "UPDATE kept SET b = 30 WHERE b = 3"},
			{"hidden", "ON hidden(oid)", "UPDATE hidden SET oid = 4 WHERE x = 4"},
		} {
			name := encoding + " " + tt.index
			path := filepath.Join(t.TempDir(), "s.db")
			write(t, path, "PRAGMA encoding = '"+encoding+"'; "+schema+"; CREATE INDEX tried "+tt.index+"; "+rows)
			if err := verified(t, path); err != nil {
				t.Errorf("%s: Verified = %v, want none", name, err)
			}
			write(t, path, `CREATE TABLE aside AS SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = 'tried';
				PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'tried'`)
			write(t, path, tt.change)
			write(t, path, "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM aside; DROP TABLE aside")
			err := verified(t, path)
			var source *sqlite.SourceError
			if !errors.Is(err, sqlite.ErrIndexes) || !errors.As(err, &source) || !strings.Contains(source.Detail, "tried") || source.Next == "" {
				t.Errorf("%s, then %s behind its back: Verified = %v, want ErrIndexes with its name", name, tt.change, err)
			}
		}
	}
}

// verified opens a database with a check and waits for its indexes.
func verified(t *testing.T, path string) error {
	t.Helper()
	s, err := sqlite.New().Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	return s.Verified(context.Background())
}

// Closing a shard while its indexes are looked at ends the look.
func TestVerifiedClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	write(t, path, "CREATE TABLE t(a, b); CREATE INDEX i ON t(b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) INSERT INTO t SELECT i, i * 7919 % 300007 FROM n")
	for range 10 {
		s, err := sqlite.New().Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{Check: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
