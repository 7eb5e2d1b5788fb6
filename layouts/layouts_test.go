package layouts_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
)

func TestPresets(t *testing.T) {
	// By hand: 2^bits * tick / 31,557,600 s, and 2^sequence / tick.
	want := map[string]struct {
		sum     int
		years   float64
		rate    float64
		epoch   string
		int64ok bool
		issues  bool // now, in the clock of the test
	}{
		"game":                {73, 69.683, 4_096_000, "2025-01-01T00:00:00Z", false, true},
		"game63":              {63, 69.683, 16_000, "2025-01-01T00:00:00Z", true, true},
		"game53":              {53, 69.683, 1_000, "2025-01-01T00:00:00Z", true, true},
		"game46":              {46, 69.683, 31.25, "2025-01-01T00:00:00Z", true, true},
		"game-ms":             {73, 4.355, 65_536_000, "2025-01-01T00:00:00Z", false, true},
		"snowflake":           {63, 69.683, 4_096_000, "2010-11-04T01:42:54.657Z", true, true},
		"java-snowflake":      {63, 69.683, 4_096_000, "2016-11-26T13:21:05.631Z", true, true},
		"leaf":                {63, 69.683, 4_096_000, "2010-11-04T01:42:54.657Z", true, true},
		"shardingsphere":      {63, 69.683, 4_096_000, "2016-11-01T00:00:00Z", true, true},
		"shardingsphere-utc8": {63, 69.683, 4_096_000, "2016-10-31T16:00:00Z", true, true},
		"sonyflake":           {63, 174.207, 25_600, "2014-09-01T00:00:00Z", true, true},
		"sonyflake-v2":        {63, 174.207, 25_600, "2025-01-01T00:00:00Z", true, true},
		"uid-generator":       {63, 8.506, 8_192, "2016-05-19T16:00:00Z", true, false},
		"cosid":               {63, 69.683, 4_096_000, "2019-12-24T16:00:00Z", true, true},
		"yitter":              {53, 69.683, 64_000, "2020-02-19T18:20:02Z", true, true},
		"discord":             {64, 139.366, 4_096_000, "2015-01-01T00:00:00Z", false, true},
		"instagram":           {64, 69.683, 1_024_000, "2011-08-24T21:07:01.721Z", false, true},
		"game-16-32-16":       {64, 136.099, 65_536, "1970-01-01T00:00:00Z", false, true},
		"game-10-12-32-10":    {64, 136.099, 1_024, "1970-01-01T00:00:00Z", false, true},
		"game-39-10-4-10":     {63, 174.207, 102_400, "2014-09-01T00:00:00Z", true, true},
	}
	list, err := layouts.List()
	if err != nil {
		t.Fatalf("List: %v", err)
	}
	if list[0].Name() != layouts.Default {
		t.Errorf("first of the list: got %s, want %s", list[0].Name(), layouts.Default)
	}
	for _, l := range list {
		if l.Summary == "" || l.Source == "" {
			t.Errorf("%s: summary %q and source %q, want both", l.Name(), l.Summary, l.Source)
		}
		again, err := layouts.Parse(l.String())
		if err != nil || again.String() != l.String() {
			t.Errorf("%s: Parse(%q) = %v, %v, want the same layout", l.Name(), l, again, err)
		}
		w, ok := want[l.Name()]
		if !ok {
			t.Errorf("preset %s has no line in this test", l.Name())
			continue
		}
		delete(want, l.Name())
		if l.Bits() != w.sum || math.Abs(l.Years()-w.years) > 0.001 || math.Abs(l.Rate()-w.rate) > 0.01 {
			t.Errorf("%s: got %d bits, %.3f years, %.0f/s, want %+v", l.Name(), l.Bits(), l.Years(), l.Rate(), w)
		}
		if got := l.Epoch().Format("2006-01-02T15:04:05.999Z07:00"); got != w.epoch {
			t.Errorf("%s: epoch %s, want %s", l.Name(), got, w.epoch)
		}
		if err := l.CheckColumn("BIGINT"); (err == nil) != w.int64ok {
			t.Errorf("%s: CheckColumn(BIGINT) = %v, want fits = %v", l.Name(), err, w.int64ok)
		}
		clock := fixedClock(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
		g, err := gameid.NewGenerator(l.Layout, 1, gameid.WithClock(clock))
		if (err == nil) != w.issues {
			t.Errorf("%s: NewGenerator = %v, want a generator = %v", l.Name(), err, w.issues)
		}
		if err == nil {
			g.Close()
		} else if !errors.Is(err, gameid.ErrExhausted) {
			t.Errorf("%s: NewGenerator = %v, want ErrExhausted", l.Name(), err)
		}
	}
	for name := range want {
		t.Errorf("preset %s is missing", name)
	}
}

// fixedClock stands still.
type fixedClock time.Time

func (c fixedClock) Wall() time.Time        { return time.Time(c) }
func (c fixedClock) Running() time.Duration { return 0 }
func (c fixedClock) Boot() time.Duration    { return 0 }

func (c fixedClock) Wait(context.Context, time.Duration) error { return nil }

// TestCannotIssue: what loads and can be decoded, but cannot be counted or has not
// begun, is refused before the first ID.
func TestCannotIssue(t *testing.T) {
	var layout *gameid.LayoutError
	clock := gameid.WithClock(fixedClock(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)))
	for _, test := range []struct{ text, says string }{
		{"time=50@1ms,server=4,seq=14,epoch=2025-01-01", "50 bits of time + 14 of sequence = 64 > 63"},
		{"time=63@1ns,server=16,seq=1,epoch=1960-01-01", "63 bits of time + 1 of sequence = 64 > 63"},
	} {
		if _, err := gameid.NewGenerator(load(t, test.text).Layout, 1, clock); !errors.As(err, &layout) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("NewGenerator under %s = %v, want a *LayoutError that says %q", test.text, err, test.says)
		}
	}
	for _, text := range []string{"game,epoch=2026-11-21T00:00:00.001Z", "time=37@16ms,server=20,seq=16,epoch=2999-01-01"} {
		if _, err := gameid.NewGenerator(load(t, text).Layout, 1, clock); !errors.Is(err, gameid.ErrBeforeEpoch) {
			t.Errorf("NewGenerator under %s = %v, want ErrBeforeEpoch", text, err)
		}
	}
	for _, text := range []string{"time=50@1ms,server=4,seq=13,epoch=2025-01-01", "game,epoch=2026-11-21", "snowflake,epoch=1960-02-29"} {
		g, err := gameid.NewGenerator(load(t, text).Layout, 1, clock)
		if err != nil {
			t.Errorf("NewGenerator under %s = %v, want none", text, err)
			continue
		}
		g.Close()
	}
}

