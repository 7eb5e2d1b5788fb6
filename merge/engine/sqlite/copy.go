package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gameid/gameid/merge/room"
)

const (
	copyTries  = 5
	copyPause  = 200 * time.Millisecond // after the first try; each further pause is longer by the same time
	copySettle = 50 * time.Millisecond  // a file changed less than this ago may change again without a new time
)

// copy reads the shard from a private copy of the database and its log or journal, so that recovery never touches the source. The shared memory file is not copied.
func (s *shard) copy(ctx context.Context, workDir string) error {
	if workDir == "" {
		workDir = filepath.Dir(s.path)
	}
	place, err := room.New(workDir)
	if err != nil {
		return &SourceError{Path: s.path, Reason: ErrCopy, Err: err, Next: "check the permissions and the space in " + workDir + ", or name another folder: --work-dir"}
	}
	s.private, s.file = place, filepath.Join(place.Path(), "db")
	if free, err := FreeSpace(workDir); err == nil && free < s.bytes {
		return &SourceError{
			Path: s.path, Reason: ErrCopy, Detail: fmt.Sprintf("it takes %d MB, and %d MB are free in %s", (s.bytes+1<<20-1)>>20, free>>20, workDir),
			Next: "free some, or name another folder: --work-dir",
		}
	}
	if err := s.twice(ctx, func() error { return s.wholeCopy(ctx) }); err != nil {
		return err
	}
	return s.begin(ctx)
}

// wholeCopy makes the copy, with what its log or journal says. It may be called again.
func (s *shard) wholeCopy(ctx context.Context) error {
	if err := s.steadyCopy(ctx); err != nil {
		return err
	}
	if err := cmp.Or(s.checkLog(ctx), s.checkJournal(ctx)); err != nil {
		return err
	}
	return s.recoverCopy(ctx)
}

// steadyCopy copies until nothing changed meanwhile.
func (s *shard) steadyCopy(ctx context.Context) error {
	for try := 1; ; try++ {
		before, err := s.state()
		if err == nil && before.fresh() {
			err = pause(ctx, copySettle)
		}
		if err == nil {
			err = s.copyFiles(ctx)
		}
		var after state
		if err == nil {
			after, err = s.state()
		}
		switch {
		case err == nil && before.equal(after):
			s.bytes = before.bytes()
			return nil
		case errors.Is(err, ErrChanged):
			return err
		case err != nil && !errors.Is(err, fs.ErrNotExist): // a log that vanished was checkpointed: try again
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return s.notCopied(err)
		case try == copyTries:
			return &SourceError{Path: s.path, Reason: ErrInUse, Detail: fmt.Sprintf("it changed during each of %d copies", copyTries), Next: "stop the server that uses it, or give a backup"}
		}
		if err := pause(ctx, time.Duration(try)*copyPause); err != nil {
			return err
		}
	}
}

// copyFiles copies the database and what belongs to it over an earlier try.
func (s *shard) copyFiles(ctx context.Context) error {
	for _, ending := range []string{"", "-wal", "-journal", "-shm"} {
		if err := os.Remove(s.file + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	db := s.held.file // SQLite may hold locks on the source for another shard, so no descriptor of it is closed here
	if err := copyFile(ctx, s.file, io.NewSectionReader(db, 0, 1<<62)); err != nil {
		return err
	}
	side := sideFiles(s.real)
	for ending, info := range map[string]os.FileInfo{"-wal": side.wal, "-journal": side.journal} {
		if info == nil {
			continue
		}
		f, err := os.Open(s.real + ending)
		if err != nil {
			return err
		}
		err = copyFile(ctx, s.file+ending, f)
		_ = f.Close() // only read
		if err != nil {
			return err
		}
	}
	return nil
}

// copyFile writes a new file that only its owner may read.
func copyFile(ctx context.Context, to string, from io.Reader) error {
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // inside the private folder
	if err != nil {
		return err
	}
	_, err = io.Copy(f, stopping{ctx, from})
	return errors.Join(err, f.Close())
}

// copiedFile opens what was copied beside the database; nil when there is none.
func (s *shard) copiedFile(ending string) (*os.File, error) {
	f, err := os.Open(s.file + ending)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, s.notCopied(err)
	}
	return f, nil
}

// stopping ends a copy when its context does.
type stopping struct {
	ctx  context.Context
	from io.Reader
}

func (r stopping) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// recoverCopy plays the journal back or the log in, and leaves a plain file in rollback mode.
func (s *shard) recoverCopy(ctx context.Context) error {
	db, conn, err := open(ctx, s.file, "rw")
	if err != nil {
		return s.notCopied(err)
	}
	defer func() { _, _ = conn.Close(), db.Close() }()
	for _, q := range []string{"SELECT count(*) FROM sqlite_schema", "PRAGMA synchronous = OFF", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := conn.ExecContext(ctx, q); err != nil {
			return s.notCopied(err)
		}
	}
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode); err != nil {
		return s.notCopied(err)
	}
	if mode != "delete" {
		return &SourceError{Path: s.path, Reason: ErrCopy, Detail: "its journal mode stays " + mode, Next: "run PRAGMA journal_mode = DELETE on a copy and give that"}
	}
	return nil
}

// notCopied tells what came between a source and its copy: the disk of the copy, unless SQLite says that the content is at fault.
func (s *shard) notCopied(err error) error {
	if err := explain(s.path, err); code(err) != 0 && !DiskTrouble(err) {
		return err
	}
	return &SourceError{
		Path: s.path, Reason: ErrCopy, Err: err,
		Next: "check the disk, the permissions and the space in " + filepath.Dir(s.private.Path()) + ", or name another folder: --work-dir",
	}
}

// pause waits, unless the context ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
