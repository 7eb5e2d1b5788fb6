package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchmath"
)

// entry is one row: something that is done many times.
type entry struct {
	name     string
	op       op
	n        int           // times in a sample
	upTo     time.Duration // a sample that takes this long ends early; 0 never
	parallel bool
	before   func() // every sample, unmeasured; or nil
	note     string
	limited  bool // by its format; measured, but never the best
	mallocs  bool // whether allocations are counted

	samples []float64 // ns each
	allocs  float64   // each
}

// median is that of benchstat.
func (e *entry) median() float64 { return e.summary().Center }

func (e *entry) summary() benchmath.Summary {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(e.samples, &benchmath.DefaultThresholds), 0.95)
}

// sample measures once.
func (e *entry) sample() {
	if e.before != nil {
		e.before()
	}
	measure := e.op.inTurn
	if e.parallel {
		measure = e.op.inParallel
	}
	done, took := 0, time.Duration(0)
	for done < e.n && (e.upTo == 0 || took < e.upTo) {
		n := e.n - done
		if e.upTo > 0 {
			n = min(n, 512) // so that the end is near
		}
		took += measure(n)
		done += n
	}
	e.samples = append(e.samples, float64(took)/float64(done))
}

// table is what is compared: the first entry is the one that counts.
type table struct {
	name, title, unit string
	entries           []*entry
}

func newTable(name, title, unit string) *table { return &table{name: name, title: title, unit: unit} }

func (t *table) add(entries ...entry) {
	for _, e := range entries {
		t.entries = append(t.entries, &e)
	}
}

// measure lets the entries take turns, and another one begins every round. What
// its format limits takes few samples: they are long, and all alike.
// The error is that of an ID.
func (t *table) measure(rounds, few int) error {
	for _, e := range t.entries {
		if e.mallocs {
			if e.before != nil {
				e.before()
			}
			e.allocs = testing.AllocsPerRun(1000, func() { e.op(1) })
		}
	}
	for round := range rounds {
		for i := range t.entries {
			e := t.entries[(i+round)%len(t.entries)]
			if !e.limited || len(e.samples) <= round*few/rounds {
				e.sample()
			}
		}
		if err := context.Cause(ctx); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// best is the fastest entry of another library that its format does not limit.
func (t *table) best() *entry {
	var best *entry
	for _, e := range t.entries {
		if !e.limited && !strings.HasPrefix(e.name, "gameid") && (best == nil || e.median() < best.median()) {
			best = e
		}
	}
	return best
}

// String is the table with medians, their 95 % confidence intervals, and the
// ratio of the first entry to each.
func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-34s %9s %6s %7s %8s  %s\n", t.name, t.unit, "±", "allocs", "ratio", t.title)
	for _, e := range t.entries {
		s := e.summary()
		allocs := ""
		if e.mallocs {
			allocs = fmt.Sprintf("%.0f", e.allocs)
		}
		note := e.note
		if e.limited {
			note = strings.TrimSpace("limited by its format " + note)
		}
		ratio := fmt.Sprintf("%.2f", t.entries[0].median()/s.Center)
		if ratio == "0.00" {
			ratio = "<0.01"
		}
		line := fmt.Sprintf("  %-32s %9s %6s %7s %8s  %s", e.name, figure(s.Center), s.PctRangeString(), allocs, ratio, note)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// figure has three digits, or all that stand before the point.
func figure(ns float64) string {
	switch {
	case ns < 10:
		return fmt.Sprintf("%.2f", ns)
	case ns < 100:
		return fmt.Sprintf("%.1f", ns)
	}
	return fmt.Sprintf("%.0f", ns)
}

// raw writes the samples as benchmarks.
func (t *table) raw(w io.Writer) {
	for _, e := range t.entries {
		name := strings.NewReplacer(", ", ",", " ", "_").Replace(e.name)
		for _, ns := range e.samples {
			fmt.Fprintf(w, "Benchmark%s/%s 1 %.4f ns/op\n", t.name, name, ns)
		}
	}
}

// text is an entry that makes text.
func text(name string, f op) entry { return entry{name: name, op: f, n: serialSample, mallocs: true} }

// parser is an entry that reads text.
func parser[T any](name string, parse func(string) (T, error), s string) entry {
	return entry{name: name, n: serialSample, mallocs: true, op: func(n int) {
		for range n {
			if _, err := parse(s); err != nil {
				fail(err)
			}
		}
	}}
}
