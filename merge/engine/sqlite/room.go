package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// roomName is the pattern of rooms, and roomLock the file in each that its owner keeps locked.
const (
	roomName = ".gameid-*"
	roomLock = "lock"
)

// Room is a folder for what a process needs only while it works, such as private copies. Only its owner may enter it, for it holds player data. The room of
// a process that was killed is removed by the next one that asks for a room in the same place.
type Room struct {
	path string
	lock *os.File
}

// NewRoom makes a room in a folder. Its errors are those of the file system.
func NewRoom(dir string) (*Room, error) {
	removeAbandoned(dir)
	for {
		path, err := os.MkdirTemp(dir, roomName)
		if err != nil {
			return nil, err
		}
		lock, err := takeRoom(path)
		switch {
		case err != nil:
			return nil, errors.Join(err, os.RemoveAll(path))
		case lock != nil:
			return &Room{path, lock}, nil
		}
		// Another process took the empty folder for an abandoned one.
	}
}

// Path is the folder.
func (r *Room) Path() string { return r.path }

// Remove removes the folder with everything in it. It may be called twice.
func (r *Room) Remove() error {
	if r == nil || r.lock == nil {
		return nil
	}
	err := errors.Join(emptyRoom(r.path), r.lock.Close())
	r.lock = nil
	return err
}

// takeRoom locks a room; nil when somebody else has it.
func takeRoom(path string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(path, roomLock), os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // in a folder of our own
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil && stands(f) { //nolint:gosec // descriptors are small
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = nil
	}
	return nil, err
}

// stands tells whether the name of a file still leads to it.
func stands(f *os.File) bool {
	mine, err1 := f.Stat()
	there, err2 := os.Stat(f.Name())
	return err1 == nil && err2 == nil && os.SameFile(mine, there)
}

// emptyRoom removes a room: the lock after everything that it protects, and the folder only if nobody has come in since.
func emptyRoom(path string) error {
	list, err := os.ReadDir(path)
	errs := []error{err}
	for _, entry := range list {
		if entry.Name() != roomLock {
			errs = append(errs, os.RemoveAll(filepath.Join(path, entry.Name())))
		}
	}
	for _, file := range []string{filepath.Join(path, roomLock), path} {
		if err := errors.Join(errs...); err != nil {
			return err
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// removeAbandoned removes the rooms that killed processes left behind: those whose lock is free, and empty folders of such a name, for their lock may have
// been about to be made. What cannot be removed stays.
func removeAbandoned(dir string) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range found {
		if ours, _ := filepath.Match(roomName, entry.Name()); !ours || !entry.IsDir() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		inside, err := os.ReadDir(path)
		if err != nil {
			continue
		}
		if _, err := os.Lstat(filepath.Join(path, roomLock)); err != nil && len(inside) > 0 {
			continue // somebody else's
		}
		if lock, err := takeRoom(path); err == nil && lock != nil {
			_ = errors.Join(emptyRoom(path), lock.Close())
		}
	}
}
