package layouts_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
	"github.com/gameid/gameid/layouts"
)

// A game server opens its ceiling once, at the start, and asks the generator for every row that it makes.
func Example() {
	dir, err := os.MkdirTemp("", "gameid-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := serve(context.Background(), filepath.Join(dir, "1042.ceiling")); err != nil {
		fmt.Println(err)
	}
	// Output: issued by server 1042
}

func serve(ctx context.Context, path string) error {
	layout, err := layouts.Load("game")
	if err != nil {
		return err
	}
	file, err := ceiling.Open(ctx, path, layout.Layout, 1042)
	if err != nil {
		return err
	}
	generator, err := gameid.NewGenerator(layout.Layout, 1042, gameid.WithCeiling(file))
	if err != nil {
		return err
	}
	defer generator.Close()

	id, err := generator.Next(ctx) // 35 ns, no allocation; waits when a burst runs ahead of the clock
	if err != nil {
		return err
	}
	parts, err := layout.Decompose(id)
	fmt.Println("issued by server", parts.Server)
	return err
}
