package mapping_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/mapping"
)

// shard is a merged database that holds a record and some keys.
type shard struct {
	merge.Shard
	mem  *merge.Memory
	keys []string
}

func (s shard) Memory(context.Context) (*merge.Memory, error) { return s.mem, nil }

func (s shard) Schema() *merge.Schema {
	return &merge.Schema{Fold: true, Tables: []*merge.Table{
		{Name: "players", Columns: []*merge.Column{{Name: "id"}, {Name: "name"}}}, {Name: "odd t", Columns: []*merge.Column{{Name: "a=b"}}},
	}}
}

func (s shard) Count(_ context.Context, table, condition string, _ ...any) (int64, error) {
	if slices.Contains(s.keys, table+": "+condition) {
		return 1, nil
	}
	return 0, nil
}

type plain struct{}

func (plain) Quote(name string) string { return name }
func (plain) Literal(v any) string     { return fmt.Sprint(v) }

func run(old, count, to int64, rule merge.Rule) merge.Run {
	return merge.Run{Old: old, Count: count, New: to, Rule: rule}
}

// The record of merging m, itself a merge of a and b, with c.
func open(t *testing.T) *mapping.Map {
	t.Helper()
	id := merge.Col{Table: "players", Name: "id"}
	odd := merge.Col{Table: "odd t", Name: "a=b"}
	name := merge.Col{Table: "players", Name: "name"}
	s := shard{
		mem: &merge.Memory{
			Shards: []merge.Source{{Name: "m"}, {Name: "c"}},
			Spaces: []merge.MemorySpace{
				{Key: id, Shard: "m", Runs: []merge.Run{run(7, 1, 700, merge.Shift)}},
				{Key: id, Shard: "c", Runs: []merge.Run{run(1, 3, 201, merge.Shift)}, Tombstones: []merge.Run{run(50, 1, 300, merge.Tombstone)}},
				{Key: odd, Shard: "m", Runs: []merge.Run{run(105, 1, 1000, merge.Dense)}},
				{Key: odd, Shard: "c"},
				{Via: "m/", Key: id, Shard: "a"},
				{Via: "m/", Key: id, Shard: "b", Runs: []merge.Run{run(1, 5, 101, merge.Shift)}},
				{Via: "m/", Key: odd, Shard: "b", Runs: []merge.Run{run(5, 1, 105, merge.Shift)}},
			},
			Renames: []merge.MemoryRename{
				{Unique: []merge.Col{name}, Column: name, Shard: "c", Row: []any{int64(202)}, Old: "Bob", New: "S3.Bob"},
				{Via: "m/", Unique: []merge.Col{name}, Column: name, Shard: "b", Row: []any{int64(101)}, Old: "Ann", New: "b:Ann=1"},
			},
		},
		keys: []string{"players: id = 1", "players: id = 9", "players: id = 101", "players: id = 202", "players: id = 700"},
	}
	m, err := mapping.Open(context.Background(), plain{}, s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func line(a mapping.Answer) string {
	from := a.Shard
	if from == "" {
		from = strings.Join(a.Of, "|")
	}
	return fmt.Sprintf("%s %s:%s->%s %s", a.Key, from, a.Old, a.New, a.Rule)
}

func TestLookupBothWays(t *testing.T) {
	m := open(t)
	for _, tt := range []struct {
		key  string
		want []string
	}{
		{"2", []string{"players.id c:2->202 shift", "players.id m/b:2->102 shift"}},
		{"202", []string{"players.id c:2->202 shift"}},
		{"c:2", []string{"players.id c:2->202 shift"}},
		{"m/b:players.id=2", []string{"players.id m/b:2->102 shift"}},
		{"101", []string{"players.id m|c:101->101 unchanged", "players.id m/b:1->101 shift"}}, // m's row may be gone, and c's have kept the key
		{"m:101", []string{"players.id m|c:101->101 unchanged"}},
		{"b:1", []string{"players.id m/b:1->101 shift"}},
		{"b:players.id=2", []string{"players.id m/b:2->102 shift"}},
		{"m/a:101", nil},
		{`m/b:"odd t"."a=b"=105`, nil},
		{"c:101", []string{"players.id m|c:101->101 unchanged"}},
		{"50", []string{"players.id c:50->300 tombstone"}},
		{"300", []string{"players.id c:50->300 tombstone"}},
		{`"odd t"."a=b"=5`, []string{`"odd t"."a=b" m/b:5->1000 dense`}},
		{`"odd t"."a=b"=1000`, []string{`"odd t"."a=b" m:105->1000 dense`, `"odd t"."a=b" m/b:5->1000 dense`}},
		{"Players.ID=9", []string{"players.id m|m/a|m/b|c:9->9 unchanged"}},
		{"m:9", []string{"players.id m|m/a|m/b|c:9->9 unchanged"}},
		{"m/b:9", []string{"players.id m|m/a|m/b|c:9->9 unchanged"}},
		{"m/b:7", []string{"players.id m/a|m/b:7->700 shift"}},
		{"7", []string{"players.id m:7->700 shift", "players.id m/a|m/b:7->700 shift"}},
		{"m:7", []string{"players.id m:7->700 shift"}},
		{"8", nil},
		{"bob", []string{"players.name c:Bob->S3.Bob rename"}},
		{"s3.bob", []string{"players.name c:Bob->S3.Bob rename"}},
		{"b:Ann=1", []string{"players.name m/b:Ann->b:Ann=1 rename"}},
		{"players.name=Ann", []string{"players.name m/b:Ann->b:Ann=1 rename"}},
	} {
		list, err := m.Lookup(context.Background(), tt.key)
		if err != nil {
			t.Errorf("%s: %v", tt.key, err)
		}
		var got []string
		for _, a := range list {
			got = append(got, line(a))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.key, got, tt.want)
		}
	}
}

func TestLookupRefusesUnknownWords(t *testing.T) {
	m := open(t)
	for _, key := range []string{"nobody:players.id=1", "guilds.id=1"} {
		_, err := m.Lookup(context.Background(), key)
		var unknown *mapping.UnknownError
		if !errors.As(err, &unknown) {
			t.Errorf("%s: got %v, want an *UnknownError", key, err)
		}
	}
}

func TestAllFollowsEveryKeyToThePresent(t *testing.T) {
	var got []string
	for a := range open(t).All() {
		got = append(got, line(a))
	}
	want := []string{
		"players.id m:7->700 shift", "players.id c:1->201 shift", "players.id c:2->202 shift", "players.id c:3->203 shift", "players.id c:50->300 tombstone", `"odd t"."a=b" m:105->1000 dense`,
		"players.id m/b:1->101 shift", "players.id m/b:2->102 shift", "players.id m/b:3->103 shift", "players.id m/b:4->104 shift", "players.id m/b:5->105 shift",
		`"odd t"."a=b" m/b:5->1000 dense`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNoRecord(t *testing.T) {
	if _, err := mapping.Open(context.Background(), plain{}, shard{}); !errors.Is(err, mapping.ErrNoRecord) {
		t.Errorf("got %v, want ErrNoRecord", err)
	}
}
