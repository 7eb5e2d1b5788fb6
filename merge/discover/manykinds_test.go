package discover_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A log of many actions is about players under some, about guilds under others, and tells an amount or a time under the rest: it is asked about once for each key, with all
// of the key's kinds. Amounts under every action are no reference, and neither is what any column of many values divides.
func TestManyKinds(t *testing.T) {
	const ddl = `CREATE TABLE players (id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE guilds (id INTEGER PRIMARY KEY, name TEXT);
		CREATE TABLE log (nr INTEGER PRIMARY KEY, act %s, p1 INT, p2 INT, zone INT)`
	for _, tt := range []struct {
		kinds, rows int
		declared    string
		of          int64 // of which the players' numbers are
	}{
		{13, 700, "INT", 150},
		{40, 3000, "INT", 150},
		{40, 3000, "TEXT", 150},
		{100, 6000, "INT", 2500},
	} {
		act := func(i int) any {
			if tt.declared == "TEXT" {
				return fmt.Sprintf("act%02d", i)
			}
			return i
		}
		r := run(t, realm(t, fmt.Sprintf(ddl, tt.declared), func(r *rand.Rand, exec func(string, ...any)) {
			players, _ := living(r, 150, 0.3)
			guilds, _ := living(r, 40, 0.4)
			for i, k := range players {
				players[i] = k * tt.of / 150
				exec("INSERT INTO players VALUES (?, hex(randomblob(6)))", players[i])
			}
			for _, k := range guilds {
				exec("INSERT INTO guilds VALUES (?, hex(randomblob(6)))", k)
			}
			for range tt.rows {
				i := r.IntN(tt.kinds)
				one := []int64{players[r.IntN(len(players))], guilds[r.IntN(len(guilds))], r.Int64N(100_000), 1_600_000_000 + r.Int64N(1<<26)}[i%4]
				exec("INSERT INTO log VALUES (NULL, ?, ?, ?, ?)", act(i), one, r.IntN(1000), r.IntN(60))
			}
		}), discover.Options{})
		got, name := map[string]string{}, fmt.Sprintf("%d kinds %s", tt.kinds, tt.declared)
		for _, p := range r.Proposals {
			got[p.From[0].String()+" when "+p.When] = p.To[0].String()
			if p.Grade == merge.Certain {
				t.Errorf("%s: got %s, %s: %s; want a question", name, p.String(), p.Grade, p.Evidence)
			}
		}
		for first, to := range map[int]string{0: "players.id", 1: "guilds.id"} {
			var list []string
			for i := first; i < tt.kinds; i += 4 {
				list = append(list, strings.ReplaceAll(fmt.Sprintf("%#v", act(i)), `"`, "'"))
			}
			if when := "log.p1 when act IN (" + strings.Join(list, ", ") + ")"; got[when] != to {
				t.Errorf("%s: %s: got %q, want %s among %v", name, when, got[when], to, got)
			}
		}
		if len(got) != 2 {
			t.Errorf("%s: got %v, want two questions", name, got)
		}
	}
}
