package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/newname"
	"github.com/gameid/gameid/merge/room"
)

// output is a database under construction. Its methods may not be called concurrently.
type output struct {
	path    string
	partial string     // the unfinished database, in the room
	room    *room.Room // nil in a rehearsal
	done    bool
	shards  []*shard
	schema  *merge.Schema
	pumps   map[*shard]*pump
	capped  map[string]*capped // by table
	changed bool               // a rehearsal: only rows that a job changes

	rehearsed bool // nobody keeps it, and the sums that caps cut are counted
	cuts      map[merge.Col]cutSums

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

// Tidy removes what killed merges left in the folder of a path. What is in use stays, and so does what is not gameid's.
func Tidy(path string) { room.RemoveAbandoned(filepath.Dir(Path(path))) }

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
	if err := lonely(o.path); err != nil {
		return err
	}
	if err := newname.Take(o.partial, o.path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return &OutputError{Path: o.path, Reason: ErrExists, Err: err, Next: "somebody made it during the merge: move it away and merge again"}
		}
		return o.unwritable(err)
	}
	o.done = true
	if err := errors.Join(syncPath(filepath.Dir(o.path)), o.room.Remove()); err != nil {
		return &OutputError{Path: o.path, Reason: ErrUnsettled, Err: err, Next: "check the disk, then prove the file where it stands: merge-verify"}
	}
	return nil
}

// Fail moves the database to path + ".failed", or to the first free name that begins so, and returns that name.
func (o *output) Fail() (string, error) {
	if o.done {
		return "", errors.New("fail: the output is finished already")
	}
	err := o.closePumps()
	name := o.path + ".failed"
	for n := 1; ; n++ {
		renamed := fs.ErrExist
		if lonely(name) == nil {
			renamed = newname.Take(o.partial, name)
		}
		if renamed == nil {
			break
		}
		if !errors.Is(renamed, fs.ErrExist) {
			return "", errors.Join(err, o.unwritable(renamed), o.Abort())
		}
		name = fmt.Sprintf("%s.failed.%d", o.path, n)
	}
	o.done = true
	return name, errors.Join(err, o.room.Remove())
}

// Abort removes the database and everything beside it. It may be called twice.
func (o *output) Abort() error {
	if o.done {
		return nil
	}
	o.done = true
	return errors.Join(o.closePumps(), o.room.Remove())
}

// syncPath makes a file or a folder durable.
func syncPath(path string) error {
	f, err := os.Open(path) //nolint:gosec // our own output and its folder
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
