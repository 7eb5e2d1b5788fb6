package planfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// mode is a plan file's: it may name hosts and players.
const mode = 0o600

// WriteNew writes a file that must not exist yet; errors.Is(err, fs.ErrExist) tells that it does. The file is complete or absent, also after a crash.
func WriteNew(path string, data []byte) error {
	dir := filepath.Dir(path)
	tmp, err := temporary(dir, data)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { _ = os.Remove(tmp) }() // gone already after a rename
	err = os.Link(tmp, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = claim(tmp, path) // a file system without hard links
	}
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s exists: %w; choose another name, or update it", path, fs.ErrExist)
		}
		return fmt.Errorf("write %s: %w", path, err)
	}
	return syncDir(dir)
}

// temporary writes and syncs a file beside its final name.
func temporary(dir string, data []byte) (string, error) {
	f, err := os.CreateTemp(dir, ".plan-*") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// claim takes a name by creating it empty, which only one process can, and renames the finished file over it.
func claim(tmp, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	err = f.Close()
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(path))
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
	perm := renameio.WithStaticPermissions(info.Mode().Perm())
	for _, f := range []struct {
		path string
		data []byte
	}{{target + ".bak", former}, {target, data}} {
		if err := renameio.WriteFile(f.path, f.data, mode, perm, renameio.WithTempDir(filepath.Dir(target))); err != nil {
			return fmt.Errorf("update %s: write %s: %w", path, f.path, err)
		}
	}
	return syncDir(filepath.Dir(target))
}

// syncDir makes a new name durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if closed := d.Close(); err == nil {
		err = closed
	}
	return err
}
