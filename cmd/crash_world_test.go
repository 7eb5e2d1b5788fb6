package cmd_test

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// missing skips a test that this machine cannot run, or fails it where everything has to run.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("GAMEID_REQUIRE_ALL") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// stage is a folder with the inputs of one command, and a folder for its temporary files.
type stage struct {
	program, dir, temp string
	inputs             map[string]fileMark
}

// fileMark is what must not change of a file.
type fileMark struct {
	sum  [32]byte
	time time.Time
	mode fs.FileMode
}

// newStage makes a stage. fill puts the inputs into the folder.
func newStage(t *testing.T, program string, fill func(t *testing.T, dir string)) *stage {
	t.Helper()
	s := &stage{program: program, dir: t.TempDir(), temp: t.TempDir()}
	fill(t, s.dir)
	s.inputs = marks(t, s.dir)
	return s
}

func marks(t *testing.T, dir string) map[string]fileMark {
	t.Helper()
	found := map[string]fileMark{}
	for _, name := range folder(t, dir) {
		info, err := os.Lstat(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if info.IsDir() {
			found[name+"/"] = fileMark{}
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		found[name] = fileMark{sha256.Sum256(data), info.ModTime(), info.Mode()}
	}
	return found
}

func (s *stage) env() []string {
	return append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GAMEID_") || strings.HasPrefix(v, "SQLITE_TMPDIR=") || strings.HasPrefix(v, "GOCOVERDIR=")
	}), "TMPDIR="+s.temp, "HOME="+s.temp, "XDG_STATE_HOME="+s.temp)
}

// run runs the tool undisturbed.
func (s *stage) run(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	p := exec.Cmd{Path: s.program, Args: append([]string{"gameid"}, args...), Dir: s.dir, Env: s.env()}
	text, err := p.CombinedOutput()
	return exitCode(err), string(text)
}

// fault runs the tool with a fault.
func (s *stage) fault(t *testing.T, f fault, args ...string) ended {
	t.Helper()
	return trace(t, f, s.env(), s.dir, s.program, args...)
}

// changed lists what differs between the inputs, with what is expected beside them, and what stands there.
func (s *stage) changed(t *testing.T, beside ...string) (list []string) {
	t.Helper()
	now := marks(t, s.dir)
	for name, was := range s.inputs {
		switch is, ok := now[name]; {
		case !ok:
			list = append(list, "input "+name+" is gone")
		case is.sum != was.sum:
			list = append(list, "input "+name+" changed")
		case is != was:
			list = append(list, fmt.Sprintf("input %s has another time or mode: %v %v, want %v %v", name, is.time, is.mode, was.time, was.mode))
		}
		delete(now, name)
	}
	for _, name := range beside {
		if _, ok := now[name]; !ok {
			list = append(list, name+" is missing")
		}
		delete(now, name)
	}
	for name := range now {
		list = append(list, name+" was left")
	}
	for _, name := range folder(t, s.temp) {
		list = append(list, name+" was left in TMPDIR")
	}
	slices.Sort(list)
	return list
}

// smallWorld is the schema and the rows of a very small server: keys that clash, a reference, a table without a key, an index, a trigger and a view.
func smallWorld(server int) string {
	return fmt.Sprintf(`
CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL, gold INTEGER NOT NULL);
CREATE TABLE item(id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL REFERENCES player(id), note TEXT);
CREATE TABLE said(line TEXT);
CREATE INDEX item_owner ON item(owner);
CREATE TRIGGER item_added AFTER INSERT ON item BEGIN UPDATE player SET gold = gold - 1 WHERE id = new.owner; END;
CREATE VIEW rich AS SELECT name FROM player WHERE gold > 1000;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO player SELECT i * %[1]d, 'p' || i || 'of%[1]d', i * 100 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO item(owner, note) SELECT (1 + i %% 60) * %[1]d, hex(zeroblob(40)) || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO said SELECT 'hello ' || (i / 2) FROM n;
`, server)
}

// smallRules settles what two of them leave open.
const smallRules = `version: 1
references:
  - {from: item.owner, to: player.id}
tables:
  - {table: item, rows: merge}
  - {table: player, rows: merge}
  - {table: said, rows: merge}
uniques:
  - {unique: player.name, on_conflict: rename, template: "{shard}.{value}"}
`

// The states in which a server may have left its database.
var leavings = map[string]struct {
	mode, last string // the journal mode, and what was done last and not ended
	files      []string
}{
	"rollback": {mode: "DELETE", files: []string{"a.db", "b.db"}},
	"wal": {
		mode: "WAL", last: "PRAGMA wal_autocheckpoint = 0; INSERT INTO player VALUES (1001, 'in the log', 7); UPDATE item SET note = note || '!'",
		files: []string{"a.db", "a.db-shm", "a.db-wal", "b.db", "b.db-shm", "b.db-wal"},
	},
	"journal": {
		mode: "DELETE", last: "PRAGMA cache_size = 1; PRAGMA synchronous = OFF; BEGIN; UPDATE item SET note = 'half done', owner = 5",
		files: []string{"a.db", "a.db-journal", "b.db", "b.db-journal"},
	},
}

// leave returns a function that puts two small servers into a folder in the state in which a kill leaves them.
func leave(state string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		how := leavings[state]
		for server, name := range []string{"a.db", "b.db"} {
			at := filepath.Join(t.TempDir(), name)
			db, err := sql.Open("sqlite3", at)
			if err != nil {
				t.Fatal(err)
			}
			db.SetMaxOpenConns(1)
			if _, err := db.Exec("PRAGMA page_size = 1024; PRAGMA journal_mode = " + how.mode + ";" + smallWorld(server+1)); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(how.last); err != nil {
				t.Fatal(err)
			}
			for _, ending := range []string{"", "-wal", "-shm", "-journal"} {
				data, err := os.ReadFile(at + ending)
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, name+ending), data, 0o640)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			_ = db.Close()
		}
		if err := os.WriteFile(filepath.Join(dir, "rules.yaml"), []byte(smallRules), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := folder(t, dir); !slices.Equal(got, append(slices.Clone(how.files), "rules.yaml")) {
			t.Fatalf("the inputs are %v, want %v", got, how.files)
		}
	}
}
