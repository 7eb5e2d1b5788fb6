package cmd

import (
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
		Args:              misusedArgs(cobra.MaximumNArgs(2)),
		ValidArgsFunction: completeLayouts,
		RunE: func(c *cobra.Command, args []string) error {
			if compare.compare {
				if column != "" {
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
				if column != "" {
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
			if err := checkColumn(l.Layout, column); err != nil {
				return err
			}
			if a.format != formatAuto {
				return a.listLayouts([]layouts.Layout{l})
			}
			_, err = fmt.Fprint(a.Out, explain(l, time.Now()))
			return err
		},
	}
	c.Flags().StringVar(&column, "column", "", columnFlagHelp)
	addCompareFlags(c, &compare)
	return c
}

func (a *app) listLayouts(list []layouts.Layout) error {
	columns := []string{"layout", "bits", "fields", "tick", "epoch", "years", "ids_per_second", "bigint", "summary"}
	rows := make([][]any, len(list))
	for i, l := range list {
		bigint := "no"
		if l.CheckColumn("BIGINT") == nil {
			bigint = "yes"
		}
		rows[i] = []any{
			layoutLabel(l), l.Bits(), fieldWidths(l.Layout), l.Tick().String(), l.Epoch(),
			fmt.Sprintf("%.2f", l.Years()), fmt.Sprintf("%.0f", l.Rate()), bigint, l.Summary,
		}
	}
	return a.printRows(columns, rows)
}

func fieldWidths(l *gameid.Layout) string {
	var texts []string
	for _, f := range l.Fields() {
		texts = append(texts, fmt.Sprintf("%s %d", f.Label(), f.Bits))
	}
	return strings.Join(texts, ", ")
}

// explain draws a layout and says what follows from it.
func explain(l layouts.Layout, now time.Time) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	b.WriteString(picture(l.Layout))
	b.WriteByte('\n')
	line("layout", "%s", layoutLabel(l))
	if l.Summary != "" {
		line("summary", "%s", l.Summary)
	}
	widths := make([]string, 0, len(l.Fields()))
	for _, f := range l.Fields() {
		widths = append(widths, fmt.Sprint(f.Bits))
	}
	line("sum", "%s = %d bits", strings.Join(widths, " + "), l.Bits())
	line("tick", "%s", l.Tick())
	line("epoch", "%s", l.Epoch().Format(time.RFC3339Nano))
	line("lifetime", "%.2f years, until %s", l.Years(), l.End().Format(time.DateOnly))
	line("servers", "%d (0 to %d)", l.MaxServer()+1, l.MaxServer())
	line("rate", "%.0f IDs per second and server in the long run", l.Rate())
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
	line("expression", "%s", l.String())
	if l.Source != "" {
		line("source", "%s", l.Source)
	}
	switch {
	case l.CheckIssue() != nil:
		line("caution", "%v", l.CheckIssue())
	case now.Before(l.Epoch()):
		line("caution", "the epoch is in the future, so nothing can be issued yet")
	case l.Used(now) >= 0.9:
		line("caution", "%.0f %% of the lifetime are over", 100*l.Used(now))
	}
	return b.String()
}

// picture draws the bits from high to low, one column per bit where the labels
// leave room:
//
//	 72         36 35     16 15    0
//	+-------------+---------+-------+
//	| time 37     | server 20 ...
func picture(l *gameid.Layout) string {
	var top, edge, cells strings.Builder
	for i, f := range l.Fields() {
		label := fmt.Sprintf(" %s %d ", f.Label(), f.Bits)
		if f.Kind == gameid.Constant {
			label = fmt.Sprintf(" %s %d = %d ", f.Label(), f.Bits, f.Value)
		}
		high, low := fmt.Sprint(l.Shift(i)+f.Bits-1), fmt.Sprint(l.Shift(i))
		width := max(f.Bits, len(label), len(high)+len(low)+1)
		if f.Bits == 1 {
			low = ""
		}
		fmt.Fprintf(&top, " %s%*s", high, width-len(high), low)
		edge.WriteString("+" + strings.Repeat("-", width))
		fmt.Fprintf(&cells, "|%-*s", width, label)
	}
	return top.String() + "\n" + edge.String() + "+\n" + cells.String() + "|\n" + edge.String() + "+\n"
}
