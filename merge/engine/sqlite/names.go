package sqlite

import (
	"os"
	"path/filepath"
	"strings"
)

// SideEndings are what SQLite puts behind a database's name for its log, the log's index and its journal (https://sqlite.org/tempfiles.html).
func SideEndings() []string { return []string{"-wal", "-shm", "-journal"} }

// SideOf is the file that a name belongs to as a log or journal: whoever opens it as a database next would play that in, or delete it. It is "" for any other
// name, and where there is no such file.
func SideOf(path string) string {
	path = Path(path)
	for _, ending := range SideEndings() {
		if stem, ok := strings.CutSuffix(path, ending); ok {
			if info, err := os.Stat(stem); err == nil && info.Mode().IsRegular() {
				return stem
			}
		}
	}
	return ""
}

// maxPath is how many bytes SQLite takes for a database's whole path, so that the longest ending fits behind it (MAX_PATHNAME in os_unix.c).
const maxPath = 512 - len("-journal")

// PathFits tells whether SQLite can open a database of this name, also while it is made.
func PathFits(path string) bool {
	path = Path(path)
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return true
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	return len(dir)+1+max(len(filepath.Base(path)), len(".gameid-0123456789abcdef/"+unfinished)) <= maxPath
}
