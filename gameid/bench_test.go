package gameid_test

import (
	"context"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
)

// BenchmarkNext measures the code: one ID with a clock reading each, in a layout
// whose sequence never fills, so that no call waits or borrows.
func BenchmarkNext(b *testing.B) {
	benchmarkNext(b, newGenerator(b, newLayout(b, 16*time.Millisecond, 37, 20, 22), 1042))
}

// BenchmarkNextBurst borrows from the future, as a burst above the rate of the
// default layout does.
func BenchmarkNextBurst(b *testing.B) {
	benchmarkNext(b, newGenerator(b, gameLayout(b), 1042, gameid.WithRunAhead(time.Hour)))
}

// BenchmarkNextSustained shows the limit of the default layout, 65,536 IDs in 16 ms,
// which is 244 ns each, and not that of the code.
func BenchmarkNextSustained(b *testing.B) {
	benchmarkNext(b, newGenerator(b, gameLayout(b), 1042))
}

func benchmarkNext(b *testing.B, g *gameid.Generator) {
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Next(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkClock is the floor of BenchmarkNext: the reading of the running clock.
func BenchmarkClock(b *testing.B) {
	clock := gameid.SystemClock()
	for b.Loop() {
		clock.Running()
	}
}

func BenchmarkNextParallel(b *testing.B) {
	g := newGenerator(b, gameLayout(b), 1042, gameid.WithRunAhead(time.Hour))
	ctx := context.Background()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := g.Next(ctx); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkFill(b *testing.B) {
	g := newGenerator(b, gameLayout(b), 1042, gameid.WithRunAhead(24*time.Hour*365))
	dst := make([]gameid.ID, 1024)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if _, err := g.Fill(dst); err != nil {
			b.Fatal(err)
		}
		n += len(dst)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/ID")
}

func BenchmarkAppendBase32(b *testing.B) {
	id := gameid.ID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	buf := make([]byte, 0, 32)
	b.ReportAllocs()
	for b.Loop() {
		buf = id.AppendBase32(buf[:0])
	}
}

func BenchmarkParseBase32(b *testing.B) {
	text := gameid.ID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}.Base32()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gameid.ParseBase32(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendDecimal(b *testing.B) {
	id := gameid.ID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	buf := make([]byte, 0, 32)
	b.ReportAllocs()
	for b.Loop() {
		buf = id.AppendDecimal(buf[:0])
	}
}

func BenchmarkParseDecimal(b *testing.B) {
	text := gameid.ID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}.String()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gameid.ParseDecimal(text); err != nil {
			b.Fatal(err)
		}
	}
}
