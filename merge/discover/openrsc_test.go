package discover_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// caseDir finds a case that is too large or differently licensed for this repository.
func caseDir(t *testing.T, name string) string {
	t.Helper()
	base := os.Getenv("GAMEID_CASES")
	if base == "" {
		base = filepath.Join("..", "..", "..", "shared", "cases")
	}
	dir := filepath.Join(base, name)
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("GAMEID_REQUIRE_ALL") == "1" {
			t.Fatalf("case %s: %v", name, err)
		}
		t.Skipf("case %s is not here; GAMEID_CASES names the folder of cases", name)
	}
	return dir
}

func records(t *testing.T, file string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines[1:] {
		row := map[string]string{}
		for i, head := range lines[0] {
			row[head] = l[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func openrsc(t *testing.T) ([]merge.Shard, truth) {
	dir := caseDir(t, "openrsc")
	want := truth{refs: map[string][]string{}, nots: map[string]string{}, static: []string{"objects", "npclocs", "grounditems", "recovery_questions"}}
	for _, r := range records(t, filepath.Join(dir, "references.csv")) {
		if r["kind"] == "plain" {
			want.refs[strings.ToLower(r["table"]+"."+r["column"])] = []string{strings.ToLower(r["ref_table"] + "." + r["ref_column"])}
		}
	}
	for _, r := range records(t, filepath.Join(dir, "references_not.csv")) {
		want.nots[strings.ToLower(r["table"]+"."+r["column"])] = r["why_not"]
	}
	return []merge.Shard{
		openShard(t, "s1", copyFile(t, filepath.Join(dir, "s1.db"))),
		openShard(t, "s2", copyFile(t, filepath.Join(dir, "s2.db"))),
	}, want
}

func TestOpenRSC(t *testing.T) {
	shards, want := openrsc(t)
	r := run(t, shards, discover.Options{})
	s := report(t, "openrsc", r, want)
	if s.certain < openrscCertain {
		t.Errorf("openrsc: %d references are certain, want at least %d", s.certain, openrscCertain)
	}
	dump(t, r)
}

// openrscCertain is a floor under the 25 of the 29 plain references that were certain when this was written.
const openrscCertain = 24

func dump(t *testing.T, r *discover.Result) {
	if os.Getenv("GAMEID_DUMP") == "" {
		return
	}
	for _, p := range r.Proposals {
		t.Logf("%-9s %s %v: %s", p.Grade, p.String(), p.Others, p.Evidence)
	}
	for _, k := range r.Keys {
		t.Logf("key %s root=%v", k.Col, k.Root)
	}
	for _, x := range r.Static {
		t.Logf("static %s %s: %s", x.Table, x.Grade, x.Evidence)
	}
	for _, x := range r.Questions {
		t.Logf("question %s (%s)", x.Text, x.Evidence)
	}
	for _, x := range r.Unplaced {
		t.Logf("unplaced %s: %s", x.Col, x.Evidence)
	}
	for _, x := range r.Counters {
		t.Logf("counter %s where %s counts %s: %s", x.Column, x.Where, x.Key, x.Evidence)
	}
	t.Logf("opaque %v", r.Opaque)
}
