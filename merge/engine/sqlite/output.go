package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/newname"
)

// output is a database under construction. Its methods may not be called concurrently.
type output struct {
	path, partial string
	lock          *os.File
	made          bool // the partial file is ours
	done          bool
	shards        []*shard
	schema        *merge.Schema
	pumps         map[*shard]*pump
	caps          map[merge.Col]int64 // of sums
	changed       bool                // a rehearsal: only rows that a job changes

	pageSize, vacuum, userVersion, application int64
}

var _ merge.Output = (*output)(nil)

// Path is the unfinished database.
func (o *output) Path() string { return o.partial }

// declare runs one statement of the schema and checks that SQLite stored the very same text. Only the first statement of the text is run.
func (o *output) declare(ctx context.Context, conn *sql.Conn, kind, name, text string) error {
	broken := func(err error) error {
		return &OutputError{Path: o.path, Reason: ErrNotBuilt, Detail: kind + " " + name, Err: err, Next: "drop it from the shards, or use a program that has what it needs"}
	}
	if err := runFirst(ctx, conn, text); err != nil {
		return broken(err)
	}
	var stored string
	if err := conn.QueryRowContext(ctx, "SELECT sql FROM main.sqlite_schema WHERE type = ? AND name = ?", kind, name).Scan(&stored); err != nil {
		return broken(err)
	}
	if stored != text {
		return broken(fmt.Errorf("SQLite stored %q, want %q", stored, text))
	}
	return nil
}

// runFirst runs the first statement of a text and nothing behind it.
func runFirst(ctx context.Context, conn *sql.Conn, text string) (err error) {
	stmt, err := conn.PrepareContext(ctx, text)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	_, err = stmt.ExecContext(ctx)
	return err
}

// lockOutput takes the lock file beside an output. The kernel frees it when the process ends, however it ends.
func lockOutput(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // beside the output that the operator names
		if err != nil {
			return nil, &OutputError{Path: path, Reason: ErrWrite, Err: err, Next: "check the folder and its permissions"}
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil { //nolint:gosec // descriptors are small
			_ = f.Close()
			if errors.Is(err, unix.EWOULDBLOCK) {
				return nil, &OutputError{Path: path, Reason: ErrLocked, Detail: filepath.Base(path) + ".lock is held", Next: "wait for the other merge, or name another file"}
			}
			return nil, &OutputError{Path: path, Reason: ErrWrite, Err: err, Next: "name a file on a disk that has file locks"}
		}
		if stands(f) {
			return f, nil
		}
		_ = f.Close() // its last holder removed it between our opening and locking it
	}
}

// Tidy removes what killed merges left beside a path: rooms, an unfinished database and its lock. What is in use stays.
func Tidy(path string) error {
	path = Path(path)
	removeAbandoned(filepath.Dir(path))
	if _, err := os.Lstat(path + ".lock"); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := lockOutput(path)
	if err != nil {
		return err
	}
	o := &output{path: path, partial: path + ".partial", lock: lock}
	return errors.Join(o.removePartial(), o.unlock())
}

func (o *output) unlock() error {
	if o.lock == nil {
		return nil
	}
	err := errors.Join(os.Remove(o.path+".lock"), o.lock.Close())
	o.lock = nil
	return err
}

// closePumps ends every connection to the database.
func (o *output) closePumps() error {
	var errs []error
	for _, p := range o.pumps {
		errs = append(errs, p.close())
	}
	clear(o.pumps)
	return errors.Join(errs...)
}

// Publish syncs the database, gives it its final name unless that is taken, and syncs the folder.
func (o *output) Publish(ctx context.Context) (err error) {
	if o.done {
		return errors.New("publish: the output is finished already")
	}
	if err := errors.Join(ctx.Err(), o.closePumps()); err != nil {
		return err
	}
	if err := syncPath(o.partial); err != nil {
		return o.unwritable(err)
	}
	for _, suffix := range []string{"-wal", "-journal", "-shm"} {
		if _, err := os.Lstat(o.path + suffix); err == nil {
			return &OutputError{Path: o.path, Reason: ErrLeftover, Detail: filepath.Base(o.path) + suffix, Next: "move it away"}
		}
	}
	if err := newname.Take(o.partial, o.path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return &OutputError{Path: o.path, Reason: ErrExists, Err: err, Next: "somebody made it during the merge: move it away and merge again"}
		}
		return o.unwritable(err)
	}
	o.done = true
	if err := errors.Join(syncPath(filepath.Dir(o.path)), o.unlock()); err != nil {
		return &OutputError{Path: o.path, Reason: ErrUnsettled, Err: err, Next: "check the disk, then prove the file where it stands: merge-verify"}
	}
	return nil
}

// Fail moves the database to path + ".failed", where an older one may be replaced, and returns that name.
func (o *output) Fail() (string, error) {
	if o.done {
		return "", errors.New("fail: the output is finished already")
	}
	err := o.closePumps()
	name := o.path + ".failed"
	if renamed := os.Rename(o.partial, name); renamed != nil {
		return "", errors.Join(err, o.unwritable(renamed), o.Abort())
	}
	o.done = true
	return name, errors.Join(err, o.removePartial(), o.unlock())
}

// Abort removes the database and everything beside it. It may be called twice.
func (o *output) Abort() error {
	if o.done {
		return nil
	}
	o.done = true
	err := o.closePumps()
	if o.made {
		err = errors.Join(err, o.removePartial())
	}
	return errors.Join(err, o.unlock())
}

// removePartial removes the unfinished file and what SQLite may have put beside it.
func (o *output) removePartial() error {
	var errs []error
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.Remove(o.partial + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// syncPath makes a file or a folder durable.
func syncPath(path string) error {
	f, err := os.Open(path) //nolint:gosec // our own output and its folder
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
