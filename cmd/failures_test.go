package cmd_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The rows of the two lists of failures: how a generator repeats an ID (G1 to G30), and how a merge loses or mixes up a player (M1 to M50).
const (
	generatorFailures = 30
	mergeFailures     = 50
)

// withoutTest are the rows that need what this version has not: leases, which keep two machines apart, and their stores.
var withoutTest = []string{"G12", "G13", "G14", "G15", "G29"}

var (
	failureTest   = regexp.MustCompile(`(?m)^func (?:Test|Fuzz)((?:[GM][0-9]+)+)`)
	failureScript = regexp.MustCompile(`^((?:[GM][0-9]+)+)_.*\.txtar$`)
	failureNumber = regexp.MustCompile(`[GM][0-9]+`)
)

// TestEveryFailureIsProvoked demands a test or a script for every row, found by the row's number at the start of its name: TestG17RunAhead, M28_orphans.txtar.
func TestEveryFailureIsProvoked(t *testing.T) {
	var rows []string
	for i := range generatorFailures {
		rows = append(rows, fmt.Sprintf("G%d", i+1))
	}
	for i := range mergeFailures {
		rows = append(rows, fmt.Sprintf("M%d", i+1))
	}
	found := provoked(t, "..")
	for _, row := range rows {
		switch tests := found[row]; {
		case len(tests) == 0 && !slices.Contains(withoutTest, row):
			t.Errorf("%s: got no test with this number in its name, want one that provokes it", row)
		case len(tests) > 0 && slices.Contains(withoutTest, row):
			t.Errorf("%s: got %s, want no exemption for a row that has a test", row, strings.Join(tests, ", "))
		}
		delete(found, row)
	}
	for row, tests := range found {
		t.Errorf("%s in %s: got a number that no list has, want one from G1 to G%d or M1 to M%d", row, strings.Join(tests, ", "), generatorFailures, mergeFailures)
	}
}

// provoked lists tests and scripts below a folder by the numbers in their names.
func provoked(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	note := func(numbers, where string) {
		for _, n := range failureNumber.FindAllString(numbers, -1) {
			found[n] = append(found[n], where)
		}
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(name, ".") && name != "..":
			return fs.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range failureTest.FindAllStringSubmatch(string(text), -1) {
				note(m[1], path)
			}
		case filepath.Base(filepath.Dir(path)) == "script":
			if m := failureScript.FindStringSubmatch(name); m != nil {
				note(m[1], path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
