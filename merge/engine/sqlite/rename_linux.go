package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameFree renames without replacing: an error that is fs.ErrExist says that the new name is taken.
func renameFree(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EOPNOTSUPP): // the file system cannot
		return linkFree(from, to)
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
