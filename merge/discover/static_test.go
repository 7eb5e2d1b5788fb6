package discover_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// A catalogue is certain only when no two servers hold different rows under one key, the first one's or not.
func TestCataloguesThatLaterServersExtended(t *testing.T) {
	for _, added := range []int{0, 3} {
		shards := realms(t, 3, "CREATE TABLE templates (id INTEGER PRIMARY KEY, name TEXT, damage INT)", func(server int, _ *rand.Rand, exec func(string, ...any)) {
			for k := range 500 {
				exec("INSERT INTO templates VALUES (?, ?, ?)", k+1, fmt.Sprintf("sword %d", k), 3*k)
			}
			for k := range added * min(server, 1) {
				exec("INSERT INTO templates VALUES (?, ?, ?)", k+501, fmt.Sprintf("blade %d of server %d", k, server), 3*k)
			}
		})
		got := run(t, shards, discover.Options{}).Static
		if len(got) != 1 || (got[0].Grade == merge.Certain) != (added == 0) || got[0].Differ != int64(added) {
			t.Errorf("%d rows added by the second and the third server each: got %+v, want certain only without, and as many that differ", added, got)
		}
	}
}
