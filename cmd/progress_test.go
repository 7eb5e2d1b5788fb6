package cmd

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// sink is a stream that goroutines share.
type sink struct {
	mu   sync.Mutex
	text bytes.Buffer
	tty  bool
}

func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
func (s *sink) IsTerminal() bool { return s.tty }
func (s *sink) Width() int       { return 100 }

func progressApp(errOut *sink) *app {
	return &app{
		streams:       newStreams(strings.NewReader(""), &bytes.Buffer{}, errOut, func(string) string { return "" }),
		progressEvery: time.Millisecond,
	}
}

// await waits until the stream contains text.
func await(t *testing.T, s *sink, text string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(s.String(), text); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got %q, want %q in it", s, text)
		}
	}
}

func TestProgressOffTerminal(t *testing.T) {
	defer goleak.VerifyNone(t)
	out := &sink{}
	p := progressApp(out).startProgress("copying items", "rows", 200)
	p.Add(20)
	p.Add(30)
	await(t, out, "copying items: 50 of 200 rows (25 %), ")
	p.Stop()
	if strings.ContainsAny(out.String(), "\r\x1b") {
		t.Errorf("off a terminal a bar was drawn: %q", out)
	}
	if got := p.line(10 * time.Second); got != "copying items: 50 of 200 rows (25 %), 5 rows/s, 30s left" {
		t.Errorf("after ten seconds: %q", got)
	}
}

func TestProgressOnTerminal(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, total := range []int64{200, -1} {
		out := &sink{tty: true}
		p := progressApp(out).startProgress("copying items", "rows", total)
		p.Add(50)
		await(t, out, "copying items")
		if total > 0 {
			await(t, out, "50/200")
			await(t, out, "rows/s")
		}
		p.Add(300) // more than was expected is no reason to fail
		p.Stop()
		if !strings.HasSuffix(out.String(), "\x1b[2K\r") {
			t.Errorf("total %d: the bar was left on the screen: %q", total, out)
		}
	}
}

func TestProgressQuiet(t *testing.T) {
	defer goleak.VerifyNone(t)
	out := &sink{tty: true}
	a := progressApp(out)
	a.quiet = true
	p := a.startProgress("copying items", "rows", 200)
	p.Add(1)
	time.Sleep(5 * time.Millisecond)
	p.Stop()
	if got := out.String(); got != "" {
		t.Errorf("with --quiet: %q", got)
	}
}
