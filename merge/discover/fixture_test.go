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

// Floors under what was measured over four seeds, of 17 undeclared references: the more rows, the more holes speak.
var fixtureCertain = map[int]int{1_000: 4, 3_000: 6, 20_000: 11, 100_000: 12}

const fixtureLikely = 15

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
			s := report(t, name, r, want)
			if s.certain < fixtureCertain[rows] {
				t.Errorf("%s: %d references are certain, want at least %d", name, s.certain, fixtureCertain[rows])
			}
			if got, want := s.certain+s.likely, fixtureLikely; got < want && rows >= 3_000 {
				t.Errorf("%s: %d references are at least likely, want at least %d", name, got, want)
			}
			if n := len(s.wrong[merge.Likely]); n > 0 {
				t.Errorf("%s: %d proposals are likely and wrong, want none: %v", name, n, s.wrong[merge.Likely])
			}
			dump(t, r)
		}
	}
}

func fixtureShards(t *testing.T, seed uint64, rows int) []merge.Shard {
	var shards []merge.Shard
	for i, file := range fixtureFiles(t, seed, rows) {
		shards = append(shards, openShard(t, fmt.Sprintf("s%d", i+1), file))
	}
	return shards
}

func fixtureFiles(t *testing.T, seed uint64, rows int) (files []string) {
	for server := 1; server <= 2; server++ {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("s%d.db", server))
		if err := fixtures.Write(context.Background(), file, fixtures.World{Seed: seed, Server: server, Rows: rows}); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
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
