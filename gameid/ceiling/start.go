package ceiling

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gameid/gameid/gameid"
)

// load reads the ceiling of path under its lock. Without a file it is 0.
func (o *options) load(path string, l *gameid.Layout, server uint64) (next uint64, exists bool, err error) {
	text, inode, err := o.disk.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if o.required {
			return 0, false, fmt.Errorf("%w: %s", ErrMissing, path)
		}
		return 0, false, nil
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
		err = r.checkOrigin(path, o.origin(), inode)
	}
	return r.next, true, err
}

// store makes next the ceiling of path and returns what the file says then.
func (o *options) store(path string, l *gameid.Layout, server, next uint64) (text []byte, err error) {
	r := record{layout: l.String(), server: server, next: next, origin: o.origin()}
	err = replace(o.disk, path, func(inode string) []byte {
		r.inode = inode
		text = r.encode()
		return text
	})
	if err != nil {
		return nil, fmt.Errorf("write ceiling %s: %w", path, err)
	}
	return text, nil
}

// await waits until the clock is at most runAhead below the ceiling and returns
// the clock's tick. A clock that is further away than patience and a tick is not waited for:
// within maxBehind the IDs go on from the ceiling, else the error is a
// *BehindError.
func (o *options) await(ctx context.Context, path string, l *gameid.Layout, next uint64) (tick uint64, err error) {
	top := l.TimeOf(next >> l.SequenceBits())
	for {
		now := o.clock.Wall()
		if tick, err = l.TickAt(now); err != nil {
			return 0, fmt.Errorf("the clock of this machine: %w", err)
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
