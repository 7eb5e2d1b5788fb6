package gameid_test

import (
	"context"
	"fmt"
	"time"

	"github.com/gameid/gameid/gameid"
)

func Example() {
	layout, err := gameid.NewLayout(gameid.Spec{
		Name: "game",
		Fields: []gameid.Field{
			{Kind: gameid.Time, Bits: 37},
			{Kind: gameid.Server, Bits: 20},
			{Kind: gameid.Sequence, Bits: 16},
		},
		Tick:  16 * time.Millisecond,
		Epoch: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	generator, err := gameid.NewGenerator(layout, 1042)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer generator.Close()
	id, err := generator.Next(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	parts, err := layout.Decompose(id)
	fmt.Println(parts.Server, err)
	// Output: 1042 <nil>
}

func ExampleParse() {
	id, err := gameid.Parse("006XVQKB8000E000")
	fmt.Println(id, err)
	fmt.Println(id.Hex())
	fmt.Println(string(id.AppendUUID(nil)))
	// Output:
	// 255795006608058548224 <nil>
	// 000dddde6b4000070000
	// 000dddde-6b40-8000-9700-0067616d6964
}

func ExampleLayout_CheckColumn() {
	layout, _ := gameid.NewLayout(gameid.Spec{
		Name:   "game",
		Fields: []gameid.Field{{Kind: gameid.Time, Bits: 37}, {Kind: gameid.Server, Bits: 20}, {Kind: gameid.Sequence, Bits: 16}},
		Tick:   16 * time.Millisecond,
		Epoch:  time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	fmt.Println(layout.CheckColumn("BIGINT"))
	// Output: layout game does not fit a BIGINT column: 37 + 20 + 16 = 73 bits > 63, the most that it holds
}
