package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeShowsTheDemo runs scripts/demo and checks that the README's first merge is what it prints: every line, in order, with "..." for lines left out.
func TestReadmeShowsTheDemo(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```console\n(.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("the README has no console block")
	}
	demo := exec.CommandContext(t.Context(), filepath.Join("..", "scripts", "demo"))
	out, err := demo.CombinedOutput()
	if err != nil {
		t.Fatalf("scripts/demo: %v\n%s", err, out)
	}
	printed := strings.Split(string(out), "\n")
	at, commands := 0, 0
	for _, line := range strings.Split(strings.TrimSuffix(string(block[1]), "\n"), "\n") {
		if line == "..." || line == "" {
			continue
		}
		if strings.HasPrefix(line, "$ ") {
			commands++
		}
		found := -1
		for i := at; i < len(printed); i++ {
			if printed[i] == line {
				found = i
				break
			}
		}
		if found < 0 {
			t.Fatalf("the README shows %q, which the demo does not print there:\n%s", line, strings.Join(printed[at:min(at+20, len(printed))], "\n"))
		}
		at = found + 1
	}
	if want := strings.Count("\n"+string(out), "\n$ gameid "); commands < want {
		t.Errorf("the README shows %d commands, fewer than the %d of gameid in the demo", commands, want)
	}
}
