package assign_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

var key = merge.Col{Table: "players", Name: "id"}

func sets(lists ...[]int64) []*merge.KeySet {
	out := make([]*merge.KeySet, len(lists))
	for i, l := range lists {
		out[i] = merge.NewKeySet(l...)
	}
	return out
}

func servers(n int) []*int64 {
	out := make([]*int64, n)
	for i := range out {
		s := int64(100 + i)
		out[i] = &s
	}
	return out
}

// TestNobodyMeetsAnybody draws worlds and checks what every rule promises: an old key has one image, two shards never share one, new keys and
// tombstones avoid every value that anybody holds, and keys change only when they must.
func TestNobodyMeetsAnybody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shards := rapid.IntRange(1, 4).Draw(t, "shards")
		edge := rapid.SampledFrom([]int64{0, -40, 1 << 40, math.MaxInt64 - 2000}).Draw(t, "edge")
		value := rapid.Map(rapid.Int64Range(0, 60), func(v int64) int64 { return v + edge })
		alive, dead := make([]*merge.KeySet, shards), make([]*merge.KeySet, shards)
		taken := merge.NewKeySet()
		for i := range shards {
			alive[i] = merge.NewKeySet(rapid.SliceOf(value).Draw(t, "alive")...)
			dead[i] = merge.NewKeySet(rapid.SliceOfN(value, 0, 6).Draw(t, "dead")...).Without(alive[i])
			taken.Union(alive[i], dead[i])
		}
		req := assign.Request{
			Key: key, Rule: rapid.SampledFrom([]merge.Rule{merge.Shift, merge.Dense, merge.GameID}).Draw(t, "rule"),
			All: rapid.Bool().Draw(t, "all"), Alive: alive, Dead: dead, Low: -100, High: math.MaxInt64 - 1,
			Reissues: rapid.Bool().Draw(t, "reissues"), Servers: servers(shards), Span: assign.NewSpan(1 << 40),
		}
		res, err := assign.Keys(req)
		if err != nil {
			t.Fatalf("Keys: %v", err)
		}
		owner := map[int64]int{} // every live or dead value of the output and the shard it belongs to
		claim := func(v int64, shard int) {
			if s, ok := owner[v]; ok && s != shard {
				t.Fatalf("shards %d and %d both hold %d", s, shard, v)
			}
			owner[v] = shard
		}
		for i := range shards {
			images := map[int64]bool{}
			for k := range alive[i].All() {
				v, changed := res.Maps[i].Lookup(k)
				if changed && taken.Has(v) {
					t.Fatalf("shard %d: %d became %d, which somebody holds", i, k, v)
				}
				if changed != res.Moving[i].Has(k) {
					t.Fatalf("shard %d: key %d changed: %v, moving: %v", i, k, changed, res.Moving[i].Has(k))
				}
				if !req.All && changed && i == 0 {
					t.Fatalf("the first shard's key %d changed", k)
				}
				if images[v] {
					t.Fatalf("shard %d: two keys became %d", i, v)
				}
				images[v] = true
				claim(v, i)
			}
			for k := range dead[i].All() {
				v, changed := res.Maps[i].Lookup(k)
				if changed && taken.Has(v) || images[v] {
					t.Fatalf("shard %d: dead %d became %d, which somebody holds", i, k, v)
				}
				if !changed {
					for j := range shards {
						if j != i && (alive[j].Has(k) || dead[j].Has(k)) {
							t.Fatalf("shard %d: dead %d stays although shard %d holds it", i, k, j)
						}
					}
				}
				images[v] = true
				claim(v, i)
			}
		}
	})
}

