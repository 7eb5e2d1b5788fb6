package planfile_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

func col(s string) merge.Col {
	c, err := merge.ParseCol(s)
	if err != nil {
		panic(err)
	}
	return c
}

func cols(list ...string) []merge.Col {
	out := make([]merge.Col, len(list))
	for i, s := range list {
		out[i] = col(s)
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// example is what testdata/example.yaml, the documented plan file, says.
func example() *merge.Plan {
	return &merge.Plan{
		Shards: []merge.Source{{Name: "s1", Server: ptr[int64](1), Source: "a.db"}, {Name: "s2", Server: ptr[int64](2), Source: "b.db"}},
		Schema: "sha256:...",
		Accept: []merge.Grade{merge.Certain},
		Keys: []merge.KeyPlan{
			{Key: col("players.id"), New: merge.GameID},
			{Key: col("guilds.id"), New: merge.Dense, Range: &[2]int64{1, 65535}},
		},
		References: []merge.Reference{
			{From: cols("items.owner_id"), To: cols("players.id"), None: []any{int64(0)}},
			{From: cols("f.a", "f.b"), To: cols("pair.a", "pair.b")},
			{From: cols("log.target"), To: cols("players.id"), When: "kind = 1"},
			{From: cols("regions.users"), To: cols("players.id"), As: merge.List, Separator: ","},
			{From: cols("players.data"), To: cols("items.id"), As: merge.JSON, Path: "$.equip[*].id"},
			{From: cols("inv.c2"), To: cols("players.id"), As: merge.Bits, When: "c0 IN (254, 255)", Bits: []merge.Bit{{Column: "c2", At: 0, Width: 16, Key: 0}, {Column: "c3", At: 0, Width: 16, Key: 16}}},
			{From: cols("inv.uid"), To: cols("players.id"), As: merge.Bits, Bits: []merge.Bit{{Column: "uid", At: 32, Width: 32, Key: 0}}},
			{From: cols("kv.name"), To: cols("players.id"), As: merge.InText, Match: `^player\.(\d+)\.`},
			{From: cols("mail.sender_name"), To: cols("players.name"), As: merge.Copy, By: ptr(col("mail.sender_id"))},
			{From: cols("friends.hash"), To: cols("players.name"), As: merge.Copy, Via: "base37"},
			{From: cols("stats.level"), As: merge.Keep},
			{From: cols(`"odd name"."owner id"`), To: cols("players.id")},
		},
		Tables: []merge.TablePlan{
			{Table: "houses", Rows: merge.UnionRows, Columns: map[string]merge.Combine{
				"bid": {How: "max"}, "coins": {How: "sum", Cap: ptr[int64](1000000)}, "owner": {How: "latest", By: "updated_at"},
			}},
			{Table: "materials", Rows: merge.ByValue, By: []string{"name"}},
			{
				Table:   "players",
				Purge:   map[string]string{"s1": "level < 10 AND paid = 0", "default": "level < 30 AND paid = 0"},
				On:      map[string]string{"guilds.leader": "spare"},
				Missing: map[string]string{"vip": "0"},
			},
		},
		Uniques: []merge.UniquePlan{{
			Unique: cols("players.name"), OnConflict: "rename", Template: "S{server}.{value}", Winner: "level DESC, created",
			Mark: map[string]string{"rename_flag": "1"}, Collate: "NOCASE",
		}},
		Counters: []merge.Counter{{Column: col("seq.next_id"), Where: "name = 'item'", Key: col("items.id"), Margin: 1}},
	}
}

func TestParseReadsTheDocumentedExample(t *testing.T) {
	data, err := os.ReadFile("testdata/example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"as it is": string(data), "with CRLF": strings.ReplaceAll(string(data), "\n", "\r\n"), "with a BOM": "\ufeff" + string(data),
		"after a document mark": "---\n" + string(data),
	} {
		got, err := planfile.Parse("example.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(example(), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestParseReads gives the spellings that the example does not show, each as one line under its section.
func TestParseReads(t *testing.T) {
	for _, c := range []struct {
		text string
		want merge.Plan
	}{
		{"accept: certain", merge.Plan{Accept: []merge.Grade{merge.Certain}}},
		{"accept: [certain, likely]", merge.Plan{Accept: []merge.Grade{merge.Certain, merge.Likely}}},
		{"keys: []\nreferences: []\nundecided: []", merge.Plan{}},
		{"shards:\n- {name: s1}", merge.Plan{Shards: []merge.Source{{Name: "s1"}}}},
		{"shards:\n- {name: no, server: 0}", merge.Plan{Shards: []merge.Source{{Name: "no", Server: ptr[int64](0)}}}},
		{
			"keys:\n  - key: c.id\n    new: shift\n    change: all\n    widen: true\n    role: character",
			merge.Plan{Keys: []merge.KeyPlan{{Key: col("c.id"), New: merge.Shift, All: true, Widen: true, Role: "character"}}},
		},
		{"keys: [{key: c.id, new: static}]", merge.Plan{Keys: []merge.KeyPlan{{Key: col("c.id"), New: merge.Static}}}},
		{
			"references: [{from: a.b, to: c.d, none: [0, -1, '', \"\\0\", 1.5, -9223372036854775808, 2025-01-01], orphans: clear}]",
			merge.Plan{References: []merge.Reference{{
				From: cols("a.b"), To: cols("c.d"), Orphans: merge.ByClear,
				None: []any{int64(0), int64(-1), "", "\x00", 1.5, int64(-9223372036854775808), "2025-01-01"},
			}}},
		},
		{
			"references: [{from: a.b, to: c.d, as: json, path: '$.bag.*~'}, {from: a.b, to: e.f, as: json, path: '$[\"a b\"][3].x'}]",
			merge.Plan{References: []merge.Reference{
				{From: cols("a.b"), To: cols("c.d"), As: merge.JSON, Path: "$.bag.*~"},
				{From: cols("a.b"), To: cols("e.f"), As: merge.JSON, Path: `$["a b"][3].x`},
			}},
		},
		{
			"references: [{from: a.b, to: c.d, when: k = 1}, {from: a.b, to: e.f, when: k = 2}, {from: a.b, as: keep}]",
			merge.Plan{References: []merge.Reference{
				{From: cols("a.b"), To: cols("c.d"), When: "k = 1"}, {From: cols("a.b"), To: cols("e.f"), When: "k = 2"}, {From: cols("a.b"), As: merge.Keep},
			}},
		},
		{"references: [{from: log_*.*, as: keep}]", merge.Plan{References: []merge.Reference{{From: []merge.Col{{Table: "log_*", Name: "*"}}, Pattern: merge.Pattern{Table: true, Name: true}, As: merge.Keep}}}},
		{
			`references: [{from: '"log*".x', as: keep}, {from: '"log*".*', as: keep}, {from: log*.x, as: keep}, {from: ['"log*"."*"', a.b], as: keep}]`,
			merge.Plan{References: []merge.Reference{
				{From: []merge.Col{{Table: "log*", Name: "x"}}, As: merge.Keep},
				{From: []merge.Col{{Table: "log*", Name: "*"}}, Pattern: merge.Pattern{Name: true}, As: merge.Keep},
				{From: []merge.Col{{Table: "log*", Name: "x"}}, Pattern: merge.Pattern{Table: true}, As: merge.Keep},
				{From: []merge.Col{{Table: "log*", Name: "*"}, col("a.b")}, As: merge.Keep},
			}},
		},
		{`tables: [{table: '"log*"', rows: empty}, {table: log*, rows: first}]`, merge.Plan{Tables: []merge.TablePlan{
			{Table: "log*", Rows: merge.EmptyRows}, {Table: "log*", Pattern: true, Rows: merge.FirstRows},
		}}},
		{
			`references: [{from: '"a*b".c', to: d.e}]`,
			merge.Plan{References: []merge.Reference{{From: []merge.Col{{Table: "a*b", Name: "c"}}, To: cols("d.e")}}},
		},
		{"references: [{from: a.n, to: p.n, as: copy, via: 'substr({}, 1, 12)'}]", merge.Plan{References: []merge.Reference{
			{From: cols("a.n"), To: cols("p.n"), As: merge.Copy, Via: "substr({}, 1, 12)"},
		}}},
		{"tables: [{table: log_*, rows: empty}, {table: x, rows: by-value, by: [a, b]}]", merge.Plan{Tables: []merge.TablePlan{
			{Table: "log_*", Pattern: true, Rows: merge.EmptyRows}, {Table: "x", Rows: merge.ByValue, By: []string{"a", "b"}},
		}}},
		{"tables: [{table: '\"odd.name\"', rows: {from: s2}}]", merge.Plan{Tables: []merge.TablePlan{{Table: "odd.name", Rows: merge.FromRows, From: "s2"}}}},
		{"tables: [{table: h, rows: union, columns: {a: sum, b: first, c: min, no: max}}]", merge.Plan{Tables: []merge.TablePlan{
			{Table: "h", Rows: merge.UnionRows, Columns: map[string]merge.Combine{"a": {How: "sum"}, "b": {How: "first"}, "c": {How: "min"}, "no": {How: "max"}}},
		}}},
		{"tables: [{table: p, purge: {default: x = 1}, on: {g.l: {set: 'max(id)'}, i.o: delete}}]", merge.Plan{Tables: []merge.TablePlan{
			{Table: "p", Purge: map[string]string{"default": "x = 1"}, On: map[string]string{"g.l": planfile.SetPrefix + "max(id)", "i.o": "delete"}},
		}}},
		{"uniques: [{unique: [p.server, p.name], on_conflict: rename, column: name, template: '{value}{n}'}]", merge.Plan{Uniques: []merge.UniquePlan{
			{Unique: cols("p.server", "p.name"), OnConflict: "rename", Column: "name", Template: "{value}{n}"},
		}}},
		{"uniques: [{unique: p.nick, on_conflict: keep}]", merge.Plan{Uniques: []merge.UniquePlan{{Unique: cols("p.nick"), OnConflict: "keep"}}}},
		{"uniques: [{unique: p.mail, on_conflict: fail, collate: NOCASE}]", merge.Plan{Uniques: []merge.UniquePlan{
			{Unique: cols("p.mail"), OnConflict: "fail", Collate: "NOCASE"},
		}}},
		{"counters: [{column: s.n, key: i.id}]", merge.Plan{Counters: []merge.Counter{{Column: col("s.n"), Key: col("i.id")}}}},
	} {
		got, err := planfile.Parse("p.yaml", []byte("version: 1\n"+c.text+"\n"))
		if err != nil {
			t.Errorf("%s\n%v", c.text, err)
		} else if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestReadReturnsWhatIsUndecidedApart(t *testing.T) {
	p, err := planfile.Read("p.yaml", []byte(`version: 1
keys:
  - {key: a.id, new: dense}
undecided:
  - {from: a.x, to: b.id}
  - {from: a.x, to: c.id}
  - {key: a.id, new: shift}
  - {table: t, rows: merge}
  - {unique: a.n, on_conflict: fail}
  - {column: s.n, key: a.id}
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Keys) != 1 || len(p.References)+len(p.Tables)+len(p.Uniques)+len(p.Counters) != 0 {
		t.Errorf("an undecided entry settled something: %+v", p.Plan)
	}
	var got []string
	for i := range p.Undecided {
		section, line := planfile.UndecidedLine(&p.Undecided[i])
		got = append(got, section+" "+line)
	}
	want := []string{
		"references {from: a.x, to: b.id}", "references {from: a.x, to: c.id}", "keys {key: a.id, new: shift}", "tables {table: t, rows: merge}",
		"uniques {unique: a.n, on_conflict: fail}", "counters {column: s.n, key: a.id}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("undecided (-want +got):\n%s", diff)
	}
}
