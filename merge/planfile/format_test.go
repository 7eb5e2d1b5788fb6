package planfile_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

var update = flag.Bool("update", false, "write the golden files")

// hostile are texts that YAML, or a reader of names, could take for something else.
var hostile = []string{
	"no", "No", "y", "on", "null", "~", "true", "007", "0x10", "1e3", "1_000", ".5", ".inf", "-", "--- ", "...", "2025-01-01", "12:30:45", "@a", "`a", "*a", "&a", "!a", "%a",
	"a: b", "a #b", "#a", " a", "a ", "a\nb", "a\r\nb", "a\tb", "\ta", "[a]", "{a}", "a, b", "a]", "'", "''", `"`, `""`, `\`, `\n`, `'"\`, "? a", "| a", "> a", "<<", "=",
	"\x00", "\x1b[31m", "\u0085", "\u2028", "\ufeff", "\u202e", "\ufffd", "\ufffe", "é", "か", "👩‍🚀", "\U0010ffff", "a.b", `"a"."b"`, "a*b", "{value}", "$x", "set: a", "a:", "a:b", ":a",
}

func text() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(hostile),
		rapid.StringN(1, 20, -1).Filter(utf8.ValidString),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 1, 4).Draw(t, "parts"), rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "between"))
		}),
		rapid.StringMatching(`[a-z_]{1,8}`),
	)
}

func column() *rapid.Generator[merge.Col] {
	return rapid.Custom(func(t *rapid.T) merge.Col {
		return merge.Col{Table: text().Draw(t, "table"), Name: text().Draw(t, "column")}
	})
}

// distinct draws columns of one table.
func distinct(t *rapid.T, n int) []merge.Col {
	table := text().Draw(t, "table")
	names := rapid.SliceOfNDistinct(text(), n, n, rapid.ID[string]).Draw(t, "columns")
	list := make([]merge.Col, n)
	for i := range list {
		list[i] = merge.Col{Table: table, Name: names[i]}
	}
	return list
}

func maybe[T any](t *rapid.T, g *rapid.Generator[T], zero T) T {
	if rapid.Bool().Draw(t, "there") {
		return g.Draw(t, "value")
	}
	return zero
}

// like makes a pattern of some names, and tells of which.
func like(t *rapid.T, name *string) bool {
	*name = maybe(t, rapid.StringMatching(`[a-z_0-9か]{0,3}\*[a-z*]{0,3}`), *name)
	return strings.Contains(*name, "*") && strings.Trim(*name, "abcdefghijklmnopqrstuvwxyz_0123456789か*") == "" && rapid.Bool().Draw(t, "pattern")
}

func texts(t *rapid.T) map[string]string {
	return maybe(t, rapid.MapOfN(text(), text(), 1, 3), nil)
}

func key(t *rapid.T) merge.KeyPlan {
	k := merge.KeyPlan{
		Key: column().Draw(t, "key"), New: rapid.SampledFrom([]merge.Rule{"", merge.Shift, merge.Dense, merge.GameID}).Draw(t, "new"),
		All: rapid.Bool().Draw(t, "all"), Widen: rapid.Bool().Draw(t, "widen"), Sequence: rapid.SampledFrom([]string{"", "objects", "a b: #"}).Draw(t, "sequence"), Role: rapid.SampledFrom([]string{"", "character", "account"}).Draw(t, "role"),
	}
	if rapid.Bool().Draw(t, "range") {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		k.Range = &[2]int64{min(a, b), max(a, b)}
	}
	if rapid.Bool().Draw(t, "none") {
		k.None = rapid.SliceOfNDistinct(rapid.Int64(), 0, 3, rapid.ID[int64]).Draw(t, "numbers")
	}
	if k.New == "" && !k.All && k.Range == nil && !k.Widen && k.Sequence == "" && k.Role == "" && k.None == nil {
		k.New = merge.Static
	}
	return k
}

