package planfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge/planfile"
)

// TestParseRefuses names, for each mistake, where it is and a word of what is said about it.
func TestParseRefuses(t *testing.T) {
	long := "version: 1\nkeys: " + strings.Repeat("[", 100000)
	for _, c := range []struct{ text, want string }{
		{"", "p.yaml: the plan is empty; begin with `version: 1`"},
		{"# nothing\n", "p.yaml: the plan is empty"},
		{"keys: []\n", "1:1: plan: `version` is missing"},
		{"version: 2\n", "1:10: version 2 of the plan format is not known"},
		{"version: '1'\n", `1:10: version: want a whole number, got the text "1"`},
		{"version: 1\nversion: 1\n", `2:1: plan: "version" stands twice`},
		{"version: 1\n---\nversion: 1\n", "3:1: the file holds several documents"},
		{"version: 1\nshard: []\n", `2:1: plan: unknown key "shard"`},
		{"version: 1\nkeys:\n", "2:7: keys: want a list, got nothing (null); give it a value or remove `keys`"},
		{"version: 1\nkeys: ~\n", "2:7: keys: want a list, got nothing (null)"},
		{"version: 1\nkeys: {a: b}\n", "2:7: keys: want a list, got a mapping"},
		{"version: 1\nkeys: [a]\n", `2:8: keys: want a mapping, got the text "a"`},
		{"version: 1\nkeys: [{key: a.b, new: }]\n", "new: want one of shift, dense, gameid, static, got nothing (null)"},
		{"version: 1\nkeys: [{key: a.b, new: snowflake}]\n", `2:24: new: want one of shift, dense, gameid, static, got the text "snowflake"`},
		{"version: 1\nkeys: [{new: dense}]\n", "2:8: keys: `key` is missing"},
		{"version: 1\nkeys: [{key: ab, new: dense}]\n", `2:14: key: column "ab": want table.column`},
		{"version: 1\nkeys: [{key: a b.c, new: dense}]\n", "2:14: key: name"},
		{"version: 1\nkeys: [{key: a.*}]\n", "2:14: key: a pattern is no name"},
		{"version: 1\nkeys: [{key: a.b, range: [5]}]\n", "want two numbers, got 1"},
		{"version: 1\nkeys: [{key: a.b, range: [5, 1]}]\n", "5 is above 1"},
		{"version: 1\nkeys: [{key: a.b, range: [1, 010]}]\n", "got the number 010"},
		{"version: 1\nkeys: [{key: a.b, range: [1, 99999999999999999999]}]\n", "range: want a whole number"},
		{"version: 1\nkeys: [{key: a.b, widen: yes}]\n", "widen: want true or false"},
		{"version: 1\nkeys: [{key: a.b, role: guild}]\n", "role: want one of character, account"},
		{"version: 1\nkeys: [{key: a.b, new: static, change: all}]\n", "2:40: keys: `change` has no meaning for a static key, which never changes"},
		{"version: 1\ntables: [{table: a, rows: first, while: apart}]\n", "`while: apart` has no meaning unless rows is merge"},
		{"version: 1\nkeys: [{key: a.b, new: static, none: [0]}]\n", "`none` has no meaning for a static key, which never changes"},
		{"version: 1\nkeys: [{key: a.b, new: shift, none: 0}]\n", "none: want a list, got the number 0"},
		{"version: 1\nkeys: [{key: a.b, new: shift, none: [0, x]}]\n", `none: want a whole number, got the text "x"`},
		{"version: 1\nkeys: [{key: a.b, new: shift, none: [0, 0]}]\n", "none: the value stands twice"},
		{"version: 1\nkeys:\n- {key: a.b, new: dense}\n- {key: a.b, new: shift}\n", "4:3: key a.b is decided already, in line 3"},
		{"version: 1\naccept: [declared]\n", "accept: want one of certain, likely, doubtful"},
		{"version: 1\nshards: [{name: a}, {name: a}]\n", `two shards are named "a"`},
		{"version: 1\nshards: [{name: a, server: -1}]\n", "-1 is no server number; give a number from 0 to 1048575"},
		{"version: 1\nshards: [{name: a, server: 1048576}]\n", "2:28: server: 1048576 is no server number"},
		{"version: 1\nshards: [{source: a.db}]\n", "`name` is missing"},
		{"version: 1\nreferences: [{from: a.b}]\n", "references: `to` is missing"},
		{"version: 1\nreferences: [{from: [a.b, c.d], to: [e.f, e.g]}]\n", "c.d is of another table than a.b"},
		{"version: 1\nreferences: [{from: [a.b, a.b], to: [e.f, e.g]}]\n", "a.b stands twice"},
		{"version: 1\nreferences: [{from: [a.b, a.c], to: e.f}]\n", "to: 1 column(s) for 2 under from"},
		{"version: 1\nreferences: [{from: [], to: e.f}]\n", "from: the list is empty"},
		{"version: 1\nreferences: [{from: a.*, to: e.f}]\n", "from: a pattern is no name of a column"},
		{"version: 1\nreferences: [{from: a.b, as: keep, to: c.d}]\n", "`to` has no meaning for a column that is kept"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, path: $.x}]\n", "`path` has no meaning without `as`"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: xml}]\n", "as: want one of keep, copy, list, json, bits, text"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: list}]\n", "`separator` is missing"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: list, separator: ''}]\n", "separator: the text is empty"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: json, path: x}]\n", `path: "x" does not begin with $`},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: json, path: $..x}]\n", "is no step of a path"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: json, path: $.x~}]\n", "~ stands after something else"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: text, match: '('}]\n", "match: missing closing )"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: text, match: '(a)(b)'}]\n", "the expression has 2 groups"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: bits, bits: []}]\n", "bits: the list is empty"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: bits, bits: [{column: b, at: 40, width: 32, key: 0}]}]\n", "beyond bit 63"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: bits, bits: [{column: b, at: 64, width: 1, key: 0}]}]\n", "at: 64 is not between 0 and 63"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: bits, bits: [{column: x, at: 0, width: 8, key: 0}]}]\n", "no part lies in a.b"},
		{
			"version: 1\nreferences: [{from: a.b, to: c.d, as: bits, bits: [{column: b, at: 0, width: 8, key: 0}, {column: b, at: 7, width: 8, key: 8}]}]\n",
			"overlaps another one",
		},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: copy, by: x.y}]\n", "x.y is of another table than a.b"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: copy, via: rot13}]\n", `"rot13" is neither lower`},
		{"version: 1\nreferences: [{from: a.b, to: c.d, orphans: keep}]\n", "2:44: orphans: keep is for `as: copy`"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, orphans: bury}]\n", "orphans: want one of tombstone, clear, drop, fail, keep"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: 0}]\n", "none: want a list, got the number 0"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: [true]}]\n", "none: want a number or text, got the word true"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: [null]}]\n", "none: want a number or text, got nothing (null)"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: [.nan]}]\n", "got the number .nan"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: [99999999999999999999]}]\n", "a number that fits 64 bits, or text"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: [0, -1, 0]}]\n", "2:49: none: the value stands twice"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: [0, -0.0]}]\n", "2:45: none: the value stands twice"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: [007]}]\n", "got the number 007"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, none: [1e999]}]\n", "a number that fits"},
		{"version: 1\nreferences:\n- {from: a.b, to: c.d}\n- {from: a.b, to: e.f}\n", "4:3: a.b is decided already, in line 3"},
		{"version: 1\nreferences:\n- {from: a.b, to: c.d}\n- {from: a.b, as: keep}\n", "4:3: a.b is decided already, in line 3"},
		{"version: 1\nreferences:\n- {from: [a.b, a.c], to: [d.x, d.y]}\n- {from: [a.c, a.b], to: [d.y, d.x]}\n", "is decided already, in line 3"},
		{"version: 1\nreferences:\n- {from: a.b, to: c.d, when: x}\n- {from: a.b, to: e.f, when: x}\n", "4:3: a.b is decided already"},
		{"version: 1\nreferences: [{from: a.b, to: c.d when: x}]\n", "missing comma"},
		{"version: 1\ntables: [{table: a, rows: keep}]\n", "rows: want one of merge, first, union, by-value, empty, {from: shard}"},
		{"version: 1\ntables: [{table: a, rows: '{from: shard}'}]\n", "rows: want"},
		{"version: 1\ntables: [{table: a, rows: from}]\n", "rows: want"},
		{"version: 1\ntables: [{table: a b}]\n", `table: name "a b"`},
		{"version: 1\ntables: [{table: a.b}]\n", "table: column"},
		{"version: 1\ntables: [{table: a}, {table: a}]\n", "table a is decided already"},
		{"version: 1\ntables: [{table: a, rows: by-value}]\n", "by-value needs `by`"},
		{"version: 1\ntables: [{table: a, by: x}]\n", "`by` has no meaning"},
		{"version: 1\ntables: [{table: a, columns: {x: max}}]\n", "`columns` has no meaning"},
		{"version: 1\ntables: [{table: a, rows: union, columns: {x: avg}}]\n", "columns.x: want one of first, sum, max, min"},
		{"version: 1\ntables: [{table: a, rows: union, columns: {x: '{sum: cap}'}}]\n", "columns.x"},
		{"version: 1\ntables: [{table: a, rows: union, columns: {x: {sum: many}}}]\n", `sum: want a whole number, got the text "many"`},
		{"version: 1\ntables: [{table: a, rows: union, columns: {x: {sum: 1, latest: b}}}]\n", "columns.x: want one of sum, latest, lowest and set"},
		{"version: 1\ntables: [{table: a, rows: union, columns: {x: {set: 1}}}]\n", "set: want text, got the number 1"},
		{"version: 1\ntables: [{table: a, rows: union, columns: {x: {latest: }}}]\n", "latest: want text, got nothing"},
		{"version: 1\ntables: [{table: a, on: {b.c: spare}}]\n", "`on` has no meaning without `purge`"},
		{"version: 1\ntables: [{table: a, purge: {default: x}, on: {b.c: keep}}]\n", "want one of delete, clear, spare"},
		{"version: 1\ntables: [{table: a, purge: {default: x}, on: {b.c: '{set: expression}'}}]\n", "on.b.c"},
		{"version: 1\ntables: [{table: a, purge: x}]\n", "purge: want a mapping"},
		{"version: 1\ntables: [{table: a, purge: {1: x}}]\n", "the key is the number 1, not a text; put the key in quotes"},
		{"version: 1\ntables: [{table: a, missing: {vip: 0}}]\n", "missing.vip: want text, got the number 0; put it in quotes"},
		{"version: 1\ntables: [{table: a, missing: {vip: }}]\n", "missing.vip: want text, got nothing (null); give it a value or remove `missing.vip`"},
		{"version: 1\ntables: [{table: a, purge: {default: null}}]\n", "purge.default: want text, got nothing (null)"},
		{"version: 1\ntables: [{table: a, missing: {}}]\n", "missing: the mapping is empty"},
		{"version: 1\nuniques: [{unique: a.b}]\n", "`on_conflict` is missing"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: suffix}]\n", "on_conflict: want one of rename, fail, keep"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: rename}]\n", "`template` is missing"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: rename, template: '{old}.{value}'}]\n", "{old} is no placeholder"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: rename, template: '{server}.{value'}]\n", "template: {value is no placeholder"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: rename, template: 'S}{value}'}]\n", "template: } is no placeholder"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: rename, template: '{ value}'}]\n", "template: { is no placeholder"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: rename, template: 'Player{n}'}]\n", "template: it keeps nothing of the old name"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: fail, template: x}]\n", "`template` has no meaning for `on_conflict: fail`"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: keep, winner: x}]\n", "`winner` has no meaning for `on_conflict: keep`"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: rename, template: '{value}', column: c}]\n", `column: "c" is none of a.b`},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: fail}, {unique: a.b, on_conflict: fail}]\n", "unique a.b is decided already"},
		{"version: 1\ncounters: [{column: a.b}]\n", "`key` is missing"},
		{"version: 1\ncounters: [{column: a.b, key: c.d, margin: -1}]\n", "margin: -1 is negative"},
		{"version: 1\ncounters: [{column: a.b, key: c.d}, {column: a.b, key: c.d, margin: 2}]\n", "counter a.b of c.d is decided already"},
		{"version: 1\nundecided: [{to: a.b, from: c.d}]\n", `2:14: undecided: an entry cannot begin with "to"`},
		{"version: 1\nundecided: [{}]\n", "undecided: the entry is empty"},
		{"version: 1\nundecided: [{key: a.b, new: maybe}]\n", "new: want one of"},
		{"version: 1\nundecided: [{key: a.b, colour: red}]\n", `undecided key: unknown key "colour"`},
		{"version: 1\nkeys: &x []\nreferences: *x\n", "2:7: anchors and aliases"},
		{"version: 1\n<<: {a: 1}\n", "anchors and aliases"},
		{"version: 1\nkeys: !!seq []\n", "tags and directives"},
		{"%YAML 1.2\n---\nversion: 1\n", "tags and directives"},
		{"version: 1\n? keys\n: []\n", "2:1: '?' keys"},
		{"version: 1\nkeys:\n\t- {key: a.b}\n", "3:1: a tab indents the line; use spaces"},
		{"version: 1\nkeys: [{key: a.b]\n", "not YAML"},
		{"version: 1\nkeys: 'a\n", "2:7: not YAML"},
		{"version: 1\nschema: \"a\x01b\"\n", "2:11: control character U+0001"},
		{"version: 1\nschema: \"a\xff\"\n", "2:11: the text is not UTF-8"},
		{"version: 1\rkeys: []\r", "1:11: control character U+000D"},
		{"\xff\xfev\x00", "the text is not UTF-8"},
		{long, "lists inside lists, too many"},
		{"version: 1\nkeys:\n" + strings.Repeat("- ", 100000), "lists inside lists, too many"},
		{"version: 1\nschema: x\n" + strings.Repeat("# a long comment\n", 300000), "more than the 4194304 of the largest plan"},
		{"version: 1\n" + strings.Repeat("a: b\n", 200000), "1001:2: a mapping of more than 1000 keys"},
		{"version: 1\n" + strings.Repeat("a:\n  - b: c\n", 100000), "a mapping of more than 1000 keys"},
		{"version: 1\nkeys:\n" + strings.Repeat("- a:\n", 60000), "50003:1: more than 50000 entries"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: copy, by: a.x, orphans: tombstone}]\n", "2:63: orphans: tombstone has no meaning beside `by`"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: copy, by: a.x, orphans: keep}]\n", "2:63: orphans: keep has no meaning beside `by`"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: copy, orphans: clear}]\n", "2:54: orphans: clear has no meaning for `as: copy`"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, as: copy, by: a.x, orphans: drop}]\n", "2:63: orphans: drop has no meaning for `as: copy`"},
		{"version: 1\nreferences: [{from: a.b, as: keep, orphans: fail}]\n", "2:45: references: `orphans` has no meaning for a column that is kept"},
		{"version: 1\nreferences: [{from: a.b, as: keep, none: [0]}]\n", "2:42: references: `none` has no meaning for a column that is kept"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, by: a.x}]\n", "2:39: references: `by` has no meaning without `as`"},
		{"version: 1\nreferences: [{from: a.b, to: c.d, via: lower}]\n", "2:40: references: `via` has no meaning without `as`"},
		{"version: 1\nreferences: [{from: a.b, as: keep, via: lower}]\n", "2:41: references: `via` has no meaning for `as: keep`"},
		{"version: 1\nreferences: [{from: a.b, to: a.b}]\n", "2:30: to: a.b refers to itself"},
		{"version: 1\nreferences: [{from: [a.x*, a.y*], as: keep}]\n", "2:21: from: a pattern stands alone"},
		{"version: 1\nreferences: [{from: a.*, as: keep, when: x = 1}]\n", "2:42: when: a pattern has no condition"},
		{"version: 1\nreferences:\n- {from: a.b, to: c.d}\n- {from: a.b, to: e.f, when: x}\n", "4:3: a.b is decided already in every row, in line 3"},
		{"version: 1\nreferences:\n- {from: a.b, to: e.f, when: x}\n- {from: a.b, to: c.d}\n", "4:3: a.b is decided already under a condition, in line 3"},
		{"version: 1\nkeys: [{key: a.b}]\n", "2:8: keys: a.b is named and nothing is said about it"},
		{"version: 1\nkeys: [{key: a.b, new: static, range: [1, 2]}]\n", "2:39: keys: `range` has no meaning for a static key"},
		{"version: 1\nkeys:\n- {key: a.b, role: account}\n- {key: c.d, role: account}\n", "4:3: which key has the role account is decided already, in line 3"},
		{"version: 1\ntables: [{table: a, rows: first, by: x}]\n", "2:38: tables: `by` has no meaning unless rows is by-value"},
		{"version: 1\ntables: [{table: a, rows: union, by: x}]\n", "2:38: tables: `by` has no meaning unless rows is by-value"},
		{"version: 1\ntables: [{table: a, rows: first, columns: {x: max}}]\n", "2:43: tables: `columns` has no meaning unless rows is union"},
		{"version: 1\ntables: [{table: a, rows: empty, missing: {x: '1'}}]\n", "2:43: tables: `missing` has no meaning for `rows: empty`"},
		{"version: 1\ntables: [{table: a, rows: empty, purge: {default: x}}]\n", "2:41: tables: `purge` has no meaning for `rows: empty`"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: fail, mark: {x: '1'}}]\n", "2:50: uniques: `mark` has no meaning for `on_conflict: fail`"},
		{"version: 1\nuniques: [{unique: a.b, on_conflict: fail, winner: x}]\n", "2:52: uniques: `winner` has no meaning for `on_conflict: fail`"},
		{"- version: 1\n", "1:1: plan: want a mapping, got a list"},
		{"just text\n", `plan: want a mapping, got the text "just text"`},
	} {
		_, err := planfile.Parse("p.yaml", []byte(c.text))
		text := c.text
		if len(text) > 200 {
			text = text[:200] + "..."
		}
		if err == nil {
			t.Errorf("%q was accepted, want an error with %q", text, c.want)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", text, err, c.want)
		}
		var one *planfile.Error
		if !errors.As(err, &one) || one.File != "p.yaml" || one.Text == "" || one.Next == "" {
			t.Errorf("%q: got %#v, want an *Error with a file, a text and a next step", text, one)
		}
	}
}

func TestParseReportsEveryMistakeInOrder(t *testing.T) {
	_, err := planfile.Parse("p.yaml", []byte(`version: 1
keys:
  - {key: nonsense, new: dense}
  - {key: a.b, new: nonsense, colour: red}
undecided:
  - {from: a.b, to: }
tables:
  - {table: t, rows: 7}
`))
	var list planfile.Errors
	if !errors.As(err, &list) {
		t.Fatalf("got %v, want Errors", err)
	}
	var got []string
	for _, e := range list {
		got = append(got, fmt.Sprintf("%d:%d", e.Line, e.Column))
	}
	if diff := cmp.Diff([]string{"3:11", "4:21", "4:31", "6:20", "8:22"}, got); diff != "" {
		t.Errorf("positions (-want +got):\n%s\n%v", diff, err)
	}
}
