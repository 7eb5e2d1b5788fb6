package newname

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Take renames a file without replacing another: an error that is fs.ErrExist says that the new name is taken, and from still stands then.
func Take(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EOPNOTSUPP): // the file system cannot
		return link(from, to)
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
