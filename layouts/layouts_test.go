package layouts_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
)

func TestPresets(t *testing.T) {
	want := map[string]struct {
		sum     int
		years   float64
		rate    float64
		epoch   string
		int64ok bool
	}{
		"game":      {73, 69.68, 4_096_000, "2025-01-01T00:00:00Z", false},
		"game63":    {63, 69.68, 16_000, "2025-01-01T00:00:00Z", true},
		"game-ms":   {73, 4.355, 65_536_000, "2025-01-01T00:00:00Z", false},
		"snowflake": {63, 69.68, 4_096_000, "2010-11-04T01:42:54.657Z", true},
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
			continue
		}
		delete(want, l.Name())
		if l.Bits() != w.sum || math.Abs(l.Years()-w.years) > 0.01 || math.Abs(l.Rate()-w.rate) > 1 {
			t.Errorf("%s: got %d bits, %.3f years, %.0f/s, want %+v", l.Name(), l.Bits(), l.Years(), l.Rate(), w)
		}
		if got := l.Epoch().Format("2006-01-02T15:04:05.999Z07:00"); got != w.epoch {
			t.Errorf("%s: epoch %s, want %s", l.Name(), got, w.epoch)
		}
		if err := l.CheckColumn("BIGINT"); (err == nil) != w.int64ok {
			t.Errorf("%s: CheckColumn(BIGINT) = %v, want fits = %v", l.Name(), err, w.int64ok)
		}
	}
	for name := range want {
		t.Errorf("preset %s is missing", name)
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
		{"", &unknown, ""},
		{"time=37,server=20,seq=16,epoch=2025-01-01", &expression, "tick"},
		{"time=37@16ms,server=20,seq=16", &expression, "epoch"},
		{"time=37@16ms,server=20,seq=16,epoch=yesterday", &expression, "RFC 3339"},
		{"time=37@16ms,epoch=2025-01-01,epoch=2025-01-01", &expression, "twice"},
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
