package gameid

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Ceiling is a durable bound above the cursors of a server, kept in a file
// (package ceiling) or in a store that several machines share. A Generator only
// issues below it, so that whoever starts after a crash starts above everything
// that was handed out. One goroutine of the Generator at a time calls it.
type Ceiling interface {
	// Attach ties the ceiling to one generator and returns the first cursor that
	// no earlier owner can have issued. A ceiling of another layout or server, and
	// a second call, are refused.
	Attach(l *Layout, server uint64) (start uint64, err error)
	// Limit is the first cursor that must not be issued yet. It never falls, and
	// reading it is cheap.
	Limit() uint64
	// Want says that the generator's clock stands at tick and IDs are being
	// issued, so the limit should be raised ahead of it. It never blocks.
	Want(tick uint64)
	// Wait returns once the limit is above cursor, or when that cannot be had, or
	// with the cause of ctx.
	Wait(ctx context.Context, cursor uint64) error
	// Err is why the limit will not rise any more, or nil.
	Err() error
	// Release says that no cursor at or above next was issued and none will be. It
	// ends the ceiling's work: what it holds for the generator is given up.
	Release(next uint64) error
}

var (
	// ErrAhead is in the *BusyError of a generator whose cursor is as far ahead of
	// the clock as it may go. Waiting helps.
	ErrAhead = errors.New("the sequence is used up for now")
	// ErrCeiling is in the error of a generator whose ceiling cannot be raised; the
	// ceiling's own error is in it too. Only a new generator helps.
	ErrCeiling = errors.New("the ceiling cannot be raised")
	// ErrForked is returned in a process that was forked from the one that made the
	// generator. Both would issue the same IDs; the child needs a generator of its own.
	ErrForked = errors.New("gameid: the process was forked; make a new generator in the child")
	// ErrClosed is returned by a generator after Close.
	ErrClosed = errors.New("gameid: the generator is closed")
)

var (
	// errNotMade is that of a Generator that is a zero value, errNoContext that of a
	// nil context where one would have to be waited with.
	errNotMade   = errors.New("gameid: the generator was not made by NewGenerator")
	errNoContext = errors.New("gameid: nil context")
)

// noCeiling stands for a nil one, which refuses to be attached.
type noCeiling struct{ Ceiling }

// Attach says what is missing.
func (noCeiling) Attach(*Layout, uint64) (uint64, error) {
	return 0, errors.New("gameid: WithCeiling(nil): there is no ceiling; look at the error of what opened it")
}

// BusyError says that no ID can be issued at this moment.
type BusyError struct {
	Reason error         // ErrAhead, or ErrCeiling while the ceiling is being raised
	After  time.Duration // the earliest time at which another try can succeed
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("no ID now: %v; try again after %v", e.Reason, e.After)
}

// Unwrap returns the reason.
func (e *BusyError) Unwrap() error { return e.Reason }
