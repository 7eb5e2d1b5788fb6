package sqlite

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
)

func TestMemoryRoundTrip(t *testing.T) {
	ctx, path, server := context.Background(), filepath.Join(t.TempDir(), "m.db"), int64(7)
	key, name := merge.Col{Table: "p", Name: "id"}, merge.Col{Table: "p", Name: "na.me"}
	many := merge.NewKeySet(math.MaxInt64 - 1)
	for i := range int64(maxRunRows) {
		many.Add(1<<40+3*i, 1<<40+3*i+1)
	}
	want := &merge.Memory{
		Shards: []merge.Source{{Name: "b", Server: &server, Contents: "6f", State: "7a"}, {Name: "a"}},
		Plan:   []byte("version: 1\n"),
		Spaces: []merge.MemorySpace{
			{Key: key, Shard: "a", Runs: []merge.Run{{Old: 1, Count: 2, New: 11, Rule: merge.Shift}, {Old: 5, Count: 1, New: 13, Rule: merge.Dense}}, Tombstones: []merge.Run{{Old: math.MinInt64, Count: 1, New: 99, Rule: merge.Tombstone}}},
			{Key: key, Shard: "b"},
			{Via: "a/", Key: key, Shard: "b", Runs: []merge.Run{
				{Old: 1, Count: 1 << 36, New: 2, Rule: merge.GameID}, {Old: 1 << 40, Count: math.MaxInt64 - 1<<40, New: 3, Rule: merge.Shift, Among: many},
			}},
		},
		Renames: []merge.MemoryRename{
			{Unique: []merge.Col{name, key}, Column: name, Shard: "a", Row: []any{int64(1<<53 + 1), "é\x00", "\xff", 1.5, math.Inf(-1), []byte{0, 255}, nil}, Old: "x", New: "y"},
		},
		References: []merge.MemoryReference{
			{Reference: merge.Reference{From: []merge.Col{{Table: "c", Name: "p"}}, To: []merge.Col{key}, None: []any{int64(1<<53 + 1), 1.5, ""}}, Spaces: []merge.Col{key}},
			{Reference: merge.Reference{From: []merge.Col{{Table: "c", Name: "q"}}, To: []merge.Col{name}, By: &key}, Spaces: []merge.Col{{}}},
		},
	}
	db, conn, err := open(ctx, path, "rwc")
	if err != nil {
		t.Fatal(err)
	}
	if err := writeMemory(ctx, conn, want); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(conn.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := New().Open(ctx, merge.Source{Source: path}, merge.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Memory(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Memory (-want +got):\n%s", d)
	}
	if n := len(s.Schema().Tables); n != 0 {
		t.Errorf("%d tables in the schema; the memory is none", n)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	if db, conn, err = open(ctx, path, "rw"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(conn.Close(), db.Close()) }()
	for _, damage := range []string{
		"UPDATE gameid_keys SET members = x'01' WHERE members IS NOT NULL",
		"UPDATE gameid_keys SET members = substr(members, 1, length(members) - 1) WHERE members IS NOT NULL",
		"UPDATE gameid_keys SET members = x'' WHERE count = 2",
		"UPDATE gameid_keys SET members = x'8080' WHERE count = 2",
		"UPDATE gameid_keys SET members = x'010001' WHERE count = 2",
		"UPDATE gameid_keys SET count = 1 << 62 WHERE count = 2",
		"UPDATE gameid_keys SET count = -1 WHERE count = 2",
		"DROP TABLE gameid_renames",
	} {
		exec := func(query string) {
			if _, err := conn.ExecContext(ctx, query); err != nil {
				t.Fatal(err)
			}
		}
		exec("CREATE TEMP TABLE kept AS SELECT * FROM gameid_keys; " + damage)
		if s, err = New().Open(ctx, merge.Source{Source: path}, merge.OpenOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Memory(ctx); !errors.Is(err, ErrMemory) {
			t.Errorf("Memory after %s = %v; want %v", damage, err, ErrMemory)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		exec("DELETE FROM gameid_keys; INSERT INTO gameid_keys SELECT * FROM kept; DROP TABLE kept")
	}
}
