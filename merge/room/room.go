// Package room makes folders for what a process needs only while it works, such as private copies and unfinished files.
package room

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// A room is known by its name, and by the lock in it, which its owner holds and which begins with a text that nobody else writes.
const (
	prefix   = ".gameid-"
	lockName = "lock"
	mark     = "gameid works in this folder, or was killed; the next one removes it\n"
)

var roomName = regexp.MustCompile(`^\.gameid-[0-9a-f]+$`)

// Errors of Claim.
var (
	ErrTaken    = errors.New("another process is in it")
	ErrInTheWay = errors.New("it is in the way, and is not gameid's")
)

// Room is a folder that only its owner may enter, for it holds player data. The room of a process that was killed is removed by the next one that asks for a
// room in the same place. What is no room, whatever it is called, is never touched.
type Room struct {
	path string
	lock *os.File
}

// New makes a room in a folder. Its errors are those of the file system.
func New(dir string) (*Room, error) {
	RemoveAbandoned(dir)
	for {
		path, err := os.MkdirTemp(dir, prefix+"*")
		if err != nil {
			return nil, err
		}
		if r, err := take(path); r != nil || err != nil {
			return r, err
		}
		// Another process took the empty folder for an abandoned one.
	}
}

// How long Claim waits for a process that only tidies up.
const (
	claimTries = 10
	claimPause = 20 * time.Millisecond
)

// Claim makes the one room beside a file in which that file is made, so that nobody else makes it meanwhile: ErrTaken tells that somebody does. Other errors
// are ErrInTheWay and those of the file system.
func Claim(file string) (*Room, error) {
	dir := filepath.Dir(file)
	RemoveAbandoned(dir)
	sum := sha256.Sum256([]byte(filepath.Base(file)))
	path := filepath.Join(dir, prefix+hex.EncodeToString(sum[:8]))
	for try := 1; ; {
		err := os.Mkdir(path, 0o700)
		if err == nil {
			if r, err := take(path); r != nil || err != nil {
				return r, err
			}
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		switch err := vacate(path); {
		case errors.Is(err, ErrTaken) && try < claimTries:
			try++
			time.Sleep(claimPause)
		case err != nil:
			return nil, &fs.PathError{Op: "use", Path: path, Err: err}
		}
	}
}

// Path is the folder.
func (r *Room) Path() string { return r.path }

// Remove removes the folder with everything in it. It may be called twice.
func (r *Room) Remove() error {
	if r == nil || r.lock == nil {
		return nil
	}
	err := errors.Join(empty(r.path), r.lock.Close())
	r.lock = nil
	return err
}

// take locks and marks a folder that was just made; nil when somebody else took it for an abandoned one.
func take(path string) (*Room, error) {
	f, err := lock(path)
	if err == nil {
		if err = sign(f); err == nil {
			return &Room{path, f}, nil
		}
		err = errors.Join(err, os.Remove(f.Name()), f.Close())
	}
	if errors.Is(err, ErrTaken) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	_ = os.Remove(filepath.Join(path, lockName)) // where the file system has no locks
	return nil, errors.Join(err, os.Remove(path))
}

// sign writes the mark, durable: what is put into the room later never stands there without it.
func sign(f *os.File) error {
	if _, err := f.WriteAt([]byte(mark), 0); err != nil {
		return err
	}
	return f.Sync()
}

// lock takes the lock of a room: ErrTaken when somebody else has it, fs.ErrNotExist when the room is being removed.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(path, lockName), os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600) //nolint:gosec // in a folder of our own
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) //nolint:gosec // descriptors are small
	switch {
	case err == nil && stands(f):
		return f, nil
	case err == nil:
		err = fs.ErrNotExist
	case errors.Is(err, unix.EWOULDBLOCK):
		err = ErrTaken
	default:
		err = &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	_ = f.Close()
	return nil, err
}

// stands tells whether the name of a file still leads to it.
func stands(f *os.File) bool {
	mine, err1 := f.Stat()
	there, err2 := os.Stat(f.Name())
	return err1 == nil && err2 == nil && os.SameFile(mine, there)
}

// empty removes a room: the lock after everything that it protects, and the folder only if nobody has come in since.
func empty(path string) error {
	list, err := os.ReadDir(path)
	errs := []error{err}
	for _, entry := range list {
		if entry.Name() != lockName {
			errs = append(errs, os.RemoveAll(filepath.Join(path, entry.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(path, lockName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return leave(path)
}

// leave removes a folder without a lock. Whoever looks for abandoned rooms may have locked it meanwhile: then that one removes it.
func leave(path string) error {
	for {
		err := os.Remove(path)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if !errors.Is(err, unix.ENOTEMPTY) && !errors.Is(err, unix.EEXIST) {
			return err
		}
		list, readErr := os.ReadDir(path)
		switch {
		case errors.Is(readErr, fs.ErrNotExist), slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == lockName }):
			return nil
		case readErr != nil || len(list) > 0:
			return errors.Join(err, readErr)
		}
	}
}

// RemoveAbandoned removes the rooms that killed processes left behind in a folder. What cannot be removed stays.
func RemoveAbandoned(dir string) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range found {
		if roomName.MatchString(entry.Name()) {
			_ = vacate(filepath.Join(dir, entry.Name()))
		}
	}
}

// vacate removes a room that nobody uses: ErrTaken when somebody does, ErrInTheWay when it is none.
func vacate(path string) error {
	switch is, err := isRoom(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !is:
		return ErrInTheWay
	}
	f, err := lock(path)
	if errors.Is(err, fs.ErrNotExist) { // its owner has removed it
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(empty(path), f.Close())
}

// isRoom tells whether a folder is a room: its lock has the mark, or holds nothing and nothing stands beside it, for then the mark may have been about to be
// written.
func isRoom(path string) (bool, error) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return false, err
	}
	list, err := os.ReadDir(path)
	if err != nil || len(list) == 0 {
		return err == nil, err
	}
	key := filepath.Join(path, lockName)
	switch info, err = os.Lstat(key); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, nil
	case info.Size() == 0:
		return len(list) == 1, nil
	}
	f, err := os.Open(key) //nolint:gosec // in a folder that is to be a room
	if err != nil {
		return false, err
	}
	text, err := io.ReadAll(io.LimitReader(f, int64(len(mark))))
	return bytes.Equal(text, []byte(mark)), errors.Join(err, f.Close())
}