func TestShiftIsOneConstant(t *testing.T) {
	res, err := assign.Keys(assign.Request{
		Key: key, Rule: merge.Shift, Alive: sets([]int64{1, 2, 5, 90}, []int64{1, 5, 7, 90}), Dead: sets(nil, nil), Low: 1, High: math.MaxInt32,
	})
	if err != nil {
		t.Fatal(err)
	}
	for old, want := range map[int64]int64{1: 91, 5: 95, 7: 7, 90: 180} {
		if got, _ := res.Maps[1].Lookup(old); got != want {
			t.Errorf("image of %d: got %d, want %d", old, got, want)
		}
	}
}

func TestNoRoom(t *testing.T) {
	req := assign.Request{Key: key, Rule: merge.Shift, Alive: sets([]int64{1, 60000}, []int64{1, 60000}), Dead: sets(nil, nil), Low: 1, High: 65535}
	var full *assign.NoRoomError
	if _, err := assign.Keys(req); !errors.As(err, &full) || full.High != 65535 {
		t.Fatalf("shift: got %v, want a NoRoomError at 65535", err)
	}
	req.Rule = merge.Dense
	res, err := assign.Keys(req)
	if err != nil {
		t.Fatalf("dense: %v", err)
	}
	if got, _ := res.Maps[1].Lookup(60000); got != 60002 {
		t.Errorf("dense image of 60000: got %d, want 60002", got)
	}
	req.Alive, req.High = sets([]int64{1, 2, 3}, []int64{1, 2, 3}), 4
	if _, err := assign.Keys(req); !errors.As(err, &full) || full.Need != 6 {
		t.Errorf("dense: got %v, want a NoRoomError that needs values up to 6", err)
	}
}

