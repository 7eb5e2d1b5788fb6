package ceiling

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/gameid/gameid/gameid"
)

// File is the ceiling of one generator that runs for a long time. It holds the
// lock of its file until Close, and one goroutine that raises the ceiling up to
// three seconds ahead of the clock, off the path of the IDs and only while some
// are issued. It implements gameid.Ceiling.
type File struct {
	o      *options
	path   string
	layout *gameid.Layout
	server uint64
	start  uint64 // what the file said
	first  uint64 // the lowest cursor that may be issued
	lock   diskLock
	pid    int
	origin origin
	wrote  record // what the file says; of the goroutine

	limit atomic.Uint64
	want  atomic.Uint64 // the cursor that the limit should reach
	poke  chan struct{}
	stop  chan struct{}
	done  chan struct{}

	mu       sync.Mutex
	raised   chan struct{} // closed and replaced when limit or err changes
	err      error
	attached bool
	used     uint64 // the lowest cursor that was not issued, once released
	released bool
	closed   bool
}

var _ gameid.Ceiling = (*File)(nil)

// Open takes the lock of path at once or returns ErrTaken, checks the file, waits
// with ctx until the clock is within a second of the ceiling (a few seconds after
// a crash, so that a process that crashes again and again does not climb), and
// makes the first three seconds durable. Without a file it creates one, unless
// WithRequired refuses that. Errors are those of Reserve.
func Open(ctx context.Context, path string, l *gameid.Layout, server uint64, list ...Option) (*File, error) {
	o := makeOptions(list)
	if err := o.check(ctx, l, server); err != nil {
		return nil, err
	}
	path, err := o.disk.Resolve(path)
	if err != nil {
		return nil, err
	}
	lock, err := o.disk.Lock(path)
	if err != nil {
		return nil, err
	}
	f, err := open(ctx, o, lock, path, l, server)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	go f.run()
	return f, nil
}

func open(ctx context.Context, o *options, lock diskLock, path string, l *gameid.Layout, server uint64) (*File, error) {
	next, exists, err := o.begin(lock, path, l, server)
	if err != nil {
		return nil, err
	}
	tick, err := o.await(ctx, path, l, next)
	if err != nil {
		return nil, err
	}
	f := &File{
		o: o, path: path, layout: l, server: server, start: next, first: l.After(next, tick), lock: lock, pid: o.pid(), origin: o.origin(),
		poke: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
		raised: make(chan struct{}),
	}
	target := f.target(tick)
	if target <= next { // allowed by maxBehind: the ceiling is the clock now
		target = f.target(next >> l.SequenceBits())
	}
	f.want.Store(target)
	if err := f.raise(); err != nil {
		return nil, err
	}
	if err := mark(lock); err != nil {
		return nil, err
	}
	if !exists && o.created != nil {
		o.created(path)
	}
	return f, nil
}

// target is the ceiling for a clock that stands at tick.
func (f *File) target(tick uint64) uint64 {
	return reserved(f.layout, tick)
}

// Attach returns the first cursor above the ceiling that the file had and not below
// the clock at Open. The second call is refused with ErrTaken.
func (f *File) Attach(l *gameid.Layout, server uint64) (uint64, error) {
	if f == nil {
		return 0, errors.New("ceiling: there is no file: look at the error of Open")
	}
	if err := (record{layout: f.layout.String(), server: f.server}).check(f.path, l, server); err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return 0, ErrClosed
	case f.attached:
		return 0, fmt.Errorf("%w: %s", ErrTaken, f.path)
	}
	f.attached = true
	return f.first, nil
}

// Limit is the durable ceiling.
func (f *File) Limit() uint64 { return f.limit.Load() }

// Want has the ceiling raised once less than two thirds of what is kept ahead
// are left, so that the disk is asked about once a second.
func (f *File) Want(tick uint64) {
	target := f.target(tick)
	if lead := target - f.layout.CursorAt(tick); f.limit.Load() >= target-min(target, lead/3) {
		return
	}
	f.want.Store(target)
	select {
	case f.poke <- struct{}{}:
	default: // it has been asked already and will read the new wish
	}
}

