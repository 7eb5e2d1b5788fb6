package layouts_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"pgregory.net/rapid"
)

// drawLayout draws a preset, or an expression that Parse takes.
func drawLayout(t *rapid.T, presets []layouts.Layout) layouts.Layout {
	if rapid.Bool().Draw(t, "preset") {
		return rapid.SampledFrom(presets).Draw(t, "layout")
	}
	fields := []string{fmt.Sprintf("time=%d@%s", rapid.IntRange(1, 50).Draw(t, "time"), rapid.SampledFrom([]string{"1ns", "1ms", "16ms", "10ms", "1s", "1h"}).Draw(t, "tick"))}
	left := 80 - 50
	if rapid.Bool().Draw(t, "has sequence") {
		bits := rapid.IntRange(1, 16).Draw(t, "seq")
		fields, left = append(fields, fmt.Sprintf("seq=%d", bits)), left-bits
	}
	for left > 0 && rapid.Bool().Draw(t, "more") {
		bits := rapid.IntRange(1, min(left, 20)).Draw(t, "bits")
		text := fmt.Sprintf("server=%d", bits)
		if rapid.Bool().Draw(t, "const") {
			text = fmt.Sprintf("const=%d:%d", bits, rapid.Uint64Range(0, 1<<bits-1).Draw(t, "value"))
		}
		fields, left = append(fields, text), left-bits
	}
	text := strings.Join(rapid.Permutation(fields).Draw(t, "order"), ",") +
		fmt.Sprintf(",epoch=%d", rapid.Int64Range(-60_000_000_000_000, 4_000_000_000_000).Draw(t, "epoch"))
	l, err := layouts.Load(text)
	if err != nil {
		t.Fatalf("Load(%q): %v", text, err)
	}
	return l
}

// drawEdge draws from 0 to most, mostly at the ends.
func drawEdge(t *rapid.T, most uint64, label string) uint64 {
	edges := []uint64{0, min(1, most), most / 2, most - min(1, most), most}
	if rapid.Bool().Draw(t, label+" at an end") {
		return rapid.SampledFrom(edges).Draw(t, label)
	}
	return rapid.Uint64Range(0, most).Draw(t, label)
}

func drawParts(t *rapid.T, l layouts.Layout, label string) gameid.Parts {
	return gameid.Parts{
		Tick:     drawEdge(t, 1<<l.TimeBits()-1, label+" tick"),
		Server:   drawEdge(t, l.MaxServer(), label+" server"),
		Sequence: drawEdge(t, 1<<l.SequenceBits()-1, label+" sequence"),
	}
}

// reckon puts an ID together field by field in big integers.
func reckon(l layouts.Layout, p gameid.Parts) *big.Int {
	id, below := new(big.Int), l.ServerBits()
	for _, f := range l.Fields() {
		v := map[gameid.Kind]uint64{gameid.Time: p.Tick, gameid.Sequence: p.Sequence, gameid.Constant: f.Value}[f.Kind]
		if f.Kind == gameid.Server {
			below -= f.Bits
			v = p.Server >> below & (1<<f.Bits - 1)
		}
		id.Lsh(id, uint(f.Bits)).Or(id, new(big.Int).SetUint64(v))
	}
	return id
}

// TestEveryLayout: at the ends of every field an ID has the decimal that big
// integers give, comes apart into what it was made of, and stands in order.
func TestEveryLayout(t *testing.T) {
	presets, err := layouts.List()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t, presets)
		a, b := drawParts(t, l, "a"), drawParts(t, l, "b")
		id, err := l.Compose(a)
		if want := reckon(l, a).String(); err != nil || id.String() != want {
			t.Fatalf("Compose(%+v) under %s = %v, %v, want %s", a, l, id, err, want)
		}
		if p, err := l.Decompose(id); err != nil || p != a {
			t.Fatalf("Decompose(%v) under %s = %+v, %v, want %+v", id, l, p, err, a)
		}
		if again, err := gameid.ParseDecimal(id.String()); err != nil || again != id {
			t.Fatalf("ParseDecimal(%v) = %v, %v, want the same", id, again, err)
		}
		if v, err := id.Int64(); l.Bits() <= 63 && (err != nil || fmt.Sprint(v) != id.String()) {
			t.Fatalf("Int64 of %v under %s = %d, %v, want the same number", id, l, v, err)
		}
		other, err := l.Compose(b)
		if err != nil {
			t.Fatalf("Compose(%+v) under %s: %v", b, l, err)
		}
		if a != b && id == other {
			t.Fatalf("%+v and %+v are both %v under %s", a, b, id, l)
		}
		if l.TimeOrdered() && a.Tick < b.Tick && id.Compare(other) >= 0 {
			t.Fatalf("%v of tick %d is not below %v of tick %d under %s", id, a.Tick, other, b.Tick, l)
		}
	})
}

// TestEveryLifetime: a layout lasts 2^bits ticks from its epoch, and its text
// names the same layout.
func TestEveryLifetime(t *testing.T) {
	presets, err := layouts.List()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t, presets)
		again, err := layouts.Load(l.String())
		if err != nil || again.String() != l.String() || !again.Epoch().Equal(l.Epoch()) {
			t.Fatalf("Load(%q) = %v, %v, want the same", l, again.Layout, err)
		}
		life := new(big.Int).Lsh(big.NewInt(int64(l.Tick())), uint(l.TimeBits()))
		left := new(big.Int).Mul(big.NewInt(l.End().Unix()-l.Epoch().Unix()), big.NewInt(1e9))
		left.Add(left, big.NewInt(int64(l.End().Nanosecond()-l.Epoch().Nanosecond())))
		if cut := l.End().Year() == 9999; life.Cmp(left) != 0 && (!cut || life.Cmp(left) < 0) {
			t.Fatalf("End of %s is %v, %v ns after the epoch, want %v ns", l, l.End(), left, life)
		}
		years, _ := new(big.Rat).SetFrac(life, big.NewInt(int64(365.25*24*float64(time.Hour)))).Float64()
		if got := l.Years(); got < years*(1-1e-9) || got > years*(1+1e-9) {
			t.Fatalf("Years of %s = %v, want %v", l, got, years)
		}
		if l.End().Year() == 9999 {
			return
		}
		if tick, err := l.TickAt(l.End().Add(-1)); err != nil || tick != 1<<l.TimeBits()-1 {
			t.Fatalf("TickAt before the end of %s = %d, %v, want the last one", l, tick, err)
		}
		if _, err := l.TickAt(l.End()); err == nil {
			t.Fatalf("TickAt the end of %s gives no error", l)
		}
	})
}
