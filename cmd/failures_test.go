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
	declaredTest  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	failureTest   = regexp.MustCompile(`^(?:Test|Fuzz|TestScripts/)((?:[GM][0-9]+)+)`)
	failureNumber = regexp.MustCompile(`[GM][0-9]+`)
	namedTest     = regexp.MustCompile("`(Test[A-Z][\\w/]*)`")
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
	found := map[string][]string{}
	for _, name := range everyTest(t) {
		if m := failureTest.FindStringSubmatch(name); m != nil {
			for _, n := range failureNumber.FindAllString(m[1], -1) {
				found[n] = append(found[n], name)
			}
		}
	}
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

// TestReadmeNamesTests demands that every test that the README names is there.
func TestReadmeNamesTests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests, named := everyTest(t), namedTest.FindAllStringSubmatch(string(text), -1)
	if len(named) < 30 {
		t.Errorf("got %d tests in the README, want one for each guarantee", len(named))
	}
	for _, m := range named {
		if !slices.Contains(tests, m[1]) {
			t.Errorf("%s: got no test of this name", m[1])
		}
	}
}

// everyTest lists the repository's tests and scripts by their names.
func everyTest(t *testing.T) (names []string) {
	t.Helper()
	const root = ".."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(name, ".") && path != root:
			return fs.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range declaredTest.FindAllStringSubmatch(string(text), -1) {
				names = append(names, m[1])
			}
		case filepath.Base(filepath.Dir(path)) == "script" && strings.HasSuffix(name, ".txtar"):
			names = append(names, "TestScripts/"+strings.TrimSuffix(name, ".txtar"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
