package discover_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// A column with the very name of another table's primary key, or with that table's and its key's, refers to it, also where the name is that of a number.
func TestColumnsNamedLikeAKeyThatIsCalledANumber(t *testing.T) {
	for _, tt := range []struct {
		key, column string
		asked       bool
	}{
		{"groups_index", "groups_index", true},
		{"group_no", "group_no", true},
		{"group_number", "group_number", true},
		{"idx", "group_idx", true},
		{"groups_index", "row_index", false},
		{"level", "level", false},
	} {
		ddl := fmt.Sprintf("CREATE TABLE bots (bot_id INTEGER PRIMARY KEY, tag TEXT); CREATE TABLE groups (%s INTEGER PRIMARY KEY AUTOINCREMENT, tag TEXT); CREATE TABLE members (id INTEGER PRIMARY KEY AUTOINCREMENT, %s INT, bot_id INT)", tt.key, tt.column)
		r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
			bots, _ := living(r, 120, 0.1)
			groups, _ := living(r, 14, 0.15)
			for _, k := range bots {
				exec("INSERT INTO bots VALUES (?, hex(randomblob(6)))", k)
			}
			for _, k := range groups {
				exec("INSERT INTO groups VALUES (?, hex(randomblob(6)))", k)
			}
			for range 60 {
				exec("INSERT INTO members VALUES (NULL, ?, ?)", groups[r.IntN(len(groups))], bots[r.IntN(len(bots))])
			}
		}), discover.Options{})
		p := find(r, "members."+tt.column)
		if got := p != nil && p.To[0].Table == "groups"; got != tt.asked {
			t.Errorf("members.%s beside groups.%s: got %+v, want a question whether it holds these: %v", tt.column, tt.key, p, tt.asked)
		}
	}
}
