package rewrite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/rewrite"
)

// TestEarlierMemoryIsCarriedOn merges a merged database again and looks for what the first merge recorded.
func TestEarlierMemoryIsCarriedOn(t *testing.T) {
	g := newGame(t, 1_000)
	_, first := g.run(t, "first.db")
	source := merge.Source{Name: "m", Source: first.Path()}
	merged, err := g.engine.Open(t.Context(), source, merge.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = merged.Close() }()
	was, err := merged.Memory(t.Context())
	if err != nil || was == nil || len(was.Spaces) == 0 || len(was.Renames) == 0 {
		t.Fatalf("the first merge recorded %+v, %v", was, err)
	}
	again := &merge.Settled{Shards: []merge.Source{source}, Schema: merged.Schema()}
	for _, table := range merged.Schema().Tables {
		again.Tables = append(again.Tables, merge.SettledTable{Table: table, Key: table.PrimaryKey})
	}
	_, second, err := rewrite.Run(t.Context(), g.engine, []merge.Shard{merged}, again, filepath.Join(g.dir, "second.db"), rewrite.Options{Plan: []byte("version: 1\n")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Abort() }()
	out, err := g.engine.Open(t.Context(), merge.Source{Name: "mm", Source: second.Path()}, merge.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	is, err := out.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range was.Spaces {
		was.Spaces[i].Via = "m/"
	}
	for i := range was.Renames {
		was.Renames[i].Via = "m/"
	}
	if diff := cmp.Diff(was.Spaces, is.Spaces); diff != "" {
		t.Errorf("spaces (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(was.Renames, is.Renames); diff != "" {
		t.Errorf("renames (-want +got):\n%s", diff)
	}
	// Every renamed row stands under its recorded key with its recorded name.
	for _, r := range is.Renames {
		n, err := out.Count(t.Context(), r.Column.Table, fmt.Sprintf("id = %d AND ", r.Row[0])+r.Column.Name+" = '"+r.New+"'")
		if err != nil || n != 1 {
			t.Errorf("%s %v %q: %d rows, %v", r.Column, r.Row, r.New, n, err)
		}
	}
}