func TestNoRoomAtTheLastNumber(t *testing.T) {
	ends := []int64{math.MinInt64, math.MaxInt64 - 1}
	_, err := assign.Keys(assign.Request{Key: key, Rule: merge.Shift, Alive: sets(ends, ends), Dead: sets(nil, nil), Low: 1, High: math.MaxInt64 - 1})
	if want := `players.id: no number up to 9223372036854775806 is left for new keys under "shift"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestTombstonesLieBelowReissuedNumbers(t *testing.T) {
	res, err := assign.Keys(assign.Request{
		Key: key, Rule: merge.Shift, Alive: sets([]int64{1, 2, 10}, []int64{3, 9}), Dead: sets([]int64{9}, nil), Low: 1, High: math.MaxInt64 - 1, Reissues: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, changed := res.Maps[0].Lookup(9)
	if !changed || got >= 10 {
		t.Errorf("tombstone of 9: got %d (changed %v), want a free value below 10, the next row's number being 11", got, changed)
	}
}

func TestTombstonesOfAStaticKey(t *testing.T) {
	req := assign.Request{
		Key: key, Rule: merge.Static, Alive: sets([]int64{1, 3}, []int64{1}), Dead: sets([]int64{9, 10}, []int64{3, 9, 10}), Low: 1, High: math.MaxInt64 - 1,
		Avoid: merge.NewKeySet(4), Buried: []*merge.KeySet{merge.NewKeySet(9), nil},
	}
	res, err := assign.Keys(req)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		shard     int
		old, want int64
		why       string
	}{
		{0, 9, 5, "an earlier merge's tombstone is another thing than the 9 of the second shard; 4 means nobody"},
		{0, 10, 10, "what is dead in both is the same thing"},
		{1, 3, 6, "the first shard has a row of this key"},
		{1, 9, 9, "the other one moves"},
		{1, 10, 10, "what is dead in both is the same thing"},
	} {
		if got, _ := res.Maps[tt.shard].Lookup(tt.old); got != tt.want {
			t.Errorf("shard %d: dead %d: got %d, want %d: %s", tt.shard+1, tt.old, got, tt.want, tt.why)
		}
	}
}

func TestNoDeadValueIsTheNextRowsNumber(t *testing.T) {
	req := assign.Request{
		Key: key, Rule: merge.Static, Alive: sets([]int64{1, 5}, []int64{1}), Dead: sets(nil, []int64{3, 6, 8, 20}), Low: 1, High: math.MaxInt32, Reissues: true, Issued: 8,
	}
	look := func(want map[int64]func(int64) bool) {
		t.Helper()
		res, err := assign.Keys(req)
		if err != nil {
			t.Fatal(err)
		}
		for old, good := range want {
			if got, _ := res.Maps[1].Lookup(old); !good(got) {
				t.Errorf("%s: dead %d became %d", req.Rule, old, got)
			}
		}
	}
	is := func(want int64) func(int64) bool { return func(got int64) bool { return got == want } }
	free := func(got int64) bool { return got == 2 || got == 4 }
	look(map[int64]func(int64) bool{3: is(3), 6: free, 8: free, 20: is(20)}) // 6 to 8 are rows that are left out; 20 was nobody's number
	req.Issued = math.MaxInt64
	look(map[int64]func(int64) bool{3: is(3), 20: func(got int64) bool { return got > math.MaxInt32-10 }})
	req.Reissues = false
	look(map[int64]func(int64) bool{3: is(3), 6: is(6), 8: is(8), 20: is(20)})
	// Keys that get lower numbers, for there is no room above.
	req = assign.Request{
		Key: key, Rule: merge.Dense, All: true, Alive: sets([]int64{1, 2, 3}, []int64{90}), Dead: sets(nil, []int64{80, 91}), Low: 1, High: 92, Reissues: true, Issued: 90,
	}
	look(map[int64]func(int64) bool{80: is(4), 90: is(8), 91: is(91)})
}

func TestIDsNeedAServerAndStayInThePast(t *testing.T) {
	req := assign.Request{
		Key: key, Rule: merge.GameID, Alive: sets([]int64{1, 2}, []int64{1, 2, 3}), Dead: sets(nil, nil), High: math.MaxInt64 - 1,
		Servers: []*int64{nil, nil}, Span: assign.NewSpan(1 << 40),
	}
	var server *assign.ServerError
	if _, err := assign.Keys(req); !errors.As(err, &server) || server.Shard != 1 {
		t.Fatalf("got %v, want a ServerError for the second shard", err)
	}
	req.Servers = servers(2)
	req.Span = assign.NewSpan(1)
	var span *assign.SpanError
	if _, err := assign.Keys(req); !errors.As(err, &span) {
		t.Fatalf("got %v, want a SpanError", err)
	}
	req.Span = assign.NewSpan(1 << 40)
	first, err := assign.Keys(req)
	if err != nil {
		t.Fatal(err)
	}
	second, err := assign.Keys(req)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := first.Maps[1].Lookup(2)
	b, _ := second.Maps[1].Lookup(1)
	if merge.IDServer(a) != 101 || b <= a {
		t.Errorf("two key spaces of one server: got %d then %d, want IDs of server 101 that rise", a, b)
	}
}

// TestShiftKeepsRemainders checks that keys and dead values differ from what they become by a multiple of the step, also a dead value far above every key.
func TestShiftKeepsRemainders(t *testing.T) {
	alive := sets([]int64{13, 23, 53}, []int64{13, 33, 53})
	dead := sets([]int64{33, 9_999_999}, []int64{23, 9_999_999})
	res, err := assign.Keys(assign.Request{Key: key, Rule: merge.Shift, Alive: alive, Dead: dead, Low: 1, High: math.MaxInt64 - 1, Step: 10})
	if err != nil {
		t.Fatal(err)
	}
	if res.Tombstones != 4 {
		t.Errorf("tombstones: got %d, want 4", res.Tombstones)
	}
	for i := range alive {
		for _, values := range []*merge.KeySet{alive[i], dead[i]} {
			for v := range values.All() {
				if got, _ := res.Maps[i].Lookup(v); (got-v)%10 != 0 {
					t.Errorf("shard %d: %d became %d, which leaves another remainder", i, v, got)
				}
			}
		}
	}
}
