package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
	"github.com/gameid/gameid/layouts"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/spf13/cobra"
)

// genOptions are the flags of gen.
type genOptions struct {
	scheme    scheme
	server    uint64
	count     uint64
	layout    string
	form      form
	column    string
	state     string
	maxBehind time.Duration
	required  bool
	adopt     bool
	show      bool

	serverGiven bool
}

// genChunk is how many IDs are reserved at once: enough that the syncs of the
// ceiling do not show, few enough that a reader who leaves early wastes little.
const genChunk = 1 << 18

func newGenCommand(a *app) *cobra.Command {
	var o genOptions
	var checkScheme func(format) error
	c := &cobra.Command{
		Use:     "gen --server N [-n N]",
		GroupID: groupIDs,
		Short:   "Issue IDs for one server",
		Long: `Issue new IDs for one server number, one per line.

Before an ID is printed, a number above it is made durable in a file, the ceiling.
Runs one after another, or at once, therefore never print the same ID, also after a
crash or with a clock that was set back. The file is kept per user, layout and
server; on another machine, or as another user, give the server another number or
share the file with --state. A file that was copied, replaced or moved to another
machine is refused until --adopt says that nobody uses the original. An older copy
that is written over the file cannot always be told from it: never restore one.
A damaged file is refused: give the server another number, or remove the file, not
its .lock, once the clock is past every ID issued for it.
Beside the file stands NAME.lock: move both, or none. A file without its .lock is
refused like a copy; a .lock without its file says that a ceiling was lost, and what
a running generator may have reserved is waited for. That both are gone, or their
folder, only a run that still uses them notices: it stops.

With --format table, tsv, csv, json or ndjson the IDs are written as rows with the
column "id".

--scheme issues others' IDs, which need neither a server number nor a ceiling: they
are unique because they are random, with no more certainty than that. uuid7 and
objectid begin with the time, and uuid7 grows within a run; uuid4 has no order.`,
		Example: `  gameid gen --server 1042 -n 3
  gameid gen --server 7 --layout game63 --column BIGINT
  gameid gen --server 7 --form base32 --state /var/lib/mygame/7.ceiling
  gameid gen --scheme uuid7 -n 3`,
		Args: noWords,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkScheme(a.format); err != nil {
				return err
			}
			own := o.scheme == schemeGameID
			if own && !c.Flags().Changed("server") && (!o.show || o.state == "") {
				return misused(c, errors.New("--server is missing: the number that no other server has"))
			}
			switch {
			case own && c.Flags().Changed("state") && o.state == "":
				return misused(c, errors.New("--state is empty: it is the name of a file"))
			case o.maxBehind < 0:
				return misused(c, fmt.Errorf("--max-behind %s: it is how far the clock may be behind, from 0s up", o.maxBehind))
			}
			if own && o.show {
				o.serverGiven = c.Flags().Changed("server")
				return a.showState(o)
			}
			if o.count == 0 {
				return misused(c, errors.New("-n is 0, at least 1 is needed"))
			}
			if !own {
				return a.issue(c.Context(), o.scheme.source(), o.count)
			}
			source, err := a.newReserved(c, o)
			if err != nil {
				return err
			}
			return a.issue(c.Context(), source, o.count)
		},
	}
	checkScheme = addSchemeFlag(c, &o.scheme)
	flags := c.Flags()
	flags.Var(&oneNumber{number: (*number)(&o.server)}, "server", "number of the server that the IDs are for (required, there is no default)")
	flags.Lookup("server").DefValue = ""
	o.count = 1
	flags.VarP((*number)(&o.count), "count", "n", "how many IDs")
	addLayoutFlag(c, &o.layout, "")
	a.addFormFlag(c, &o.form)
	flags.StringVar(&o.column, "column", "", columnFlagHelp)
	flags.StringVar(&o.state, "state", "", "file of the ceiling (default: one per layout and server in "+stateHelp+")")
	flags.DurationVar(&o.maxBehind, "max-behind", 0, "go on from the ceiling when the clock is at most this far behind it, such as 10m (default 0s: wait a few seconds, else refuse)")
	flags.BoolVar(&o.required, "require-state", false, "refuse when the ceiling's file is missing (default: create it and say so)")
	flags.BoolVar(&o.adopt, "adopt", false, "take over a ceiling that was copied, restored or moved, once no generator uses the original (default: refuse)")
	flags.BoolVar(&o.show, "show-state", false, "issue nothing: show the ceiling and how far it is ahead of the clock (default: issue)")
	keepOutOfConfig(c, "max-behind", "adopt", "show-state")
	return c
}

// issue prints n IDs of a source.
func (a *app) issue(ctx context.Context, source gameid.Source, n uint64) error {
	out := a.newIDWriter(formDecimal)
	var text []byte
	var err error
	for left := n; left > 0; left-- {
		if text, err = source.AppendNext(ctx, text[:0]); err != nil {
			return cutShort(errors.Join(err, out.close()), n-left, n)
		}
		if err = out.writeText(text); err != nil {
			break
		}
	}
	if err == nil {
		err = out.close()
	}
	if errors.Is(err, syscall.EPIPE) {
		return readerLeft()
	}
	if err != nil {
		return trouble(fmt.Errorf("write IDs: %w", err), "the IDs that were not written are lost, and none of them comes again; run it again once the output can be written")
	}
	return nil
}

