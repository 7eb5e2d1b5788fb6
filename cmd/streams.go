package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/term"
)

// streams are the three standard streams of one run. Commands write their
// answer, and nothing else, to Out; everything a person reads beside the answer
// goes to Err.
type streams struct {
	In       io.Reader
	Out, Err io.Writer

	color bool
}

// newStreams wraps the streams of a run. getenv is asked for NO_COLOR
// (https://no-color.org) and TERM.
func newStreams(in io.Reader, out, err io.Writer, getenv func(string) string) *streams {
	return &streams{
		In: in, Out: out, Err: err,
		color: getenv("NO_COLOR") == "" && getenv("TERM") != "dumb",
	}
}

// heeded remembers that a write failed. cobra writes help, versions and
// completions without asking.
type heeded struct {
	io.Writer

	err error // the first
}

func (w *heeded) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// outIsTerminal reports whether a person looks at Out directly.
func (s *streams) outIsTerminal() bool { return isTerminal(s.Out) }

// errIsTerminal reports whether a person looks at Err directly.
func (s *streams) errIsTerminal() bool { return isTerminal(s.Err) }

// outColor reports whether escape sequences may be written to Out.
func (s *streams) outColor() bool { return s.color && s.outIsTerminal() }

// errColor reports whether escape sequences may be written to Err.
func (s *streams) errColor() bool { return s.color && s.errIsTerminal() }

// outWidth is the width of Out in columns, or 0 when it is not a terminal or
// does not say.
func (s *streams) outWidth() int { return width(s.Out) }

// errWidth is the width of Err in columns, or 0 when it is not a terminal or
// does not say.
func (s *streams) errWidth() int { return width(s.Err) }

// ids returns In as a reader of IDs, one a line, that gives up with the cause of
// ctx once ctx is done, even while a read of a keyboard or of a silent pipe is
// pending. The pending read is abandoned: use it only where the run ends then.
// A person at a keyboard is told that it is read, for that would look like a hang.
func (s *streams) ids(ctx context.Context) (io.Reader, error) {
	if inClosed(s.In) {
		return nil, trouble(errors.New("stdin is closed: there are no IDs to read"), "name the IDs after the command, or pipe them in")
	}
	if isTerminal(s.In) {
		fmt.Fprintln(s.Err, "gameid: reading IDs from the keyboard, one per line; end with Ctrl-D")
	}
	return &contextReader{ctx: ctx, in: s.In}, nil
}

// terminal is what a stream other than a file implements to be treated as a
// terminal of some width.
type terminal interface {
	IsTerminal() bool
	Width() int
}

// file is what the operating system's own streams have.
type file interface{ Fd() uintptr }

func isTerminal(stream any) bool {
	switch s := stream.(type) {
	case terminal:
		return s.IsTerminal()
	case file:
		return term.IsTerminal(int(s.Fd()))
	}
	return false
}

func width(stream any) int {
	switch s := stream.(type) {
	case terminal:
		return s.Width()
	case file:
		if columns, _, err := term.GetSize(int(s.Fd())); err == nil {
			return columns
		}
	}
	return 0
}

// contextReader reads on a goroutine of its own so that a read can be left.
type contextReader struct {
	ctx context.Context
	in  io.Reader
	buf []byte
}

type readResult struct {
	n   int
	err error
}

// Read reads at most len(p) bytes. After ctx is done it returns the cause.
func (r *contextReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	buf, result := r.buf[:len(p)], make(chan readResult, 1)
	go func() {
		n, err := r.in.Read(buf)
		result <- readResult{n, err}
	}()
	select {
	case got := <-result:
		return copy(p, buf[:got.n]), got.err
	case <-r.ctx.Done():
		r.buf = nil // the abandoned read may still write into it
		return 0, context.Cause(r.ctx)
	}
}
