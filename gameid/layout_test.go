package gameid_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gameid/gameid/gameid"
	"pgregory.net/rapid"
)

// drawLayout draws layouts that pass NewLayout: any order of fields, several
// parts of the server, constants.
func drawLayout(t *rapid.T) *gameid.Layout {
	fields := []gameid.Field{{Kind: gameid.Time, Bits: rapid.IntRange(20, 45).Draw(t, "time")}}
	left := 80 - fields[0].Bits
	if rapid.Bool().Draw(t, "has sequence") {
		f := gameid.Field{Kind: gameid.Sequence, Bits: rapid.IntRange(1, 18).Draw(t, "seq")}
		fields, left = append(fields, f), left-f.Bits
	}
	for left > 0 && rapid.Bool().Draw(t, "more") {
		f := gameid.Field{Kind: gameid.Server, Bits: rapid.IntRange(1, min(left, 12)).Draw(t, "bits")}
		if rapid.Bool().Draw(t, "const") {
			f.Kind = gameid.Constant
			f.Value = rapid.Uint64Range(0, 1<<f.Bits-1).Draw(t, "value")
		}
		fields, left = append(fields, f), left-f.Bits
	}
	l, err := gameid.NewLayout(gameid.Spec{
		Fields: rapid.Permutation(fields).Draw(t, "fields"),
		Tick:   time.Duration(rapid.Int64Range(1, int64(time.Minute)).Draw(t, "tick")),
		Epoch:  time.Unix(rapid.Int64Range(-2e9, 2e9).Draw(t, "epoch"), 0),
	})
	if err != nil {
		t.Fatalf("NewLayout: %v", err)
	}
	return l
}

func drawParts(t *rapid.T, l *gameid.Layout, label string) gameid.Parts {
	return gameid.Parts{
		Tick:     rapid.Uint64Range(0, 1<<l.TimeBits()-1).Draw(t, label+" tick"),
		Server:   rapid.Uint64Range(0, l.MaxServer()).Draw(t, label+" server"),
		Sequence: rapid.Uint64Range(0, 1<<l.SequenceBits()-1).Draw(t, label+" sequence"),
	}
}

func TestComposeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		p := drawParts(t, l, "")
		id, err := l.Compose(p)
		if err != nil {
			t.Fatalf("Compose(%+v) under %s: %v", p, l, err)
		}
		if got, err := l.Decompose(id); err != nil || got != p {
			t.Fatalf("Decompose(%v) under %s = %+v, %v, want %+v", id, l, got, err, p)
		}
		if l.TimeBits()+l.SequenceBits() > 63 {
			return
		}
		cursor, server, err := l.Cursor(id)
		if err != nil || cursor != p.Tick<<l.SequenceBits()|p.Sequence || server != p.Server {
			t.Fatalf("Cursor(%v) = %d, %d, %v, want that of %+v", id, cursor, server, err, p)
		}
		if again, err := l.At(cursor, server); err != nil || again != id {
			t.Fatalf("At(%d, %d) = %v, %v, want %v", cursor, server, again, err, id)
		}
	})
}

func TestComposeRefuses(t *testing.T) {
	l := gameLayout(t)
	for _, p := range []gameid.Parts{{Tick: 1 << 37}, {Server: 1 << 20}, {Sequence: 1 << 16}, {Tick: 1 << 63}} {
		if id, err := l.Compose(p); !errors.Is(err, gameid.ErrRange) {
			t.Errorf("Compose(%+v) = %v, %v, want ErrRange", p, id, err)
		}
	}
	if id, err := l.At(l.Cursors(), 0); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("At above the last cursor = %v, %v, want ErrRange", id, err)
	}
	if id, err := l.At(0, 1<<20); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("At of server 2^20 = %v, %v, want ErrRange", id, err)
	}
	if p, err := l.Decompose(gameid.ID{0x02}); !errors.Is(err, gameid.ErrForeign) {
		t.Errorf("Decompose of 74 bits = %+v, %v, want ErrForeign", p, err)
	}
}

