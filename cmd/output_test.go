package cmd

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

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
		formatCSV:    "\ufeffPlayer_Name,owner_id,n\n\"a\tb\\\n\",\"=\"\"9007199254740993\"\"\",5\n,2026-02-03T04:05:06.007Z,true\n",
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

// nasty are names as players choose them, and what else stands in name columns.
var nasty = []string{
	"张三", "か゛", "ＡＢＣ", "👨‍👩‍👧‍👦", "👍🏽", "🇨🇳", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "e\u0301te\u0301", "\u0301x", "می\u200cخواهم", "عمر", "\u202eevil", "bob\u200b", "\u200dbob", "\u3164",
	"\x1b]0;owned\x07", "\x1b[2J", "a\tb", "a\nb", "a\r\nb", "a\rb", "nul\x00nul", "\x7f", "\u009b31m", "\x9b31m", "caf\xe9", `back\slash`, `\x1b`, `"quoted"`, "a,b", "", " ", "' OR 1=1", "<b>&amp;",
}

// terminalSafe fails when text holds what drives a terminal: a control character, alone or as an 8-bit byte.
func terminalSafe(t *testing.T, where, text string) {
	t.Helper()
	for at, c := range text {
		if c != '\n' && unicode.IsControl(c) || c == utf8.RuneError && !strings.HasPrefix(text[at:], "\ufffd") {
			t.Errorf("%s: %q at byte %d of %q", where, c, at, text)
		}
	}
}

// TestM40NamesComeBack checks that TSV gives every byte of a name back, JSON every character, and that neither drives a terminal.
func TestM40NamesComeBack(t *testing.T) {
	unescape := regexp.MustCompile(`\\(\\|t|n|r|x[0-9a-f]{2})`)
	for _, name := range nasty {
		tsv := show(t, formatTSV, []string{"id", "name"}, []any{"9007199254740993", name})
		_, line, _ := strings.Cut(strings.TrimSuffix(tsv, "\n"), "\n")
		id, cell, _ := strings.Cut(line, "\t")
		got := unescape.ReplaceAllStringFunc(cell, func(e string) string {
			switch e[1] {
			case 'x':
				n, _ := strconv.ParseUint(e[2:], 16, 8)
				return string([]byte{byte(n)})
			case '\\':
				return `\`
			}
			return map[byte]string{'t': "\t", 'n': "\n", 'r': "\r"}[e[1]]
		})
		if id != "9007199254740993" || got != name {
			t.Errorf("TSV of %q: got %q and %q", name, id, got)
		}
		terminalSafe(t, "TSV", strings.ReplaceAll(tsv, "\t", ""))

		for _, f := range []format{formatNDJSON, formatJSON} {
			text := show(t, f, []string{"id", "name"}, []any{"9007199254740993", name})
			text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]\n")
			var row map[string]string
			if err := json.Unmarshal([]byte(text), &row); err != nil {
				t.Fatalf("%s of %q: %v in %s", f, name, err, text)
			}
			if want := strings.ToValidUTF8(name, "\ufffd"); row["name"] != want || row["id"] != "9007199254740993" {
				t.Errorf("%s of %q: got %q, want %q", f, name, row, want)
			}
			terminalSafe(t, string(f), text)
		}
	}
}

// TestM40TablesAlignAnyName checks that a column after any name begins at the same place on the screen, and that the name cannot drive it.
func TestM40TablesAlignAnyName(t *testing.T) {
	var rows [][]any
	for _, name := range nasty {
		rows = append(rows, []any{name, "|"})
	}
	got := show(t, formatTable, []string{"name", "end"}, rows...)
	terminalSafe(t, "table", got)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	before, _, _ := strings.Cut(lines[0], "end")
	for _, line := range lines[2:] {
		cell, _, _ := strings.Cut(line, "|")
		if at := displaywidth.String(cell); at != displaywidth.String(before) {
			t.Errorf("the last column begins at %d in %q, want %d", at, line, displaywidth.String(before))
		}
	}
	for _, hidden := range []string{"\u202e", "\u200b", "\u3164", "\u2028"} {
		if strings.Contains(got, hidden) {
			t.Errorf("the table holds %q, which nobody sees", hidden)
		}
	}
	for _, kept := range []string{"👨‍👩‍👧‍👦", "🏴\U000e0067", "می\u200cخواهم", "e\u0301te\u0301"} {
		if !strings.Contains(got, kept) {
			t.Errorf("the table lacks %q", kept)
		}
	}
}

// TestM27SpreadsheetKeepsIDsAndNames checks the CSV byte by byte: what a spreadsheet would compute or change is marked as text, and what it keeps is not.
func TestM27SpreadsheetKeepsIDsAndNames(t *testing.T) {
	for text, want := range map[string]string{
		"42": "42", "0": "0", "-7": "-7", "123456789012345": "123456789012345",
		"1234567890123456": `"=""1234567890123456"""`, "255801515648243335170": `"=""255801515648243335170"""`, "-1234567890123456": "'-1234567890123456",
		"0042": `"=""0042"""`, "12E5": `"=""12E5"""`, "1.50": `"=""1.50"""`, "1-2": `"=""1-2"""`, "MARCH1": `"=""MARCH1"""`, "10:30 pm": `"=""10:30 pm"""`, "50%": `"=""50%"""`, "TRUE": `"=""TRUE"""`, "2月3日": `"=""2月3日"""`,
		"=1+1": "'=1+1", "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", `=HYPERLINK("http://x","y")`: `"'=HYPERLINK(""http://x"",""y"")"`, "+1": "'+1", "-x": "'-x", "@SUM(A1)": "'@SUM(A1)", "＝1+1": "'＝1+1", "\t=1": "'\t=1", "\n=1": "\"'\n=1\"",
		"'x": "''x", `="0042"`: `"'=""0042"""`, "Bob": "Bob", "S2.Bob": "S2.Bob", "Player12": "Player12", "张三": "张三", "may": "may", "a\nb": "\"a\nb\"", `say "hi"`: `"say ""hi"""`, "a,b": `"a,b"`, "nul\x00": `nul\x00`, "\x1b[2J": `\x1b[2J`, "a\rb": `a\rb`, "caf\xe9": `caf\xe9`,
		"006XVXCB60214002": "006XVXCB60214002", "000dddf5-8b30-8041-9200-0267616d6964": "000dddf5-8b30-8041-9200-0267616d6964",
		strings.Repeat("9", 300): "'" + strings.Repeat("9", 300),
	} {
		if got := show(t, formatCSV, []string{"n", "text"}, []any{5, text}); got != "\ufeffn,text\n5,"+want+"\n" {
			t.Errorf("CSV of %q: got %q, want the cell %q", text, got, want)
		}
	}
	if got := show(t, formatCSV, []string{"=n", "x"}, []any{-0.5, uint64(1) << 60}); got != "\ufeff'=n,x\n-0.5,\"=\"\"1152921504606846976\"\"\"\n" {
		t.Errorf("got %q, want a heading as text, a number and 19 digits as text", got)
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
