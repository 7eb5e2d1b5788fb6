package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gameid/gameid/merge/newname"
	"github.com/gameid/gameid/merge/room"
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

// Replace puts new text into an existing file, all of it or nothing, and returns the file that keeps the former text: the file's own name with ".bak" added,
// or ".bak.1" and so on where that is another's; "" when the text is the former one. Permissions stay. A symbolic link stays one: its target is replaced, and the copy stands beside that.
func Replace(path string, data []byte) (kept string, err error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("update %s: %w", path, err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", fmt.Errorf("update %s: %w", path, err)
	}
	former, err := os.ReadFile(target)
	if err != nil {
		return "", fmt.Errorf("update %s: %w", path, err)
	}
	if bytes.Equal(former, data) {
		room.RemoveAbandoned(filepath.Dir(target)) // an update that was killed right after it had done its work left its room
		return "", nil
	}
	if kept, err = keep(target+".bak", former, info.Mode().Perm()); err != nil {
		return "", fmt.Errorf("update %s: keep its text in %s: %w", path, target+".bak", err)
	}
	if err := finish(target, data, info.Mode().Perm(), os.Rename); err != nil {
		return "", fmt.Errorf("update %s: write %s: %w", path, target, err)
	}
	return kept, nil
}

// keep puts a text under the first name that is free, or that has this very text already, as an update that was killed leaves it.
func keep(name string, text []byte, perm fs.FileMode) (kept string, err error) {
	kept = name
	for n := 1; ; n++ {
		info, err := os.Lstat(kept)
		if err == nil && info.Mode().IsRegular() && info.Size() == int64(len(text)) {
			if there, err := os.ReadFile(kept); err == nil && bytes.Equal(there, text) { //nolint:gosec // beside the file that the operator names
				return kept, nil
			}
		}
		if err != nil {
			if err = finish(kept, text, perm, newname.Take); !errors.Is(err, fs.ErrExist) {
				return kept, err
			}
		}
		kept = fmt.Sprintf("%s.%d", name, n)
	}
}

// finish writes a file in a room beside its place, gives it its name, and makes the name durable.
func finish(path string, data []byte, perm fs.FileMode, rename func(from, to string) error) error {
	place, err := room.New(filepath.Dir(path))
	if err != nil {
		return err
	}
	draft := filepath.Join(place.Path(), "text")
	if err = write(draft, data, perm); err == nil {
		err = rename(draft, path)
	}
	if err != nil {
		return errors.Join(err, place.Remove())
	}
	return errors.Join(place.Remove(), syncDir(filepath.Dir(path)))
}

// write makes a file of exactly these permissions, durable.
func write(path string, data []byte, perm fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode) //nolint:gosec // in a folder of our own
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && perm != mode {
		err = f.Chmod(perm)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes a new name durable.
func syncDir(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // the folder that the operator names
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
