package gameid_test

import (
	"fmt"
	"time"

	"github.com/gameid/gameid/gameid"
)

// The keys of 3 February 2026, of every server, are one range.
func ExampleLayout_Min() {
	layout, err := gameid.NewLayout(gameid.Spec{
		Name:   "game63",
		Fields: []gameid.Field{{Kind: gameid.Time, Bits: 37}, {Kind: gameid.Server, Bits: 18}, {Kind: gameid.Sequence, Bits: 8}},
		Tick:   16 * time.Millisecond,
		Epoch:  time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	day := time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)
	from, err := layout.Min(day)
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := layout.Max(day.AddDate(0, 0, 1).Add(-1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("SELECT * FROM items WHERE id BETWEEN %v AND %v\n", from, to)
	// Output: SELECT * FROM items WHERE id BETWEEN 144230370508800000 AND 144592758374399999
}

// ExampleCompare moves a fleet from an epoch in UTC+8 to the same hour in UTC, at
// once and after a pause.
func ExampleCompare() {
	layout := func(epoch time.Time) *gameid.Layout {
		l, _ := gameid.NewLayout(gameid.Spec{
			Fields: []gameid.Field{{Kind: gameid.Time, Bits: 41}, {Kind: gameid.Server, Bits: 10}, {Kind: gameid.Sequence, Bits: 12}},
			Tick:   time.Millisecond,
			Epoch:  epoch,
		})
		return l
	}
	utc8 := layout(time.Date(2016, 10, 31, 16, 0, 0, 0, time.UTC))
	utc := layout(time.Date(2016, 11, 1, 0, 0, 0, 0, time.UTC))
	stop := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, pause := range []time.Duration{0, 8 * time.Hour} {
		r, err := gameid.Compare(utc8, utc, gameid.Switch{Until: stop, From: stop.Add(pause)})
		fmt.Println(r.Possible, r.To.Sub(r.From), err)
	}
	// Output:
	// true 8h0m0s <nil>
	// false 0s <nil>
}
