package cmd

import (
	"cmp"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/gameid/gameid/merge/report"
)

// drawTable writes rows as an aligned table for a person: a heading with the
// column names exactly as given, a line, the rows. Wide characters (CJK, emoji of any
// number of code points) count as the two columns they take, columns of numbers are right-aligned, and
// control characters are shown as escapes so that a value from a database cannot
// drive the terminal.
func drawTable(w io.Writer, columns []string, rows [][]string) error {
	var drawn strings.Builder
	var stand standIns
	table := tablewriter.NewTable(
		&drawn,
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
	table.Header(texts(columns, stand.in))
	for _, row := range rows {
		if err := table.Append(texts(row, stand.in)); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	_, err := io.WriteString(w, stand.out(drawn.String()))
	return err
}

// standIns are runes of a private plane that stand for characters of several code points while a table is drawn: tablewriter adds up the widths of code
// points, and a terminal shows a family of four, or a flag, in two columns.
type standIns struct {
	runes   map[string]string // by character
	restore []string          // stand-in, character, and so on
}

const (
	firstStandIn = '\U000f0000' // one column wide, as all of them
	wideStandIn  = '\U0010fffd' // after the first, the second column
)

// in is a text as it may be shown, with stand-ins.
func (s *standIns) in(text string) string {
	text = report.Visible(text)
	var b strings.Builder
	for g := displaywidth.StringGraphemes(text); g.Next(); {
		sum, private := 0, false
		for _, c := range g.Value() {
			sum += displaywidth.Rune(c)
			private = private || c >= firstStandIn
		}
		if sum == g.Width() && !private {
			b.WriteString(g.Value())
			continue
		}
		name, ok := s.runes[g.Value()]
		if !ok && len(s.runes) < 0xfffd {
			if s.runes == nil {
				s.runes = map[string]string{}
			}
			name = string(rune(firstStandIn + len(s.runes)))
			for range g.Width() - 1 {
				name += string(wideStandIn)
			}
			s.runes[g.Value()] = name
			s.restore = append(s.restore, name, g.Value())
		}
		b.WriteString(cmp.Or(name, g.Value()))
	}
	return b.String()
}

// out puts the characters back.
func (s *standIns) out(drawn string) string { return strings.NewReplacer(s.restore...).Replace(drawn) }

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
