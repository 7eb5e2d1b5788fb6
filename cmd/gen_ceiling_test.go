package cmd_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
	"github.com/gameid/gameid/layouts"
)

// soak is how many times longer than usual a test shall run: scripts/soak-ids
// sets it.
func soak(t *testing.T) int {
	t.Helper()
	text := os.Getenv("GAMEID_SOAK")
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("GAMEID_SOAK=%q, want a number from 1 up", text)
	}
	return n
}

// genOutput is what processes have printed, one after another.
type genOutput struct {
	layout *gameid.Layout
	server uint64
	ids    []gameid.ID
}

// add takes whole lines, cuts off one that is not, and demands that every ID is
// of the server and above the one before.
func (o *genOutput) add(text []byte) error {
	for line := range bytes.Lines(text[:bytes.LastIndexByte(text, '\n')+1]) {
		id, err := gameid.ParseDecimal(strings.TrimSpace(string(line)))
		if err != nil {
			return fmt.Errorf("printed %q: %w", line, err)
		}
		if _, server, err := o.layout.Cursor(id); err != nil || server != o.server {
			return fmt.Errorf("printed %s of server %d (%w), want %d", id, server, err, o.server)
		}
		if n := len(o.ids); n > 0 && id.Compare(o.ids[n-1]) <= 0 {
			return fmt.Errorf("printed %s after %s", id, o.ids[n-1])
		}
		o.ids = append(o.ids, id)
	}
	return nil
}

func loadLayout(t *testing.T, name string) *gameid.Layout {
	t.Helper()
	l, err := layouts.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return l.Layout
}

