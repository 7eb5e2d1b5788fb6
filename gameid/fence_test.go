package gameid_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Whoever imports gameid or its ceiling gets the standard library alone with it.
func TestImportsTheStandardLibraryAlone(t *testing.T) {
	const module = "github.com/gameid/gameid/gameid"
	own := []string{module, module + "/ceiling"}
	for _, system := range []string{"linux", "darwin", "windows"} {
		checkImports(t, system, own)
	}
}

func checkImports(t *testing.T, system string, own []string) {
	t.Helper()
	args := append([]string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}, own...)
	var stderr strings.Builder
	command := exec.Command("go", args...)
	command.Env = append(os.Environ(), "GOOS="+system)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	got := map[string]bool{}
	for path := range strings.FieldsSeq(string(out)) {
		got[path] = true
	}
	for _, path := range own {
		if !got[path] {
			t.Errorf("go list did not name %s itself on %s", path, system)
		}
		delete(got, path)
	}
	for path := range got {
		t.Errorf("gameid or its ceiling imports %s on %s, want the standard library alone", path, system)
	}
}
