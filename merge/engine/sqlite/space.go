package sqlite

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// CheckSpace tells whether a folder's disk has room for need more bytes, for this user. An *OutputError with ErrNoSpace gives both figures.
func CheckSpace(folder string, need int64) error {
	have, err := FreeSpace(folder)
	if err != nil {
		return &OutputError{Path: folder, Reason: ErrWrite, Err: err, Next: "check the folder"}
	}
	if have < need {
		return &OutputError{
			Path: folder, Reason: ErrNoSpace, Detail: fmt.Sprintf("%d MB needed, %d MB free", (need+1<<20-1)>>20, have>>20),
			Next: "free some, or write to another disk",
		}
	}
	return nil
}

// FreeSpace is how many bytes this user may still write to a folder's disk.
func FreeSpace(folder string) (int64, error) {
	if folder == "" {
		folder = "."
	}
	var st unix.Statfs_t
	for {
		err := unix.Statfs(filepath.Clean(folder), &st)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("statfs %s: %w", folder, err)
		}
		if st.Blocks == 0 { // it does not say
			return math.MaxInt64, nil
		}
		return int64(st.Bavail) * int64(st.Bsize), nil //nolint:gosec,unconvert // the types differ between systems
	}
}