// In a time-ordered layout, and only there, a later tick gives a greater ID
// whatever the server is, and Min and Max enclose the IDs of a tick.
func TestTimeOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		a, b := drawParts(t, l, "a"), drawParts(t, l, "b")
		at := l.TimeOf(a.Tick)
		if at.Year() >= 9999 {
			return // TimeOf cuts it
		}
		lowest, err := l.Min(at)
		if !l.TimeOrdered() {
			if !errors.Is(err, gameid.ErrNotTimeOrdered) {
				t.Fatalf("Min under %s: %v, want ErrNotTimeOrdered", l, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("Min(%v) under %s: %v", at, l, err)
		}
		highest, err := l.Max(at)
		if err != nil {
			t.Fatal(err)
		}
		idA, _ := l.Compose(a)
		idB, _ := l.Compose(b)
		if idA.Compare(lowest) < 0 || idA.Compare(highest) > 0 {
			t.Errorf("%v is not between Min %v and Max %v under %s", idA, lowest, highest, l)
		}
		if a.Tick < b.Tick && idA.Compare(idB) >= 0 {
			t.Errorf("%+v gives %v, not below %v of %+v, under %s", a, idA, idB, b, l)
		}
		if a.Tick < b.Tick && highest.Compare(idB) >= 0 {
			t.Errorf("Max of tick %d is %v, not below %v of %+v", a.Tick, highest, idB, b)
		}
	})
}

func TestTicksAndTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		tick := rapid.Uint64Range(0, 1<<l.TimeBits()-1).Draw(t, "tick")
		at := l.TimeOf(tick)
		if at.Year() >= 9999 {
			return
		}
		if got, err := l.TickAt(at); err != nil || got != tick {
			t.Fatalf("TickAt(TimeOf(%d) = %v) = %d, %v under %s", tick, at, got, err, l)
		}
		last := at.Add(l.Tick() - 1)
		if got, err := l.TickAt(last); err != nil || got != tick {
			t.Fatalf("TickAt(%v), the end of tick %d, = %d, %v under %s", last, tick, got, err, l)
		}
	})
	l := gameLayout(t)
	if _, err := l.TickAt(epoch().Add(-1)); !errors.Is(err, gameid.ErrBeforeEpoch) {
		t.Errorf("TickAt before the epoch: %v, want ErrBeforeEpoch", err)
	}
	if _, err := l.TickAt(l.End()); !errors.Is(err, gameid.ErrExhausted) {
		t.Errorf("TickAt(End): %v, want ErrExhausted", err)
	}
	if got, want := l.End().Format(time.DateOnly), "2094-09-07"; got != want {
		t.Errorf("End: got %s, want %s", got, want)
	}
	if used := l.Used(epoch().Add(time.Duration(0.5 * float64(l.End().Sub(epoch()))))); used < 0.499 || used > 0.501 {
		t.Errorf("Used after half of the lifetime: got %f", used)
	}
}

func TestColumns(t *testing.T) {
	game, game63 := gameLayout(t), newLayout(t, 16*time.Millisecond, 37, 18, 8)
	for _, test := range []struct {
		column       string
		game, game63 bool
	}{
		{"BIGINT", false, true},
		{"bigint(20) unsigned", false, true},
		{"int8", false, true},
		{"INT(10)", false, false},
		{"INTEGER", false, false},
		{"DOUBLE", false, false},
		{"DECIMAL(22)", true, true},
		{"decimal( 21 , 0 )", false, true},
		{"NUMERIC(19,0)", false, true},
		{"DECIMAL(22,2)", false, true},
		{"DECIMAL", false, false}, // 10 digits in MySQL
		{"NUMERIC", false, false},
		{"NUMBER", true, true}, // of Oracle alone
		{"DECIMAL(0)", false, false},
		{"CHAR", false, false},
		{"CHAR(0)", false, false},
		{"VARCHAR", true, true},
		{"BINARY", false, false},
		{"BINARY(12)", false, false},
		{"BINARY(16)", false, false},
		{"VARBINARY(16)", true, true},
		{"VARBINARY", false, false},
		{"CHAR(16)", true, true},
		{"VARCHAR(15)", false, false},
		{"BINARY(10)", true, true},
		{"BINARY(9)", false, false},
		{"TEXT", true, true},
		{"uuid", true, true},
	} {
		for _, c := range []struct {
			l    *gameid.Layout
			fits bool
		}{{game, test.game}, {game63, test.game63}} {
			err := c.l.CheckColumn(test.column)
			var refused *gameid.ColumnError
			if (err == nil) != c.fits || (err != nil && !errors.As(err, &refused)) {
				t.Errorf("CheckColumn(%s) of %d bits = %v, want fits = %v", test.column, c.l.Bits(), err, c.fits)
			}
		}
	}
	if err := game.CheckColumn("BIGINT"); err == nil || !strings.Contains(err.Error(), "37 + 20 + 16 = 73 bits > 63") {
		t.Errorf("CheckColumn(BIGINT) = %v, want the arithmetic", err)
	}
	for _, test := range []struct {
		column, form string
		fits         bool
	}{
		{"CHAR(16)", "decimal", false},
		{"CHAR(21)", "decimal", false},
		{"VARCHAR(22)", "decimal", true},
		{"CHAR(16)", "base32", true},
		{"CHAR(15)", "base32", false},
		{"CHAR(20)", "hex", true},
		{"CHAR(19)", "hex", false},
		{"CHAR(36)", "uuid", true},
		{"CHAR(35)", "uuid", false},
		{"DECIMAL(22)", "decimal", true},
		{"DECIMAL(22)", "base32", false},
		{"UUID", "uuid", true},
		{"UUID", "decimal", false},
		{"TEXT", "hex", true},
	} {
		if err := game.CheckColumnForm(test.column, test.form); (err == nil) != test.fits {
			t.Errorf("CheckColumnForm(%s, %s) = %v, want fits = %v", test.column, test.form, err, test.fits)
		}
	}
	if err := game.CheckColumnForm("TEXT", "roman"); err == nil || !strings.Contains(err.Error(), "none of the forms decimal, base32, hex, uuid") {
		t.Errorf("CheckColumnForm of no form = %v", err)
	}
	var refused *gameid.ColumnError
	if err := game.CheckColumn("GEOMETRY"); err == nil || errors.As(err, &refused) {
		t.Errorf("CheckColumn of an unknown type = %v, want another error", err)
	}
}