func reference(t *rapid.T) merge.Reference {
	r := merge.Reference{
		As:   rapid.SampledFrom([]merge.Form{merge.Plain, merge.Keep, merge.Copy, merge.List, merge.JSON, merge.Bits, merge.InText}).Draw(t, "as"),
		When: maybe(t, text(), ""),
	}
	n := 1
	if r.As == merge.Plain || r.As == merge.Keep {
		n = rapid.IntRange(1, 3).Draw(t, "n")
	}
	r.From = distinct(t, n)
	if r.As == merge.Keep {
		if n == 1 && r.When == "" {
			r.Pattern = merge.Pattern{Table: like(t, &r.From[0].Table), Name: like(t, &r.From[0].Name)}
		}
		return r
	}
	if r.To = distinct(t, n); slices.Equal(r.From, r.To) {
		r.To[0].Name += "'"
	}
	fraction := rapid.Float64().Filter(func(v float64) bool { return v != math.Trunc(v) || math.Abs(v) >= 1<<63 }) // a whole one is read as an integer
	value := rapid.OneOf(rapid.Int64().AsAny(), fraction.AsAny(), text().AsAny(), rapid.Just("").AsAny())
	r.None = maybe(t, rapid.SliceOfNDistinct(value, 1, 4, rapid.ID[any]), nil)
	r.Orphans = rapid.SampledFrom([]merge.OrphanRule{"", merge.ByTombstone, merge.ByClear, merge.ByDrop, merge.ByFail}).Draw(t, "orphans")
	switch r.As {
	case merge.Copy:
		if r.Orphans != "" {
			r.Orphans = merge.ByFail
		}
		if rapid.Bool().Draw(t, "by") {
			r.By = &merge.Col{Table: r.Table(), Name: text().Draw(t, "by")}
		}
		r.Via = rapid.SampledFrom([]string{"", "lower", "upper", "base37", "f({}, 'x: y')"}).Draw(t, "via")
	case merge.List:
		r.Separator = text().Draw(t, "separator")
	case merge.JSON:
		r.Path = rapid.SampledFrom([]string{"$", "$.a", "$.equip[*].id", "$.bag.*~", `$["a b\"]"].x`, "$[0]", "$.か"}).Draw(t, "path")
	case merge.InText:
		r.Match = rapid.SampledFrom([]string{`^player\.(\d+)\.`, `'(\d+)'`, `"(\d+)": #`, "\n(?:x)(\\d+)\t"}).Draw(t, "match")
	case merge.Bits:
		r.Bits = []merge.Bit{
			{Column: r.From[0].Name, At: rapid.IntRange(0, 32).Draw(t, "at"), Width: rapid.IntRange(1, 32).Draw(t, "width")},
			{Column: text().Draw(t, "other") + "x'", At: 0, Width: 32, Key: 32},
		}
		if r.Bits[0].Column == r.Bits[1].Column {
			r.Bits = r.Bits[:1]
		}
	}
	return r
}

func table(t *rapid.T) merge.TablePlan {
	p := merge.TablePlan{
		Table:   text().Draw(t, "table"),
		Rows:    rapid.SampledFrom([]merge.Rows{"", merge.MergeRows, merge.FirstRows, merge.FromRows, merge.UnionRows, merge.ByValue, merge.EmptyRows}).Draw(t, "rows"),
		Missing: texts(t), Purge: texts(t),
	}
	p.Pattern = like(t, &p.Table)
	if while := map[merge.Rows]merge.While{"": merge.WhileEmpty, merge.MergeRows: merge.WhileEmpty, merge.FirstRows: merge.WhileEqual}[p.Rows]; !p.Pattern && rapid.Bool().Draw(t, "while") {
		p.While = while
	}
	switch p.Rows {
	case merge.FromRows:
		p.From = text().Draw(t, "from")
	case merge.UnionRows, merge.ByValue:
		if p.Rows == merge.ByValue {
			p.By = rapid.SliceOfN(text(), 1, 3).Draw(t, "by")
		}
		limit := rapid.Int64Min(1).Draw(t, "cap")
		combine := rapid.SampledFrom([]merge.Combine{
			{How: "first"}, {How: "sum"}, {How: "max"}, {How: "min"}, {How: "sum", Cap: &limit}, {How: "latest", By: text().Draw(t, "latest")}, {How: "lowest", By: text().Draw(t, "lowest")}, {How: "set", By: text().Draw(t, "set")},
		})
		p.Columns = maybe(t, rapid.MapOfN(text(), combine, 1, 4), nil)
	case merge.EmptyRows:
		p.Missing, p.Purge = nil, nil
	}
	if p.Purge != nil && rapid.Bool().Draw(t, "on") {
		p.On = map[string]string{}
		for range rapid.IntRange(1, 3).Draw(t, "n") {
			p.On[column().Draw(t, "on").String()] = rapid.SampledFrom([]string{"delete", "clear", "spare", planfile.SetPrefix + text().Draw(t, "set")}).Draw(t, "how")
		}
	}
	return p
}

