package ceiling

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// noLock is the number of a lock that is not there.
const noLock = "none"

func lockName(path string) string { return path + ".lock" }

// Lock locks a file beside path, for path itself is replaced at every write. The
// file stays once a ceiling was written: removing it would let two processes lock
// two files.
func (osDisk) Lock(path string) (diskLock, error) {
	f, fresh, err := openLock(lockName(path))
	if err != nil {
		return nil, err
	}
	lock := &osLock{f, fresh}
	if err = flock(f); err == nil {
		err = lock.Check() // it may have been replaced before we had it
	}
	if err != nil {
		_ = f.Close()
		if errors.Is(err, ErrTaken) {
			return nil, fmt.Errorf("%w: %s", ErrTaken, path)
		}
		return nil, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return lock, nil
}

// openLock tells whether it made the file. Others may make or remove it meanwhile.
func openLock(name string) (f *os.File, fresh bool, err error) {
	for range 100 {
		if f, err = os.OpenFile(name, os.O_RDWR, 0o600); !errors.Is(err, fs.ErrNotExist) {
			return f, false, err
		}
		if f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) {
			return f, true, err
		}
	}
	return nil, false, err
}

// LockInode opens nothing that waits: a lock may be replaced by a pipe.
func (osDisk) LockInode(path string) string {
	info, err := os.Stat(lockName(path))
	if errors.Is(err, fs.ErrNotExist) {
		return noLock
	}
	if err != nil {
		return unknown
	}
	return inodeIn(info)
}

type osLock struct {
	*os.File
	fresh bool // made by this opening, and no ceiling was written yet
}

// lockMark is what a lock says whose ceiling has been written once. An empty lock
// can be of a start that was killed before it wrote one.
const lockMark = "the ceiling beside this was written; keep both\n"

// Marked looks at the size alone.
func (l *osLock) Marked() (bool, error) {
	info, err := l.Stat()
	return err == nil && info.Size() > 0, err
}

// Mark needs no sync: a loss of power ends the generators that it warns of.
func (l *osLock) Mark() error {
	_, err := l.WriteString(lockMark)
	return err
}

// Inode is the number of the file that is locked.
func (l *osLock) Inode() string {
	if info, err := l.Stat(); err == nil {
		return inodeIn(info)
	}
	return unknown
}

// Use keeps the file.
func (l *osLock) Use() { l.fresh = false }

// Check compares the file that is locked with the one that has its name.
func (l *osLock) Check() error {
	ours, err := l.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(l.Name())
	if err != nil || !os.SameFile(ours, there) {
		return fmt.Errorf("%w: the lock %s was removed or replaced", ErrTaken, l.Name())
	}
	return nil
}

// Close removes a lock that nobody needs while it is still held: who has opened it
// meanwhile finds by Check that it has no name any more.
func (l *osLock) Close() error {
	var err error
	if l.fresh && l.Check() == nil {
		err = os.Remove(l.Name())
	}
	return errors.Join(err, l.File.Close())
}
