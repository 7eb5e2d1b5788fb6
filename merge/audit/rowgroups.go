package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// judgeNumbered refuses a column that looks as if it numbered groups or its own rows, or that the plan calls such a key, and that holds another table's row numbers: what it
// gets of its own leads to none of them.
func (a *auditor) judgeNumbered(ctx context.Context, col merge.Col) error {
	said, _ := a.decidedKey(col)
	own := a.uniqueAlone(col) || slices.Contains(a.undeclared, col)
	keys, by := a.byRow[col]
	if a.askedAs(col) >= 0 || !said && !own && !by {
		return nil
	}
	if len(keys) == 0 {
		keys = a.alsoKeys(col)
	}
	if said && !own {
		var err error
		if own, err = a.onceInFact(ctx, col); err != nil {
			return err
		}
	}
	table, err := a.rowNumbersOf(ctx, col, own)
	if err == nil && table != "" && a.judgeRowNumbers(col, table, true, keys) {
		a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool { return u.Key != nil && u.Key.Key == col })
	}
	return err
}

// onceInFact tells whether no number of a column stands in two rows of a shard, as where it numbers the rows of its table beside another column of their key.
func (a *auditor) onceInFact(ctx context.Context, col merge.Col) (bool, error) {
	for _, s := range a.shards {
		own, ok := s.Schema().Resolve(col)
		if !ok {
			continue
		}
		if keys, err := s.Keys(ctx, own); err != nil || keys.Repeats() {
			return false, err
		}
	}
	return true, nil
}

// rowNumbersOf is the table whose row numbers a column plainly holds that rather looks as if it numbered groups; "" where there is none. Under the table's name numbers
// without gaps are these, too; what may number its own rows holds them under no other name.
func (a *auditor) rowNumbersOf(ctx context.Context, col merge.Col, own bool) (string, error) {
	e, ok := a.engine.(rowNumberer)
	if !ok {
		return "", nil
	}
	_, hidden := a.hiddenNumbers()
	for _, table := range hidden {
		after := calledAfter(col.Name, table)
		if table == col.Table || own && (!after || calledAfter(col.Name, col.Table)) {
			continue
		}
		h, err := a.holdsRowNumbers(ctx, e, col, table, after)
		if err != nil {
			return "", err
		}
		if h.fits && (h.sure || after && h.telling) {
			return table, nil
		}
	}
	return "", nil
}

// calledAfter tells whether a column is named after the rows of a table: post or post_id after posts.
func calledAfter(column, table string) bool {
	of := lastWord(table)
	return slices.ContainsFunc(wordsOf(column), func(w string) bool {
		return len(w) >= 3 && strings.HasPrefix(of, w) && len(of)-len(w) <= len("es")
	})
}

// mayBeByRow tells whether a proposal that its values alone make is of a column that plainly holds the row numbers of the table after which it is called: then these are told of.
func (a *auditor) mayBeByRow(ctx context.Context, p *merge.Proposal) (bool, error) {
	if len(p.From) > 1 || p.Grade != merge.Doubtful || p.When != "" || p.ByName || a.decided(p.From[0]) {
		return false, nil
	}
	table, err := a.rowNumbersOf(ctx, p.From[0], true)
	if table != "" {
		a.byRow[p.From[0]] = slices.Concat(p.To, p.Others)
	}
	return table != "", err
}
