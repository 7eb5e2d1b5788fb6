package gameid_test

import (
	"context"
	"errors"
	"testing"

	"github.com/gameid/gameid/gameid"
)

// A generator is a source of decimal IDs.
func TestGeneratorIsASource(t *testing.T) {
	g, err := gameid.NewGenerator(gameLayout(t), 7)
	if err != nil {
		t.Fatal(err)
	}
	var source gameid.Source = g
	last := gameid.ID{}
	for range 100 {
		text, err := source.AppendNext(t.Context(), []byte("id="))
		if err != nil {
			t.Fatal(err)
		}
		id, err := gameid.ParseDecimal(string(text[3:]))
		if err != nil || string(text[:3]) != "id=" || id.Compare(last) <= 0 {
			t.Fatalf("AppendNext = %q after %v, %v, want id= and a greater one in decimal", text, last, err)
		}
		last = id
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if text, err := source.AppendNext(context.Background(), []byte("id=")); !errors.Is(err, gameid.ErrClosed) || string(text) != "id=" {
		t.Errorf("AppendNext of a closed generator = %q, %v, want id= alone and ErrClosed", text, err)
	}
}
