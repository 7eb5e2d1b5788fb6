package sqlite

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// privateName is the pattern of the folders that hold private copies.
const privateName = ".gameid-*"

// privateFolder makes a folder that only its owner may enter, for it holds player data. It stays locked until lock is closed.
func privateFolder(dir string) (folder string, lock *os.File, err error) {
	if folder, err = os.MkdirTemp(dir, privateName); err != nil {
		return "", nil, err
	}
	if lock, err = os.Open(folder); err == nil { //nolint:gosec // just made
		err = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) //nolint:gosec // descriptors are small
	}
	if err != nil {
		return "", nil, errors.Join(err, lock.Close(), os.RemoveAll(folder))
	}
	return folder, lock, nil
}

// removeAbandoned removes the folders that killed processes left behind: those that hold a copy and are not locked. One without a copy may just be
// in the making. What cannot be removed stays.
func removeAbandoned(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range list {
		if ours, _ := filepath.Match(privateName, entry.Name()); !ours || !entry.IsDir() {
			continue
		}
		folder := filepath.Join(dir, entry.Name())
		if _, err := os.Lstat(filepath.Join(folder, "db")); err != nil {
			continue
		}
		f, err := os.Open(folder) //nolint:gosec // a folder of our own
		if err != nil {
			continue
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil { //nolint:gosec // descriptors are small
			_ = os.RemoveAll(folder)
		}
		_ = f.Close()
	}
}
