package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/report"
)

var update = flag.Bool("update", false, "write the golden files")

func TestVerdictText(t *testing.T) {
	for _, c := range []struct {
		name string
		v    report.Verdict
		want string
	}{
		{
			"the design's own",
			report.Verdict{Decisions: 12, WrongRows: 31204, NameClashes: 160, Duration: 6*time.Minute + 10*time.Second, Bytes: 9e9},
			"Not mergeable yet: 12 decisions. Merged naively, 31,204 rows would belong to another player; 160 names clash. About 6 minutes, 9 GB.",
		},
		{
			"one of each",
			report.Verdict{Decisions: 1, Blocks: 1, WrongRows: 1, NameClashes: 1, Duration: time.Minute, Bytes: 1},
			"Not mergeable yet: 1 blocker, 1 decision. Merged naively, 1 row would belong to another player; 1 name clashes. About 1 minute, 1 byte.",
		},
		{
			"blocks alone",
			report.Verdict{Blocks: 2, WrongRows: 5},
			"Not mergeable yet: 2 blockers. Merged naively, 5 rows would belong to another player; no name clashes.",
		},
		{
			"nothing known yet",
			report.Verdict{Decisions: 3, NameClashes: 7},
			"Not mergeable yet: 3 decisions. Merged naively, no row is known yet that would belong to another player; 7 names clash.",
		},
		{
			"mergeable",
			report.Verdict{Mergeable: true, NameClashes: 2, Duration: 300 * time.Millisecond, Bytes: 1_450_000},
			"Mergeable: nothing is left to decide. Merged naively, no row would belong to another player; 2 names clash. Less than a second, 1.5 MB.",
		},
		{
			"nothing",
			report.Verdict{Mergeable: true},
			"Mergeable: nothing is left to decide. Merged naively, no row would belong to another player and no name would clash.",
		},
	} {
		if got := c.v.Text(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestNumbersForPeople(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 31204: "31,204", 123456: "123,456", -1234567: "-1,234,567",
		-9223372036854775808: "-9,223,372,036,854,775,808",
	} {
		if got := report.Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		time.Millisecond: "less than a second", time.Second: "1 second", 9400 * time.Millisecond: "9 seconds", 12 * time.Second: "10 seconds",
		57 * time.Second: "55 seconds", 58 * time.Second: "1 minute", 89 * time.Second: "1 minute", 91 * time.Second: "2 minutes",
		119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours", 150 * time.Minute: "2.5 hours", 26 * time.Hour: "26 hours",
	} {
		if got := report.Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1 kB", 1450: "1.5 kB", 9_960_000: "10 MB", 940_000_000: "940 MB",
		999_600_000: "1 GB", 9_000_000_000: "9 GB", 9223372036854775807: "9.2 EB",
	} {
		if got := report.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestFindingsAreSortedByWhatHasToHappen(t *testing.T) {
	list := []merge.Finding{
		{Rule: "i", Severity: merge.Info, Rows: 900},
		{Rule: "d2", Severity: merge.Decide, Table: "b", Rows: 5},
		{Rule: "d1", Severity: merge.Decide, Table: "a", Column: "y", Rows: 5},
		{Rule: "d0", Severity: merge.Decide, Table: "a", Column: "x", Rows: 5, Samples: []string{"9007199254740993"}},
		{Rule: "d9", Severity: merge.Decide, Table: "z", Rows: 6},
		{Rule: "b", Severity: merge.Block, Shard: "s2", Next: "repair it"},
	}
	var got []string
	for _, row := range report.FindingRows(list) {
		got = append(got, row[0].(string))
		if len(row) != len(report.FindingColumns()) {
			t.Errorf("row %v has %d cells, want one for each of %v", row, len(row), report.FindingColumns())
		}
	}
	if diff := cmp.Diff([]string{"b", "d9", "d0", "d1", "d2", "i"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if list[0].Rule != "i" {
		t.Error("the caller's list was sorted")
	}
	want := []any{"b", "block", nil, nil, "s2", int64(0), "", "repair it", []string{}}
	if diff := cmp.Diff(want, report.FindingRows(list)[0]); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

func TestSortDoesNotDependOnTheOrderGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) merge.Finding {
			return merge.Finding{
				Severity: rapid.SampledFrom([]merge.Severity{merge.Info, merge.Block, merge.Decide, "?"}).Draw(t, "severity"),
				Table:    rapid.SampledFrom([]string{"a", "b"}).Draw(t, "table"), Column: rapid.SampledFrom([]string{"", "c"}).Draw(t, "column"),
				Rows: rapid.Int64Range(0, 2).Draw(t, "rows"),
			}
		}), 0, 12).Draw(t, "findings")
		want := report.SortFindings(list)
		got := report.SortFindings(rapid.Permutation(list).Draw(t, "order"))
		if diff := cmp.Diff(want, got); len(list) > 0 && diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
		for i := 1; i < len(got); i++ {
			if got[i].Severity == merge.Block && got[i-1].Severity != merge.Block {
				t.Fatalf("a block stands after %q", got[i-1].Severity)
			}
		}
	})
}

// sample is an audit with hostile names.
func sample() *report.Audit {
	return &report.Audit{
		Verdict: report.Verdict{Decisions: 2, Blocks: 1, WrongRows: 31204, NameClashes: 160, Duration: 6 * time.Minute, Bytes: 9e9},
		Shards:  []string{"s1", "s2"},
		Tables: []report.TableLine{
			{Table: "players", Rows: []int64{1200, 900}, Policy: "merge", Conflicts: 880, NewKeys: "gameid"},
			{Table: "<script>alert(1)</script>", Rows: []int64{7, report.NoTable}, Orphans: 3, Notes: []string{"missing in s2", "opaque: save"}},
		},
		Findings: []merge.Finding{
			{Rule: "orphan", Severity: merge.Info, Table: "items", Column: "owner_id", Shard: "s1", Rows: 12, Text: "12 dead values", Samples: []string{"9007199254740993"}},
			{Rule: "drift", Severity: merge.Block, Table: "a\x1b[31m", Text: `types differ: "INT" & <TEXT>`, Next: "repair it"},
		},
		Undecided: []merge.Undecided{
			{Question: "where do the rows come from?", Rows: 1, Table: &merge.TablePlan{Table: "logs", Rows: merge.EmptyRows}},
			{
				Question: "is it a player?", Rows: 31204, Evidence: "likely: 100 % of s1, 99 % of s2\nlook\x1balike: guilds.id",
				Reference: &merge.Reference{From: []merge.Col{{Table: "items", Name: "owner id"}}, To: []merge.Col{{Table: "players", Name: "id"}}, None: []any{int64(0)}},
			},
		},
	}
}

func TestUndecidedText(t *testing.T) {
	want := `1. items."owner id": is it a player? (31,204 rows at risk)
   likely: 100 % of s1, 99 % of s2
   look\x1balike: guilds.id
   references:
     - {from: 'items."owner id"', to: players.id, none: [0]}
2. logs: where do the rows come from? (1 row at risk)
   tables:
     - {table: logs, rows: empty}
`
	if diff := cmp.Diff(want, report.UndecidedText(sample().Undecided, 0)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if got := report.UndecidedText(sample().Undecided, 1); !strings.HasSuffix(got, "... and 1 more.\n") || strings.Contains(got, "logs") {
		t.Errorf("limited to one: got\n%s", got)
	}
	if got := report.UndecidedText(nil, 3); got != "" {
		t.Errorf("nothing undecided: got %q, want nothing", got)
	}
}

func TestGolden(t *testing.T) {
	var page bytes.Buffer
	if err := sample().WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	document, err := json.MarshalIndent(sample().Document(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"audit.html": page.Bytes(), "audit.json": append(document, '\n')} {
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

func TestPageIsSelfContainedAndEscaped(t *testing.T) {
	var page bytes.Buffer
	if err := sample().WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "http:", "https:", "src=", "href=", "url(", "\x1b", "ZgotmplZ"} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, want := range []string{"&lt;script&gt;", "1,200", "31,204 rows at risk", "1 row at risk", "Not mergeable yet"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestEmptyDocumentHasNoNulls(t *testing.T) {
	text, err := json.Marshal((&report.Audit{Verdict: report.Verdict{Mergeable: true}}).Document())
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("null")) {
		t.Errorf("got %s, want empty lists instead of null", text)
	}
}

func TestTableRowsFitTheirColumns(t *testing.T) {
	a := sample()
	want := []string{"table", "rows_s1", "rows_s2", "policy", "conflicts", "new_keys", "orphans", "notes"}
	if diff := cmp.Diff(want, a.TableColumns()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	row := []any{"<script>alert(1)</script>", int64(7), nil, nil, int64(0), nil, int64(3), []string{"missing in s2", "opaque: save"}}
	if diff := cmp.Diff(row, a.TableRows()[0]); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}
