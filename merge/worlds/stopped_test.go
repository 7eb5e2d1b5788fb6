package worlds

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// stopper is a context that is canceled when a line of the audit asks it for the n-th time, as each of its queries does, and that counts how often the lines ask.
type stopper struct {
	context.Context
	mu     sync.Mutex
	stop   string // the line; "" for none
	nth    int
	closed chan struct{}
	lines  map[string]int
}

func newStopper(line string, nth int) *stopper {
	return &stopper{Context: context.Background(), stop: line, nth: nth, closed: make(chan struct{}), lines: map[string]int{}}
}

func (s *stopper) Done() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := asking()
	if s.lines[line]++; line == s.stop && s.lines[line] == s.nth {
		close(s.closed)
	}
	return s.closed
}

// asked is how often each line asked so far. A query's own end may ask once more behind it.
func (s *stopper) asked() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.lines)
}

func (s *stopper) Err() error {
	select {
	case <-s.closed:
		return context.Canceled
	default:
		return nil
	}
}

// asking is the line of the audit or the discovery that asks, and the one that called it.
func asking() string {
	pcs := make([]uintptr, 64)
	frames, lines := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)]), []string{}
	for {
		f, more := frames.Next()
		if strings.Contains(f.Function, "/merge/audit.") || strings.Contains(f.Function, "/merge/discover.") {
			lines = append(lines, fmt.Sprintf("%s:%d %s", filepath.Base(f.File), f.Line, path.Base(f.Function)))
		}
		if !more || len(lines) == 2 {
			return strings.Join(lines, " ")
		}
	}
}

// stopsOfMany is how often an audit is stopped where several lines ask alike.
const stopsOfMany = 16

// TestM47StoppedAtEveryQuestion stops audits of some worlds, with their plans and without one, at the first question of every line of code that asks one. They end with
// that as their error, and with nothing else.
func TestM47StoppedAtEveryQuestion(t *testing.T) {
	seen := map[string]bool{}
	for _, seed := range seeds(t, 2) {
		w := generate(uint64(seed))
		w.build(t, t.TempDir())
		for _, plan := range []*merge.Plan{nil, &w.plan} {
			run := func(ctx context.Context) error { // what a shard has answered it is not asked again
				e := sqlite.New()
				shards := w.open(t, e)
				_, err := audit.Run(ctx, e, shards, plan, audit.Options{})
				for _, s := range shards {
					_ = s.Close()
				}
				return err
			}
			whole := newStopper("", 0)
			if err := run(whole); err != nil {
				t.Fatal(err)
			}
			asked := whole.asked()
			for _, line := range slices.Sorted(maps.Keys(asked)) {
				if seen[line] {
					continue
				}
				seen[line] = true
				times := 1
				if strings.Contains(line, "everyShard") { // for many
					times = stopsOfMany
				}
				for i := range min(times, asked[line]) {
					nth := 1 + i*asked[line]/times
					if err := run(newStopper(line, nth)); !errors.Is(err, context.Canceled) {
						t.Errorf("seed %d, stopped at question %d of %s: %v", seed, nth, line, err)
					}
				}
			}
		}
	}
	if t.Logf("stopped at %d places", len(seen)); len(seen) < 80 {
		t.Errorf("the audits asked at %d places", len(seen))
	}
}