// Wait returns when the limit is above cursor, no longer rises, or ctx is done.
func (f *File) Wait(ctx context.Context, cursor uint64) error {
	for {
		f.mu.Lock()
		raised, err := f.raised, f.err
		f.mu.Unlock()
		if f.limit.Load() > cursor {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-raised:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Err is why the ceiling will not rise any more: the first error of the disk, or
// ErrClosed.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Release lowers the ceiling to next, the lowest cursor that was not issued, and
// closes the file, which has done its work. gameid.Generator.Close calls it. A next
// below what Attach returned cannot be true and is refused with gameid.ErrRange;
// nothing changes then.
func (f *File) Release(next uint64) error {
	f.mu.Lock()
	if !f.attached || next < f.first {
		f.mu.Unlock()
		return fmt.Errorf("ceiling %s: release of cursor %d, below %d where it began: %w", f.path, next, f.first, gameid.ErrRange)
	}
	if !f.closed { // nothing at or above the limit was issued, whatever the clock says by now
		f.used, f.released = min(next, f.limit.Load()), true
	}
	f.mu.Unlock()
	return f.Close()
}

// Close ends the goroutine and gives the lock back. It is called for a file that no
// generator was made of; Close of a generator closes its file, and another call
// does nothing. A generator that is still open gets no IDs above the present limit,
// and the ceiling stays there, so that the next start waits a few seconds.
func (f *File) Close() error {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return nil
	}
	f.closed = true
	f.mu.Unlock()
	close(f.stop)
	<-f.done

	f.mu.Lock()
	failed := f.err
	f.mu.Unlock()
	f.fail(ErrClosed)
	var err error
	if failed == nil && (f.released || !f.attached) {
		err = f.store(max(f.start, f.used))
	}
	return errors.Join(err, f.lock.Close())
}

// run raises the ceiling when it is asked to.
func (f *File) run() {
	defer close(f.done)
	for {
		select {
		case <-f.stop:
			return
		case <-f.poke:
		}
		if err := f.raise(); err != nil {
			f.fail(err)
			return // what failed once is not tried again with the same state
		}
	}
}

// raise makes the wished ceiling durable, then lets it be used.
func (f *File) raise() error {
	target := f.want.Load()
	if target <= f.limit.Load() {
		return nil
	}
	if err := f.store(target); err != nil {
		return err
	}
	f.limit.Store(target)
	f.wake(nil)
	return nil
}

// store makes next the ceiling, if nobody else can have moved it.
func (f *File) store(next uint64) error {
	if f.wrote != (record{}) {
		if err := f.checkAlone(); err != nil {
			return err
		}
	}
	wrote, err := f.o.store(f.lock, f.path, f.layout, f.server, next)
	if err != nil {
		return err
	}
	f.wrote = wrote
	return nil
}

// checkAlone looks for another process that has what we have: a fork, a process
// image that goes on elsewhere, or somebody for whom the lock did not hold. A file
// that is gone may have been renamed, and be in use there.
func (f *File) checkAlone() error {
	if f.o.pid() != f.pid {
		return gameid.ErrForked
	}
	if here := f.o.origin(); differ(here.boot, f.origin.boot) {
		return &CopiedError{f.path, "this process began under another kernel and was brought here"}
	}
	text, inode, err := f.o.disk.Read(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.leaveMark()
		return lost(f.path)
	}
	if err != nil {
		return fmt.Errorf("read ceiling: %w", err)
	}
	if err := f.lock.Check(); err != nil {
		return err
	}
	if !bytes.Equal(text, f.wrote.encode()) || differ(inode, f.wrote.inode) {
		return fmt.Errorf("%w: somebody else wrote %s", ErrTaken, f.path)
	}
	return nil
}

// leaveMark makes the next start wait until what is reserved here is past, when the
// lock that says so was removed with the file.
func (f *File) leaveMark() {
	if f.lock.Check() == nil {
		return // it is marked
	}
	if lock, err := f.o.disk.Lock(f.path); err == nil {
		_ = errors.Join(mark(lock), lock.Close()) // nothing depends on it while this process issues nothing
	}
}

// fail records the first error and wakes those who wait.
func (f *File) fail(err error) { f.wake(err) }

func (f *File) wake(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
	close(f.raised)
	f.raised = make(chan struct{})
}
