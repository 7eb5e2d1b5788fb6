package cmd

import (
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/gameid/gameid/merge/report"
)

// drawTable writes rows as an aligned table for a person: a heading with the
// column names exactly as given, a line, the rows. Wide characters (CJK, emoji)
// count as the two columns they take, columns of numbers are right-aligned, and
// control characters are shown as escapes so that a value from a database cannot
// drive the terminal.
func drawTable(w io.Writer, columns []string, rows [][]string) error {
	heading := make([]string, len(columns))
	for i, column := range columns {
		heading[i] = report.Visible(column)
	}
	table := tablewriter.NewTable(
		w,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On},
			},
		})),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithAlignment(alignments(len(columns), rows)),
	)
	table.Header(heading)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = report.Visible(cell)
		}
		if err := table.Append(cells); err != nil {
			return err
		}
	}
	return table.Render()
}

// alignments puts columns that hold nothing but numbers to the right.
func alignments(columns int, rows [][]string) tw.Alignment {
	align := make(tw.Alignment, columns)
	for i := range align {
		align[i] = tw.AlignLeft
		numbers := false
		for _, row := range rows {
			if row[i] == "" {
				continue
			}
			if numbers = isNumber(row[i]); !numbers {
				break
			}
		}
		if numbers {
			align[i] = tw.AlignRight
		}
	}
	return align
}

func isNumber(text string) bool {
	digits := strings.TrimLeft(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789.,") == ""
}
