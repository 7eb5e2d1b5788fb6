package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/fixtures"
)

// said is a row of "gameid help input".
type said struct {
	message, next string
	code          int
}

// inputTable reads the table as a person does.
func inputTable(t *testing.T) map[string]said {
	t.Helper()
	const left = 36
	code, text, _ := run(t, "help", "input")
	_, text, ok := strings.Cut(text, "---\n")
	table, _, ok2 := strings.Cut(text, "\n\n")
	if code != 0 || !ok || !ok2 {
		t.Fatalf("gameid help input: exit code %d and no table in %q", code, text)
	}
	rows := map[string]said{}
	var name string
	for line := range strings.SplitSeq(table, "\n") {
		if what := strings.TrimSpace(line[:left]); what != "" {
			n, err := strconv.Atoi(strings.TrimSpace(line[left : left+4]))
			check(t, err)
			name, rows[what] = what, said{code: n}
		}
		row, words := rows[name], strings.TrimSpace(line[left+4:])
		if rest, ok := strings.CutPrefix(words, "next: "); ok {
			row.next = rest
		} else if row.next != "" {
			row.next += " " + words
		} else {
			row.message = strings.TrimSpace(row.message + " " + words)
		}
		rows[name] = row
	}
	return rows
}

// brokenServers makes two good servers, their plan, and their merge.
func brokenServers(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for server, name := range map[int]string{1: "a.db", 2: "b.db"} {
		check(t, fixtures.Write(t.Context(), filepath.Join(dir, name), fixtures.World{Seed: 1, Server: server, Rows: 10_000}))
	}
	plan, err := os.ReadFile(filepath.Join("..", "fixtures", "demo-plan.yaml"))
	check(t, err)
	check(t, os.WriteFile(filepath.Join(dir, "plan.yaml"), plan, 0o600))
	if code, _, said := run(t, mergeInto(dir, filepath.Join(dir, "b.db"), filepath.Join(dir, "merged.db"))...); code != 0 {
		t.Fatalf("the merge of the good servers: exit code %d, %s", code, said)
	}
	return dir
}

func mergeInto(dir, second, out string) []string {
	return []string{"merge-rewrite", filepath.Join(dir, "a.db"), second, "-o", out, "--plan", filepath.Join(dir, "plan.yaml"), "--server", "s1=1", "--server", "s2=2", "-q"}
}

// quick runs a command that has to end soon: with exit code 2 or 3, one message and one next step, and nothing on stdout.
func quick(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		code, stdout, stderr = run(t, args...)
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatalf("%q does not end", args)
	}
	return code, stdout, stderr
}

// content is what a file holds, or what it is.
func content(path string) string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return fmt.Sprint(err)
	}
	b, err := os.ReadFile(path)
	return fmt.Sprint(err) + string(b)
}

// TestM6BrokenInputs gives every merge command every kind of broken file: each is refused as the table of "gameid help input" says, in one message that
// names the file and the next step; nothing is written, and the file stays as it is.
func TestM6BrokenInputs(t *testing.T) {
	dir, rows := brokenServers(t), inputTable(t)
	first, second, merged := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db"), filepath.Join(dir, "merged.db")
	_, answer, _ := run(t, "merge-map", merged, "--all", "-q")
	for i, br := range breakages {
		t.Run(fmt.Sprintf("%d %s", i, br.name), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "out.db")
			want, ok := rows[br.name]
			if !ok {
				t.Fatalf("gameid help input says nothing of it")
			}
			for _, c := range []struct {
				name string
				of   string // the good database that is broken
				args func(path string) []string
			}{
				{"merge-check", second, func(p string) []string { return []string{"merge-check", first, p, "-q"} }},
				{"merge-rewrite", second, func(p string) []string { return mergeInto(dir, p, out) }},
				{"merge-verify", second, func(p string) []string { return []string{"merge-verify", first, p, "--merged", merged, "-q"} }},
				{"merge-verify --merged", merged, func(p string) []string { return []string{"merge-verify", first, second, "--merged", p, "-q"} }},
				{"merge-map", merged, func(p string) []string { return []string{"merge-map", p, "--all", "-q"} }},
			} {
				if c.of == merged && betweenShards[br.name] {
					continue
				}
				good, err := os.ReadFile(c.of)
				check(t, err)
				b := &brokenWorld{first: first, path: filepath.Join(t.TempDir(), "broken.db"), good: good}
				br.make(t, b)
				before := content(b.path)
				code, stdout, stderr := quick(t, c.args(b.path)...)
				if content(b.path) != before {
					t.Errorf("%s: the broken file changed", c.name)
				}
				if left := folder(t, filepath.Dir(out)); len(left) > 0 {
					t.Errorf("%s: %v is left", c.name, left)
				}
				if c.of == merged && elsewhere(code, stdout, stderr, answer) {
					continue
				}
				if code != want.code || stdout != "" {
					t.Errorf("%s: exit code %d and %d bytes of answer; want %d and none; it said %s", c.name, code, len(stdout), want.code, stderr)
				}
				lines := slices.DeleteFunc(strings.Split(strings.TrimSuffix(stderr, "\n"), "\n"), func(line string) bool { // the plan's paths are others
					return strings.HasPrefix(line, "note: ")
				})
				if len(lines) != 2 || !strings.HasPrefix(lines[0], "gameid: ") || !strings.Contains(lines[0], want.message) || !strings.HasPrefix(lines[1], "next: "+want.next) {
					t.Errorf("%s: got %q; want one line with %q and the next step %q", c.name, stderr, want.message, want.next)
				}
				if !strings.Contains(lines[0], strings.TrimPrefix(b.path, "sqlite:")) {
					t.Errorf("%s: %q does not name %s", c.name, lines[0], b.path)
				}
			}
		})
	}
	for name := range rows {
		if !tried(name) && name != "replaced while it is read" { // TestM4ReplacedWhileItIsMerged
			t.Errorf("gameid help input has %q, and nothing provokes it", name)
		}
	}
}

// elsewhere tells whether a merged database is broken where a command did not need it, or where the proof says so itself: the map is right, or the proof failed.
func elsewhere(code int, stdout, stderr, answer string) bool {
	return code == 0 && stdout == answer || code == 1 && strings.Contains(stderr, "failed: ") && strings.Contains(stderr, "next: ")
}

func tried(name string) bool {
	for _, br := range breakages {
		if br.name == name {
			return true
		}
	}
	return false
}
