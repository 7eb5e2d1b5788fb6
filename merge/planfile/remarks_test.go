package planfile_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

const commented = `# Season 9, decided with Ann.
#: Mergeable.
# Second line.
version: 1 # the format
# The servers.
shards:
  # the old one
  - {name: s1, source: old.db} # paid hosting
  - {name: s2, source: b.db}
  # more may come
schema: "sha256:1"
accept: [certain] # Ann said so
keys: # keys of players
  # first of two
  # second of two
  - key: a.id # the player
    # inside
    new: dense # never shift
    #: found: 3 rows
  - {key: b.id, new: shift} #: found: 4 rows

# About references.
references: # all of them
  - {from: a.x, to: b.id} # checked in the code, "x" too
  - {from: log_*.*, as: keep}
  # end of references
undecided:
  #: who?
  # Ask Bob.
  - {from: a.y, to: b.id}
  # Ask Zed about what is gone.
  - {from: a.z, to: b.id}
# The end.
  # indented end
# The very end.
`

const refreshed = `#: Not mergeable.
#:
#: EXPLANATION
# Season 9, decided with Ann.
# Second line.
version: 1  # the format
# The servers.
shards:
  # the old one
  - {name: s1, source: new.db}  # paid hosting
  - {name: s2, source: b.db}
  # more may come
schema: "sha256:2"
accept: [certain]  # Ann said so
undecided:
  #: who then?
  #: -> references
  # Ask Bob.
  - {from: a.y, to: b.id}
keys:  # keys of players
  # first of two
  # second of two
  # the player
  # inside
  - {key: a.id, new: dense}  # never shift
  - {key: b.id, new: shift}  #: found: 5 rows
# About references.
references:  # all of them
  #: named alike
  - {from: a.x, to: b.id}  # checked in the code, "x" too
  - {from: log_*.*, as: keep}
  # end of references
# Ask Zed about what is gone.
# indented end
# The end.
# The very end.
`

// TestRemarksStay refreshes a plan in which a person wrote: every word of theirs stays, beside the line it is about, and what the tool wrote is written anew.
func TestRemarksStay(t *testing.T) {
	text := commented
	for round := range 3 {
		old, err := planfile.Read("p.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p := planfile.Merge(&old.Plan, &merge.Plan{Schema: "sha256:2", Shards: []merge.Source{{Name: "s1", Source: "new.db"}, {Name: "s2", Source: "b.db"}}})
		notes := planfile.Notes{
			Head: "Not mergeable.", Remarks: planfile.ReadRemarks([]byte(text)),
			Comments:  map[string]string{"{key: b.id, new: shift}": "found: 5 rows", "{from: a.x, to: b.id}": "named alike"},
			Undecided: []merge.Undecided{{Question: "who then?", Reference: &merge.Reference{From: cols("a.y"), To: cols("b.id")}}},
		}
		text = string(planfile.Format(p, notes))
		begin, end := strings.Index(text, "#: This plan"), strings.Index(text, "# Season")
		if begin < 0 || end < begin {
			t.Fatalf("round %d: no explanation above the remarks:\n%s", round, text)
		}
		if diff := cmp.Diff(refreshed, text[:begin]+"#: EXPLANATION\n"+text[end:]); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
	}
	windows := "\ufeff" + strings.ReplaceAll(commented, "\n", "\r\n")
	if a, b := planfile.ReadRemarks([]byte(commented)), planfile.ReadRemarks([]byte(windows)); !cmp.Equal(a, b, cmp.Exporter(func(reflect.Type) bool { return true })) {
		t.Error("the remarks of a file with CRLF are others")
	}
}

// TestRemarkAtTheEndStays adds entries after one that was the last of its section: what stood below it goes on standing with it, however often the plan is refreshed.
func TestRemarkAtTheEndStays(t *testing.T) {
	ask := func(from string, rows int64) merge.Undecided {
		return merge.Undecided{Question: "who?", Rows: rows, Reference: &merge.Reference{From: cols(from), To: cols("b.id")}}
	}
	text := "version: 1\nundecided:\n  - {from: a.y, to: b.id}\n  # Ask Bob about y.\nkeys:\n  - {key: b.id, new: shift}\n  # Never dense.\n"
	for round := range 3 {
		old, err := planfile.Read("p.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p := planfile.Merge(&old.Plan, &merge.Plan{Keys: []merge.KeyPlan{{Key: col("c.id"), New: merge.Shift}}})
		text = string(planfile.Format(p, planfile.Notes{
			Remarks: planfile.ReadRemarks([]byte(text)), Undecided: []merge.Undecided{ask("a.x", 9), ask("a.y", 8), ask("a.z", 7)},
		}))
		for _, want := range []string{"\n  # Ask Bob about y.\n  - {from: a.y, to: b.id}\n", "\n  # Never dense.\n  - {key: b.id, new: shift}\n"} {
			if !strings.Contains(text, want) {
				t.Fatalf("round %d: got\n%s\nwant in it%s", round, text, want)
			}
		}
	}
}
