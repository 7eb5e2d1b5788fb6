package planfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gameid/gameid/merge/newname"
)

// mode is a plan file's: it may name hosts and players.
const mode = 0o600

// WriteNew writes a file that must not exist yet; errors.Is(err, fs.ErrExist) tells that it does. The file is complete or absent, also after a crash.
func WriteNew(path string, data []byte) error {
	err := finish(path, data, mode, newname.Take)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists: %w; choose another name, or update it", path, fs.ErrExist)
	case err != nil:
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Replace puts new text into an existing file, all of it or nothing, and leaves the former text beside it under the same name with ".bak" added.
// Permissions stay. A symbolic link stays one: its target is replaced.
func Replace(path string, data []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("update %s: %w", path, err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return fmt.Errorf("update %s: %w", path, err)
	}
	former, err := os.ReadFile(target)
	if err != nil {
		return fmt.Errorf("update %s: %w", path, err)
	}
	for _, f := range []struct {
		path string
		data []byte
	}{{target + ".bak", former}, {target, data}} {
		if err := finish(f.path, f.data, info.Mode().Perm(), os.Rename); err != nil {
			return fmt.Errorf("update %s: write %s: %w", path, f.path, err)
		}
	}
	return nil
}

// finish writes a draft of a file, gives it its name, and makes the name durable.
func finish(path string, data []byte, perm fs.FileMode, rename func(from, to string) error) error {
	d, err := newDraft(path)
	if err != nil {
		return err
	}
	if err = d.write(data, perm); err == nil {
		err = rename(d.Name(), path)
	}
	if err != nil {
		return errors.Join(err, d.discard())
	}
	return errors.Join(d.Close(), syncDir(filepath.Dir(path)))
}

// syncDir makes a new name durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
