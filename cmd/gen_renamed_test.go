package cmd_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

// TestG10RenamedUnderARun renames the ceiling of a run, or of a server of this process, at any time and starts a process on the new name: whoever stops and
// whoever goes on, nothing is issued twice, and who was refused has printed nothing.
func TestG10RenamedUnderARun(t *testing.T) {
	tries := 10
	if testing.Short() {
		tries = 2
	}
	l := loadLayout(t, "game")
	var all sync.WaitGroup // they mostly wait
	for range tries {
		all.Go(func() {
			renameUnder(t, l, 1500*time.Millisecond, func(state string) genOutput {
				return genOutput{layout: l, server: 1042, ids: serve(t, state, l)}
			})
		})
		all.Go(func() {
			renameUnder(t, l, 500*time.Millisecond, func(state string) genOutput {
				out := genOutput{layout: l, server: 1042}
				out.print(t, state, 1_000_000)
				return out
			})
		})
	}
	all.Wait()
}

// renameUnder renames the ceiling of what issues within some time.
func renameUnder(t *testing.T, l *gameid.Layout, within time.Duration, issue func(state string) genOutput) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	var first genOutput
	var running sync.WaitGroup
	running.Go(func() { first = issue(a) })
	awaitFile(t, a)
	time.Sleep(rand.N(within))
	if err := os.Rename(a, b); err != nil {
		t.Error(err)
	}
	second := genOutput{layout: l, server: 1042}
	if code := second.print(t, b, 1000); code != 3 || len(second.ids) != 0 {
		t.Errorf("gen on the new name: exit code %d after %d IDs, want 3 and none", code, len(second.ids))
	}
	running.Wait()
	again := genOutput{layout: l, server: 1042}
	if code := again.print(t, a, 1000); code != 0 {
		t.Errorf("the next run on the old name: exit code %d", code)
	}
	checkApart(t, []genOutput{first, second, again})
}

// print runs gen until it has printed n IDs or stops, and returns its exit code: 0, or what tells that the ceiling is no longer there.
func (o *genOutput) print(t *testing.T, state string, n int) int {
	p := process(t, "gen", "--server", "1042", "--state", state, "-n", strconv.Itoa(n))
	var out, said bytes.Buffer
	p.Stdout, p.Stderr = &out, &said
	code := exitCode(p.Run())
	if err := o.add(out.Bytes()); err != nil {
		t.Error(err)
	}
	if code == 2 && !strings.Contains(said.String(), "while it was in use") || code == 3 && !strings.Contains(said.String(), "renamed alone") || code != 0 && code != 2 && code != 3 {
		t.Errorf("gen --state %s: exit code %d, %s", filepath.Base(state), code, said.String())
	}
	return code
}

// serve issues like a game server until its ceiling stops it. A rename between the server's look at its file and its writing the next one leaves it a file
// under the old name, with which it may go on: whoever starts on the new name is refused all the same.
func serve(t *testing.T, state string, l *gameid.Layout) (ids []gameid.ID) {
	f, err := ceiling.Open(t.Context(), state, l, 1042)
	if err != nil {
		t.Error(err)
		return nil
	}
	g, err := gameid.NewGenerator(l, 1042, gameid.WithCeiling(f))
	if err != nil {
		t.Error(err)
		return nil
	}
	defer func() { _ = g.Close() }()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		dst := make([]gameid.ID, 500)
		n, _ := g.Fill(dst)
		if ids = append(ids, dst[:n]...); n == 0 && f.Err() != nil {
			return ids
		}
	}
	if _, err := os.Stat(state); err != nil {
		t.Errorf("a server whose ceiling was renamed goes on: %v", err)
	}
	return ids
}
