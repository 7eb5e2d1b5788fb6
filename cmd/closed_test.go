package cmd_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/fixtures"
)

// Whoever starts a command without a stdout gets no answer, and no exit code 0; whoever throws the answer away has asked for that.
func TestG28ClosedOutput(t *testing.T) {
	dir := t.TempDir()
	game := filepath.Join(dir, "a.db")
	if err := fixtures.Write(t.Context(), game, fixtures.World{Seed: 1, Server: 1, Rows: 1000}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--version"},
		{"gen", "--server", "1"},
		{"decode", "255795006608058548224"},
		{"encode", "server=1", "seq=0", "time=2026-01-01T00:00:00Z"},
		{"layouts"},
		{"merge-check", game, "--write-plan", filepath.Join(dir, "plan.yaml")},
		{"merge-rewrite", game, "-o", filepath.Join(dir, "m.db")},
	} {
		for redirection, want := range map[string]int{">&-": 2, "> /dev/null": 0, "1<> /dev/null": 0} {
			if want == 0 && strings.HasPrefix(args[0], "merge-") {
				continue
			}
			p := process(t, args...)
			p.Args = append([]string{"sh", "-c", `exec "$0" "$@" ` + redirection, p.Path}, args...)
			p.Path = "/bin/sh"
			said, err := p.CombinedOutput()
			if code := exitCode(err); code != want || want != 0 && string(said) != "gameid: stdout is closed: nobody would get the answer\nnext: leave it open, or throw the answer away with > /dev/null\n" {
				t.Errorf("%v %s: exit code %d, %q, want %d", args, redirection, code, said, want)
			}
		}
	}
	if got := folder(t, dir); !slices.Equal(got, []string{"a.db"}) {
		t.Errorf("there are %v, want nothing written", got)
	}
}

// Whoever starts a command without a stdin has given it nothing to read, and learns so; an empty input is what was given, and a command that reads none needs none.
func TestClosedInput(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("0123456789abcdef", 2)), 0o600); err != nil {
		t.Fatal(err)
	}
	const nothing = "gameid: stdin is closed: there are no IDs to read\nnext: name the IDs after the command, or pipe them in\n"
	for _, test := range []struct {
		args []string
		code int // with a closed stdin
	}{
		{[]string{"decode"}, 2},
		{[]string{"decode", "--format", "json"}, 2},
		{[]string{"public", "--key-file", key}, 2},
		{[]string{"decode", "255795006608058548224"}, 0},
		{[]string{"layouts"}, 0},
	} {
		for redirection, want := range map[string]int{"<&-": test.code, "< /dev/null": 0, "0<> /dev/null": 0} {
			p := process(t, test.args...)
			p.Args = append([]string{"sh", "-c", `exec "$0" "$@" ` + redirection, p.Path}, test.args...)
			p.Path = "/bin/sh"
			said, err := p.CombinedOutput()
			if code := exitCode(err); code != want || want != 0 && string(said) != nothing {
				t.Errorf("%v %s: exit code %d, %q, want %d", test.args, redirection, code, said, want)
			}
		}
	}
}
