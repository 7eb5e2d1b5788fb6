package layouts_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

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
	defer func() { _ = file.Close() }() // after the generator
	generator, err := gameid.NewGenerator(layout.Layout, 1042, gameid.WithCeiling(file))
	if err != nil {
		return err
	}
	defer func() { _ = generator.Close() }()

	id, err := generator.Next(ctx) // 35 ns, no allocation; waits when a burst runs ahead of the clock
	if err != nil {
		return err
	}
	parts, err := layout.Decompose(id)
	fmt.Println("issued by server", parts.Server)
	return err
}

// A preset, an expression, and what a layout can do.
func ExampleLoad() {
	for _, name := range []string{"game", "game63", "time=41@1ms,server=10,seq=12,epoch=2024-05-01"} {
		layout, err := layouts.Load(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%d bits, %d servers, %.1f years, BIGINT %t\n",
			layout.Bits(), layout.MaxServer()+1, layout.Years(), layout.CheckColumn("BIGINT") == nil)
	}
	// Output:
	// 73 bits, 1048576 servers, 69.7 years, BIGINT false
	// 63 bits, 262144 servers, 69.7 years, BIGINT true
	// 63 bits, 1024 servers, 69.7 years, BIGINT true
}

// Which system made an ID, judged on a given day.
func ExampleGuesses() {
	guesses, err := layouts.Guesses(gameid.FromUint64(1888944671579078978), time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(guesses[0].Name(), guesses[0].Time.UTC().Format(time.RFC3339), guesses[0].Parts.Server)
	// Output: snowflake 2025-02-10T13:34:39Z 360
}
