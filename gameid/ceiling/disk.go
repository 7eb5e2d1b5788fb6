package ceiling

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// disk is the part of a file system that a ceiling needs.
type disk interface {
	// read returns the content of a file, or an error that is fs.ErrNotExist.
	read(path string) ([]byte, error)
	// replace makes text the durable content of path: after it returns nil the text
	// is there whatever happens, and at any moment the old or the new text is there
	// whole.
	replace(path string, text []byte) error
	// lock takes the lock of path without waiting, or returns ErrTaken.
	lock(path string) (unlock func() error, err error)
}

type osDisk struct{}

func (osDisk) read(path string) ([]byte, error) { return os.ReadFile(path) }

// replace writes a temporary file, syncs and renames it, and syncs the directory,
// which is what makes the rename itself survive a loss of power. After a failed
// sync the file is thrown away and not tried again: the kernel may have dropped
// the pages that it could not write.
func (osDisk) replace(path string, text []byte) (err error) {
	dir := filepath.Dir(path)
	temp, err := os.CreateTemp(dir, filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(os.Remove(temp.Name())))
		}
	}()
	_, err = temp.Write(text)
	if err == nil {
		err = temp.Sync()
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// lock locks a file beside path, for path itself is replaced at every write. The
// file stays: removing it would let two processes lock two files.
func (osDisk) lock(path string) (func() error, error) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := flock(f); err != nil {
		_ = f.Close()
		if errors.Is(err, ErrTaken) {
			return nil, fmt.Errorf("%w: %s", ErrTaken, path)
		}
		return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return f.Close, nil // closing gives the lock back
}
