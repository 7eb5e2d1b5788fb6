package discover_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/gameid/gameid/fixtures"
	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

func TestFixtureGame(t *testing.T) {
	for _, rows := range []int{1_000, 3_000, 20_000, 100_000} {
		for seed := uint64(1); seed <= 4; seed++ {
			if testing.Short() && (rows > 20_000 || seed > 2) {
				continue
			}
			name := fmt.Sprintf("fixture seed %d, %d rows", seed, rows)
			shards := fixtureShards(t, seed, rows)
			want := fixtureTruth()
			r := run(t, shards, discover.Options{})
			report(t, name, r, want)
			dump(t, r)
		}
	}
}

func fixtureShards(t *testing.T, seed uint64, rows int) []merge.Shard {
	var shards []merge.Shard
	for server := 1; server <= 2; server++ {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("s%d.db", server))
		if err := fixtures.Write(context.Background(), file, fixtures.World{Seed: seed, Server: server, Rows: rows}); err != nil {
			t.Fatal(err)
		}
		shards = append(shards, openShard(t, fmt.Sprintf("s%d", server), file))
	}
	return shards
}

func fixtureTruth() truth {
	want := truth{refs: map[string][]string{}, nots: map[string]string{}, static: fixtures.StaticTables()}
	for _, ref := range fixtures.References() {
		if ref.CopyBy != "" || ref.Declared {
			continue
		}
		from := ref.From()
		if ref.When != "" {
			from += "|" + ref.When
		}
		want.refs[from] = []string{ref.To()}
	}
	for _, c := range fixtures.NotReferences() {
		want.nots[c.Name()] = c.Why
	}
	return want
}
