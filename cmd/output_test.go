package cmd

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/gameid/gameid/gameid"
)

// screen is a stream that says it is a terminal.
type screen struct {
	bytes.Buffer
	columns int
}

func (s *screen) IsTerminal() bool { return true }
func (s *screen) Width() int       { return s.columns }

// show writes two columns and some rows in a format and returns the text.
func show(t *testing.T, f format, columns []string, rows ...[]any) string {
	t.Helper()
	var out strings.Builder
	w := newRowWriter(&out, f, columns)
	for _, row := range rows {
		if err := w.Write(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFormats(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC)
	rows := [][]any{{"a\tb\\\n", gameid.FromUint64(1<<53 + 1), int64(5)}, {nil, at, true}}
	columns := []string{"Player_Name", "owner_id", "n"}
	for f, want := range map[format]string{
		formatTSV:    "Player_Name\towner_id\tn\na\\tb\\\\\\n\t9007199254740993\t5\n\t2026-02-03T04:05:06.007Z\ttrue\n",
		formatCSV:    "Player_Name,owner_id,n\n\"a\tb\\\n\",9007199254740993,5\n,2026-02-03T04:05:06.007Z,true\n",
		formatNDJSON: "{\"Player_Name\": \"a\\tb\\\\\\n\", \"owner_id\": \"9007199254740993\", \"n\": 5}\n{\"Player_Name\": null, \"owner_id\": \"2026-02-03T04:05:06.007Z\", \"n\": true}\n",
		formatJSON:   "[\n  {\"Player_Name\": \"a\\tb\\\\\\n\", \"owner_id\": \"9007199254740993\", \"n\": 5},\n  {\"Player_Name\": null, \"owner_id\": \"2026-02-03T04:05:06.007Z\", \"n\": true}\n]\n",
	} {
		if got := show(t, f, columns, rows...); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f, got, want)
		}
	}
	if got := show(t, formatJSON, columns); got != "[]\n" {
		t.Errorf("no rows as JSON: got %q", got)
	}
}

// Every cell of a column begins, or ends, at the same place on the screen, wide
// characters included; names keep their case; escapes do not reach the terminal.
func TestTableAligns(t *testing.T) {
	got := show(
		t, formatTable, []string{"player_Name", "coins", "note"},
		[]any{"bob", 5, "|"}, []any{"艾莉絲", 12345, "|"}, []any{"🎮 Kim🚀", 7, "|"}, []any{"\x1b[31mred\u202e", 0, "|"},
	)
	lines := strings.Split(strings.TrimRight(got, "\n"), "\n")
	if len(lines) != 6 || !strings.Contains(lines[0], "player_Name") {
		t.Fatalf("got\n%s\nwant a heading as given, a line and four rows", got)
	}
	before, _, _ := strings.Cut(lines[0], "note")
	column := displaywidth.String(before)
	for _, line := range lines[2:] {
		before, _, _ := strings.Cut(line, "|")
		if at := displaywidth.String(before); at != column {
			t.Errorf("the last column begins at %d in %q, want %d", at, line, column)
		}
	}
	if strings.ContainsAny(got, "\x1b\u202e") || !strings.Contains(got, `\x1b[31mred\u202e`) {
		t.Errorf("got %q, want escapes written out", got)
	}
}

func TestTerminalDecidesFormat(t *testing.T) {
	tty, pipe := &screen{columns: 80}, &bytes.Buffer{}
	var stderr bytes.Buffer
	for _, out := range []interface {
		Write([]byte) (int, error)
		String() string
	}{tty, pipe} {
		if code := Main([]string{"layouts"}, strings.NewReader(""), out, &stderr); code != exitDone {
			t.Fatalf("layouts: exit code %d, %s", code, &stderr)
		}
	}
	if got := tty.String(); !strings.Contains(got, "\n---") || strings.Contains(got, "\t") {
		t.Errorf("on a terminal: got\n%s\nwant a table", got)
	}
	if got := pipe.String(); !strings.HasPrefix(got, "layout\tbits\t") {
		t.Errorf("off a terminal: got\n%s\nwant TSV", got)
	}
	tty.Reset()
	if code := Main([]string{"decode", "255795006608058548224", "255795006608058548225"}, strings.NewReader(""), tty, &stderr); code != exitDone {
		t.Fatalf("decode: exit code %d, %s", code, &stderr)
	}
	if got := tty.String(); !strings.Contains(got, "\nserver      7\n") || strings.Count(got, "\n\nid ") != 1 {
		t.Errorf("decode on a terminal: got\n%s\nwant a block per ID", got)
	}
}
