package ceiling

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gameid/gameid/gameid"
)

// Reserve takes up to n cursors of a server for a caller that issues them itself,
// with Layout.At. It waits for the lock of the file, takes what follows
// max(clock, ceiling), at least one and never more than the layout can issue
// until one second from now, makes that durable and gives the lock back, so that
// callers at once or within one tick never get the same cursor. When the server's
// rate is used up it waits for the clock. The cursors are first to first+got-1.
//
// Errors: ErrTaken after the time of WithLockWait, ErrMissing, *DamagedError,
// *MismatchError, *CopiedError, *NamesError, *BehindError, the layout's own, the cause of ctx,
// or the disk's.
func Reserve(ctx context.Context, path string, l *gameid.Layout, server, n uint64, list ...Option) (first, got uint64, err error) {
	r, err := NewReserver(path, l, server, list...)
	if err != nil {
		return 0, 0, err
	}
	return r.Reserve(ctx, n)
}

// Reserver is Reserve for a process that calls it again and again. It never goes
// below what it has handed out, and never makes a file anew that it has written:
// then the error is ErrLost. Once made, it follows no step of the clock back, and no
// jump into the far future: see WithJumped. One goroutine at a time may use it.
type Reserver struct {
	o      *options
	path   string
	layout *gameid.Layout
	server uint64
	top    uint64 // the first cursor that was not handed out; 0 before the first call
}

// NewReserver changes nothing on the disk yet, and the folder of the file need not
// be there: so a caller who makes it may refuse before. Errors are ErrMissing,
// *NamesError, the layout's own and the disk's.
func NewReserver(path string, l *gameid.Layout, server uint64, list ...Option) (*Reserver, error) {
	o := makeOptions(list)
	o.clock = &steady{Clock: o.clock, refused: o.jumped}
	if err := o.check(context.Background(), l, server); err != nil {
		return nil, err
	}
	path, err := o.disk.Resolve(path)
	if err != nil {
		return nil, err
	}
	if o.required {
		if _, _, err := o.disk.Read(path); errors.Is(err, fs.ErrNotExist) {
			return nil, missing(path)
		}
	}
	return &Reserver{o: o, path: path, layout: l, server: server}, nil
}

// Reserve is the function Reserve; its errors are ErrLost besides.
func (r *Reserver) Reserve(ctx context.Context, n uint64) (first, got uint64, err error) {
	if err := r.o.check(ctx, r.layout, r.server); err != nil {
		return 0, 0, err
	}
	if n == 0 {
		return 0, 0, errors.New("ceiling: nothing to reserve")
	}
	for {
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		first, got, err = r.turn(ctx, n)
		if err != nil || got > 0 {
			return first, got, err
		}
		// Other callers may go on in the meantime, so wait without the lock.
		if err := r.o.clock.Wait(ctx, min(r.layout.Tick(), 100*time.Millisecond)); err != nil {
			return 0, 0, err
		}
	}
}

// turn is one turn under the lock. It returns 0 cursors when the clock has to go
// on first.
func (r *Reserver) turn(ctx context.Context, n uint64) (first, got uint64, err error) {
	o, path, l := r.o, r.path, r.layout
	lock, err := o.lockWhenFree(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	var next uint64
	exists := true
	if r.top == 0 {
		next, exists, err = o.begin(lock, path, l, r.server)
	} else {
		next, err = o.goOn(lock, path, l, r.server, r.top)
	}
	if err != nil {
		return 0, 0, err
	}
	tick, err := o.await(ctx, path, l, next)
	if err != nil {
		return 0, 0, err
	}
	first = l.After(next, tick)
	base := tick
	if behind := l.TimeOf(next >> l.SequenceBits()).Sub(o.clock.Wall()); behind > runAhead {
		base = first >> l.SequenceBits() // allowed by maxBehind: the ceiling is the clock now
	}
	limit := l.CursorAt(base + 1 + uint64(runAhead/l.Tick()))
	if first >= l.Cursors() {
		return 0, 0, fmt.Errorf("ceiling %s: %w", path, gameid.ErrExhausted)
	}
	if first >= limit {
		return 0, 0, nil
	}
	got = min(n, limit-first)
	if _, err := o.store(lock, path, l, r.server, first+got); err != nil {
		return 0, 0, err
	}
	if err := mark(lock); err != nil {
		return 0, 0, err
	}
	r.top = first + got
	if !exists && o.created != nil {
		o.created(path)
	}
	return first, got, nil
}
