package cmd

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	barEvery  = 100 * time.Millisecond // how often the bar on a terminal is redrawn
	lineEvery = 30 * time.Second       // how often a line is written elsewhere
)

// progress shows how far one step of a command is. The work adds to a counter
// and never waits for the screen; a goroutine of its own looks at the counter:
// a bar with rate and time left when Err is a terminal, a line every 30 seconds
// when not, nothing with --quiet. All methods may be called from any goroutine,
// Stop once.
type progress struct {
	what, unit string
	total      int64
	started    time.Time
	done       atomic.Int64
	quit, gone chan struct{}
}

// startProgress begins to show a step. what names it ("copying items"), unit what is counted ("rows"), total how many there will be, -1 when nobody
// knows, 0 for a step that is over at once. The caller calls Stop, also after an error.
func (a *app) startProgress(what, unit string, total int64) *progress {
	p := &progress{
		what: what, unit: unit, total: total, started: time.Now(),
		quit: make(chan struct{}), gone: make(chan struct{}),
	}
	switch {
	case a.quiet, total == 0: // nothing to show, or nobody to show it to
		close(p.gone)
	case a.errIsTerminal():
		go p.draw(a.newBar(p), barEvery)
	default:
		go p.write(a.Err, a.progressEvery)
	}
	return p
}

// Add counts n more units as done. It costs one atomic addition.
func (p *progress) Add(n int64) { p.done.Add(n) }

// Set says that n units are done in all.
func (p *progress) Set(n int64) { p.done.Store(n) }

// Stop ends the display and takes the bar off the screen.
func (p *progress) Stop() {
	close(p.quit)
	<-p.gone
}

func (a *app) newBar(p *progress) *progressbar.ProgressBar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(a.Err),
		progressbar.OptionSetDescription(p.what),
		progressbar.OptionSetItsString(p.unit),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine of its own: draw turns it
		progressbar.OptionSetWidth(barWidth(a.errWidth())),
		progressbar.OptionUseANSICodes(a.errColor()),
	}
	return progressbar.NewOptions64(p.total, options...)
}

// barWidth leaves room for the description, the counts and the times.
func barWidth(columns int) int { return min(max(columns-80, 10), 40) }

func (p *progress) draw(bar *progressbar.ProgressBar, every time.Duration) {
	defer close(p.gone)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			// A bar that reaches its maximum ends itself; the end is Stop's to say.
			if n := p.done.Load(); p.total < 0 || n < p.total {
				_ = bar.Set64(n)
			}
		case <-p.quit:
			_ = bar.Exit()
			_ = bar.Clear()
			return
		}
	}
}

func (p *progress) write(w io.Writer, every time.Duration) {
	defer close(p.gone)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			fmt.Fprintln(w, p.line(time.Since(p.started)))
		case <-p.quit:
			return
		}
	}
}

// line says where the step is after it ran for elapsed.
func (p *progress) line(elapsed time.Duration) string {
	n := p.done.Load()
	rate := float64(n) / max(elapsed.Seconds(), 1e-9)
	if p.total < 0 {
		return fmt.Sprintf("%s: %d %s, %.0f %s/s", p.what, n, p.unit, rate, p.unit)
	}
	percent := 100.0
	if p.total > 0 {
		percent = 100 * float64(n) / float64(p.total)
	}
	left := "unknown"
	if rate > 0 {
		left = time.Duration(float64(max(p.total-n, 0)) / rate * float64(time.Second)).Round(time.Second).String()
	}
	return fmt.Sprintf("%s: %d of %d %s (%.0f %%), %.0f %s/s, %s left", p.what, n, p.total, p.unit, percent, rate, p.unit, left)
}
