package gameid_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"pgregory.net/rapid"
)

// drawSmall draws a layout of at most ten bits, whose numbers can all be looked at.
func drawSmall(t *rapid.T, label string) *gameid.Layout {
	fields := []gameid.Field{{Kind: gameid.Time, Bits: rapid.IntRange(1, 4).Draw(t, label+" time")}}
	left := 10 - fields[0].Bits
	if rapid.Bool().Draw(t, label+" has sequence") {
		f := gameid.Field{Kind: gameid.Sequence, Bits: rapid.IntRange(1, 3).Draw(t, label+" seq")}
		fields, left = append(fields, f), left-f.Bits
	}
	for left > 0 && rapid.Bool().Draw(t, label+" more") {
		f := gameid.Field{Kind: gameid.Server, Bits: rapid.IntRange(1, min(left, 3)).Draw(t, label+" bits")}
		if rapid.Bool().Draw(t, label+" const") {
			f.Kind, f.Value = gameid.Constant, rapid.Uint64Range(0, 1<<f.Bits-1).Draw(t, label+" value")
		}
		fields, left = append(fields, f), left-f.Bits
	}
	l, err := gameid.NewLayout(gameid.Spec{
		Fields: rapid.Permutation(fields).Draw(t, label+" fields"),
		Tick:   time.Duration(rapid.IntRange(1, 3).Draw(t, label+" tick")) * time.Second,
		Epoch:  time.Unix(rapid.Int64Range(-10, 10).Draw(t, label+" epoch"), 0),
	})
	if err != nil {
		t.Fatalf("NewLayout: %v", err)
	}
	return l
}

// lookedAt is the answer of looking at every number that has ten bits.
func lookedAt(old, next *gameid.Layout, s gameid.Switch) gameid.Repeat {
	var r gameid.Repeat
	for v := range uint64(1 << 10) {
		id := gameid.FromUint64(v)
		a, errA := old.Decompose(id)
		b, errB := next.Decompose(id)
		if errA != nil || errB != nil ||
			s.Servers != gameid.AnyServers && a.Server != b.Server ||
			s.Servers == gameid.OneServer && a.Server != s.Server {
			continue
		}
		r.Shared = true
		oldFrom, oldTo, from, to := old.TimeOf(a.Tick), old.TimeOf(a.Tick+1), next.TimeOf(b.Tick), next.TimeOf(b.Tick+1)
		if !to.After(s.From) {
			continue
		}
		if !oldFrom.Before(s.Until) {
			if r.StopBy.IsZero() || oldFrom.Before(r.StopBy) {
				r.StopBy = oldFrom
			}
			continue
		}
		if !oldTo.After(s.Since) {
			continue
		}
		if oldFrom.Equal(from) && old.Tick() == next.Tick() && old.Tick() <= time.Second && !s.From.Before(s.Until) {
			continue // the tick of a restart
		}
		if !r.Possible || from.Before(r.From) {
			r.From, r.ID = from, id
		}
		if !r.Possible || to.After(r.To) {
			r.To = to
		}
		if !r.Possible || oldFrom.Before(r.OldFrom) {
			r.OldFrom = oldFrom
		}
		if !r.Possible || oldTo.After(r.OldTo) {
			r.OldTo = oldTo
		}
		r.Possible = true
	}
	r.Always = r.Possible && r.To.Equal(next.End())
	return r
}

func TestCompareAgainstEveryNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, next := drawSmall(t, "old"), drawSmall(t, "next")
		at := func(label string) time.Time { return time.Unix(0, rapid.Int64Range(-20e9, 60e9).Draw(t, label)).UTC() }
		s := gameid.Switch{Until: at("until"), From: at("from")}
		if rapid.Bool().Draw(t, "since its epoch") {
			s.Since = at("since")
		}
		s.Servers = rapid.SampledFrom([]gameid.Servers{gameid.AnyServers, gameid.SameServer, gameid.OneServer}).Draw(t, "servers")
		if s.Servers == gameid.OneServer {
			s.Server = rapid.Uint64Range(0, min(old.MaxServer(), next.MaxServer())).Draw(t, "server")
		}
		got, err := gameid.Compare(old, next, s)
		if want := lookedAt(old, next, s); err != nil || got != want {
			t.Fatalf("Compare(%s, %s, %+v)\n got %+v, %v\nwant %+v", old, next, s, got, err, want)
		}
	})
}

