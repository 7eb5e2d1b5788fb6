package discover_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

func find(r *discover.Result, column string) *merge.Proposal {
	for i := range r.Proposals {
		if r.Proposals[i].From[0].String() == column {
			return &r.Proposals[i]
		}
	}
	return nil
}

func pair(t *testing.T, w world, seed uint64) []merge.Shard {
	return []merge.Shard{w.build(t, seed, 1), w.build(t, seed, 2)}
}

func pick(name string) world {
	for _, w := range worlds() {
		if w.name == name {
			return w
		}
	}
	panic(name)
}

// One answer lifts the columns whose names tell only a role.
func TestAnswerLiftsRoles(t *testing.T) {
	few := pick("hub without its name")
	few.tables = slices.Clone(few.tables)
	for i := range few.tables[1:] {
		few.tables[i+1].rows = 82 // too few for the values alone to tell
	}
	shards := pair(t, few, 1)
	before := run(t, shards, discover.Options{})
	if len(before.Questions) == 0 || before.Questions[0].Role != "character" {
		t.Fatalf("questions: got %+v, want first the one for the character", before.Questions)
	}
	q := before.Questions[0]
	if got, want := q.Key.String(), "people.id"; got != want && !slices.Contains(q.Others, merge.Col{Table: "people", Name: "id"}) {
		t.Errorf("question: got %s first and others %v, want %s among them", got, q.Others, want)
	}
	after := run(t, shards, discover.Options{Hubs: map[string]merge.Col{"character": {Table: "people", Name: "id"}}})
	certain := 0
	for _, c := range []string{"things.owner", "trades.buyer", "trades.seller", "letters.sender", "letters.recipient", "kills.killer", "kills.victim"} {
		p := find(after, c)
		if p == nil || p.To[0].String() != "people.id" || p.Grade == merge.Doubtful {
			t.Errorf("%s: got %+v, want people.id at least likely", c, p)
			continue
		}
		if p.Grade == merge.Certain {
			certain++
		}
	}
	if certain < 6 {
		t.Errorf("after the answer %d of 7 roles are certain, want at least 6", certain)
	}
	for _, q := range after.Questions {
		if q.Role == "character" {
			t.Errorf("the answered question is asked again: %s", q.Text)
		}
	}
}

// A question names no column that its answer leaves open.
func TestAnswersSettleWhatTheyPromise(t *testing.T) {
	asked := 0
	for _, name := range []string{"guid everywhere", "hub without its name", "mud", "tiny"} {
		for _, rows := range []int{25, 82, 300} {
			w := pick(name)
			w.tables = slices.Clone(w.tables)
			for i := range w.tables {
				w.tables[i].rows = min(w.tables[i].rows, rows)
			}
			shards := pair(t, w, 1)
			for _, q := range run(t, shards, discover.Options{}).Questions {
				asked++
				after := run(t, shards, discover.Options{Hubs: map[string]merge.Col{q.Role: q.Key}})
				for _, c := range q.Columns {
					if p := find(after, c.String()); p == nil || p.Grade != merge.Certain || p.To[0] != q.Key {
						t.Errorf("%s, %d rows: %q, and with that answer %s is %+v", name, rows, q.Text, c, p)
					}
				}
			}
		}
	}
	if asked == 0 {
		t.Error("nothing was asked")
	}
}

// What the plan decided is not proposed again, and counts as declared; but what is certain and kept by a pattern alone is.
func TestKnownReferences(t *testing.T) {
	shards := pair(t, pick("mud"), 1)
	r := run(t, shards, discover.Options{Known: []merge.Reference{
		{From: []merge.Col{{Table: "objects", Name: "vnum"}}, As: merge.Keep},
		{From: []merge.Col{{Table: "player_*", Name: "*"}}, Pattern: merge.Pattern{Table: true, Name: true}, As: merge.Keep},
		{From: []merge.Col{{Table: "clan_members", Name: "char_id"}}, To: []merge.Col{{Table: "players", Name: "id"}}},
	}})
	for _, p := range r.Proposals {
		if c := p.From[0].String(); c == "objects.vnum" || strings.HasPrefix(c, "player_") && p.Grade != merge.Certain || c == "clan_members.char_id" {
			t.Errorf("%s is decided and proposed all the same", c)
		}
	}
	if p := find(r, "player_skills.player_id"); p == nil || p.Grade != merge.Certain {
		t.Errorf("player_skills.player_id: got %+v, want certain, which no pattern keeps", p)
	}
	if p := find(r, "objects.char_id"); p == nil || p.Grade != merge.Certain {
		t.Errorf("objects.char_id: got %+v, want certain, by the name of a decided reference", p)
	}
}

