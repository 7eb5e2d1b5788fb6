package cmd_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/cmd"
	"github.com/gameid/gameid/fixtures"
)

// worlds makes two worlds whose merge takes long enough to be stopped half way, and a plan, in a folder of their own.
func worlds(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for server, name := range map[int]string{1: "a.db", 2: "b.db"} {
		if err := fixtures.Write(t.Context(), filepath.Join(dir, name), fixtures.World{Seed: 1, Server: server, Rows: 150_000}); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := os.ReadFile(filepath.Join("..", "fixtures", "demo-plan.yaml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "plan.yaml"), plan, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// folder lists the names in a folder.
func folder(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// sums are the checksums of files.
func sums(t *testing.T, files ...string) map[string][32]byte {
	t.Helper()
	found := map[string][32]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[file] = sha256.Sum256(data)
	}
	return found
}

// writes tells whether a merge writes its output into a folder.
func writes(dir string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, ".gameid-*", "merged.db"))
	return len(found) > 0
}

// startMerge starts a merge, as process or racedProcess does, in the folder of its inputs, and waits until it writes.
func startMerge(t *testing.T, start func(*testing.T, ...string) *exec.Cmd, from, out string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	p := start(t, "merge-rewrite", "a.db", "b.db", "--plan", "plan.yaml", "-o", out, "--quiet")
	p.Dir = from
	var said bytes.Buffer
	p.Stderr = &said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(2 * time.Millisecond) {
		if writes(filepath.Dir(out)) {
			return p, &said
		}
		if time.Now().After(end) {
			_ = p.Process.Kill()
			t.Fatalf("%s is not begun after two minutes: %s", out, said.String())
		}
	}
}

// TestM47StoppedWhileItWrites interrupts a merge while it writes: its exit code says by what, and nothing is left.
func TestM47StoppedWhileItWrites(t *testing.T) {
	from := worlds(t)
	before := sums(t, filepath.Join(from, "a.db"), filepath.Join(from, "b.db"))
	hearHangups(t)
	for _, c := range []struct {
		signal syscall.Signal
		want   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}, {syscall.SIGQUIT, 131}} {
		dir := t.TempDir()
		p, said := startMerge(t, racedProcess, from, filepath.Join(dir, "m.db"))
		if err := p.Process.Signal(c.signal); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond) // an impatient key; a connection that is lost sends two, the kernel's and the shell's
		_ = p.Process.Signal(c.signal)
		var exit *exec.ExitError
		if err := p.Wait(); !errors.As(err, &exit) || exit.ExitCode() != c.want {
			t.Errorf("%v: %v, want exit code %d; it said %s", c.signal, err, c.want, said)
		}
		if left := folder(t, dir); len(left) > 0 {
			t.Errorf("%v: %v were left", c.signal, left)
		}
		if !strings.HasPrefix(said.String(), "gameid: stopped by ") {
			t.Errorf("%v: it said %q", c.signal, said)
		}
	}
	if after := sums(t, filepath.Join(from, "a.db"), filepath.Join(from, "b.db")); !equalSums(before, after) {
		t.Error("an input changed")
	}
}

// TestM47NoHangUp: under nohup a merge goes on when its terminal is gone.
func TestM47NoHangUp(t *testing.T) {
	from, dir := worlds(t), t.TempDir()
	unheard := func(t *testing.T, args ...string) *exec.Cmd {
		t.Helper()
		p := process(t, args...)
		p.Args = append([]string{"sh", "-c", `trap '' HUP; exec "$0" "$@"`, p.Path}, p.Args[1:]...)
		p.Path = "/bin/sh"
		return p
	}
	p, said := startMerge(t, unheard, from, filepath.Join(dir, "m.db"))
	if err := p.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("%v; it said %s", err, said)
	}
	if left := folder(t, dir); !slices.Equal(left, []string{"m.db"}) {
		t.Errorf("%v are left, want m.db alone", left)
	}
}

func equalSums(a, b map[string][32]byte) bool {
	for name := range a {
		if a[name] != b[name] {
			return false
		}
	}
	return len(a) == len(b)
}

// TestM46TwiceAtOnce: while a merge writes an output, a second one is refused, and the first goes on.
func TestM46TwiceAtOnce(t *testing.T) {
	from, dir := worlds(t), t.TempDir()
	out := filepath.Join(dir, "m.db")
	first, said := startMerge(t, process, from, out)
	second := process(t, "merge-rewrite", "a.db", "b.db", "--plan", "plan.yaml", "-o", out, "--quiet")
	second.Dir = from
	text, err := second.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(string(text), "another merge is writing it") && !strings.Contains(string(text), "exists") {
		t.Errorf("the second merge: %v, want exit code 3; it said %s", err, text)
	}
	if err := first.Wait(); err != nil {
		t.Errorf("the first merge: %v; it said %s", err, said)
	}
	if left := folder(t, dir); !slices.Equal(left, []string{"m.db"}) {
		t.Errorf("%v are left, want m.db alone", left)
	}
}

