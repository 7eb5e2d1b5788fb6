package ceiling_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
	"github.com/gameid/gameid/layouts"
)

// A process that runs for long holds its ceiling; a second one is refused at once.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "gameid-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "7.ceiling")
	layout, err := layouts.Load("game")
	if err != nil {
		panic(err)
	}

	file, err := ceiling.Open(context.Background(), path, layout.Layout, 7)
	if err != nil {
		panic(err)
	}
	_, err = ceiling.Open(context.Background(), path, layout.Layout, 7)
	fmt.Println(errors.Is(err, ceiling.ErrTaken))

	ids, err := gameid.NewGenerator(layout.Layout, 7, gameid.WithCeiling(file))
	if err != nil {
		panic(err)
	}
	_, err = ids.Next(context.Background())
	fmt.Println(err)
	fmt.Println(ids.Close()) // closes the file too
	// Output:
	// true
	// <nil>
	// <nil>
}

// A command that needs a few IDs waits for its turn, reserves them and goes.
func ExampleReserve() {
	folder, err := os.MkdirTemp("", "gameid-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	layout, err := layouts.Load("game")
	if err != nil {
		panic(err)
	}
	var ids []gameid.ID
	for range 2 {
		first, got, err := ceiling.Reserve(context.Background(), filepath.Join(folder, "7.ceiling"), layout.Layout, 7, 3)
		if err != nil {
			panic(err)
		}
		for cursor := first; cursor < first+got; cursor++ {
			id, err := layout.At(cursor, 7)
			if err != nil {
				panic(err)
			}
			ids = append(ids, id)
		}
	}
	fmt.Println(len(ids), ids[3].Compare(ids[2]))
	// Output: 6 1
}
