package ceiling

import (
	"context"
	"errors"
	"fmt"
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
	if err := errors.Join(l.CheckIssue(), l.CheckServer(server)); err != nil {
		return 0, 0, err
	}
	if n == 0 {
		return 0, 0, errors.New("ceiling: nothing to reserve")
	}
	o := makeOptions(list)
	if path, err = o.disk.Resolve(path); err != nil {
		return 0, 0, err
	}
	for {
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		first, got, err = o.reserve(ctx, path, l, server, n)
		if err != nil || got > 0 {
			return first, got, err
		}
		// Other callers may go on in the meantime, so wait without the lock.
		if err := o.clock.Wait(ctx, min(l.Tick(), 100*time.Millisecond)); err != nil {
			return 0, 0, err
		}
	}
}

// reserve is one turn under the lock. It returns 0 cursors when the clock has to
// go on first.
func (o *options) reserve(ctx context.Context, path string, l *gameid.Layout, server, n uint64) (first, got uint64, err error) {
	lock, err := o.lockWhenFree(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	next, exists, err := o.load(lock, path, l, server)
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
	if _, err := o.store(path, l, server, first+got); err != nil {
		return 0, 0, err
	}
	if err := mark(lock); err != nil {
		return 0, 0, err
	}
	if !exists && o.created != nil {
		o.created(path)
	}
	return first, got, nil
}
