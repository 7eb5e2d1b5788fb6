package audit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// keepers are two servers' players, some of whom are gone, and a table whose texts spell makes of three numbers: keys of players, or amounts of the same size.
func keepers(column string, alive bool, spell func(a, b, c int) string) (scripts []string) {
	for server := range 2 {
		r := rand.New(rand.NewPCG(uint64(server), 1))
		var b strings.Builder
		fmt.Fprintf(&b, "BEGIN; CREATE TABLE players(id INTEGER PRIMARY KEY, nick TEXT); CREATE TABLE things(id INTEGER PRIMARY KEY, %s, note TEXT);", column)
		var keys []int
		for n := 1; n <= 900; n++ {
			if r.IntN(8) > 0 {
				keys = append(keys, n)
				fmt.Fprintf(&b, "INSERT INTO players VALUES(%d, 'p%d-%d');", n, server, n)
			}
		}
		pick := func() int {
			if alive {
				return keys[r.IntN(len(keys))]
			}
			return 1 + r.IntN(900)
		}
		for n := range 500 + 40*server {
			fmt.Fprintf(&b, "INSERT INTO things VALUES(%d, '%s', 'note');", n+1, spell(pick(), pick(), pick()))
		}
		scripts = append(scripts, b.String()+"COMMIT;")
	}
	return scripts
}

// Keys inside texts are asked about in every form in which games keep them, under any name; numbers that only look like them are not.
func TestKeysInForms(t *testing.T) {
	for what, spell := range map[string]func(a, b, c int) string{
		"a JSON array":          func(a, b, c int) string { return fmt.Sprintf("[%d, %d,%d]", a, b, c) },
		"an array of texts":     func(a, b, _ int) string { return fmt.Sprintf(`["%d", "%d"]`, a, b) },
		"an array of one":       func(a, _, _ int) string { return fmt.Sprintf("[%d]", a) },
		"an array under a name": func(a, b, _ int) string { return fmt.Sprintf(`{"friends": [%d, %d]}`, a, b) },
		"names in JSON":         func(a, b, c int) string { return fmt.Sprintf(`{"%d": %d, "%d": 1}`, a, c%9, b) },
		"pairs in JSON":         func(a, b, c int) string { return fmt.Sprintf(`[[%d,%d],[%d,2]]`, a, c%9, b) },
		"a list in braces":      func(a, b, _ int) string { return fmt.Sprintf("{%d,%d}", a, b) },
		"a table of Lua":        func(a, b, _ int) string { return fmt.Sprintf("{[1] = %d, [2] = %d}", a, b) },
		"pairs":                 func(a, b, c int) string { return fmt.Sprintf("%d:%d;%d:1", a, c%9, b) },
		"one pair":              func(a, _, c int) string { return fmt.Sprintf("%d_%d", a, c%9) },
		"keys behind amounts":   func(a, b, c int) string { return fmt.Sprintf("%d*%d|3*%d", c%9, a, b) },
		"an array of PHP":       func(a, b, _ int) string { return fmt.Sprintf("a:2:{i:0;i:%d;i:1;i:%d;}", a, b) },
		"keys of an array":      func(a, b, c int) string { return fmt.Sprintf("a:2:{i:%d;i:%d;i:%d;i:1;}", a, c%9, b) },
		"a name in PHP":         func(a, _, c int) string { return fmt.Sprintf(`a:2:{s:6:"leader";i:%d;s:1:"n";i:%d;}`, a, c%9) },
		"lists, mostly of one": func(a, b, c int) string {
			return strings.TrimSuffix(fmt.Sprintf("%d,%d", a, b), strings.Repeat(fmt.Sprintf(",%d", b), min(1, c%4)))
		},
		"before a word": func(a, b, _ int) string {
			return fmt.Sprintf("%d-%s", a, []string{"epic", "flag_pop", "tutorial"}[b%3])
		},
		"before other marks": func(a, b, _ int) string {
			return fmt.Sprintf("%d%s", a, []string{"_last", ".last", ":last", " last"}[b%4])
		},
		"before word and number": func(a, _, c int) string { return fmt.Sprintf("%d:quest_%d", a, c%9) },
		"behind word and number": func(a, _, c int) string { return fmt.Sprintf("quest.%d.player.%d", c%9, a) },
		"zeros before it":        func(a, _, _ int) string { return fmt.Sprintf("%08d", a) },
		"a number of base 16":    func(a, _, _ int) string { return fmt.Sprintf("%08x", a) },
		"a number like 0x00004F": func(a, _, _ int) string { return fmt.Sprintf("0x%06X", a) },
	} {
		const want = "does things.data hold players.id inside its texts?"
		if got := said(check(t, "tables: [{table: '*', rows: merge}]", keepers("data TEXT", true, spell)...)); !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant %q", what, got, want)
		}
		if got := said(check(t, "tables: [{table: '*', rows: merge}]", keepers("data TEXT", false, spell)...)); strings.Contains(got, "ask") {
			t.Errorf("%s of amounts: got\n%s\nwant no question", what, got)
		}
	}
}

// Numbers with zeros before them that no key explains are asked about where the column is named like a key, as other numbers are.
func TestZerosBeforeNumbers(t *testing.T) {
	for column, want := range map[string]string{
		"player_id TEXT": "ask {from: things.player_id, as: keep}: things.player_id is named like a key, but no key explains its values: keep it, or which table issues its numbers?",
		"phone TEXT":     "",
	} {
		got := said(check(t, "tables: [{table: '*', rows: merge}]", keepers(column, false, func(a, b, _ int) string { return fmt.Sprintf("%08d", a*7+b*5000) })...))
		if want == "" && strings.Contains(got, "ask") || !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant %q", column, got, want)
		}
	}
}
