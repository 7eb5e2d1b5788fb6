//go:build unix && !solaris && !aix

package ceiling

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// flock locks f for this open file alone, so two openings in one process exclude
// each other as two processes do. Taken means ErrTaken.
func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrTaken
		case !errors.Is(err, syscall.EINTR):
			return err
		}
	}
}

// inodeOf is the number of f on its disk, and on which mount where that tells
// nothing. A copy has another one.
func inodeOf(f *os.File) string {
	if info, err := f.Stat(); err == nil {
		return inodeIn(info) + layerOf(f, info)
	}
	return unknown
}

func inodeIn(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(stat.Ino), 10) //nolint:unconvert // its width differs between systems
	}
	return unknown
}

// keepOwner gives f the owner and the group of another file as far as the system
// allows it.
func keepOwner(f *os.File, like fs.FileInfo) error {
	stat, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	err := f.Chown(int(stat.Uid), int(stat.Gid))
	if errors.Is(err, fs.ErrPermission) {
		err = f.Chown(-1, int(stat.Gid))
	}
	return err
}

// namesOf is how many names a file has on its disk.
func namesOf(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert // its width differs between systems
	}
	return 1
}
