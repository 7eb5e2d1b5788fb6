package cmd

import (
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/gameid/gameid/merge/report"
)

// wrapColumns is how wide text for a person is where the stream has no width of its own, and wrapMost how wide it gets at most.
const (
	wrapColumns = 100
	wrapMost    = 140
)

// wrapWidth is how wide text is wrapped for a stream of some width; 0 is a stream that has none.
func wrapWidth(columns int) int {
	if columns == 0 {
		columns = wrapColumns
	}
	return max(min(columns, wrapMost), 40)
}

// wrapText breaks text between words into lines of at most width columns, the first after first and the others after rest. A word
// that is wider stays whole. Control characters are shown as escapes; line breaks are kept.
func wrapText(text, first, rest string, width int) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		indent := rest
		if i == 0 {
			indent = first
		}
		at := displaywidth.String(indent)
		b.WriteString(indent)
		fresh := true
		for word := range strings.SplitSeq(report.Visible(line), " ") {
			if word == "" {
				continue
			}
			n := displaywidth.String(word)
			if !fresh && at+1+n > width {
				b.WriteString("\n" + rest)
				at, fresh = displaywidth.String(rest), true
			}
			if !fresh {
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += n
			fresh = false
		}
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ") // spaces that may not break
}

// visibleLines is visible for text of several lines.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = report.Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}