func unique(t *rapid.T) merge.UniquePlan {
	u := merge.UniquePlan{Unique: distinct(t, rapid.IntRange(1, 3).Draw(t, "n")), OnConflict: "fail", Collate: maybe(t, text(), "")}
	if rapid.Bool().Draw(t, "rename") {
		u.OnConflict, u.Template = "rename", rapid.SampledFrom([]string{"S{server}.{value}", "{value}: #{n}", "{value}", "か{shard}{value}"}).Draw(t, "template")
		u.Column = maybe(t, rapid.Just(u.Unique[0].Name), "")
		u.Winner, u.Mark = maybe(t, text(), ""), texts(t)
	}
	return u
}

func counter(t *rapid.T) merge.Counter {
	return merge.Counter{
		Column: column().Draw(t, "column"), Where: maybe(t, text(), ""), Key: column().Draw(t, "key"), Margin: rapid.Int64Min(0).Draw(t, "margin"),
	}
}

func several[E any](t *rapid.T, one func(*rapid.T) E, id func(E) string) []E {
	list := rapid.SliceOfNDistinct(rapid.Custom(one), 0, 4, id).Draw(t, "list")
	if len(list) == 0 {
		return nil
	}
	return list
}

func plan(t *rapid.T) *merge.Plan {
	p := &merge.Plan{
		Shards: several(t, func(t *rapid.T) merge.Source {
			s := merge.Source{Name: text().Draw(t, "name"), Source: maybe(t, text(), "")}
			if rapid.Bool().Draw(t, "server") {
				s.Server = ptr(rapid.Int64Range(0, merge.MaxServer).Draw(t, "number"))
			}
			return s
		}, func(s merge.Source) string { return s.Name }),
		Schema:     maybe(t, text(), ""),
		Keys:       several(t, key, func(k merge.KeyPlan) string { return k.Key.String() }),
		References: several(t, reference, func(r merge.Reference) string { return r.Table() }),
		Tables:     several(t, table, func(p merge.TablePlan) string { return p.Table }),
		Uniques:    several(t, unique, func(u merge.UniquePlan) string { return u.Unique[0].Table }),
		Counters:   several(t, counter, func(c merge.Counter) string { return c.Column.String() }),
	}
	roles := map[string]bool{}
	for i := range p.Keys { // one key has a role
		k := &p.Keys[i]
		if roles[k.Role] {
			k.Role, k.New = "", merge.Shift
		}
		roles[k.Role] = k.Role != ""
	}
	p.Accept = several(t, func(t *rapid.T) merge.Grade {
		return rapid.SampledFrom([]merge.Grade{merge.Certain, merge.Likely, merge.Doubtful}).Draw(t, "grade")
	}, func(g merge.Grade) string { return string(g) })
	return p
}

func undecided(t *rapid.T) merge.Undecided {
	u := merge.Undecided{Question: text().Draw(t, "question"), Evidence: text().Draw(t, "evidence"), Rows: rapid.Int64Range(0, 3).Draw(t, "rows")}
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		u.Key = ptr(key(t))
	case 1:
		u.Reference = ptr(reference(t))
	case 2:
		u.Table = ptr(table(t))
	case 3:
		u.Unique = ptr(unique(t))
	default:
		u.Counter = ptr(counter(t))
	}
	return u
}

// TestParseReadsWhatFormatWrote holds for every plan, without notes and with hostile ones.
func TestParseReadsWhatFormatWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := plan(t)
		recorded := planfile.Format(p, planfile.Notes{})
		got, err := planfile.Parse("p.yaml", recorded)
		if err != nil {
			t.Fatalf("%v\n%s", err, recorded)
		}
		if diff := cmp.Diff(p, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, recorded)
		}

		notes := planfile.Notes{Head: text().Draw(t, "head"), Comments: map[string]string{}}
		for i := range p.References {
			notes.Comments[planfile.ReferenceLine(&p.References[i])] = text().Draw(t, "comment")
		}
		notes.Undecided = rapid.SliceOfN(rapid.Custom(undecided), 0, 4).Draw(t, "undecided")
		written := planfile.Format(p, notes)
		whole, err := planfile.Read("p.yaml", written)
		if err != nil {
			t.Fatalf("with notes: %v\n%s", err, written)
		}
		if diff := cmp.Diff(p, &whole.Plan); diff != "" {
			t.Fatalf("with notes (-want +got):\n%s\n%s", diff, written)
		}
		lines := map[string]int{}
		for i := range notes.Undecided {
			_, line := planfile.UndecidedLine(&notes.Undecided[i])
			lines[line]++
		}
		for i := range whole.Undecided {
			_, line := planfile.UndecidedLine(&whole.Undecided[i])
			lines[line]--
		}
		for line, n := range lines {
			if n != 0 {
				t.Fatalf("undecided line %s: %d more written than read\n%s", line, n, written)
			}
		}
	})
}

