package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/room"
)

// Reasons why an output cannot be made. An *OutputError wraps one of them.
var (
	ErrExists     = errors.New("it exists already")
	ErrIsInput    = errors.New("it is one of the inputs")
	ErrLocked     = errors.New("another merge is writing it")
	ErrLeftover   = errors.New("a log or journal of an older database stands beside it")
	ErrSideName   = errors.New("SQLite would take it for a log or journal")
	ErrInTheWay   = errors.New("what stands where it would be made is not gameid's")
	ErrWrite      = errors.New("it cannot be written")
	ErrNoSpace    = errors.New("the disk has too little room")
	ErrNotBuilt   = errors.New("a part of the schema cannot be built")
	ErrUnsettled  = errors.New("it is complete and has its name, but its folder cannot be settled, and a loss of power may undo that")
	ErrFullNumber = errors.New("a counter would stand at the highest number, and every next row would be refused")
)

// OutputError tells why an output cannot be made or completed, and what to do next. Its text leaves Next to whoever prints it.
type OutputError struct {
	Path   string
	Reason error // one of the reasons of this package
	Detail string
	Next   string
	Err    error // the cause, nil when there is none
}

func (e *OutputError) Error() string {
	s := fmt.Sprintf("output %s: %v", e.Path, e.Reason)
	if e.Detail != "" {
		s += " (" + e.Detail + ")"
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the reason and the cause.
func (e *OutputError) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// unfinished is the database's name in its room.
const unfinished = "merged.db"

// Create starts the database in a room beside path, with the tables of opt.Schema and without rows, indexes, triggers or views. It takes over the first
// shard's page size, encoding, vacuum mode and permissions. The room keeps a second merge off the same path; Publish, Fail or Abort ends it.
// It returns an *OutputError when the output cannot be made, and a *SourceError when the shards' encodings differ.
func (e *Engine) Create(ctx context.Context, path string, opt merge.CreateOptions) (_ merge.Output, err error) {
	if len(opt.Shards) == 0 {
		return nil, errors.New("create an output: no shards")
	}
	shards, err := own(opt.Shards...)
	if err != nil {
		return nil, err
	}
	o := &output{path: Path(path), shards: shards, schema: opt.Schema, pumps: map[*shard]*pump{}}
	if err := o.free(); err != nil {
		return nil, err
	}
	if o.room, err = room.Claim(o.path); err != nil {
		return nil, o.unclaimed(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, o.Abort())
		}
	}()
	o.partial = filepath.Join(o.room.Path(), unfinished)
	if err := o.free(); err != nil { // a merge that was in the room may have published meanwhile
		return nil, err
	}
	if err := o.touch(); err != nil {
		return nil, err
	}
	for _, s := range shards { // what the audit left in their page caches is room for what follows
		if err := s.exec(ctx, "PRAGMA shrink_memory"); err != nil {
			return nil, s.failed(err, "free memory")
		}
	}
	if err := o.build(ctx); err != nil {
		return nil, err
	}
	return o, nil
}

// unclaimed tells why there is no room for the output.
func (o *output) unclaimed(err error) error {
	switch {
	case errors.Is(err, room.ErrTaken):
		return &OutputError{Path: o.path, Reason: ErrLocked, Next: "wait for the other merge, or name another file"}
	case errors.Is(err, room.ErrInTheWay):
		return &OutputError{Path: o.path, Reason: ErrInTheWay, Err: err, Next: "move it away, or name another file"}
	}
	return o.unwritable(err)
}

// free refuses a path that is taken, and inputs.
func (o *output) free() error {
	if info, err := os.Stat(o.path); err == nil {
		for _, s := range o.shards {
			if in, err := os.Stat(s.path); err == nil && os.SameFile(in, info) {
				return &OutputError{Path: o.path, Reason: ErrIsInput, Detail: "shard " + s.src.Name, Next: "name a new file"}
			}
		}
	}
	if _, err := os.Lstat(o.path); err == nil {
		return &OutputError{Path: o.path, Reason: ErrExists, Err: fs.ErrExist, Next: "name a new file, or move the old one away"}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return &OutputError{Path: o.path, Reason: ErrWrite, Err: err, Next: "check the folder"}
	}
	if stem := SideOf(o.path); stem != "" {
		return &OutputError{Path: o.path, Reason: ErrSideName, Detail: "of " + stem, Next: "name a file that does not end so"}
	}
	return lonely(o.path)
}

// lonely refuses a name beside which SQLite would find a log or a journal, which it would play into the new database.
func lonely(path string) error {
	for _, ending := range SideEndings() {
		if _, err := os.Lstat(path + ending); err == nil {
			return &OutputError{Path: path, Reason: ErrLeftover, Detail: filepath.Base(path) + ending, Next: "move it away"}
		}
	}
	return nil
}

// touch makes the empty file: it belongs to whom the first input belongs, as far as this user may give it away, and is readable by whom that is, by its
// owner alone where that is not known, and never by more than the umask allows.
func (o *output) touch() error {
	mode := os.FileMode(0o600)
	first, err := os.Stat(o.shards[0].path)
	if err == nil {
		mode |= first.Mode().Perm() & 0o666
	}
	f, err := os.OpenFile(o.partial, os.O_CREATE|os.O_EXCL|os.O_RDWR, mode)
	if err != nil {
		return o.unwritable(err)
	}
	if first != nil {
		err = follow(f, first)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return o.unwritable(err)
	}
	return nil
}

// follow gives a file the owner and the group of another. What a group may do is taken from it when it is another group that would be allowed.
func follow(f *os.File, to os.FileInfo) error {
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	is, ok1 := mine.Sys().(*syscall.Stat_t)
	want, ok2 := to.Sys().(*syscall.Stat_t)
	if !ok1 || !ok2 || is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	if f.Chown(int(want.Uid), int(want.Gid)) == nil || is.Gid == want.Gid || f.Chown(-1, int(want.Gid)) == nil {
		return nil
	}
	return f.Chmod(mine.Mode().Perm() &^ 0o070)
}

func (o *output) unwritable(err error) error {
	next := "check the disk, the folder and its permissions"
	if Full(err) {
		next = "free space, or write to another disk; merge-rewrite --dry-run says how much it needs"
	}
	return &OutputError{Path: o.path, Reason: ErrWrite, Err: err, Next: next}
}

// build gives the file its format and its tables.
func (o *output) build(ctx context.Context) (err error) {
	first := o.shards[0]
	for pragma, into := range map[string]*int64{"page_size": &o.pageSize, "auto_vacuum": &o.vacuum, "user_version": &o.userVersion, "application_id": &o.application} {
		if err := first.conn.QueryRowContext(ctx, "PRAGMA main."+pragma).Scan(into); err != nil {
			return first.failed(err, "read %s", pragma)
		}
	}
	db, conn, err := open(ctx, o.partial, "rw")
	if err != nil {
		return o.unwritable(err)
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	format := fmt.Sprintf("PRAGMA main.page_size = %d; PRAGMA encoding = '%s'; PRAGMA main.auto_vacuum = %d; ", o.pageSize, first.encoding, o.vacuum)
	if err := tune(ctx, conn, format+loadPragmas("main", appendCacheKiB)+"; BEGIN"); err != nil {
		return o.unwritable(err)
	}
	for _, t := range o.schema.Tables {
		if strings.HasPrefix(t.Opaque, "shadow table") { // its virtual table makes it
			continue
		}
		if err := o.declare(ctx, conn, "table", t.Name, t.SQL); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return o.unwritable(err)
	}
	return nil
}
