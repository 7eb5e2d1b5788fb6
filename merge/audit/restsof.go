package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// restShare is the share of the texts that a key leaves over from which they are another one's.
const restShare = 0.5

// otherHome is the key of texts, of some others, that has most of those which the one that a column rather holds leaves over, as a list of stashes has the names of flats and of houses, and its share of
// all. That both servers have the same names says nothing against it, for each has its own; hardly one may be another server's alone.
func (a *auditor) otherHome(ctx context.Context, from, best merge.Col, samples []*merge.Sample, targets []merge.Col) (other merge.Col, share float64, err error) {
	rest, all := make([]*merge.Sample, len(samples)), 0
	for i, one := range samples {
		if one == nil {
			continue
		}
		has, err := a.lookUp(ctx, i, best, one.Texts, a.laxer(from, best))
		if err != nil {
			return other, 0, err
		}
		own := *one
		own.Texts = slices.DeleteFunc(slices.Clone(one.Texts), func(text string) bool { return has[folded(text)] })
		rest[i], all = &own, all+len(one.Texts)
	}
	most := 0
	for _, to := range targets {
		if to == best || to.Table == from.Table || to.Table == best.Table {
			continue
		}
		n, err := a.lieAmong(ctx, rest, to, a.laxer(from, to))
		if err != nil {
			return other, 0, err
		}
		if n.hits <= most || n.hits < fewCopies || n.share() < restShare || fallsShort*n.other > n.hits {
			continue
		}
		own, err := a.keySamples(ctx, to)
		if err != nil {
			return other, 0, err
		}
		if both, err := a.lieAmong(ctx, own, best, a.laxer(to, best)); err != nil {
			return other, 0, err
		} else if both.hits < fewCopies { // no other list of both
			other, most = to, n.hits
		}
	}
	return other, float64(most) / float64(max(all, 1)), nil
}

// homeOfSome tells whether a text key is likelier the one that another repeats: where one of both is a list of the names of two tables, the other one; else as home tells.
func (a *auditor) homeOfSome(ctx context.Context, to, from merge.Col, targets []merge.Col) (bool, error) {
	for _, list := range []merge.Col{from, to} {
		of := to
		if list == to {
			of = from
		}
		samples, err := a.keySamples(ctx, list)
		if err != nil {
			return false, err
		}
		if other, _, err := a.otherHome(ctx, list, of, samples, targets); err != nil || other.Name != "" {
			return err == nil && list == from, err
		}
	}
	return a.home(ctx, to, from)
}

// askEachHome asks about a column that has the texts of several keys, for each of these, where its text is one of them.
func (a *auditor) askEachHome(from merge.Col, keys []merge.Col, evidence []string) {
	for i, to := range keys {
		var others []string
		for j, other := range keys {
			if j != i {
				others = append(others, other.String())
			}
		}
		when := fmt.Sprintf("%s IN (SELECT %s FROM %s)", a.engine.Quote(from.Name), a.engine.Quote(to.Name), a.engine.Quote(to.Table))
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does %s hold %s where its text is one, so that the rows belong together and follow when that is renamed? Others of its texts are %s", from, to, strings.Join(others, " or ")),
			Evidence: evidence[i], Rows: a.tables[from.Table].total(), Reference: &merge.Reference{From: []merge.Col{from}, To: []merge.Col{to}, When: when},
		})
	}
}
