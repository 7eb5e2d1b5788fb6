package cmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"github.com/spf13/cobra"
)

func newLayoutsCommand(a *app) *cobra.Command {
	var column string
	var compare compareOptions
	c := &cobra.Command{
		Use:     "layouts [LAYOUT] | --compare OLD NEW",
		GroupID: groupIDs,
		Short:   "List the layouts of IDs, or explain one",
		Long: `List the preset layouts or, with a LAYOUT (a preset, a file or an expression),
draw its bits and say how long it lasts and into which columns it fits.

--compare says whether a game that goes from the layout OLD to NEW can issue an ID
a second time: never, for a window of time, or always; with the arithmetic and an
example. It compares any two servers, and a server with itself. The epoch is part
of a layout: shardingsphere,epoch=2016-11-01T00:00:00+08:00 is a preset with an
epoch of one's own, in any zone. Exit code 0: never; 1: it can.`,
		Example: `  gameid layouts
  gameid layouts game
  gameid layouts game63 --column BIGINT
  gameid layouts ` + layouts.Example + `
  gameid layouts --compare shardingsphere-utc8 shardingsphere`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeLayouts,
		RunE: func(c *cobra.Command, args []string) error {
			if compare.compare {
				if c.Flags().Changed("column") {
					return misused(c, fmt.Errorf("--column and --compare do not go together"))
				}
				compare.oneServer = c.Flags().Changed("server")
				return a.compareLayouts(c, args, compare)
			}
			if err := compare.refuseAlone(c); err != nil {
				return err
			}
			if len(args) > 1 {
				return misused(c, fmt.Errorf("two layouts need --compare"))
			}
			if len(args) == 0 {
				if c.Flags().Changed("column") {
					return misused(c, fmt.Errorf("--column needs a layout to check"))
				}
				list, err := layouts.List()
				if err != nil {
					return err
				}
				return a.listLayouts(list)
			}
			l, err := layouts.Load(args[0])
			if err != nil {
				return err
			}
			if err := checkColumn(c, l.Layout, column, formAny); err != nil {
				return err
			}
			if a.format != formatAuto {
				return a.listLayouts([]layouts.Layout{l})
			}
			_, err = fmt.Fprint(a.Out, explain(l, time.Now(), wrapWidth(a.outWidth())))
			return err
		},
	}
	c.Flags().StringVar(&column, "column", "", columnFlagHelp)
	addCompareFlags(c, &compare)
	return c
}

// listLayouts lists layouts with every column or, on a terminal that is too narrow for them, with those that a person chooses by.
func (a *app) listLayouts(list []layouts.Layout) error {
	const needed = 200 // columns that the whole table takes
	columns := []string{"layout", "bits", "fields", "tick", "epoch", "years", "ids_per_second", "bigint", "summary"}
	narrow := a.outFormat() == formatTable && a.outIsTerminal() && a.outWidth() < needed
	if narrow {
		columns = []string{"layout", "bits", "widths", "tick", "until", "ids_per_second", "bigint"}
	}
	rows := make([][]any, len(list))
	for i, l := range list {
		bigint := "no"
		if l.CheckColumn("BIGINT") == nil {
			bigint = "yes"
		}
		if narrow {
			rows[i] = []any{layoutLabel(l), l.Bits(), widths(l.Layout, "+"), l.Tick().String(), fmt.Sprint(l.End().Year()), rateText(l.Layout), bigint}
			continue
		}
		rows[i] = []any{
			layoutLabel(l), l.Bits(), fieldWidths(l.Layout), l.Tick().String(), l.Epoch(),
			fmt.Sprintf("%.2f", l.Years()), rateText(l.Layout), bigint, l.Summary,
		}
	}
	if err := a.printRows(columns, rows); err != nil || !narrow {
		return err
	}
	fmt.Fprintln(a.Err, "gameid: 'gameid layouts NAME' explains one; --format json has its fields, epoch and summary too")
	return nil
}

// rateText is the rate of a layout, with the decimals of a low one.
func rateText(l *gameid.Layout) string {
	if l.Rate() < 1000 {
		return fmt.Sprintf("%.4g", l.Rate())
	}
	return fmt.Sprintf("%.0f", l.Rate())
}

// widths are those of the fields, from high to low.
func widths(l *gameid.Layout, between string) string {
	texts := make([]string, 0, len(l.Fields()))
	for _, f := range l.Fields() {
		texts = append(texts, fmt.Sprint(f.Bits))
	}
	return strings.Join(texts, between)
}

