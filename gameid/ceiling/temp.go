package ceiling

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
)

// tempName is a name beside path that no other file has: Create refuses one that
// is there, so nobody's file is ever written over or removed.
func tempName(path string) string { return fmt.Sprintf("%s%s%016x", path, tempMark, rand.Uint64()) }

const tempMark = ".gameid-"

var tempNumber = regexp.MustCompile(`^[0-9a-f]{16}$`)

// clean removes what writers of path that were killed have left. The lock of path
// is held, so nobody writes one now.
func clean(d disk, path string) error {
	dir, base := filepath.Split(path)
	names, err := d.List(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("look for what a killed process left beside %s: %w", path, err)
	}
	for _, name := range names {
		number, ours := strings.CutPrefix(name, base+tempMark)
		if !ours || !tempNumber.MatchString(number) {
			continue
		}
		if err := ignoreMissing(d.Remove(dir + name)); err != nil {
			return fmt.Errorf("remove what a killed process left: %w", err)
		}
	}
	return nil
}