func TestIssuing(t *testing.T) {
	wide := newLayout(t, time.Millisecond, 50, 4, 16)
	var refused *gameid.LayoutError
	if _, err := gameid.NewGenerator(wide, 1); !errors.As(err, &refused) || !strings.Contains(err.Error(), "50 bits of time + 16 of sequence = 66 > 63") {
		t.Errorf("NewGenerator for 66 bits = %v, want a *LayoutError with the sum", err)
	}
	if _, _, err := wide.Cursor(gameid.ID{}); !errors.As(err, &refused) {
		t.Errorf("Cursor for 66 bits = %v, want a *LayoutError", err)
	}
}

// A dead clock, or an epoch in the future: nothing is issued.
func TestG20ClockBeforeTheEpoch(t *testing.T) {
	l := gameLayout(t)
	for wall, want := range map[time.Time]error{
		time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC): gameid.ErrBeforeEpoch,
		time.Unix(0, 0):      gameid.ErrBeforeEpoch,
		epoch().Add(-1):      gameid.ErrBeforeEpoch,
		epoch():              nil,
		l.End().Add(-1):      nil,
		l.End():              gameid.ErrExhausted,
		l.End().Add(1 << 62): gameid.ErrExhausted,
	} {
		g, err := gameid.NewGenerator(l, 1, gameid.WithClock(newClock(wall)))
		if !errors.Is(err, want) {
			t.Errorf("NewGenerator at %v = %v, want %v", wall, err, want)
		}
		if err == nil {
			if _, err := g.TryNext(); err != nil {
				t.Errorf("TryNext at %v: %v", wall, err)
			}
		}
	}
	synctest.Test(t, func(t *testing.T) { // its clock starts at 2000-01-01
		if _, err := gameid.NewGenerator(l, 1); !errors.Is(err, gameid.ErrBeforeEpoch) {
			t.Errorf("NewGenerator in the year 2000 = %v, want ErrBeforeEpoch", err)
		}
	})
}

func TestG22ServerOutOfRange(t *testing.T) {
	for _, server := range []uint64{1 << 20, 1<<20 + 1, 1 << 63, 1<<64 - 1} {
		if _, err := gameid.NewGenerator(gameLayout(t), server); !errors.Is(err, gameid.ErrRange) {
			t.Errorf("NewGenerator for server %d = %v, want ErrRange", server, err)
		}
	}
	for _, server := range []uint64{0, 1<<20 - 1} {
		if _, err := gameid.NewGenerator(gameLayout(t), server); err != nil {
			t.Errorf("NewGenerator for server %d: %v", server, err)
		}
	}
}