func fieldWidths(l *gameid.Layout) string {
	var texts []string
	for _, f := range l.Fields() {
		texts = append(texts, fmt.Sprintf("%s %d", f.Label(), f.Bits))
	}
	return strings.Join(texts, ", ")
}

// explain draws a layout and says what follows from it.
func explain(l layouts.Layout, now time.Time, width int) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		b.WriteString(wrapText(fmt.Sprintf(format, args...), fmt.Sprintf("%-13s", name), strings.Repeat(" ", 13), width))
	}
	b.WriteString(picture(l.Layout, width))
	b.WriteByte('\n')
	line("layout", "%s", layoutLabel(l))
	if l.Summary != "" {
		line("summary", "%s", l.Summary)
	}
	line("sum", "%s = %d bits", widths(l.Layout, " + "), l.Bits())
	line("tick", "%s", l.Tick())
	line("epoch", "%s", l.Epoch().Format(time.RFC3339Nano))
	if l.End().Year() < 9999 {
		line("lifetime", "%.2f years, until %s", l.Years(), l.End().Format(time.DateOnly))
	} else {
		line("lifetime", "%.0f years, beyond the year 9999", l.Years())
	}
	line("servers", "%d (0 to %d)", l.MaxServer()+1, l.MaxServer())
	line("rate", "%s IDs per second and server in the long run", rateText(l.Layout))
	if l.TimeOrdered() {
		line("order", "by time")
	} else {
		line("order", "not by time: something stands above it")
	}
	for i, column := range l.Columns() {
		line(map[bool]string{true: "columns"}[i == 0], "%s", column)
	}
	if err := l.CheckColumn("BIGINT"); err != nil {
		line("not", "BIGINT: %d bits > 63", l.Bits())
	}
	if exact := l.Programs(); len(exact) > 0 {
		line("numbers", "exact in %s", strings.Join(exact, ", "))
	} else {
		line("numbers", "as text alone in JavaScript, Excel and Lua 5.1")
	}
	line("expression", "%s", l.String())
	if l.Source != "" {
		line("source", "%s", l.Source)
	}
	var refused *gameid.LayoutError
	switch {
	case errors.As(l.CheckIssue(), &refused):
		line("caution", "%s", refused.Reason)
	case now.Before(l.Epoch()):
		line("caution", "the epoch is in the future, so nothing can be issued yet")
	case l.Used(now) == 1:
		line("caution", "its lifetime is over: IDs can be decoded, and none issued")
	case l.Used(now) >= 0.9:
		line("caution", "%.0f %% of the lifetime are over", 100*l.Used(now))
	}
	return b.String()
}

// picture draws the bits from high to low, one column per bit where the labels and the width leave room:
//
//	 72         36 35     16 15    0
//	+-------------+---------+-------+
//	| time 37     | server 20 ...
func picture(l *gameid.Layout, width int) string {
	fields := l.Fields()
	labels, high, low := make([]string, len(fields)), make([]string, len(fields)), make([]string, len(fields))
	columns, least := make([]int, len(fields)), make([]int, len(fields))
	total := 1
	for i, f := range fields {
		labels[i] = fmt.Sprintf(" %s %d ", f.Label(), f.Bits)
		if f.Kind == gameid.Constant {
			labels[i] = fmt.Sprintf(" %s %d = %d ", f.Label(), f.Bits, f.Value)
		}
		high[i] = fmt.Sprint(l.Shift(i) + f.Bits - 1)
		if f.Bits > 1 {
			low[i] = fmt.Sprint(l.Shift(i))
		}
		least[i] = max(len(labels[i]), len(high[i])+len(low[i])+1)
		columns[i] = max(f.Bits, least[i])
		total += columns[i] + 1
	}
	for ; total > width; total-- {
		widest := 0
		for i := range columns {
			if columns[i]-least[i] > columns[widest]-least[widest] {
				widest = i
			}
		}
		if columns[widest] == least[widest] {
			break // the labels need more
		}
		columns[widest]--
	}
	var top, edge, cells strings.Builder
	for i := range fields {
		fmt.Fprintf(&top, " %s%*s", high[i], columns[i]-len(high[i]), low[i])
		edge.WriteString("+" + strings.Repeat("-", columns[i]))
		fmt.Fprintf(&cells, "|%-*s", columns[i], labels[i])
	}
	return strings.TrimRight(top.String(), " ") + "\n" + edge.String() + "+\n" + cells.String() + "|\n" + edge.String() + "+\n"
}
