package sqlite_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestBuildWithoutCgo: who builds without a C compiler gets one line that says what is missing.
func TestBuildWithoutCgo(t *testing.T) {
	build := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, "github.com/gameid/gameid")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	said, err := build.CombinedOutput()
	if err == nil || strings.Count(string(said), "\n") != 1 || !strings.Contains(string(said), "gameid needs cgo for SQLite; install a C compiler, such as gcc, and set CGO_ENABLED=1") {
		t.Errorf("go build without cgo: %v, it says %q; want one line with what to install and to set", err, said)
	}
}
