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
	text, err := o.disk.read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if o.required {
			return 0, false, fmt.Errorf("%w: %s", ErrMissing, path)
		}
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	r, err := decode(path, text)
	if err != nil {
		return 0, false, err
	}
	if err := r.check(path, l, server); err != nil {
		return 0, false, err
	}
	return r.next, true, nil
}

// store makes next the ceiling of path.
func (o *options) store(path string, l *gameid.Layout, server, next uint64) error {
	if err := o.disk.replace(path, newRecord(l, server, next).encode()); err != nil {
		return fmt.Errorf("write ceiling: %w", err)
	}
	return nil
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
func (o *options) lockWhenFree(ctx context.Context, path string) (unlock func() error, err error) {
	until := o.clock.Running() + o.lockWait
	for pause := time.Millisecond; ; pause = min(2*pause, 16*time.Millisecond) {
		unlock, err := o.disk.lock(path)
		if !errors.Is(err, ErrTaken) || o.clock.Running() >= until {
			return unlock, err
		}
		if ctxErr := o.clock.Wait(ctx, pause); ctxErr != nil {
			return nil, errors.Join(err, ctxErr)
		}
	}
}