func TestSameResultTwice(t *testing.T) {
	for _, w := range worlds() {
		shards := pair(t, w, 3)
		one, two := run(t, shards, discover.Options{}), run(t, shards, discover.Options{})
		for _, r := range []*discover.Result{one, two} {
			r.Keys = nil
		}
		if d := cmp.Diff(one, two); d != "" {
			t.Errorf("%s: two searches differ: %s", w.name, d)
		}
	}
}

// The verdict does not depend on which server comes first.
func TestOrderOfServers(t *testing.T) {
	shards := pair(t, pick("mud"), 2)
	one, two := run(t, shards, discover.Options{}), run(t, []merge.Shard{shards[1], shards[0]}, discover.Options{})
	for _, p := range one.Proposals {
		if q := find(two, p.From[0].String()); q == nil || q.Grade != p.Grade || q.To[0] != p.To[0] {
			t.Errorf("%s is %s one way round, got %+v the other", p.String(), p.Grade, q)
		}
	}
}

// A table that one server lacks counts as empty there, and one server alone can be searched.
func TestMissingTableAndOneServer(t *testing.T) {
	full, part := pick("mud"), pick("mud")
	part.tables = slices.DeleteFunc(slices.Clone(part.tables), func(tb tbl) bool { return tb.name == "clans" || tb.name == "objects" })
	for i, tb := range part.tables {
		if tb.name == "clan_members" {
			part.tables[i].cols = []col{pk("id"), ref("char_id", "players.id")}
		}
	}
	shards := []merge.Shard{full.build(t, 1, 1), part.build(t, 1, 2)}
	report(t, "mud, tables missing", run(t, shards, discover.Options{}), full.truth())
	report(t, "mud, one server", run(t, shards[:1], discover.Options{}), full.truth())
}

func TestCounters(t *testing.T) {
	shards := fixtureShards(t, 1, 3_000)
	r := run(t, shards, discover.Options{})
	got := map[string]string{}
	for _, c := range r.Counters {
		got[c.Column.String()+" "+c.Where] = c.Key.String()
	}
	want := map[string]string{"counters.next_id name = 'auction'": "auctions.id", "counters.next_id name = 'item'": "items.id"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("counters (-want +got): %s", d)
	}
	if want := []discover.Opaque{{Col: merge.Col{Table: "characters", Name: "appearance"}, What: "bytes"}}; !slices.Equal(r.Opaque, want) {
		t.Errorf("opaque columns: got %v, want %v", r.Opaque, want)
	}
}

// Rows of nothing but a player's number and defaults are equal everywhere and belong to different players.
func TestEqualRowsOfDifferentPlayers(t *testing.T) {
	r := run(t, pair(t, pick("rows of defaults"), 1), discover.Options{})
	for _, st := range r.Static {
		want := merge.Certain
		switch st.Table {
		case "castles":
			want = merge.Likely // twelve rows
		case "player_settings":
			want = merge.Doubtful
		}
		if st.Grade != want {
			t.Errorf("%s: got %s, want %s: %s", st.Table, st.Grade, want, st.Evidence)
		}
	}
	if !slices.ContainsFunc(r.Static, func(st discover.StaticTable) bool { return st.Table == "player_settings" }) {
		t.Errorf("nobody asks whether player_settings is static: %+v", r.Static)
	}
}