// The change of ShardingSphere's epoch from UTC+8 to UTC: whatever the moment, every
// number comes back eight hours after it was issued.
func TestCompareShiftedEpoch(t *testing.T) {
	layout := func(epoch time.Time) *gameid.Layout {
		l, err := gameid.NewLayout(gameid.Spec{
			Fields: []gameid.Field{{Kind: gameid.Time, Bits: 41}, {Kind: gameid.Server, Bits: 10}, {Kind: gameid.Sequence, Bits: 12}},
			Tick:   time.Millisecond, Epoch: epoch,
		})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	utc := layout(time.Date(2016, 11, 1, 0, 0, 0, 0, time.UTC))
	utc8 := layout(time.Date(2016, 10, 31, 16, 0, 0, 0, time.UTC))
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	hours := func(n int) time.Time { return now.Add(time.Duration(n) * time.Hour) }
	for _, servers := range []gameid.Servers{gameid.AnyServers, gameid.SameServer} {
		r, err := gameid.Compare(utc8, utc, gameid.Switch{Until: now, From: now, Servers: servers})
		if err != nil || !r.Possible || !r.From.Equal(now) || !r.To.Equal(hours(8)) || !r.OldFrom.Equal(hours(-8)) || !r.OldTo.Equal(now) || r.Always {
			t.Errorf("UTC+8 to UTC: got %+v, %v, want repeats for 8 hours of what the 8 hours before issued", r, err)
		}
		r, err = gameid.Compare(utc8, utc, gameid.Switch{Until: now, From: hours(8), Servers: servers})
		if err != nil || r.Possible || !r.Shared {
			t.Errorf("after a pause of 8 hours: got %+v, %v, want no repeats", r, err)
		}
		r, err = gameid.Compare(utc, utc8, gameid.Switch{Until: now, From: now, Servers: servers})
		if err != nil || r.Possible || !r.StopBy.Equal(hours(8)) {
			t.Errorf("UTC to UTC+8: got %+v, %v, want no repeats from generators that stop within 8 hours", r, err)
		}
	}
}

func TestCompareServers(t *testing.T) {
	game, game63 := gameLayout(t), newLayout(t, 16*time.Millisecond, 37, 18, 8)
	now := epoch().AddDate(2, 0, 0)
	// 37 + 18 + 8 bits of game63 seen as game: the time is read 1,024 times too
	// early, so game63 after game repeats what game issued in its first days.
	s := gameid.Switch{Until: now, From: now}
	r, err := gameid.Compare(game, game63, s)
	if err != nil || !r.Possible {
		t.Fatalf("game to game63: got %+v, %v, want repeats", r, err)
	}
	a, errA := game.Decompose(r.ID)
	b, errB := game63.Decompose(r.ID)
	if errA != nil || errB != nil || !game63.TimeOf(b.Tick).Equal(r.From) || game.TimeOf(a.Tick).After(now) {
		t.Errorf("%v is %+v, %v and %+v, %v, want an ID of both, of %v in game63", r.ID, a, errA, b, errB, r.From)
	}
	s.Servers = gameid.SameServer
	same, err := gameid.Compare(game, game63, s)
	if err != nil || same.From.Before(r.From) || same.To.After(r.To) {
		t.Errorf("game to game63, same server: got %+v, %v, want no more than %+v", same, err, r)
	}
	s.Servers, s.Server = gameid.OneServer, 1<<18
	if _, err := gameid.Compare(game, game63, s); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("server 2^18: got %v, want ErrRange", err)
	}
}
