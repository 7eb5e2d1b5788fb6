package cmd_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/cmd"
)

// filter runs one command line in this process with something on its standard input.
func filter(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cmd.Main(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// TestRowsAreReadBack: what gen, decode and public write as rows, decode and public read: the IDs of the column, none left out and none more.
func TestRowsAreReadBack(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("5a", 16)), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	ok := func(stdin string, args ...string) string {
		t.Helper()
		code, stdout, stderr := filter(stdin, args...)
		if code != 0 || strings.Contains(stderr, "could not") {
			t.Fatalf("%v of %q: exit code %d, %q", args, stdin, code, stderr)
		}
		return stdout
	}
	reverse := []string{"public", "--reverse", "--key-file", key}
	for _, format := range []string{"tsv", "csv", "json", "ndjson"} {
		for _, form := range []string{"decimal", "base32", "hex", "uuid"} {
			rows := ok("", "gen", "--server", "7", "-n", "3", "--form", form, "--format", format)
			want := ok(rows, "decode", "--format", "tsv")
			if n := strings.Count(want, "\n"); n != 4 {
				t.Fatalf("decode of %q: %d lines, want a heading and 3 IDs:\n%s", rows, n, want)
			}
			for _, tz := range []string{"", "Asia/Tokyo"} {
				if got := ok(ok(rows, "decode", "--format", format, "--tz", tz), "decode", "--format", "tsv"); got != want {
					t.Errorf("decode of its own %s of %s IDs:\n%swant\n%s", format, form, got, want)
				}
			}
			if got := ok(rows+rows, "decode", "--format", "tsv"); strings.Count(got, "\n") != 7 {
				t.Errorf("decode of two lists in one file: %q, want 6 IDs", got)
			}
			ids := ok(rows, "public", "--key-file", key)
			public := ok(rows, "public", "--key-file", key, "--format", format)
			if got, want := ok(public, reverse...), ok(ids, reverse...); got != want {
				t.Errorf("public --reverse of rows %q: %q, want %q", public, got, want)
			}
			if got := ok(public, "decode", "--format", "tsv"); got != want {
				t.Errorf("decode of the rows of public:\n%swant\n%s", got, want)
			}
		}
		foreign := ok("", "gen", "--scheme", "objectid", "--format", format)
		if got := ok(foreign, "decode", "--from", "objectid", "--format", "tsv"); !strings.Contains(got, "\tobjectid\t") {
			t.Errorf("decode of %q: %q", foreign, got)
		}
	}
}

// TestOtherRowsAreRefused: what only looks like rows of the tool, or is cut off, is refused with its line and what is read.
func TestOtherRowsAreRefused(t *testing.T) {
	const id, next = "255795006608058548224", "one ID per line, or the rows of gen, decode or public"
	for name, test := range map[string]struct{ stdin, stderr, stdout string }{
		"another heading":        {"player,name\n7,a\n", `line 1: "player,name" is no ID`, ""},
		"rows without a heading": {`"=""` + id + `"""` + "\n", "line 1: ", ""},
		"semicolons":             {"id;layout\n" + id + ";game\n", `line 1: "id;layout" is no ID`, ""},
		"a table":                {"  id   layout \n-----\n", `line 1: "id   layout" is no ID`, ""},
		"a row too short":        {"id,layout\nx\n" + id + ",game\n", `line 2: "x" is no ID`, id},
		"a row too long":         {"id\n" + id + ",7\n", "line 2: ", ""},
		"no ID in its column":    {"id\tlayout\ngame\t" + id + "\n", `line 2: "game" is no ID`, ""},
		"an open quote":          {"id,layout\n\"" + id + ",game\n", "line 2: ", ""},
		"a number in JSON":       {"{\"id\": " + id + "}\n", "line 1: ", ""},
		"another member":         {"{\"key\": \"" + id + "\"}\n", "line 1: ", ""},
		"an object cut off":      {"[\n  {\"id\": \"" + id + "\"},\n  {\"id\": \"2557", "line 3: ", id},
		"an array cut off":       {"[\n  {\"id\": \"" + id + "\"},\n", "ends inside an array", id},
		"twice in one row":       {"id,id\n" + id + ",7\n", `line 1: "id,id" is no ID`, ""},
	} {
		code, stdout, stderr := filter(test.stdin, "decode", "--format", "tsv")
		_, rows, _ := strings.Cut(stdout, "\n")
		if code != 2 || !strings.Contains(stderr, test.stderr) || !strings.Contains(stderr, next) || test.stdout == "" && rows != "" || !strings.Contains(rows, test.stdout) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want 2, %q and %q", name, code, rows, stderr, test.stdout, test.stderr)
		}
	}
}
