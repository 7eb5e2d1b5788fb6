package planfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// draft is a file on its way to its name. It stands beside that under one name of its own and is locked, so that a killed process leaves at most one, which
// the next takes over.
type draft struct{ *os.File }

// newDraft makes a draft, or waits for another process that has one for the same file.
func newDraft(path string) (*draft, error) {
	for {
		name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".gameid")
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, mode) //nolint:gosec // beside the file that the operator names
		if err != nil {
			return nil, err
		}
		for err = unix.EINTR; errors.Is(err, unix.EINTR); {
			err = unix.Flock(int(f.Fd()), unix.LOCK_EX) //nolint:gosec // descriptors are small
		}
		if err != nil {
			return nil, errors.Join(&fs.PathError{Op: "lock", Path: f.Name(), Err: err}, f.Close())
		}
		d := &draft{f}
		switch current, err := d.current(); {
		case err != nil:
			return nil, errors.Join(err, f.Close())
		case current:
			return d, nil
		}
		_ = f.Close() // its last owner has finished or removed it
	}
}

// current tells whether the draft still stands under its name, and under no other. What a killed process left is removed: it may be a link of a finished file.
func (d *draft) current() (bool, error) {
	mine, err := d.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Lstat(d.Name())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !os.SameFile(mine, there):
		return false, nil
	case mine.Size() > 0:
		return false, os.Remove(d.Name())
	}
	return true, nil
}

// write fills the draft and makes it durable.
func (d *draft) write(data []byte, perm fs.FileMode) error {
	_, err := d.Write(data)
	if err == nil && perm != mode {
		err = d.Chmod(perm)
	}
	if err == nil {
		err = d.Sync()
	}
	return err
}

// discard removes a draft that has not got its name.
func (d *draft) discard() error { return errors.Join(os.Remove(d.Name()), d.Close()) }
