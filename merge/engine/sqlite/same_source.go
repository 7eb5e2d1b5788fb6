package sqlite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gameid/gameid/merge"
)

// SameFile tells whether two sources name one file: by the same path, through a link or through a mount. It opens nothing. A source that
// does not exist is the same as no other.
func SameFile(a, b string) (bool, error) {
	first, err := os.Stat(Path(a))
	if err == nil {
		var second os.FileInfo
		if second, err = os.Stat(Path(b)); err == nil {
			return os.SameFile(first, second), nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return false, fmt.Errorf("compare sources: %w", err)
}

// SameContent tells whether two shards hold the same bytes: they are one file, or one is a copy of the other. Files of unequal size or
// unequal headers are told apart without being read.
func (e *Engine) SameContent(a, b merge.Shard) (bool, error) {
	list, err := own(a, b)
	if err != nil {
		return false, nil // different engines or encodings: different content
	}
	if list[0].held == list[1].held {
		return true, nil
	}
	var files [2]*os.File
	var heads [2]string
	var sizes [2]int64
	for i, s := range list {
		files[i] = s.held.file
		if s.private != nil { // the copy has the log in it already; SQLite's locks on it protect nothing
			f, err := os.Open(s.file)
			if err != nil {
				return false, s.failed(err, "compare")
			}
			defer func() { _ = f.Close() }() // only read
			files[i] = f
		}
		head, err := readHeader(files[i])
		if err != nil {
			return false, s.failed(err, "compare")
		}
		info, err := files[i].Stat()
		if err != nil {
			return false, s.failed(err, "compare")
		}
		heads[i], sizes[i] = string(head), info.Size()
	}
	if heads[0] != heads[1] || sizes[0] != sizes[1] {
		return false, nil
	}
	var sums [2][sha256.Size]byte
	for i, f := range files {
		if sums[i], err = digest(f); err != nil {
			return false, list[i].failed(err, "compare")
		}
	}
	return sums[0] == sums[1], nil
}

// digest is the hash of a file, whose descriptor stays open.
func digest(f *os.File) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, 1<<62)); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}
