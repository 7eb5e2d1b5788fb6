package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// small is a database with pages of every kind: tables with and without rowids, indexes, overflow, free pages.
const small = `PRAGMA page_size = 512; CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT UNIQUE, note TEXT, half AS (id / 2));
	CREATE TABLE w(a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE TABLE i(owner INTEGER REFERENCES p, n REAL); CREATE INDEX i_owner ON i(owner) WHERE n > 1;
	CREATE TABLE gone(x); CREATE VIEW v AS SELECT * FROM p; CREATE TRIGGER t AFTER INSERT ON p BEGIN DELETE FROM i; END;
	WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 60) INSERT INTO p SELECT x, 'name ' || x, replace(hex(zeroblob(x * 4)), '0', 'n') FROM c;
	INSERT INTO w SELECT name, id FROM p; INSERT INTO i SELECT id % 7, id FROM p; INSERT INTO gone SELECT note FROM p; DROP TABLE gone`

// FuzzDamaged changes bytes of a sound database and cuts it. Three bytes of the input are one change: a page and a place in it, and what is done there.
// What opens as sound is read to the end with all of its rows, or refused with a next step, as everything else is.
func FuzzDamaged(f *testing.F) {
	folder := f.TempDir()
	db, err := sql3(filepath.Join(folder, "small.db"), small)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{{}, {0, 18, 3}, {0, 100, 0}, {1, 0, 255, 2, 8, 9}, {3, 12, 131, 3, 13, 220}, {0, 16, 0}, {0, 56, 2}, {255, 40, 0}, []byte("\xd1\x19\xbfk.0y\xc800000000000")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, changes []byte) {
		watch := time.AfterFunc(20*time.Second, func() { panic("a damaged database is read for ever") })
		defer watch.Stop()
		data := append([]byte(nil), db...)
		for ; len(changes) >= 3; changes = changes[3:] {
			page, at, value := int(changes[0]), int(changes[1]), changes[2]
			if page == 255 {
				data = data[:len(data)*at/256]
				continue
			}
			// Headers and cell pointers are at the beginning of a page, cells at its end.
			place := page%(len(db)/512)*512 + at
			if at >= 128 {
				place = page%(len(db)/512)*512 + 512 - (256 - at)
			}
			if place < len(data) {
				data[place] = value
			}
		}
		path := filepath.Join(t.TempDir(), "s.db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		readAll(t, path)
		if after, err := os.ReadFile(path); err != nil || string(after) != string(data) {
			t.Error("reading changed the file")
		}
	})
}

// readAll opens a shard with a check and reads all of it. The check does not look into indexes, so that damage there may show only when they are read.
func readAll(t *testing.T, path string) {
	t.Helper()
	ctx := context.Background()
	refused := func(what string, err error) bool {
		var source *sqlite.SourceError
		if err != nil && (!errors.As(err, &source) || source.Next == "") {
			t.Errorf("%s = %v; want a *SourceError with a next step", what, err)
		}
		return err != nil
	}
	s, err := sqlite.New().Open(ctx, merge.Source{Name: "s1", Source: path}, merge.OpenOptions{Check: true})
	if refused("Open", err) {
		return
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}()
	for _, table := range s.Schema().Tables {
		if table.Opaque != "" {
			continue
		}
		rows, err := s.Rows(ctx, table.Name)
		if refused("Rows", err) {
			return
		}
		for _, c := range table.Columns {
			values, err := s.Values(ctx, merge.Col{Table: table.Name, Name: c.Name}, "", 0)
			var n int64
			for _, v := range values {
				n += v.Rows
			}
			if !refused("Values", err) && n != rows {
				t.Errorf("%d of %d values of %s.%s", n, rows, table.Name, c.Name)
			}
			_, err = s.Keys(ctx, merge.Col{Table: table.Name, Name: c.Name})
			refused("Keys", err)
		}
	}
}

// sql3 makes a database and gives its bytes.
func sql3(path, statements string) ([]byte, error) {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	_, err = db.Exec(statements)
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
