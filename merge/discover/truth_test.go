package discover_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// truth is what a world's author knows.
type truth struct {
	refs   map[string][]string // column to the keys it may rightly be said to point at; several for conditions ("column|kind = 1")
	quiet  map[string]bool     // references that neither name nor values hint at
	nots   map[string]string   // columns that are no reference, and why
	static []string
}

// score counts a search's proposals by grade.
type score struct {
	refs                             int
	certain, likely, doubtful, asked int
	wrong                            map[merge.Grade][]string
	missed                           []string
}

func run(t testing.TB, shards []merge.Shard, opt discover.Options) *discover.Result {
	t.Helper()
	opt.Same = same(shards)
	r, err := discover.Run(context.Background(), shards[0].Schema(), shards, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// judge compares a result with the truth. Column names are compared without case, as SQLite does.
func judge(r *discover.Result, want truth) score {
	s := score{refs: len(want.refs), wrong: map[merge.Grade][]string{}}
	found := map[string]merge.Grade{}
	asked := map[string]bool{}
	for _, q := range r.Questions {
		for _, c := range q.Columns {
			asked[strings.ToLower(c.String())] = true
		}
	}
	for _, u := range r.Unplaced {
		asked[strings.ToLower(u.Col.String())] = true
	}
	for _, p := range r.Proposals {
		from := strings.ToLower(p.From[0].String())
		if p.When != "" {
			from += "|" + strings.ToLower(p.When)
		}
		to := strings.ToLower(p.To[0].String())
		if slices.Contains(want.refs[from], to) {
			found[from] = p.Grade
			continue
		}
		others := ""
		for _, o := range p.Others {
			if slices.Contains(want.refs[from], strings.ToLower(o.String())) {
				others = " (the true one is among the others)"
				asked[from] = true
			}
		}
		s.wrong[p.Grade] = append(s.wrong[p.Grade], fmt.Sprintf("%s%s: %s", p.String(), others, p.Evidence))
	}
	for from := range want.refs {
		switch found[from] {
		case merge.Certain:
			s.certain++
		case merge.Likely:
			s.likely++
		case merge.Doubtful:
			s.doubtful++
		default:
			if asked[from] {
				s.asked++
			} else if !want.quiet[from] {
				s.missed = append(s.missed, from)
			}
		}
	}
	slices.Sort(s.missed)
	return s
}

func (s score) String() string {
	share := func(right, wrong int) string {
		if right+wrong == 0 {
			return "  -  "
		}
		return fmt.Sprintf("%.3f", float64(right)/float64(right+wrong))
	}
	recall := func(n int) string { return fmt.Sprintf("%.3f", float64(n)/float64(max(1, s.refs))) }
	c, l, d := len(s.wrong[merge.Certain]), len(s.wrong[merge.Likely]), len(s.wrong[merge.Doubtful])
	return fmt.Sprintf("%3d refs | certain %3d recall %s precision %s | +likely %3d recall %s precision %s | +doubtful %3d recall %s precision %s | asked %d missed %d",
		s.refs, s.certain, recall(s.certain), share(s.certain, c),
		s.likely, recall(s.certain+s.likely), share(s.certain+s.likely, c+l),
		s.doubtful, recall(s.certain+s.likely+s.doubtful), share(s.certain+s.likely+s.doubtful, c+l+d), s.asked, len(s.missed))
}

// report prints a score and fails on what must never be.
func report(t *testing.T, name string, r *discover.Result, want truth) score {
	t.Helper()
	s := judge(r, want)
	t.Logf("%-28s %s", name, s)
	for _, w := range s.wrong[merge.Certain] {
		t.Errorf("%s: certain and wrong: %s", name, w)
	}
	for _, p := range r.Proposals {
		why, not := want.nots[strings.ToLower(p.From[0].String())]
		if not && p.Grade == merge.Certain {
			t.Errorf("%s: %s is certain, but it is no reference: %s", name, p.String(), why)
		}
	}
	for _, m := range s.missed {
		t.Errorf("%s: nobody asks about %s", name, m)
	}
	if testing.Verbose() {
		for _, g := range []merge.Grade{merge.Likely, merge.Doubtful} {
			for _, w := range s.wrong[g] {
				t.Logf("    %s, wrong: %s", g, w)
			}
		}
	}
	for _, st := range r.Static {
		if st.Grade == merge.Certain && !slices.Contains(want.static, st.Table) {
			t.Errorf("%s: %s is certainly static, but it is not: %s", name, st.Table, st.Evidence)
		}
	}
	for _, table := range want.static {
		if !slices.ContainsFunc(r.Static, func(st discover.StaticTable) bool { return st.Table == table }) {
			t.Errorf("%s: static table %s was not seen", name, table)
		}
	}
	return s
}