func TestFormatQuotes(t *testing.T) {
	for in, want := range map[string]string{
		"a.db": "a.db", "no": `"no"`, "On": `"On"`, "007": `"007"`, "2025-01-01": `"2025-01-01"`, "@x": `"@x"`, "a: b": `"a: b"`, "a #b": `"a #b"`,
		`^p\.(\d+)`: `'^p\.(\d+)'`, `it's "x"`: `'it''s "x"'`, "a\nb": `"a\nb"`, "\x00": `"\u0000"`, "\U0001d173": `"\U0001D173"`, "か": `"か"`, "a\xffb": `"a\uFFFDb"`, "/x": `"/x"`,
	} {
		got := string(planfile.Format(&merge.Plan{Schema: in}, planfile.Notes{}))
		if got != "version: 1\nschema: "+want+"\n" {
			t.Errorf("%q is written as %q, want %s", in, got, want)
		}
	}
}

func TestFormatGolden(t *testing.T) {
	p := example()
	notes := planfile.Notes{
		Head: "Not mergeable yet: 3 decisions.\nMerged naively, 31,204 rows would belong to another player.",
		Comments: map[string]string{
			planfile.ReferenceLine(&p.References[0]): "certain: 100 % of 31,204 values in s1, 100 % of 29,871 in s2",
			planfile.TableLine(&p.Tables[2]):         "1,200 + 900 rows\npurge leaves 700",
			planfile.KeyLine(&p.Keys[0]):             "880 keys in both shards\x1b[31m",
		},
		Undecided: []merge.Undecided{
			{Question: "Where do the rows come from?", Rows: 1, Table: &merge.TablePlan{Table: "logs", Rows: merge.EmptyRows}},
			{
				Question: "Is it a player?", Rows: 31204, Evidence: "likely: 100 % of s1, 99 % of s2\nlook-alike: guilds.id",
				Reference: &merge.Reference{From: cols("items.maker"), To: cols("players.id"), None: []any{int64(0), "", 0.5}},
			},
			{Question: "Nothing to write", Rows: 9},
		},
	}
	for name, got := range map[string][]byte{"people.yaml": planfile.Format(p, notes), "recorded.yaml": planfile.Format(p, planfile.Notes{})} {
		path := "testdata/" + name
		if *update {
			if err := os.WriteFile(path, got, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("version: 1\nkeys: [{key: a.b, new: dense}]\n"))
	f.Add([]byte(commented))
	f.Add([]byte("version: 1\nundecided:\n- {from: s.a, as: keep}# ")) // a comment without words
	for _, name := range []string{"example.yaml", "people.yaml", "recorded.yaml"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		for line := range strings.SplitSeq(string(data), "\n") {
			if entry, ok := strings.CutPrefix(line, "  - "); ok {
				f.Add(fmt.Appendf(nil, "version: 1\nundecided:\n- %s\n", entry))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// A reader that loops would stop the fuzzer without a word.
		watch := time.AfterFunc(5*time.Second, func() { panic(fmt.Sprintf("no answer about %q", data)) })
		defer watch.Stop()
		p, err := planfile.Read("p.yaml", data)
		if err != nil {
			if p != nil || err.Error() == "" {
				t.Fatalf("plan %v and error %q", p, err)
			}
			return
		}
		again := planfile.Format(&p.Plan, planfile.Notes{Undecided: p.Undecided})
		q, err := planfile.Read("q.yaml", again)
		if err != nil {
			t.Fatalf("what was read is written as\n%s\nand refused: %v", again, err)
		}
		if diff := cmp.Diff(p.Plan, q.Plan); diff != "" {
			t.Fatalf("read again (-want +got):\n%s\n%s", diff, again)
		}
		again = planfile.Format(&p.Plan, planfile.Notes{Undecided: p.Undecided, Remarks: planfile.ReadRemarks(data)})
		if q, err = planfile.Read("q.yaml", again); err != nil {
			t.Fatalf("with its remarks the plan is written as\n%s\nand refused: %v", again, err)
		}
		if diff := cmp.Diff(p.Plan, q.Plan); diff != "" {
			t.Fatalf("read again with remarks (-want +got):\n%s\n%s", diff, again)
		}
		twice := planfile.Format(&p.Plan, planfile.Notes{Undecided: p.Undecided, Remarks: planfile.ReadRemarks(again)})
		if want, got := strings.Count(string(again), "#"), strings.Count(string(twice), "#"); got != want {
			t.Fatalf("%d hashes of\n%s\nbecame %d:\n%s", want, again, got, twice)
		}
	})
}
