package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/report"
)

// drawFindings writes findings for a person: what and where on one line, then the text and the next step, wrapped. Findings that say the same of several
// columns stand together. width is the terminal's, 0 when there is none.
func drawFindings(w io.Writer, list []merge.Finding, width int, color bool) {
	width = wrapWidth(width)
	var groups [][]merge.Finding
	at := map[string]int{}
	for _, f := range report.SortFindings(list) {
		alike := strings.Join([]string{f.Rule, string(f.Severity), f.Shard, uncounted(f), f.Next}, "\x00")
		if i, ok := at[alike]; ok && len(f.Samples) == 0 {
			groups[i] = append(groups[i], f)
			continue
		}
		at[alike] = len(groups)
		groups = append(groups, []merge.Finding{f})
	}
	for _, group := range groups {
		f := group[0]
		head := fmt.Sprintf("%-6s  %s", f.Severity, f.Rule)
		if f.Shard != "" {
			head += "  " + f.Shard
		}
		text := f.Text
		if len(group) == 1 {
			head += "  " + place(f)
		} else {
			text = uncounted(f)
		}
		fmt.Fprintln(w, paint(f.Severity, color)+report.Visible(head)+unpaint(f.Severity, color))
		if text != "" {
			fmt.Fprint(w, wrapText(text, "        ", "        ", width))
		}
		if len(group) > 1 {
			var places []string
			for _, f := range group {
				places = append(places, fmt.Sprintf("%s.%s\u00a0%s", f.Table, f.Column, report.Number(f.Rows)))
			}
			fmt.Fprint(w, wrapText(strings.Join(places, ", "), "        ", "        ", width))
		}
		if len(f.Samples) > 0 {
			fmt.Fprint(w, wrapText(strings.Join(f.Samples, ", "), "        such as ", "        ", width))
		}
		if f.Next != "" {
			fmt.Fprint(w, wrapText(f.Next, "        next: ", "        ", width))
		}
	}
}

// uncounted is a finding's text without its count in front.
func uncounted(f merge.Finding) string {
	return strings.TrimPrefix(strings.TrimPrefix(f.Text, fmt.Sprint(f.Rows)+" "), report.Number(f.Rows)+" ")
}

// place is where a finding stands: table.column (rows).
func place(f merge.Finding) string {
	where := strings.Trim(f.Table+"."+f.Column, ".")
	if f.Rows > 0 {
		where = strings.TrimSpace(where + " (" + report.Count(f.Rows, "row") + ")")
	}
	return where
}

// paint begins a severity's colour.
func paint(s merge.Severity, color bool) string {
	switch {
	case color && s == merge.Block:
		return "\x1b[1;31m"
	case color && s == merge.Decide:
		return "\x1b[1;33m"
	}
	return ""
}

func unpaint(s merge.Severity, color bool) string {
	if paint(s, color) == "" {
		return ""
	}
	return "\x1b[0m"
}
