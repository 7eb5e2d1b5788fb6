package sqlite

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// beside are the files that belong to a database and hold a part of it: the log, and a journal that is not spent.
type beside struct{ wal, journal os.FileInfo }

// realPath is a path without symbolic links, as SQLite opens it; the path itself when that cannot be found out.
func realPath(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// linked tells whether a file has hard links: a server that opens it under another name keeps its log there.
func linked(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}

// checkReached refuses a link that leads nowhere, as to a disk that is not mounted: SQLite takes it for no file.
func checkReached(path, beside string) error {
	_, missing := os.Lstat(beside)
	if _, err := os.Stat(beside); err != nil && missing == nil {
		return &SourceError{Path: path, Reason: ErrUnreached, Err: err, Next: "mount the disk that it leads to; remove the link only if no log belongs to the database"}
	}
	return nil
}

// checkSideFiles refuses what stands beside a source under the name of its log or journal and is none, and those that stand beside a link to it, where SQLite
// does not look.
func checkSideFiles(path, target string) error {
	for _, ending := range []string{"-wal", "-journal"} {
		if err := cmp.Or(checkReached(path, target+ending), checkReached(path, path+ending)); err != nil {
			return err
		}
		there, err := os.Stat(target + ending)
		if err == nil && !there.Mode().IsRegular() {
			return &SourceError{Path: path, Reason: ErrNotFile, Detail: target + ending, Next: "find out what it is, and remove it: SQLite takes it for a part of the database"}
		}
		if beside, lost := os.Stat(path + ending); lost == nil && (err != nil || !os.SameFile(beside, there)) {
			return &SourceError{
				Path: path, Reason: ErrNames, Detail: fmt.Sprintf("%s%s stands beside the link, and SQLite looks beside %s", path, ending, target),
				Next: "move it there if it belongs to the database; if it does not, remove it",
			}
		}
	}
	return nil
}

// sideFiles looks for them. SQLite leaves an empty journal, or one whose head is zeroed, behind in some modes: such a journal is spent.
func sideFiles(path string) beside {
	var b beside
	if info, err := os.Stat(path + "-wal"); err == nil {
		b.wal = info
	}
	if info, err := os.Stat(path + "-journal"); err == nil && info.Size() > 0 {
		first := make([]byte, 1)
		f, err := os.Open(path + "-journal") //nolint:gosec // beside the file that the operator names
		if err == nil {
			_, err = f.Read(first)
			_ = f.Close()
		}
		if err != nil || first[0] != 0 {
			b.journal = info
		}
	}
	return b
}

func (b beside) any() bool { return b.wal != nil || b.journal != nil }

func (b beside) bytes() (n int64) {
	if b.wal != nil {
		n += b.wal.Size()
	}
	if b.journal != nil {
		n += b.journal.Size()
	}
	return n
}
