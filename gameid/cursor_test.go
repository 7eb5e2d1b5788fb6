package gameid_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gameid/gameid/gameid"
)

// At, which generators use, and Compose, which shifts field by field, make the same
// ID in layouts of every order and width, also with a field above bit 64; and Cursor
// takes it apart again.
func TestAtIsComposeInEveryLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		timeBits := rapid.IntRange(1, 63).Draw(t, "time bits")
		seqBits := rapid.IntRange(0, 63-timeBits).Draw(t, "seq bits")
		serverBits := rapid.IntRange(0, min(63, 80-timeBits-seqBits)).Draw(t, "server bits")
		fields := []gameid.Field{{Kind: gameid.Time, Bits: timeBits}}
		if serverBits > 0 {
			fields = append(fields, gameid.Field{Kind: gameid.Server, Bits: serverBits})
		}
		if seqBits > 0 {
			fields = append(fields, gameid.Field{Kind: gameid.Sequence, Bits: seqBits})
		}
		if rest := 80 - timeBits - seqBits - serverBits; rest > 0 && rapid.Bool().Draw(t, "constant") {
			fields = append(fields, gameid.Field{Kind: gameid.Constant, Bits: rest, Value: 1})
		}
		l, err := gameid.NewLayout(gameid.Spec{Fields: rapid.Permutation(fields).Draw(t, "fields"), Tick: time.Millisecond, Epoch: epoch()})
		if err != nil {
			t.Fatal(err)
		}
		p := gameid.Parts{
			Tick:     rapid.Uint64Max(1<<timeBits-1).Draw(t, "tick"),
			Server:   rapid.Uint64Max(1<<serverBits-1).Draw(t, "server"),
			Sequence: rapid.Uint64Max(1<<seqBits-1).Draw(t, "sequence"),
		}
		want, err := l.Compose(p)
		if err != nil {
			t.Fatal(err)
		}
		cursor := p.Tick<<seqBits | p.Sequence
		if got, err := l.At(cursor, p.Server); got != want || err != nil {
			t.Fatalf("layout %s: At(%d, %d) = %x, %v, want %x", l, cursor, p.Server, got, err, want)
		}
		gotCursor, gotServer, err := l.Cursor(want)
		if diff := cmp.Diff([]uint64{cursor, p.Server}, []uint64{gotCursor, gotServer}); diff != "" || err != nil {
			t.Fatalf("layout %s: Cursor(%x), error %v (-want +got):\n%s", l, want, err, diff)
		}
	})
}

// A burst counts every ID whose time is later than the clock's tick, and no other.
func TestG17BorrowedCountsEveryID(t *testing.T) {
	l := newLayout(t, 16*time.Millisecond, 37, 20, 2) // 4 IDs in a tick
	g := newGenerator(t, l, 1, gameid.WithClock(newClock(start())), gameid.WithRunAhead(2*l.Tick()))
	for n := uint64(1); n <= 12; n++ {
		if _, err := g.TryNext(); err != nil {
			t.Fatalf("ID %d: %v", n, err)
		}
		if got, want := g.Stats().Borrowed, max(n, 4)-4; got != want {
			t.Errorf("Borrowed after %d IDs = %d, want %d", n, got, want)
		}
	}
}