func TestPresetWithEpoch(t *testing.T) {
	l := load(t, "shardingsphere,epoch=2016-11-01T00:00:00+08:00")
	if got, want := l.String(), load(t, "shardingsphere-utc8").String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if l.Name() == "shardingsphere" || l.Fields()[1].Name != "worker" {
		t.Errorf("got the name %q and the fields %+v, want another name and the preset's fields", l.Name(), l.Fields())
	}
	old := load(t, "snowflake,epoch=-28800000")
	if got, want := old.Epoch().Format(time.RFC3339), "1969-12-31T16:00:00Z"; got != want {
		t.Errorf("epoch in milliseconds: got %s, want %s", got, want)
	}
}

func TestLoadRefuses(t *testing.T) {
	var (
		unknown    *layouts.UnknownError
		expression *layouts.ExpressionError
		layout     *gameid.LayoutError
	)
	for _, test := range []struct {
		text   string
		target any
		says   string
	}{
		{"gmae", &unknown, "game63"},
		{"gmae,epoch=2025-01-01", &expression, "no ="},
		{"game,tick=1ms", &expression, "only epoch=TIME"},
		{"game,epoch=soon", &expression, "RFC 3339"},
		{"", &unknown, ""},
		{"time=37,server=20,seq=16,epoch=2025-01-01", &expression, "tick"},
		{"time=37@16ms,server=20,seq=16", &expression, "epoch"},
		{"time=37@16ms,server=20,seq=16,epoch=yesterday", &expression, "RFC 3339"},
		{"time=37@16ms,epoch=2025-01-01,epoch=2025-01-01", &expression, "twice"},
		{"time=37@16ms,server=20,time=3@1ms,epoch=2025-01-01", &expression, "time is given twice"},
		{"time=37@16ms,shard=20,epoch=2025-01-01", &expression, "shard"},
		{"time=37@16ms,const=1,epoch=2025-01-01", &expression, "const"},
		{"time=x@16ms,epoch=2025-01-01", &expression, "width"},
		{"time=40@1ms,server=30,seq=12,epoch=2025-01-01", &layout, "40 + 30 + 12 = 82 bits > 80"},
		{"server=20,seq=16,epoch=2025-01-01", &layout, "time"},
		{"time=37@-1ms,epoch=2025-01-01", &layout, "tick"},
		{"time=0@1ms,epoch=2025-01-01", &layout, "0 bits"},
		{"time=37@1ms,seq=4,seq=4,epoch=2025-01-01", &layout, "sequence"},
		{"time=37@1ms,const=2:4,epoch=2025-01-01", &layout, "does not fit"},
	} {
		_, err := layouts.Load(test.text)
		if err == nil || !errors.As(err, test.target) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("Load(%q) = %v, want a %T that says %q", test.text, err, test.target, test.says)
		}
	}
}