// cutShort ends a run that printed some of the IDs that it was asked for: what would have been refused before the first is trouble after it.
func cutShort(err error, printed, n uint64) error {
	code, hint := advice(err)
	if printed == 0 || code != exitRefused || errors.As(err, new(*statusError)) {
		return err
	}
	return trouble(fmt.Errorf("after %d of %d IDs: %w", printed, n, err), "the IDs so far are good; for the rest, "+hint)
}

// reserved is the source of our IDs: it reserves them in chunks from the ceiling,
// so that a chunk is durable before the first of it is handed out.
type reserved struct {
	layout    layouts.Layout
	server    uint64
	form      form
	ceiling   *ceiling.Reserver
	left      uint64 // how many will be asked for
	next, end uint64 // the cursors that are reserved
}

// AppendNext appends the ID of the next cursor.
func (r *reserved) AppendNext(ctx context.Context, b []byte) ([]byte, error) {
	if r.next == r.end {
		first, got, err := r.ceiling.Reserve(ctx, min(r.left, genChunk))
		if sqlite.Full(err) {
			err = trouble(err, "free space on the disk of the ceiling, then run it again")
		}
		if err != nil {
			return b, err
		}
		r.next, r.end, r.left = first, first+got, r.left-got
	}
	id, err := r.layout.At(r.next, r.server)
	if err != nil {
		return b, err
	}
	r.next++
	return r.form.appendID(b, id), nil
}

// newReserved checks the flags of gen and names what is made.
func (a *app) newReserved(c *cobra.Command, o genOptions) (*reserved, error) {
	l, err := layouts.Load(o.layout)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(l.CheckServer(o.server), l.CheckIssue()); err != nil {
		return nil, err
	}
	if err := checkColumn(c, l.Layout, o.column, o.form); err != nil {
		return nil, err
	}
	created := func(path string) { fmt.Fprintf(a.Err, "gameid: created ceiling %s\n", path) }
	ours := o.state == ""
	if ours {
		if o.state, err = a.statePath(l.Layout, o.server); err != nil {
			return nil, fmt.Errorf("ceiling: %w", err)
		}
		created = func(path string) {
			fmt.Fprintf(a.Err, "gameid: created ceiling %s\n", path)
			a.warnOtherLayouts(path, o.server)
		}
	}
	if used := l.Used(time.Now()); used >= 0.9 && used < 1 {
		fmt.Fprintf(a.Err, "gameid: warning: %.0f %% of the layout's lifetime are over; it ends %s\n", 100*used, l.End().Format(time.DateOnly))
	}
	options := []ceiling.Option{
		ceiling.WithMaxBehind(o.maxBehind),
		ceiling.WithCreated(created),
		ceiling.WithLost(func(path string) {
			fmt.Fprintf(a.Err, "gameid: warning: ceiling %s was here and is gone; making a new one and waiting until what a running generator may have reserved is past\n", path)
		}),
		ceiling.WithJumped(func(jump time.Duration) {
			fmt.Fprintf(a.Err, "gameid: warning: the clock of this machine jumped forward by %s while IDs were issued; it is not followed, for their ceiling would keep every later start waiting: set it right\n", jump.Round(time.Second))
		}),
	}
	if o.required {
		options = append(options, ceiling.WithRequired())
	}
	if o.adopt {
		options = append(options, ceiling.WithAdopt())
	}
	file, err := ceiling.NewReserver(o.state, l.Layout, o.server, options...)
	if err != nil {
		return nil, err
	}
	if ours {
		if err := makeFolder(filepath.Dir(o.state)); err != nil {
			return nil, fmt.Errorf("ceiling: %w", err)
		}
	}
	return &reserved{layout: l, server: o.server, form: o.form, ceiling: file, left: o.count}, nil
}

// idWriter writes bare IDs, one per line, or rows of one column with --format.
type idWriter struct {
	form  form
	lines *bufio.Writer
	rows  *rowWriter
	buf   []byte
}

func (a *app) newIDWriter(f form) *idWriter {
	if a.format == formatAuto {
		return &idWriter{form: f, lines: bufio.NewWriterSize(a.Out, 64<<10)}
	}
	return &idWriter{form: f, lines: bufio.NewWriter(io.Discard), rows: a.newRowWriter([]string{"id"})}
}

func (w *idWriter) write(id gameid.ID) error {
	w.buf = w.form.appendID(w.buf[:0], id)
	return w.writeText(w.buf)
}

// writeText writes an ID that is text already.
func (w *idWriter) writeText(text []byte) error {
	if w.rows != nil {
		return w.rows.Write(string(text))
	}
	if _, err := w.lines.Write(text); err != nil {
		return err
	}
	return w.lines.WriteByte('\n')
}

func (w *idWriter) close() error {
	if w.rows != nil {
		return w.rows.Close()
	}
	return w.lines.Flush()
}
