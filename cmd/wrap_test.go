package cmd_test

import (
	"strings"
	"testing"

	"github.com/gameid/gameid/cmd"
)

// TestWrapCountsColumns: text is broken by the columns that a terminal shows it in, not by its bytes or code points, as tables are.
func TestWrapCountsColumns(t *testing.T) {
	for name, c := range map[string]struct {
		word    string
		columns int
	}{
		"plain":            {"ab", 2},
		"full width":       {"漢字", 4},
		"combining":        {"e\u0301e\u0301\u0323", 2},
		"family of four":   {"\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", 2},
		"flag":             {"\U0001f1e9\U0001f1ea", 2},
		"skin":             {"\U0001f44d\U0001f3fd", 2},
		"ambiguous":        {"\u00b1\u00b1", 2},
		"half width":       {"\uff76\uff85", 2},
		"full width latin": {"\uff21\uff22", 4},
	} {
		const width = 40
		text := strings.TrimSuffix(strings.Repeat(c.word+" ", 60), " ")
		fit := (width + 1) / (c.columns + 1)
		for _, line := range strings.Split(strings.TrimSuffix(cmd.WrapText(text, "", "", width), "\n"), "\n")[:60/fit] {
			if got := strings.Count(line, c.word); got != fit {
				t.Errorf("%s: got %d words on a line of %d columns, want %d", name, got, width, fit)
			}
		}
	}
}
