package cmd_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// pageSize is the page size of the fixture's databases.
const pageSize = 4096

// breakage is one way in which a database can be broken. Its name is a row of "gameid help input".
type breakage struct {
	name string
	make func(t *testing.T, b *brokenWorld)
}

// betweenShards are the breakages that say nothing of a merged database.
var betweenShards = map[string]bool{"one file under two names": true, "a copy of another shard": true, "UTF-16 beside UTF-8": true}

// brokenWorld is a folder with two good servers, a.db and b.db. A breakage makes broken.db of b.db, or names another file.
type brokenWorld struct {
	first string // the path of a.db
	path  string // of the broken database, as a command line names it
	good  []byte // the content of b.db
}

// bytes writes the broken database.
func (b *brokenWorld) bytes(t *testing.T, content []byte) {
	t.Helper()
	if err := os.WriteFile(b.path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// changed writes the good database with changes.
func (b *brokenWorld) changed(t *testing.T, change func(content []byte) []byte) {
	t.Helper()
	b.bytes(t, change(bytes.Clone(b.good)))
}

// sql writes the good database and runs SQL on it. Defensive mode is off in the driver, so the SQL may forge the catalogue.
func (b *brokenWorld) sql(t *testing.T, statements string) {
	t.Helper()
	b.bytes(t, b.good)
	runSQL(t, b.path, statements)
}

func runSQL(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(statements); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// forge edits the catalogue, which SQLite reads again only when somebody opens the file.
func (b *brokenWorld) forge(t *testing.T, update string) {
	t.Helper()
	b.sql(t, "PRAGMA writable_schema = ON; "+update)
}

// logged writes the good database with a log of many commits, and flips a bit of the log.
func (b *brokenWorld) logged(t *testing.T, flipped int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "live.db")
	check(t, os.WriteFile(path, b.good, 0o600))
	db, err := sql.Open("sqlite3", path+"?_journal=WAL")
	check(t, err)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	for range 20 {
		_, err := db.Exec("UPDATE maps SET id = id; PRAGMA user_version = 1")
		check(t, err)
	}
	for _, ending := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + ending)
		check(t, err)
		if ending != "" {
			data[flipped] ^= 4
		}
		check(t, os.WriteFile(b.path+ending, data, 0o600))
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// zeroed clears some pages, counted from 0.
func zeroed(content []byte, first, count int) []byte {
	clear(content[first*pageSize : (first+count)*pageSize])
	return content
}

var breakages = []breakage{
	{"no such file", func(*testing.T, *brokenWorld) {}},
	{"a -wal file alone", func(t *testing.T, b *brokenWorld) { check(t, os.WriteFile(b.path+"-wal", b.good[:4096], 0o600)) }},
	{"hard links, and no log here", func(t *testing.T, b *brokenWorld) {
		b.logged(t, 20)
		check(t, os.Link(b.path, filepath.Join(t.TempDir(), "linked.db")))
		check(t, os.Remove(b.path+"-wal")) // as it is for whoever looks beside the other name
	}},
	{"hard links, and no log here", func(t *testing.T, b *brokenWorld) {
		b.bytes(t, b.good)
		check(t, os.Link(b.path, filepath.Join(t.TempDir(), "linked.db")))
	}},
	{"a log beside a link to it", func(t *testing.T, b *brokenWorld) {
		b.bytes(t, b.good)
		link := filepath.Join(t.TempDir(), "link.db")
		check(t, os.Symlink(b.path, link))
		check(t, os.WriteFile(link+"-wal", []byte("a log"), 0o600))
		b.path = link
	}},
	{"a damaged journal", func(t *testing.T, b *brokenWorld) {
		b.bytes(t, b.good)
		check(t, os.WriteFile(b.path+"-journal", bytes.Repeat([]byte("no journal "), 500), 0o600))
	}},
	{"a journal without its super-journal", func(t *testing.T, b *brokenWorld) {
		b.bytes(t, b.good)
		const magic, super = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", "/gone/b.db-mj0"
		journal := binary.BigEndian.AppendUint32([]byte(magic), 0xffffffff)
		for _, n := range []uint32{0, 1, 512, pageSize} { // the nonce, the pages before, the sector and the page
			journal = binary.BigEndian.AppendUint32(journal, n)
		}
		journal = append(journal, make([]byte, 512-len(journal)+4)...)
		sum := uint32(0)
		for _, c := range []byte(super) {
			sum += uint32(c)
		}
		journal = binary.BigEndian.AppendUint32(append(journal, super...), uint32(len(super)))
		journal = append(binary.BigEndian.AppendUint32(journal, sum), magic...)
		check(t, os.WriteFile(b.path+"-journal", journal, 0o600))
	}},
	{"a damaged log", func(t *testing.T, b *brokenWorld) { b.logged(t, 20) }},
	{"a damaged log", func(t *testing.T, b *brokenWorld) { b.logged(t, 32+24+pageSize+100) }},
	{"a folder or a device", func(t *testing.T, b *brokenWorld) { check(t, os.Mkdir(b.path, 0o700)) }},
	{"a folder or a device", func(t *testing.T, b *brokenWorld) { check(t, syscall.Mkfifo(b.path, 0o600)) }},
	{"a pipe as its log", func(t *testing.T, b *brokenWorld) {
		b.bytes(t, b.good)
		check(t, syscall.Mkfifo(b.path+"-wal", 0o600))
	}},
	{"a log that is not reached", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "PRAGMA journal_mode = WAL")
		check(t, os.Symlink("/no/disk/b.db-wal", b.path+"-wal"))
	}},
	{"a log that is not reached", func(t *testing.T, b *brokenWorld) {
		b.bytes(t, b.good)
		check(t, os.Symlink(filepath.Base(b.path)+"-journal", b.path+"-journal"))
	}},
	{"a folder or a device", func(_ *testing.T, b *brokenWorld) { b.path = "/dev/zero" }},
	{"an empty file", func(t *testing.T, b *brokenWorld) { b.bytes(t, nil) }},
	{"not SQLite, or encrypted", func(t *testing.T, b *brokenWorld) { b.bytes(t, bytes.Repeat([]byte("PGDMP\x01\x0e"), 900)) }},
	{"not SQLite, or encrypted", func(t *testing.T, b *brokenWorld) {
		b.changed(t, func(c []byte) []byte { // as SQLCipher leaves it: noise from the first byte on
			state := uint32(1)
			for i := range c {
				state = state*1664525 + 1013904223
				c[i] ^= byte(state >> 24)
			}
			return c
		})
	}},
	{"not SQLite, or encrypted", func(t *testing.T, b *brokenWorld) { b.bytes(t, b.good[:50]) }},
	{"not SQLite, or encrypted", func(t *testing.T, b *brokenWorld) {
		b.changed(t, func(c []byte) []byte { clear(c[:100]); return c })
	}},
	{"not SQLite, or encrypted", func(t *testing.T, b *brokenWorld) {
		b.changed(t, func(c []byte) []byte { clear(c); return c })
	}},
	{"cut short", func(t *testing.T, b *brokenWorld) { b.bytes(t, b.good[:len(b.good)/2]) }},
	{"cut short", func(t *testing.T, b *brokenWorld) { b.bytes(t, b.good[:len(b.good)-1]) }},
	{"a newer file format", func(t *testing.T, b *brokenWorld) {
		b.changed(t, func(c []byte) []byte { c[18], c[19] = 3, 3; return c })
	}},
	{"a newer file format", func(t *testing.T, b *brokenWorld) {
		b.changed(t, func(c []byte) []byte { binary.BigEndian.PutUint32(c[44:], 5); return c })
	}},
	{"damaged pages", func(t *testing.T, b *brokenWorld) {
		b.changed(t, func(c []byte) []byte { return zeroed(c, 1, 1) })
	}},
	{"damaged pages", func(t *testing.T, b *brokenWorld) {
		b.changed(t, func(c []byte) []byte { return zeroed(c, 10, 4) })
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) { // cut after a copy that lost its size: an old writer's header
		b.changed(t, func(c []byte) []byte { c[95] ^= 1; return c[:len(c)-8*pageSize] })
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) { // the catalogue itself
		b.changed(t, func(c []byte) []byte { clear(c[100:pageSize]); return c })
	}},
	{"damaged pages", claimsGigabyte},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.forge(t, "UPDATE sqlite_schema SET sql = 'CREATE TABLE items(' WHERE name = 'items'")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.forge(t, "UPDATE sqlite_schema SET rootpage = 99999999 WHERE name = 'items'")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.forge(t, "INSERT INTO sqlite_schema SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = 'items'")
	}},
	{"damaged pages", func(t *testing.T, b *brokenWorld) {
		b.forge(t, "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'mail') WHERE name = 'items'")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.forge(t, "DELETE FROM sqlite_schema WHERE name = 'items'")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.forge(t, "UPDATE sqlite_schema SET sql = 'CREATE TABLE items AS SELECT 1 AS id' WHERE name = 'items'")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.forge(t, "INSERT INTO sqlite_schema VALUES ('view', 'v', 'v', 0, 'CREATE VIEW v AS SELECT')")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) { // SQLite's own counters
		b.sql(t, "CREATE TABLE tallies(id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO tallies VALUES (1); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_sequence(x, y)' WHERE name = 'sqlite_sequence'")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE tallies(id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO tallies VALUES (1); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = 'other', tbl_name = 'other', sql = 'CREATE TABLE other(name, seq)' WHERE name = 'sqlite_sequence'")
	}},
	{"an unknown function or collation", func(t *testing.T, b *brokenWorld) {
		b.forge(t, "INSERT INTO sqlite_schema VALUES ('table', 'lore', 'lore', (SELECT rootpage FROM sqlite_schema WHERE name = 'maps'), 'CREATE TABLE lore(a, CHECK (elvish(a)))'); DELETE FROM sqlite_schema WHERE name = 'maps'")
	}},
	{"an unknown function or collation", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a, b AS (a + 1)); INSERT INTO lore VALUES (1); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE lore(a, b AS (elvish(a)))' WHERE name = 'lore'")
	}},
	{"an unknown function or collation", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a); CREATE INDEX lore_a ON lore(abs(a)); INSERT INTO lore VALUES (1); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX lore_a ON lore(elvish(a))' WHERE name = 'lore_a'")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a); CREATE INDEX lore_a ON lore(abs(a)); INSERT INTO lore VALUES (1); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX lore_a ON lore(load_extension(a))' WHERE name = 'lore_a'")
	}},
	{"a damaged catalogue", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a, b AS (a + 1)); INSERT INTO lore VALUES ('/tmp/x.so'); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE lore(a, b AS (load_extension(a)))' WHERE name = 'lore'")
	}},
	{"an unknown function or collation", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a TEXT PRIMARY KEY); INSERT INTO lore VALUES (1); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE lore(a TEXT COLLATE ELVISH PRIMARY KEY)' WHERE name = 'lore'")
	}},
	{"an unknown function or collation", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a); CREATE INDEX lore_a ON lore(a); INSERT INTO lore VALUES (1); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX lore_a ON lore(a COLLATE ELVISH)' WHERE name = 'lore_a'")
	}},
	{"a generated column fails", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a, b AS (a)); INSERT INTO lore VALUES ('{}'), ('{'); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE lore(a, b AS (json(a)))' WHERE name = 'lore'")
	}},
	{"a view or trigger on main.players", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE VIEW lore AS SELECT name FROM Main.sqlite_schema")
	}},
	{"a view or trigger on main.players", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a); CREATE TRIGGER lorn AFTER INSERT ON lore BEGIN DELETE FROM lore WHERE a IN (SELECT a FROM main.lore); END")
	}},
	{"a value beyond SQLite's limit", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a, b AS (a)); INSERT INTO lore VALUES (2000000000); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE lore(a, b AS (zeroblob(a)))' WHERE name = 'lore'")
	}},
	{"a server writes to it", func(t *testing.T, b *brokenWorld) {
		b.bytes(t, b.good)
		db, err := sql.Open("sqlite3", b.path)
		check(t, err)
		t.Cleanup(func() { _ = db.Close() })
		db.SetMaxOpenConns(1)
		_, err = db.Exec("BEGIN EXCLUSIVE")
		check(t, err)
	}},
	{"UTF-16 beside UTF-8", func(t *testing.T, b *brokenWorld) {
		runSQL(t, b.path, "PRAGMA encoding = 'UTF-16'; CREATE TABLE lore(a)")
	}},
	{"cannot be read", func(t *testing.T, b *brokenWorld) {
		b.bytes(t, b.good)
		check(t, os.Chmod(b.path, 0))
		if os.Geteuid() == 0 { // whom permissions do not stop
			b.path = "/proc/self/mem"
		}
	}},
	{"a log that cannot be copied", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "PRAGMA journal_mode = WAL")
		check(t, os.Symlink("/proc/self/mem", b.path+"-wal")) // a file of which nothing can be read
	}},
	{"one file under two names", func(_ *testing.T, b *brokenWorld) { b.path = b.first }},
	{"one file under two names", func(_ *testing.T, b *brokenWorld) { b.path = filepath.Dir(b.first) + "/./a.db" }},
	{"one file under two names", func(_ *testing.T, b *brokenWorld) { b.path = "sqlite:" + b.first }},
	{"one file under two names", func(t *testing.T, b *brokenWorld) { check(t, os.Symlink(b.first, b.path)) }},
	{"an index that belies its table", func(t *testing.T, b *brokenWorld) {
		b.sql(t, "CREATE TABLE lore(a, b); CREATE INDEX lore_a ON lore(a); CREATE INDEX lore_b ON lore(b); INSERT INTO lore VALUES (1, 2); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '(a)', '(b)') WHERE name = 'lore_a'")
	}},
	{"a copy of another shard", func(t *testing.T, b *brokenWorld) {
		content, err := os.ReadFile(b.first)
		check(t, err)
		b.bytes(t, content)
	}},
}

// claimsGigabyte makes the first row of a leaf claim a length of a gigabyte.
func claimsGigabyte(t *testing.T, b *brokenWorld) {
	b.changed(t, func(c []byte) []byte {
		for at := pageSize; at < len(c); at += pageSize {
			if c[at] == 13 && binary.BigEndian.Uint16(c[at+3:]) > 20 { // a leaf of a table with rows
				first := int(binary.BigEndian.Uint16(c[at+8:]))
				copy(c[at+first:], []byte{0x83, 0xdc, 0xeb, 0x94, 0x00}) // 10^9 as a varint
				return c
			}
		}
		t.Fatal("no leaf")
		return nil
	})
}
