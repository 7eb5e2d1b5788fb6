package gameid_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

// TestMisuse gives what a caller forgets: each is an error that says what, and no panic.
func TestMisuse(t *testing.T) {
	var (
		layout  *gameid.Layout
		file    *ceiling.File
		made    gameid.Generator
		nothing context.Context
	)
	game := newLayout(t, 16*1e6, 37, 20, 16)
	working, err := gameid.NewGenerator(game, 1, gameid.WithClock(newClock(start())))
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/c"
	for what, test := range map[string]struct {
		do   func() error
		want string
	}{
		"no ceiling":                     {func() error { _, err := gameid.NewGenerator(game, 1, gameid.WithCeiling(nil)); return err }, "WithCeiling(nil): there is no ceiling"},
		"no file":                        {func() error { _, err := gameid.NewGenerator(game, 1, gameid.WithCeiling(file)); return err }, "there is no file: look at the error of Open"},
		"no layout":                      {func() error { _, err := gameid.NewGenerator(layout, 1); return err }, "there is no layout"},
		"an empty layout":                {func() error { _, err := gameid.NewGenerator(new(gameid.Layout), 1); return err }, "there is no layout"},
		"Open, no layout":                {func() error { _, err := ceiling.Open(t.Context(), path, layout, 1); return err }, "there is no layout"},
		"Open, no context":               {func() error { _, err := ceiling.Open(nothing, path, game, 1); return err }, "nil context"},
		"Reserve, no layout":             {func() error { _, _, err := ceiling.Reserve(t.Context(), path, layout, 1, 1); return err }, "there is no layout"},
		"Reserve, no context":            {func() error { _, _, err := ceiling.Reserve(nothing, path, game, 1, 1); return err }, "nil context"},
		"Next of a zero Generator":       {func() error { _, err := made.Next(t.Context()); return err }, "not made by NewGenerator"},
		"NextInt64 of a zero Generator":  {func() error { _, err := made.NextInt64(t.Context()); return err }, "not made by NewGenerator"},
		"TryNext of a zero Generator":    {func() error { _, err := made.TryNext(); return err }, "not made by NewGenerator"},
		"Fill of a zero Generator":       {func() error { _, err := made.Fill(make([]gameid.ID, 2)); return err }, "not made by NewGenerator"},
		"AppendNext of a zero Generator": {func() error { _, err := made.AppendNext(t.Context(), nil); return err }, "not made by NewGenerator"},
		"Next without a context": {func() error {
			for range 1 << 20 { // until one has to wait
				if _, err := working.Next(nothing); err != nil {
					return err
				}
			}
			return nil
		}, "nil context"},
	} {
		if err := test.do(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", what, err, test.want)
		}
	}
	if err := made.Close(); err != nil {
		t.Errorf("Close of a zero Generator: got %v", err)
	}
}
