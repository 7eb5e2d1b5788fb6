// Package ceiling keeps the durable bound above a server's IDs in a file, so that
// no ID is issued twice by one machine, across restarts, crashes and a clock that
// was turned back.
//
// A ceiling is written and synced before any ID below it is handed out. A process
// that issues IDs for a long time opens a File and attaches it to a
// gameid.Generator. A command that needs a few IDs calls Reserve; one that takes
// turns with others, the Reserve of a Reserver.
//
// Beside the file stands its lock, NAME.lock. The file says which lock it was
// written under, so that a generator that still holds it is met: move both or none.
package ceiling

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gameid/gameid/gameid"
)

var (
	// ErrTaken is returned when another generator, of this process or another one,
	// holds the ceiling.
	ErrTaken = errors.New("ceiling: another generator holds it")
	// ErrLost is returned by a File and a Reserver whose file was removed, renamed or
	// replaced by an older one after they wrote it. What they handed out is sound;
	// they issue nothing more, because a generator may run on the file elsewhere.
	ErrLost = errors.New("ceiling: its file was removed, renamed or replaced while it was in use")
	// ErrMissing is returned when there is no file and WithRequired asks for one.
	ErrMissing = errors.New("ceiling: no file")
	// ErrNotFile is returned for a folder, a pipe or a device.
	ErrNotFile = errors.New("ceiling: no regular file")
	// ErrClosed is returned by a File after Close.
	ErrClosed = errors.New("ceiling: closed")
)

// DamagedError says that a ceiling file cannot be trusted. It is never read as 0.
type DamagedError struct {
	Path   string
	Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("ceiling %s is damaged: %s", e.Path, e.Reason)
}

// FormatVersion is the Field of a *MismatchError for a file that another version of
// this package wrote.
const FormatVersion = "format version"

// MismatchError says that a ceiling file was written for something else.
type MismatchError struct {
	Path      string
	Field     string // "layout", "server" or FormatVersion
	Got, Want string // in the file, and of the caller
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("ceiling %s is of %s %s, not %s", e.Path, e.Field, e.Got, e.Want)
}

// BehindError says that the clock is so far below the ceiling that it was turned
// back, or was wrong when the ceiling was written.
type BehindError struct {
	Path       string
	Clock, Top time.Time     // what the clock says, and the time of the ceiling
	Behind     time.Duration // Top - Clock
}

func (e *BehindError) Error() string {
	return fmt.Sprintf("the clock (%s) is %v behind ceiling %s (%s)", e.Clock.UTC().Format(time.RFC3339), e.Behind.Round(time.Millisecond), e.Path, e.Top.Format(time.RFC3339))
}

// CopiedError says that a ceiling file is a copy, or was moved with its disk. The
// generator of the original may still run, and would issue the same IDs. A file that
// was renamed without its lock, or whose lock was removed, is one too. See WithAdopt.
type CopiedError struct {
	Path   string
	Reason string
}

func (e *CopiedError) Error() string {
	return fmt.Sprintf("ceiling %s was copied, restored or moved: %s", e.Path, e.Reason)
}

// NamesError says that a ceiling file has several names on its disk (hard links).
// A generator under each would take a lock of its own and issue the same IDs.
type NamesError struct {
	Path  string
	Names uint64
}

func (e *NamesError) Error() string {
	return fmt.Sprintf("ceiling %s has %d names on its disk (hard links)", e.Path, e.Names)
}

// Option changes how a ceiling is opened or reserved from.
type Option func(*options)

type options struct {
	clock     gameid.Clock
	maxBehind time.Duration
	required  bool
	adopt     bool
	created   func(path string)
	lost      func(path string)
	jumped    func(jump time.Duration)
	lockWait  time.Duration
	disk      disk
	origin    func() origin
	pid       func() int
}

const (
	// reserveAhead is how far above the clock a File makes its ceiling durable.
	reserveAhead = 3 * time.Second
	// runAhead is how far below its ceiling a clock may be to issue at once.
	runAhead = time.Second
	// patience is how far a clock may be below the ceiling to be waited for, beside
	// one tick: what a crash can leave behind, and a second for small corrections
	// of the clock.
	patience = reserveAhead + time.Second
	// defaultLockWait is that of WithLockWait.
	defaultLockWait = 10 * time.Second
)

// WithClock gives a clock other than gameid.SystemClock.
func WithClock(c gameid.Clock) Option { return func(o *options) { o.clock = c } }

// WithMaxBehind allows a clock that is up to d behind the ceiling: IDs then go on
// from the ceiling, with times in the future. The default 0 refuses with a
// *BehindError when waiting a few seconds does not help.
func WithMaxBehind(d time.Duration) Option { return func(o *options) { o.maxBehind = d } }

// WithRequired refuses with ErrMissing when there is no file, instead of creating
// one. Use it where a lost file must be noticed.
func WithRequired() Option { return func(o *options) { o.required = true } }

// WithCreated has f called when a file is created, so that it can be said.
func WithCreated(f func(path string)) Option { return func(o *options) { o.created = f } }

// WithLost has f called when a file was here and is gone, before waiting until
// whatever a generator that still runs can have reserved is past.
func WithLost(f func(path string)) Option { return func(o *options) { o.lost = f } }

// WithJumped has f called when a Reserver that has handed out IDs finds the time of
// day so far ahead that neither running nor suspended time explains it (by more than
// 10 minutes). It is not followed: the IDs go on as the machine runs.
func WithJumped(f func(jump time.Duration)) Option { return func(o *options) { o.jumped = f } }

// WithLockWait says how long Reserve waits while another generator holds the
// ceiling, before it gives up with ErrTaken (default 10 s). Open never waits.
func WithLockWait(d time.Duration) Option { return func(o *options) { o.lockWait = d } }

// WithAdopt takes over a file that would be refused with a *CopiedError, as of
// here. Only who knows that no generator uses the original any more may ask for it.
func WithAdopt() Option { return func(o *options) { o.adopt = true } }

func makeOptions(list []Option) *options {
	o := &options{disk: osDisk{}, lockWait: defaultLockWait, origin: systemOrigin, pid: os.Getpid}
	for _, option := range list {
		option(o)
	}
	if o.clock == nil {
		o.clock = gameid.SystemClock()
	}
	return o
}
