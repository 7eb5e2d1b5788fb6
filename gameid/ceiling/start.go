package ceiling

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gameid/gameid/gameid"
)

// check looks at what a caller gives, and at the clock, before any file is touched.
func (o *options) check(ctx context.Context, l *gameid.Layout, server uint64) error {
	if ctx == nil {
		return errors.New("ceiling: nil context")
	}
	if err := l.CheckIssue(); err != nil {
		return err
	}
	if err := l.CheckServer(server); err != nil {
		return err
	}
	_, _, err := o.now(l)
	return err
}

// now is what the clock says, and its tick, which a layout may not have yet or any more.
func (o *options) now(l *gameid.Layout) (wall time.Time, tick uint64, err error) {
	wall = o.clock.Wall()
	if tick, err = l.TickAt(wall); err != nil {
		return wall, 0, fmt.Errorf("the clock of this machine: %w", err)
	}
	return wall, tick, nil
}

func missing(path string) error { return fmt.Errorf("%w: %s", ErrMissing, path) }

// load reads the ceiling of path under its lock. Without a file it is 0, or where
// there was one before, what its generator can have reserved.
func (o *options) load(lock diskLock, path string, l *gameid.Layout, server uint64) (next uint64, exists bool, err error) {
	text, inode, err := o.disk.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if o.required {
			return 0, false, missing(path)
		}
		marked, err := lock.Marked()
		if err != nil || !marked {
			return 0, false, err
		}
		next, err := o.replaceLost(lock, path, l, server)
		return next, true, err
	}
	if err != nil {
		return 0, false, fmt.Errorf("read ceiling: %w", err)
	}
	r, err := decode(path, text)
	if err != nil {
		return 0, false, err
	}
	if err := r.check(path, l, server); err != nil {
		return 0, false, err
	}
	if !o.adopt {
		err = r.checkOrigin(path, o.origin(), inode, lock.Inode())
	}
	return r.next, true, err
}

// begin is load for a process that has not written the ceiling yet.
func (o *options) begin(lock diskLock, path string, l *gameid.Layout, server uint64) (next uint64, exists bool, err error) {
	if next, exists, err = o.load(lock, path, l, server); err == nil {
		err = clean(o.disk, path)
	}
	return next, exists, err
}

// goOn is load for a process that has handed out every cursor below top and left
// a ceiling there. Others may have raised it since.
func (o *options) goOn(lock diskLock, path string, l *gameid.Layout, server, top uint64) (next uint64, err error) {
	now := *o
	now.required, now.adopt = true, false
	next, _, err = now.load(lock, path, l, server)
	if errors.Is(err, ErrMissing) {
		return 0, errors.Join(lost(path), mark(lock))
	}
	if err == nil && next < top {
		return 0, fmt.Errorf("%w: it is lower than before", lost(path))
	}
	return next, err
}

func lost(path string) error { return fmt.Errorf("%w: %s", ErrLost, path) }

// replaceLost writes a ceiling above what the generator of a file that is gone can
// have reserved: it may still run, or have been killed. await waits for the clock.
func (o *options) replaceLost(lock diskLock, path string, l *gameid.Layout, server uint64) (next uint64, err error) {
	_, tick, err := o.now(l)
	if err != nil {
		return 0, err
	}
	if o.lost != nil {
		o.lost(path)
	}
	next = reserved(l, tick)
	_, err = o.store(lock, path, l, server, next)
	return next, err
}

// reserved is how far a generator whose clock stands at tick makes its ceiling durable.
func reserved(l *gameid.Layout, tick uint64) uint64 {
	return l.CursorAt(tick + 1 + uint64(reserveAhead/l.Tick()))
}

// mark remembers that path has been written, for replaceLost.
func mark(lock diskLock) error {
	lock.Use()
	marked, err := lock.Marked()
	if err == nil && !marked {
		err = lock.Mark()
	}
	if err != nil {
		return fmt.Errorf("mark the lock of the ceiling: %w", err)
	}
	return nil
}

// store makes next the ceiling of path and returns what the file says then.
func (o *options) store(lock diskLock, path string, l *gameid.Layout, server, next uint64) (r record, err error) {
	r = record{layout: l.String(), server: server, next: next, origin: o.origin(), lock: lock.Inode()}
	lock.Use()
	err = replace(o.disk, path, func(inode string) []byte {
		r.inode = inode
		return r.encode()
	})
	if err != nil {
		return record{}, fmt.Errorf("write ceiling %s: %w", path, err)
	}
	return r, nil
}

// await waits until the clock is at most runAhead below the ceiling and returns
// the clock's tick. A clock that is further away than patience and a tick is not waited for:
// within maxBehind the IDs go on from the ceiling, else the error is a
// *BehindError.
func (o *options) await(ctx context.Context, path string, l *gameid.Layout, next uint64) (tick uint64, err error) {
	top := l.TimeOf(next >> l.SequenceBits())
	for {
		now, tick, err := o.now(l)
		if err != nil {
			return 0, err
		}
		behind := top.Sub(now)
		switch {
		case behind <= runAhead, behind <= o.maxBehind:
			return tick, nil
		case behind > patience+l.Tick():
			return 0, &BehindError{path, now, top, behind}
		}
		if err := o.clock.Wait(ctx, min(behind-runAhead, 100*time.Millisecond)); err != nil {
			return 0, err
		}
	}
}

// lockWhenFree waits for the lock of path, at most lockWait.
func (o *options) lockWhenFree(ctx context.Context, path string) (diskLock, error) {
	until := o.clock.Running() + o.lockWait
	for pause := time.Millisecond; ; pause = min(2*pause, 16*time.Millisecond) {
		lock, err := o.disk.Lock(path)
		if !errors.Is(err, ErrTaken) || o.clock.Running() >= until {
			return lock, err
		}
		if ctxErr := o.clock.Wait(ctx, pause); ctxErr != nil {
			return nil, errors.Join(err, ctxErr)
		}
	}
}