// TestM4ReplacedWhileItIsMerged gives an input's name to another database while a merge writes, as the rotation of backups does: nothing comes of it.
func TestM4ReplacedWhileItIsMerged(t *testing.T) {
	from, dir := worlds(t), t.TempDir()
	other, name := filepath.Join(from, "other.db"), filepath.Join(from, "a.db")
	text, err := os.ReadFile(name)
	check(t, err)
	check(t, os.WriteFile(other, text, 0o600))
	runSQL(t, other, "UPDATE items SET owner_id = 30000, slot = 0 WHERE id <= 10")
	p, said := startMerge(t, process, from, filepath.Join(dir, "m.db"))
	check(t, os.Rename(other, name))
	var exit *exec.ExitError
	if err := p.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(said.String(), "a.db: the file was replaced") || !strings.Contains(said.String(), "\nnext: ") {
		t.Errorf("the merge: %v, want exit code 3; it said %s", err, said)
	}
	if left := folder(t, dir); len(left) > 0 {
		t.Errorf("%v are left, want nothing", left)
	}
}

// TestM5LogOfALiveServer merges a database that another connection holds open in WAL mode: the log counts, and neither file is touched.
func TestM5LogOfALiveServer(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.db", "b.db"} {
		db, err := sql.Open("sqlite3", filepath.Join(dir, name)+"?_journal=WAL")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		db.SetMaxOpenConns(1)
		first := map[string]string{"a.db": "1", "b.db": "5"}[name]
		if _, err := db.Exec("CREATE TABLE player(id INTEGER PRIMARY KEY, note TEXT); INSERT INTO player VALUES (" + first + ", 'in the log')"); err != nil {
			t.Fatal(err)
		}
	}
	var files []string
	for _, name := range folder(t, dir) {
		files = append(files, filepath.Join(dir, name))
	}
	if len(files) != 6 {
		t.Fatalf("there are %v, want two databases with -wal and -shm", files)
	}
	before := sums(t, files...)
	out := filepath.Join(dir, "m.db")
	if code, _, said := run(t, "merge-rewrite", filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db"), "-o", out, "--quiet"); code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if after := sums(t, files...); !equalSums(before, after) {
		t.Error("an input, its log or its shared memory changed")
	}
	if left := folder(t, dir); len(left) != 7 {
		t.Errorf("there are %v, want the inputs and m.db", left)
	}
	db, err := sql.Open("sqlite3", out)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var rows int
	if err := db.QueryRow("SELECT count(*) FROM player WHERE note = 'in the log'").Scan(&rows); err != nil || rows != 2 {
		t.Errorf("%d rows (%v), want 2", rows, err)
	}
}

// screen is a terminal of some width.
type screen struct {
	bytes.Buffer
	columns int
}

func (s *screen) IsTerminal() bool { return true }
func (s *screen) Width() int       { return s.columns }

// TestAuditFitsTheTerminal looks at what a person sees: no line is wider than the terminal, except plan lines, which are to be copied.
func TestAuditFitsTheTerminal(t *testing.T) {
	dir := t.TempDir()
	for server, name := range map[int]string{1: "a.db", 2: "b.db"} {
		if err := fixtures.Write(t.Context(), filepath.Join(dir, name), fixtures.World{Seed: 1, Server: server, Rows: 10_000}); err != nil {
			t.Fatal(err)
		}
	}
	for _, columns := range []int{80, 100, 160} {
		out, said := &screen{columns: columns}, &screen{columns: columns}
		if code := cmd.Main([]string{"merge-check", filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db"), "--quiet"}, strings.NewReader(""), out, said); code != 1 {
			t.Fatalf("exit code %d: %s", code, said)
		}
		for _, text := range []string{out.String(), said.String()} {
			for line := range strings.SplitSeq(text, "\n") {
				if len([]rune(line)) > columns && !strings.Contains(line, ":  - {") && !strings.HasPrefix(line, "next: ") {
					t.Errorf("on %d columns: %q", columns, line)
				}
			}
		}
		for _, want := range []string{"decide  unique-conflict  characters.name (55 rows)", "        next: rename the losers"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("on %d columns: no %q", columns, want)
			}
		}
	}
}