// A copy of a server is no proof that its players are the same things everywhere.
func TestCopiedServer(t *testing.T) {
	w := pick("mud")
	shards := []merge.Shard{w.build(t, 1, 1), w.build(t, 1, 1)}
	r := run(t, shards, discover.Options{})
	report(t, "mud, copied", r, w.truth())
	for _, st := range r.Static {
		if st.Grade != merge.Doubtful {
			t.Errorf("%s is %s static, want doubtful: %s", st.Table, st.Grade, st.Evidence)
		}
	}
}

// Servers that number their rows in ranges of their own share no key; their holes still speak.
func TestRangesOfTheirOwn(t *testing.T) {
	w := pick("mud")
	far := w
	far.start = 2_000_000
	report(t, "mud, ranges apart", run(t, []merge.Shard{w.build(t, 1, 1), far.build(t, 1, 2)}, discover.Options{}), w.truth())
}

// A log that outlived many of its players is asked about.
func TestManyOrphans(t *testing.T) {
	w := pick("mud")
	w.tables = append(slices.Clone(w.tables), tbl{"logs", 2000, false, []col{auto("id"), num("player_id", 1, 1000)}})
	r := run(t, pair(t, w, 1), discover.Options{})
	if p := find(r, "logs.player_id"); p == nil || p.Grade != merge.Doubtful {
		t.Errorf("logs.player_id: got %+v, want doubtful", p)
	}
}

// The kind of a thing and the thing are called by one word, and both keys would do.
func TestKindOrThing(t *testing.T) {
	w := world{holes: 0, tables: []tbl{
		{"items", 300, true, []col{pk("id"), word("name"), num("price", 1, 900)}},
		{"item_instances", 240, false, []col{auto("id"), ref("player_id", "players.id")}},
		{"players", 300, false, []col{auto("id"), word("name")}},
		{"mail", 500, false, []col{auto("id"), ref("item_id", "item_instances.id"), ref("player_id", "players.id")}},
	}}
	r := run(t, pair(t, w, 1), discover.Options{})
	if p := find(r, "mail.item_id"); p == nil || p.Grade == merge.Certain || p.To[0].Table != "item_instances" && !slices.Contains(p.Others, merge.Col{Table: "item_instances", Name: "id"}) {
		t.Errorf("mail.item_id: got %+v, want a question that names item_instances.id", p)
	}
}

func TestEvidence(t *testing.T) {
	r := run(t, pair(t, pick("camel case"), 1), discover.Options{})
	p := find(r, "PlayerStats.PlayerId")
	if p == nil {
		t.Fatal("PlayerStats.PlayerId is not proposed")
	}
	for _, want := range []string{"100 % of ", " values in s1 and of ", " in s2 are Players.PlayerId", "name matches", "part of the key", "only its own server has"} {
		if !strings.Contains(p.Evidence, want) {
			t.Errorf("evidence: got %q, want %q in it", p.Evidence, want)
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := discover.Run(context.Background(), &merge.Schema{}, nil, discover.Options{}); err == nil {
		t.Error("no shard: got no error")
	}
	shards := pair(t, pick("tiny"), 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := discover.Run(ctx, shards[0].Schema(), shards, discover.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v, want context.Canceled", err)
	}
	broken := errors.New("disk")
	_, err := discover.Run(context.Background(), shards[0].Schema(), shards, discover.Options{
		Same: func(context.Context, int, int, string) (int64, int64, error) { return 0, 0, broken },
	})
	if !errors.Is(err, broken) {
		t.Errorf("failed comparison: got %v, want %v", err, broken)
	}
}

// A value of bytes in a column of text is a value like others, also where rows are told apart by it.
func TestBytesAmongTexts(t *testing.T) {
	const ddl = `CREATE TABLE cells (id INTEGER PRIMARY KEY, note TEXT); CREATE TABLE settings (name TEXT PRIMARY KEY, value INT)`
	run(t, realms(t, 2, ddl, func(server int, _ *rand.Rand, exec func(string, ...any)) {
		exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) INSERT INTO cells SELECT i, 'note ' || i || ' of ' || ? FROM n", server)
		exec("UPDATE cells SET note = x'0102' WHERE id = 7")
		exec("INSERT INTO settings VALUES (x'00', 1), ('cells_next', 21), ('rate', 3)")
	}), discover.Options{})
}