func TestLoadFile(t *testing.T) {
	for _, test := range []struct{ name, text, says string }{
		{"good", "name: x\nsource: here\nepoch: 1960-01-01\ntick: 1s\nfields:\n  - {kind: server, bits: 16}\n  - {kind: time, bits: 32}\n  - {kind: seq, bits: 15}\n", ""},
		{"key", "name: x\nsource: here\nepoch: 2025-01-01\ntik: 1s\n", "tik"},
		{"twice", "name: x\nname: y\n", "name"},
		{"source", "name: x\nepoch: 2025-01-01\ntick: 1s\n", "source"},
		{"tick", "name: x\nsource: here\nepoch: 2025-01-01\ntick: 16\n", "duration"},
		{"epoch", "name: x\nsource: here\nepoch: soon\ntick: 16ms\n", "epoch"},
		{"since", "name: x\nsource: here\nepoch: 2025-01-01\nsince: 2024-12-31\ntick: 16ms\nfields: [{kind: time, bits: 9}]\n", "since"},
		{"value", "name: x\nsource: here\nepoch: 2025-01-01\ntick: 16ms\nfields: [{kind: time, bits: 9, value: 1}]\n", "value"},
		{"kind", "name: x\nsource: here\nepoch: 2025-01-01\ntick: 16ms\nfields: [{kind: sequence, bits: 9}]\n", "sequence"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.yaml")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			l, err := layouts.Load(path)
			if test.says == "" {
				if err != nil || l.TimeOrdered() || l.Bits() != 63 {
					t.Fatalf("Load = %v, %v, want 63 bits that are not time-ordered", l.Layout, err)
				}
				return
			}
			var file *layouts.FileError
			if !errors.As(err, &file) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("Load = %v, want a *FileError that says %q", err, test.says)
			}
		})
	}
	if _, err := layouts.Load("./missing.yaml"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Load of a missing file = %v, want os.ErrNotExist", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(layouts.Example)
	f.Add("const=1:0,time=41@1ms,server=5,server=5,seq=12,epoch=1288834974657")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := layouts.Parse(text)
		if err != nil {
			return
		}
		again, err := layouts.Parse(l.String())
		if err != nil || again.String() != l.String() {
			t.Errorf("Parse(%q) is %q, which parses to %v, %v", text, l, again, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("name: x\nsource: here\nepoch: 1960-01-01\ntick: 1s\nfields:\n  - {kind: time, bits: 32}\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if l, err := layouts.Read("x.yaml", content); err == nil && l.Layout == nil {
			t.Error("neither a layout nor an error")
		}
	})
}
