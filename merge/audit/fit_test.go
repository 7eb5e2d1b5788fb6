package audit_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/gameid/gameid/merge"
)

// worldNames are names of every kind that is hard to cut: each is longer than any column below.
var worldNames = []string{
	"张三丰张三丰张三丰张三丰", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "🇨🇳🇯🇵🇰🇷🇫🇷🇩🇪🇮🇹🇪🇸", "👍🏽👍🏿👍🏻👍🏽👍🏿👍🏻", "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", "ＡＢＣＤＥＦＧＨＩＪＫＬ", "عمرعمرعمرعمرعمر", "क्षत्रियक्षत्रियक्षत्रिय",
	"한국어한국어한국어한국어", "a\u200bb\u200bc\u200bd\u200be\u200bf\u200bg", "abcdefghijklmnop", "x\x1b[31mx\x1b[31mx\x1b[31m", "O'Neil O'Neil O'Neil", "ab  cd  ef  gh  ij", "nul\x00nul\x00nul\x00nul\x00",
}

// TestM20NamesOfTheWorldFit renames players under columns that count characters, bytes, and bytes by a check, and holds every new name against the unit: it fits,
// no character that a reader sees is cut, two of them stay, no space ends it, no two are equal, and only what cannot be is a finding.
func TestM20NamesOfTheWorldFit(t *testing.T) {
	for declared, length := range map[string]func(string) int{
		"VARCHAR(20)":   utf8.RuneCountInString,
		"VARBINARY(40)": func(s string) int { return len(s) },
		"TEXT CHECK(length(CAST(players.name AS BLOB)) <= 40 AND level > 0)": func(s string) int { return len(s) },
		"TEXT CHECK(length(\"Name\") BETWEEN 1 AND 20)":                      utf8.RuneCountInString,
	} {
		t.Run(declared, func(t *testing.T) {
			limit := 20
			if strings.Contains(declared, "40") {
				limit = 40
			}
			sql := "CREATE TABLE players(id INTEGER PRIMARY KEY, name " + declared + ", level INT DEFAULT 1, UNIQUE(name)); CREATE TABLE c(players_id INT REFERENCES players);"
			for i, name := range worldNames {
				for length(name) > limit { // stands there already, so it fits
					name = cut(name)
				}
				sql += fmt.Sprintf("INSERT INTO players(id, name) VALUES(%d, CAST(x'%x' AS TEXT));", i+1, name)
			}
			res := check(t, `tables: [{table: players, rows: merge}]
uniques: [{unique: players.name, on_conflict: rename, column: name, template: "{shard}.{value}"}]`, sql, sql)
			if res.Settled == nil {
				// A family of four is 25 bytes, so two of them and a prefix do not fit 40.
				if want := 40; limit != want || !strings.Contains(said(res), "does not fit") {
					t.Fatal(said(res))
				}
				return
			}
			seen := map[string]bool{}
			for _, r := range res.Settled.Renames[0].Shards[1] {
				kept, found := strings.CutPrefix(r.New, "s2.")
				if !found || length(r.New) > limit || seen[r.New] {
					t.Errorf("%q became %q of length %d, want s2. in front, at most %d, once", r.Old, r.New, length(r.New), limit)
				}
				seen[r.New] = true
				kept = strings.TrimRight(kept, "23456789")
				if !strings.HasPrefix(r.Old, kept) || strings.HasSuffix(kept, " ") {
					t.Errorf("%q became %q, want its beginning without a space at the end", r.Old, r.New)
				}
				if all, before := uniseg.GraphemeClusterCount(r.Old), uniseg.GraphemeClusterCount(kept); before < min(2, all) || all != before+uniseg.GraphemeClusterCount(r.Old[len(kept):]) {
					t.Errorf("%q became %q: %d characters of %d stay, or one was cut", r.Old, r.New, before, all)
				}
			}
			if len(seen) != len(worldNames) {
				t.Errorf("%d names were renamed, want %d", len(seen), len(worldNames))
			}
		})
	}
}

// cut takes the last character off a name.
func cut(name string) string {
	last := 0
	for g := uniseg.NewGraphemes(name); g.Next(); {
		last, _ = g.Positions()
	}
	return name[:last]
}

// TestM20NamesThatDoNotFit checks that a name of which less than two characters would stay is a finding and never written, and a short one is whole or a finding.
func TestM20NamesThatDoNotFit(t *testing.T) {
	for _, tt := range []struct{ column, name, template, want string }{
		{"VARCHAR(4)", "Longname", "S{server}.{value}", "does not fit 4 characters"},
		{"VARBINARY(5)", "张三", "S{server}.{value}", "does not fit 5 bytes"},
		{"VARCHAR(12)", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "S{server}.{value}", "does not fit 12 characters"},
		{"VARCHAR(4)", "é", "S{server}.{value}", "S2.é"},
		{"VARCHAR(4)", "e\u0301", "S{server}.{value}", "does not fit 4 characters"},
		{"TEXT CHECK(name NOT LIKE '%.%')", "Bob", "S{server}.{value}", "does not fit the check"},
		{"TEXT CHECK(name NOT LIKE '%.%')", "Bob", "S{server}{value}", "S2Bob"},
		{"TINYTEXT", strings.Repeat("张", 85), "S{server}.{value}", "S2." + strings.Repeat("张", 84)},
	} {
		sql := fmt.Sprintf("CREATE TABLE players(id INTEGER PRIMARY KEY, name %s UNIQUE); CREATE TABLE c(players_id INT REFERENCES players); INSERT INTO players VALUES(1, '%s');", tt.column, tt.name)
		res := check(t, `tables: [{table: players, rows: merge}]
uniques: [{unique: players.name, on_conflict: rename, column: name, template: "`+tt.template+`"}]`, sql, sql)
		got := ""
		if res.Settled != nil {
			got = res.Settled.Renames[0].Shards[1][0].New
		} else {
			for _, f := range res.Findings {
				if f.Severity == merge.Block {
					got += f.Text
				}
			}
		}
		if res.Settled != nil && got != tt.want || !strings.Contains(got, tt.want) {
			t.Errorf("%q in %s under %q: got %q, want %q", tt.name, tt.column, tt.template, got, tt.want)
		}
	}
}
