package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// accounts are two servers' players, whose keys are numbers written as text, and a table whose rows hold them.
func accounts(first int, column string) (scripts []string) {
	for server := range 2 {
		var b strings.Builder
		fmt.Fprintf(&b, "BEGIN; CREATE TABLE players(id VARCHAR(20) PRIMARY KEY, lvl INT); CREATE TABLE mail(id INTEGER PRIMARY KEY, %s, note TEXT);", column)
		var keys []int
		for n := range 300 {
			if n%9 != 2+server*3 { // the deleted
				keys = append(keys, first+n)
				fmt.Fprintf(&b, "INSERT INTO players VALUES('%d', %d);", first+n, n%60)
			}
		}
		for n := range 400 {
			fmt.Fprintf(&b, "INSERT INTO mail VALUES(%d, %d, 'note %c%c');", server*1000+n+1, keys[n*31%len(keys)], 'a'+n%26, 'a'+n/26)
		}
		scripts = append(scripts, b.String()+"COMMIT;")
	}
	return scripts
}

// A key of numbers written as text explains a column of texts and one of numbers, whatever that is called; what is asked about names it, and nothing else is asked
// about the key or the column.
func TestNumbersAsTextKeys(t *testing.T) {
	for what, c := range map[string]struct {
		first  int
		column string
	}{
		"accounts of a platform":             {76561190000000001, "player_id TEXT"},
		"the same, unnamed":                  {76561190000000001, "x7 TEXT"},
		"the same, as numbers":               {76561190000000001, "x7 BIGINT"},
		"small numbers":                      {1, "player_id VARCHAR(20)"},
		"small numbers as numbers":           {1, "player_id INT"},
		"small numbers as numbers, unnamed":  {1, "x7 INT"},
		"small numbers, somebody":            {1, "sender TEXT"},
		"small numbers in a text of no name": {1, "x7 TEXT"},
	} {
		res := check(t, "tables: [{table: '*', rows: merge}]", accounts(c.first, c.column)...)
		name := strings.Fields(c.column)[0]
		found := 0
		for _, r := range res.Plan.References {
			if r.String() == "mail."+name+" -> players.id" {
				found++
			}
		}
		for _, u := range res.Undecided {
			switch {
			case u.Reference == nil:
			case u.Reference.As == merge.Plain && u.Reference.String() == "mail."+name+" -> players.id":
				found++
			default:
				t.Errorf("%s: got a question about %s, %q", what, u.Reference, u.Question)
			}
		}
		if found != 1 {
			t.Errorf("%s: got\n%s\nwant mail.%s to be found, or asked about once, as players.id", what, said(res), name)
		}
	}
}
