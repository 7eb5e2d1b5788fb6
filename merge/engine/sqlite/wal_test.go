package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// logged is a database with a log, as a server leaves them that is killed after some SQL. The log begins behind the table t.
func logged(t *testing.T, statements ...string) (db, log []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "live.db")
	live, err := sql.Open("sqlite3", path+"?_journal=WAL")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = live.Close() }()
	live.SetMaxOpenConns(1)
	for _, q := range append([]string{"PRAGMA wal_autocheckpoint = 0; CREATE TABLE t(a, b); PRAGMA wal_checkpoint(TRUNCATE)"}, statements...) {
		if _, err := live.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	for ending, into := range map[string]*[]byte{"": &db, "-wal": &log} {
		if *into, err = os.ReadFile(path + ending); err != nil {
			t.Fatal(err)
		}
	}
	return db, log
}

func added(n int) (list []string) {
	for range n {
		list = append(list, "INSERT INTO t VALUES (1, 'added')")
	}
	return list
}

// left writes a database and a log some time ago, and returns the database's path.
func left(t *testing.T, db, log []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "left.db")
	for name, data := range map[string][]byte{path: db, path + "-wal": log} {
		err := os.WriteFile(name, data, 0o600)
		if err = errors.Join(err, os.Chtimes(name, time.Time{}, time.Now().Add(-time.Hour))); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// readLeft counts the rows that are read of a database and its log.
func readLeft(t *testing.T, path string) (int64, error) {
	t.Helper()
	s, err := sqlite.New().Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{WorkDir: t.TempDir(), Check: true})
	if err != nil {
		return 0, err
	}
	defer func() { _ = s.Close() }()
	n, err := s.Rows(context.Background(), "t")
	if err != nil {
		t.Fatal(err)
	}
	return n, nil
}

const walFrame = 24 + 4096

// TestM5FlippedBitsOfALog: whichever bit of a log flips, no commit is lost without a word, but for the very last one: it may be torn as after a kill.
func TestM5FlippedBitsOfALog(t *testing.T) {
	const commits = 10
	db, log := logged(t, added(commits)...)
	last := len(log) - walFrame
	for at := range len(log) {
		if at >= 32+24 && at%733 != 0 && (at-32)%walFrame >= 24 && at != len(log)-1 { // of pages, some bytes
			continue
		}
		if (at-32)%walFrame < 24 && at > 32+2*walFrame && at < last { // of frame headers, the first two and the last
			continue
		}
		broken := bytes.Clone(log)
		broken[at] ^= 0x10
		n, err := readLeft(t, left(t, db, broken))
		switch {
		case err != nil && (!errors.Is(err, sqlite.ErrLog) || at >= last):
			t.Errorf("byte %d: %v", at, err)
		case err == nil && n != commits && (at < last || n != commits-1):
			t.Errorf("byte %d: %d rows of %d and no error", at, n, commits)
		}
	}
}

// TestM5WhatALogMayHold: a log that SQLite reads to where it was written is read without a word, whatever else stands in it; of any other one, the message
// says where it broke and how much is lost.
func TestM5WhatALogMayHold(t *testing.T) {
	db, log := logged(t, added(10)...)
	spilledDB, spilled := logged(t, append(added(3), "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000) INSERT INTO t SELECT x, hex(zeroblob(50)) FROM c")...)
	committed := int64(32 + 3*walFrame)
	if int64(len(spilled)) < committed+8*walFrame {
		t.Fatalf("the log has %d bytes: nothing was spilled into it", len(spilled))
	}
	overDB, over := logged(t, append(append(added(20), "PRAGMA wal_checkpoint(RESTART)"), added(3)...)...)
	if len(over) < 32+20*walFrame {
		t.Fatalf("the log has %d bytes: it was cut when it began anew", len(over))
	}
	flip := func(log []byte, at int64) []byte {
		broken := bytes.Clone(log)
		broken[at] ^= 1
		return broken
	}
	for _, c := range []struct {
		name    string
		db, log []byte
		rows    int64
		says    string // of the refusal; "" when there is none
	}{
		{"whole", db, log, 10, ""},
		{"no frame", db, log[:32], 0, ""},
		{"empty", db, nil, 0, ""},
		{"the last frame is torn", db, log[:len(log)-100], 9, ""},
		{"the last frame is half another", db, append(bytes.Clone(log[:len(log)-2000]), make([]byte, 2000)...), 9, ""},
		{"zeros follow", db, append(bytes.Clone(log), make([]byte, 3*walFrame)...), 10, ""},
		{"all zeros", db, make([]byte, len(log)), 0, ""},
		{"frames of a transaction that was not ended", spilledDB, spilled, 3, ""},
		{"a broken one among them", spilledDB, flip(spilled, committed+2*walFrame+100), 3, ""},
		{"frames of an older log", overDB, over, 23, ""},
		{"a broken one among them", overDB, flip(over, 32+10*walFrame+100), 23, ""},
		{"the last commit before them", overDB, flip(over, 32+2*walFrame+100), 22, ""},
		{"a commit before that", overDB, flip(over, 32+walFrame+100), 0, "frame 2 of 20 is broken, and 1 commit stands behind it"},
		{"the header's checksum", db, flip(log, 26), 0, "its header is broken, and 10 commits stand behind it"},
		{"a salt in the header", db, flip(log, 18), 0, "its header is broken"},
		{"an early frame", db, flip(log, int64(len(log))-4*walFrame+50), 0, "and 3 commits stand behind it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := left(t, c.db, c.log)
			n, err := readLeft(t, path)
			if c.says == "" {
				if err != nil || n != c.rows {
					t.Errorf("%d rows, %v; want %d", n, err, c.rows)
				}
				return
			}
			if !errors.Is(err, sqlite.ErrLog) || !strings.Contains(err.Error(), "left.db-wal: ") || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("%d rows, %v; want a refusal that says %q", n, err, c.says)
			}
			// The advice: SQLite drops what it cannot read, and then the rest is taken.
			run(t, path, "SELECT count(*) FROM sqlite_schema; PRAGMA user_version = 1")
			if _, err := readLeft(t, path); errors.Is(err, sqlite.ErrLog) {
				t.Errorf("after the database was read once: %v", err)
			}
		})
	}
}
