package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gameid/gameid/merge/engine/sqlite"
)

// newFile is a file that a command writes in the end. Nothing may stand there yet.
type newFile struct {
	flag     string // what the command line calls it
	path     string // "" when it is not asked for
	database bool
	instead  string // the next step when the name is taken
}

// checkNew refuses names under which nothing may be, or could be, written, before anything costs time.
func (in *inputs) checkNew(files ...newFile) error {
	for i, f := range files {
		if f.path == "" {
			continue
		}
		if err := in.checkOne(f); err != nil {
			return err
		}
		for _, other := range files[:i] {
			if other.path != "" && filepath.Clean(other.path) == filepath.Clean(f.path) {
				return refused(fmt.Errorf("%s and %s name one file, %s", other.flag, f.flag, f.path), "give each a name of its own")
			}
		}
	}
	return nil
}

func (in *inputs) checkOne(f newFile) error {
	path := f.path
	if f.database {
		path = sqlite.Path(path)
	}
	if path == "-" {
		return trouble(fmt.Errorf("%s - is no file, and it cannot go to stdout", f.flag), "name a file; ./- is one called -")
	}
	if info, err := os.Lstat(path); err == nil {
		sqlite.Tidy(path) // a command that was killed right after it had written it left its room
		what := in.standing(path, info)
		switch {
		case f.database && what == "is a database":
			what = "exists"
		case !f.database && what != "exists" && what != "is the plan": // no text, to be refreshed or named anew
			return refused(fmt.Errorf("%s: %s %s", f.flag, path, what), "name a new file: nothing is ever overwritten")
		}
		return refused(fmt.Errorf("%s %s", path, what), f.instead)
	}
	if err := checkFolder(filepath.Dir(path), f.flag+" "+f.path); err != nil {
		return err
	}
	longest := path
	if f.database {
		longest += ".failed.txt"
	}
	if _, err := os.Lstat(longest); errors.Is(err, syscall.ENAMETOOLONG) || f.database && !sqlite.PathFits(path) {
		return refused(fmt.Errorf("%s %s: the name is too long", f.flag, path), "choose a shorter one, or another folder")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refused(fmt.Errorf("%s %s: %w", f.flag, path, err), "choose another name")
	}
	if stem := sqlite.SideOf(path); stem != "" {
		return refused(fmt.Errorf("%s %s would stand beside %s as its log or journal, and the next program that opens %[3]s would delete it", f.flag, path, stem), "choose a name that does not end so")
	}
	return nil
}

// unwritten says what helps when a new file could not be written.
func unwritten(err error, flag string) error {
	if sqlite.Full(err) {
		return trouble(err, "free space, or name a file on another disk with "+flag)
	}
	return trouble(err, "choose another file for "+flag)
}

// standing says what it is that has a name already.
func (in *inputs) standing(path string, info os.FileInfo) string {
	if there, err := os.Stat(path); err == nil {
		info = there
	}
	same := func(other string) bool {
		there, err := os.Stat(other)
		return err == nil && os.SameFile(there, info)
	}
	for _, s := range in.sources {
		if same(sqlite.Path(s.Source)) {
			return "is an input, shard " + s.Name
		}
		target, _ := filepath.EvalSymlinks(sqlite.Path(s.Source))
		for _, ending := range sqlite.SideEndings() {
			if same(target + ending) {
				return "belongs to an input, shard " + s.Name
			}
		}
	}
	switch {
	case in.planFile != "" && same(in.planFile):
		return "is the plan"
	case info.IsDir():
		return "is a folder"
	case databaseFile(path):
		return "is a database"
	}
	return "exists"
}

// databaseMagic is how a SQLite file begins (https://www.sqlite.org/fileformat.html, section 1.3).
const databaseMagic = "SQLite format 3\x00"

// databaseFile tells whether a file is a database, as far as its first bytes tell.
func databaseFile(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe would wait
		return false
	}
	f, err := os.Open(path) //nolint:gosec // the file that the operator names
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, len(databaseMagic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == databaseMagic
}
