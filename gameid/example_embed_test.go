package gameid_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
	"github.com/gameid/gameid/layouts"
	_ "github.com/mattn/go-sqlite3"
)

// A game server opens its ceiling once and asks the generator for every row. The
// second start goes on above the first, whatever the clock says.
func ExampleNewGenerator() {
	folder, err := os.MkdirTemp("", "gameid-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()

	start := func() (gameid.ID, error) {
		layout, err := layouts.Load("game")
		if err != nil {
			return gameid.ID{}, err
		}
		file, err := ceiling.Open(context.Background(), filepath.Join(folder, "1042.ceiling"), layout.Layout, 1042)
		if err != nil {
			return gameid.ID{}, err
		}
		defer func() { _ = file.Close() }()
		ids, err := gameid.NewGenerator(layout.Layout, 1042, gameid.WithCeiling(file))
		if err != nil {
			return gameid.ID{}, err
		}
		defer func() { _ = ids.Close() }()
		return ids.Next(context.Background())
	}

	first, err := start()
	fmt.Println(first.IsZero(), err)
	second, err := start()
	fmt.Println(second.Compare(first), err)
	// Output:
	// false <nil>
	// 1 <nil>
}

// A generator for the examples below; a real one has a ceiling.
func exampleGenerator(name string) *gameid.Generator {
	layout, err := layouts.Load(name)
	if err != nil {
		panic(err)
	}
	ids, err := gameid.NewGenerator(layout.Layout, 1042)
	if err != nil {
		panic(err)
	}
	return ids
}

// The IDs of game63 fit a BIGINT; 73 bits do not, and are refused before any is used.
func ExampleGenerator_NextInt64() {
	id, err := exampleGenerator("game63").NextInt64(context.Background())
	fmt.Println(id > 0, err)
	_, err = exampleGenerator("game").NextInt64(context.Background())
	fmt.Println(errors.Is(err, gameid.ErrTooWide))
	// Output:
	// true <nil>
	// true
}

// The chests of a raid in one call: they follow each other. A slice that is longer
// than what is free for the moment is filled in part.
func ExampleGenerator_Fill() {
	chests := make([]gameid.ID, 1000)
	n, err := exampleGenerator("game").Fill(chests)
	fmt.Println(n, err, chests[999].Compare(chests[0]))

	n, err = exampleGenerator("time=37@16ms,server=20,seq=4,epoch=2025-01-01").Fill(chests) // 16 a tick
	var busy *gameid.BusyError
	fmt.Println(n < len(chests), errors.As(err, &busy) && busy.After <= 16*time.Millisecond)
	// Output:
	// 1000 <nil> 1
	// true true
}

// Every form is read by its shape; what lost digits on the way is refused.
func ExampleParse_forms() {
	for _, text := range []string{"255795006608058548224", "006XVQKB8000E000", "0xdddde6b4000070000", "2.5579500660805855e+20"} {
		id, err := gameid.Parse(text)
		fmt.Println(id, err != nil)
	}
	// Output:
	// 255795006608058548224 false
	// 255795006608058548224 false
	// 255795006608058548224 false
	// 0 true
}

// IDs in three types of columns, one of which may be NULL.
func Example_sql() {
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		panic(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1) // the database is the connection's
	id, _ := gameid.Parse("255795006608058548224")
	narrow, _ := gameid.Parse("144230370508800000")
	_, err = db.Exec(`CREATE TABLE items (id BLOB PRIMARY KEY, code TEXT, owner INTEGER, gift BLOB);
		INSERT INTO items VALUES (?, ?, ?, ?)`, id, gameid.Base32{ID: id}, gameid.Int{ID: narrow}, gameid.NullID{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var (
		key   gameid.ID
		code  gameid.Base32
		owner gameid.Int
		gift  gameid.NullID
	)
	err = db.QueryRow("SELECT id, code, owner, gift FROM items").Scan(&key, &code, &owner, &gift)
	fmt.Println(key == id, code.ID == id, owner.ID == narrow, gift.Valid, err)
	var kinds string
	err = db.QueryRow("SELECT typeof(id) || ' ' || typeof(code) || ' ' || typeof(owner) || ' ' || typeof(gift) FROM items").Scan(&kinds)
	fmt.Println(kinds, err)
	// Output:
	// true true true false <nil>
	// blob text integer null <nil>
}

// In JSON an ID is a string: JavaScript would round the number.
func ExampleID_MarshalJSON() {
	id, _ := gameid.Parse("255795006608058548224")
	text, err := json.Marshal(map[string]gameid.ID{"id": id})
	fmt.Println(string(text), err)
	// Output: {"id":"255795006608058548224"} <nil>
}

// Two orders in a row, as the shop sees them and as players do.
func ExampleNewPermutation() {
	key := []byte("sixteen bytes of") // a real one is random and secret
	public, err := gameid.NewPermutation(key, 63)
	if err != nil {
		panic(err)
	}
	for _, order := range []uint64{144230370508800000, 144230370508800001} {
		shown, err := public.Encode(gameid.FromUint64(order))
		if err != nil {
			panic(err)
		}
		back, err := public.Decode(shown)
		fmt.Println(order, shown, back, err)
	}
	// Output:
	// 144230370508800000 2487030093929905950 144230370508800000 <nil>
	// 144230370508800001 8347517692918280405 144230370508800001 <nil>
}

// A team's own generator in the place of ours: a counter that its database keeps.
type ticketCounter struct{ last uint64 }

func (c *ticketCounter) AppendNext(_ context.Context, b []byte) ([]byte, error) {
	c.last++
	return fmt.Appendf(b, "T-%06d", c.last), nil
}

func ExampleSource() {
	for _, source := range []gameid.Source{&ticketCounter{}, exampleGenerator("game53")} {
		id, err := source.AppendNext(context.Background(), nil)
		fmt.Println(len(id) > 7, err)
	}
	// Output:
	// true <nil>
	// true <nil>
}