// Eight processes at a time draw from one ceiling, 100,000 IDs each, and are
// killed and started again at random: nothing is printed twice, what one of the
// eight prints rises, and all of it lies below the ceiling.
func TestG10EightProcessesKilledAtRandom(t *testing.T) {
	const workers, server, kills = 8, 1042, 8
	for layout, each := range map[string]int{"game": 100_000 * soak(t), "game63": 4_000 * soak(t)} { // 16,000 a second are all of game63
		if testing.Short() {
			each /= 10
		}
		state := filepath.Join(t.TempDir(), "state")
		base := racedProcess(t)
		outputs := make([]genOutput, workers)
		var wg sync.WaitGroup
		for w := range workers {
			out := &outputs[w]
			*out = genOutput{layout: loadLayout(t, layout), server: server}
			random := rand.New(rand.NewPCG(uint64(w), uint64(len(layout))))
			wg.Go(func() {
				for turn := 0; len(out.ids) < each && !t.Failed(); turn++ {
					rest := each - len(out.ids)
					p := &exec.Cmd{Path: base.Path, Env: base.Env}
					p.Args = []string{"gameid", "gen", "--server", strconv.Itoa(server), "--layout", layout, "--state", state, "-n", strconv.Itoa(rest)}
					text, err := runKilled(p, random, turn < kills*soak(t), rest)
					if err == nil {
						err = out.add(text)
					}
					if err != nil {
						t.Errorf("%s: one of the eight: %v", layout, err)
					}
				}
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
		top := checkApart(t, outputs)
		s, err := ceiling.Read(state)
		if cursor, _, _ := outputs[0].layout.Cursor(top); err != nil || cursor >= s.Next {
			t.Errorf("%s: cursor %d was printed, the ceiling is %d, %v", layout, cursor, s.Next, err)
		}
	}
}

// runKilled returns what p prints. When kill is set it is sent SIGKILL some
// milliseconds after its start or somewhere in its output, which has some lines.
func runKilled(p *exec.Cmd, random *rand.Rand, kill bool, lines int) ([]byte, error) {
	var said bytes.Buffer
	p.Stderr = &said
	pipe, err := p.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.Start(); err != nil {
		return nil, err
	}
	var printed bytes.Buffer
	if kill && random.IntN(2) == 0 {
		time.Sleep(time.Duration(random.IntN(40)) * time.Millisecond)
		_ = p.Process.Kill()
	} else if kill {
		_, _ = io.CopyN(&printed, pipe, int64(random.IntN(lines*4))) // a line has some 20 bytes
		_ = p.Process.Kill()
	}
	if _, err := io.Copy(&printed, pipe); err != nil {
		return nil, err
	}
	if err := p.Wait(); err != nil && !kill {
		return nil, fmt.Errorf("%w: %s", err, said.String())
	}
	return printed.Bytes(), nil
}

// checkApart demands that no ID was printed twice and returns the highest.
func checkApart(t *testing.T, outputs []genOutput) (top gameid.ID) {
	t.Helper()
	seen := map[gameid.ID]bool{}
	for _, o := range outputs {
		for _, id := range o.ids {
			if seen[id] {
				t.Fatalf("%s was printed twice", id)
			}
			seen[id] = true
			if id.Compare(top) > 0 {
				top = id
			}
		}
	}
	return top
}

// hourAhead is the clock of a machine before it was set back an hour.
type hourAhead struct{ gameid.Clock }

func (c hourAhead) Wall() time.Time { return c.Clock.Wall().Add(time.Hour) }

// A process finds its clock an hour behind its ceiling: it refuses and names the
// hour; allowed to be two hours behind, it goes on above everything.
func TestG2ProcessAnHourBack(t *testing.T) {
	state, l := filepath.Join(t.TempDir(), "state"), loadLayout(t, "game")
	first, got, err := ceiling.Reserve(context.Background(), state, l, 7, 1000, ceiling.WithClock(hourAhead{gameid.SystemClock()}))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--max-behind", "30m"}} {
		p := process(t, append([]string{"gen", "--server", "7", "--state", state}, args...)...)
		var stdout, stderr bytes.Buffer
		p.Stdout, p.Stderr = &stdout, &stderr
		if code := exitCode(p.Run()); code != 3 || stdout.Len() != 0 {
			t.Errorf("gen %v an hour back: exit code %d, stdout %q, want 3 and no ID", args, code, stdout.String())
		}
		if text := stderr.String(); !strings.Contains(text, "is 59m5") || !strings.Contains(text, "next: set the clock right; or") || !strings.Contains(text, "--max-behind 59m5") && !strings.Contains(text, "--max-behind 1h0m0s") {
			t.Errorf("gen %v an hour back said %q, want the hour and what to do", args, text)
		}
	}
	out := genOutput{layout: l, server: 7}
	for range 3 {
		p := process(t, "gen", "--server", "7", "--state", state, "--max-behind", "2h", "-n", "1000")
		text, err := p.Output()
		if err != nil {
			t.Fatalf("gen --max-behind 2h: %v", err)
		}
		if err := out.add(text); err != nil {
			t.Fatal(err)
		}
	}
	if cursor, _, _ := l.Cursor(out.ids[0]); cursor < first+got || len(out.ids) != 3000 {
		t.Errorf("%d IDs from cursor %d on, want 3000 at or above %d", len(out.ids), cursor, first+got)
	}
}

// Whoever reads the output of a process that is killed has IDs that the ceiling
// covers at the moment they can be read; the next run is above all of them.
func TestG27KilledWriter(t *testing.T) {
	state, l := filepath.Join(t.TempDir(), "state"), loadLayout(t, "game")
	out := genOutput{layout: l, server: 7}
	for range 5 {
		p := process(t, "gen", "--server", "7", "--state", state, "-n", "2000000")
		pipe, err := p.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(pipe)
		for i := range 20_000 {
			line, err := lines.ReadBytes('\n')
			if err == nil {
				err = out.add(line)
			}
			if err != nil {
				t.Fatal(err)
			}
			if i%1000 != 0 {
				continue
			}
			s, err := ceiling.Read(state)
			if cursor, _, _ := l.Cursor(out.ids[len(out.ids)-1]); err != nil || cursor >= s.Next {
				t.Fatalf("cursor %d can be read while the ceiling is %d, %v", cursor, s.Next, err)
			}
		}
		_ = p.Process.Kill()
		_ = p.Wait()
	}
}

// From 90 % of its lifetime a layout warns, and goes on.
func TestG19WarnsFromNinetyPercent(t *testing.T) {
	const bits = 28 // of seconds: 8.5 years
	for _, test := range []struct {
		used float64
		warn bool
	}{{0.89, false}, {0.91, true}, {0.999, true}} {
		epoch := time.Now().Add(-time.Duration(test.used * float64(time.Second) * (1 << bits)))
		layout := fmt.Sprintf("time=%d@1s,server=10,seq=16,epoch=%s", bits, epoch.UTC().Format(time.RFC3339))
		code, stdout, stderr := run(t, "gen", "--server", "1", "--layout", layout, "--state", filepath.Join(t.TempDir(), "state"))
		if code != 0 || stdout == "" || strings.Contains(stderr, "% of the layout's lifetime are over; it ends 20") != test.warn {
			t.Errorf("gen at %v of the lifetime: exit code %d, stderr %q, want a warning: %v", test.used, code, stderr, test.warn)
		}
	}
}

// The zone of the process changes neither IDs nor ceilings.
func TestG30TimeZones(t *testing.T) {
	state, l := filepath.Join(t.TempDir(), "state"), loadLayout(t, "game")
	out := genOutput{layout: l, server: 7}
	id, decoded := "", ""
	for _, zone := range []string{"UTC", "Asia/Tokyo", "America/St_Johns", "Pacific/Kiritimati", "Etc/GMT+12"} {
		gen := process(t, "gen", "--server", "7", "--state", state, "--layout", "time=37@16ms,server=20,seq=16,epoch=2025-01-01")
		gen.Env = append(gen.Env, "TZ="+zone)
		text, err := gen.Output()
		if err != nil {
			t.Fatalf("gen in %s after another zone: %v", zone, err)
		}
		if err := out.add(text); err != nil {
			t.Errorf("in %s: %v", zone, err)
		}
		p, err := l.Decompose(out.ids[len(out.ids)-1])
		if off := time.Since(l.TimeOf(p.Tick)); err != nil || off < 0 || off > time.Minute {
			t.Errorf("the ID issued in %s is %v old, %v", zone, off, err)
		}
		if id == "" {
			id = strings.TrimSpace(string(text))
		}
		decode := process(t, "decode", "--format", "json", id)
		decode.Env = append(decode.Env, "TZ="+zone)
		text, err = decode.Output()
		if err != nil {
			t.Fatalf("decode in %s: %v", zone, err)
		}
		if decoded == "" {
			decoded = string(text)
		}
		if string(text) != decoded {
			t.Errorf("decode in %s: %s, in UTC: %s", zone, text, decoded)
		}
	}
}
