package prove_test

import (
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/prove"
)

// bounties are a table whose key is a player or a guild, as another column says, and claims one that refers to it.
const bounties = `CREATE TABLE bounties(target INT PRIMARY KEY, kind INT); CREATE TABLE claims(target INT);`

// bounty is a world with a bounty on the first player and the first guild of either shard, whose merged rows are given.
func bounty(merged string, record func(*merge.Memory, *merge.Plan)) world {
	const rows = `INSERT INTO bounties VALUES(1, 1), (10, 2);`
	return world{
		first: bounties + rows, second: bounties + rows + `INSERT INTO claims VALUES(1)`, merged: bounties + rows + merged,
		record: func(m *merge.Memory, p *merge.Plan) {
			for _, r := range m.References[2:4] { // as targets
				r.Reference.From = []merge.Col{col("bounties", "target")}
				m.References, p.References = append(m.References, r), append(p.References, r.Reference)
			}
			if record != nil {
				record(m, p)
			}
		},
	}
}

// ownKeys records new keys of the bounties' own.
func ownKeys(m *merge.Memory, p *merge.Plan) {
	key := col("bounties", "target")
	m.Spaces = append(m.Spaces, merge.MemorySpace{Key: key, Shard: "s2", Runs: []merge.Run{run(1, 1, 201), run(10, 1, 210)}})
	p.Keys = append(p.Keys, merge.KeyPlan{Key: key, New: merge.Shift})
}

// claimed records that claims refer to bounties.
func claimed(m *merge.Memory, p *merge.Plan) {
	r := ref(col("claims", "target"), col("bounties", "target"), "")
	m.References, p.References = append(m.References, merge.MemoryReference{Reference: r, Spaces: []merge.Col{{}}}), append(p.References, r)
}

// claimedAlike records that claims lead where the bounties lead.
func claimedAlike(m *merge.Memory, p *merge.Plan) {
	r := ref(col("claims", "target"), col("players", "id"), "target IN (SELECT target FROM bounties WHERE kind = 1)")
	m.References, p.References = append(m.References, merge.MemoryReference{Reference: r, Spaces: r.To}), append(p.References, r)
}

func TestKeysThatFollowOthersRowByRow(t *testing.T) {
	const right = `INSERT INTO bounties VALUES(101, 1), (20, 2);`
	tests := []struct {
		name          string
		w             world
		table, detail string // of a failed check; "" where the merge is right
	}{
		{"each follows its condition", bounty(right+`INSERT INTO claims VALUES(101)`, claimedAlike), "", ""},
		{"keys of their own", bounty(`INSERT INTO bounties VALUES(201, 1), (210, 2); INSERT INTO claims VALUES(1)`, ownKeys), "bounties", "keys of its own"},
		{"keys of their own that no row got", bounty(right+`INSERT INTO claims VALUES(1)`, ownKeys), "bounties", "keys of its own"},
		{"what refers to them stayed", bounty(right+`INSERT INTO claims VALUES(1)`, claimed), "claims", "rows of its target bounties.target, as a condition says, as a key of players.id"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := tt.w.prove(t)
			if err != nil {
				t.Fatal(err)
			}
			if tt.table == "" && !r.OK {
				t.Fatalf("got a failed proof, want none:\n%s%+v", failures(r), r.Bad)
			}
			found := tt.table == ""
			for _, c := range r.Checks {
				found = found || !c.OK && c.Name == prove.CheckReferences && c.Table == tt.table && strings.Contains(c.Detail, tt.detail)
			}
			if !found {
				t.Errorf("want check %q of %s to fail with %q, got:\n%s", prove.CheckReferences, tt.table, tt.detail, failures(r))
			}
		})
	}
}

func TestRowsWithKeysOfTheirOwnAreNamed(t *testing.T) {
	r, err := bounty(`INSERT INTO bounties VALUES(201, 1), (210, 2); INSERT INTO claims VALUES(1)`, ownKeys).prove(t)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range r.Bad {
		if b.Table == "bounties" {
			return
		}
	}
	t.Errorf("got no bad row of bounties, want those that follow nothing:\n%s%+v", failures(r), r.Bad)
}
