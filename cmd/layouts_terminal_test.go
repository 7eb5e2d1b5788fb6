package cmd_test

import (
	"io"
	"strings"
	"testing"

	"github.com/gameid/gameid/cmd"
	"github.com/gameid/gameid/layouts"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// TestLayoutsFitTheTerminal looks at what a person sees on 80 columns: no line is wider, unless it is one word that is to be copied.
func TestLayoutsFitTheTerminal(t *testing.T) {
	names, err := layouts.Names()
	if err != nil {
		t.Fatal(err)
	}
	lines := [][]string{
		{"layouts"},
		{"layouts", layouts.Example},
		{"layouts", "time=63@1ns,server=16,seq=1,epoch=1960-01-01"},
		{"layouts", "const=1:0,time=41@1ms,server=5,const=3:5,server=5,seq=25,epoch=2020-01-01"},
		{"layouts", "--compare", "game", "game63"},
		{"layouts", "--compare", "shardingsphere-utc8", "shardingsphere"},
		{"decode", "--layout", "auto", "--tz", "Asia/Tokyo", "175928847299117063", "4584579607755781"},
	}
	for _, name := range names {
		lines = append(lines, []string{"layouts", name}, []string{"layouts", "--compare", name, "game53"})
	}
	for _, args := range lines {
		out := &screen{columns: 80}
		if code := cmd.Main(args, strings.NewReader(""), out, io.Discard); code > 1 {
			t.Errorf("%v: exit code %d", args, code)
		}
		text := out.String()
		if len(text) < 100 {
			t.Errorf("%v: got only %q", args, text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if words := strings.Fields(line); twwidth.Width(line) > 80 && len(words) > 2 {
				t.Errorf("%v: a line has %d columns, want 80 at most: %s", args, twwidth.Width(line), line)
			}
		}
	}
}
