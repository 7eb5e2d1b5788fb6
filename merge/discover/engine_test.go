package discover_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// openEngine opens databases as a merge does.
func openEngine(t *testing.T, files ...string) ([]merge.Shard, discover.Options) {
	t.Helper()
	ctx := context.Background()
	engine := sqlite.New()
	var shards []merge.Shard
	for i, f := range files {
		s, err := engine.Open(ctx, merge.Source{Name: []string{"s1", "s2"}[i], Source: f}, merge.OpenOptions{WorkDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		shards = append(shards, s)
	}
	return shards, discover.Options{
		Same: func(ctx context.Context, a, b int, table string) (int64, int64, error) {
			return engine.SameRows(ctx, shards[a], shards[b], table, nil, 0)
		},
		Unlike: func(ctx context.Context, a, b int, table string, columns []string) (int64, error) {
			return engine.UnlikeRows(ctx, shards[a], shards[b], table, columns)
		},
		Different: func(ctx context.Context, a, b int, table string, keys []int64) (map[string]int64, error) {
			return engine.DifferentColumns(ctx, shards[a], shards[b], table, merge.SameKeys(keys))
		},
	}
}

// What the plain test shard finds, the engine's shard finds too.
func TestThroughEngine(t *testing.T) {
	search := func(name string, want truth, least int, files ...string) {
		shards, opt := openEngine(t, files...)
		r, err := discover.Run(context.Background(), shards[0].Schema(), shards, opt)
		if err != nil {
			t.Fatal(err)
		}
		if s := report(t, name, r, want); s.certain < least {
			t.Errorf("%s: %d references are certain, want at least %d", name, s.certain, least)
		}
		dump(t, r)
	}
	search("fixture through the engine", fixtureTruth(), fixtureCertain[20_000], fixtureFiles(t, 1, 20_000)...)
	_, want := openrsc(t)
	dir := caseDir(t, "openrsc")
	search("openrsc through the engine", want, openrscCertain, copyFile(t, filepath.Join(dir, "s1.db")), copyFile(t, filepath.Join(dir, "s2.db")))
}
