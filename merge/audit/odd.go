package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// manyOdd is how many different values that are no whole number a reference may hold for them to be words that mean nobody.
const manyOdd = 100

// judgeOdd asks whether the values of a reference that are no whole number mean nobody. Those by which SQL finds a row all the same, as '014' finds 14, mean
// somebody, and cannot follow a new key; those that no plan can name cannot be answered for.
func (a *auditor) judgeOdd(ctx context.Context, r *reference, odd map[string]any, rows int64) error {
	values := sortedValues(odd)
	none, _, err := a.nobodies(ctx, r, values[:min(len(values), manyOdd)])
	if err != nil {
		return err
	}
	from, held := merge.JoinCols(r.From), len(none) < min(len(values), manyOdd)
	block := merge.Finding{Rule: "type", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: rows, Samples: samplesOf(values)}
	inCopies := fmt.Sprintf("in copies of the shards: UPDATE %s SET %s = ", a.engine.Quote(r.From[0].Table), a.engine.Quote(r.From[0].Name))
	switch {
	case held:
		block.Text = fmt.Sprintf("holds values that are no whole number as it is written, though SQL finds rows of %s by them: they cannot follow", r.To[0].Table)
		block.Next = inCopies + fmt.Sprintf("CAST(%s AS INTEGER) where it is such a value, or say as: keep if it holds no keys", a.engine.Quote(r.From[0].Name))
		a.find(block)
	case len(values) > manyOdd || slices.ContainsFunc(values, func(v any) bool { return !inPlans(v) }):
		block.Text = "holds " + counted(len(values), "value that is no whole number, and no plan can name it", "values that are no whole number, and no plan can name them")
		block.Next = inCopies + "NULL, or what means nobody, where it is such a value, or say as: keep if it holds no keys"
		a.find(block)
	default:
		line := r.Reference
		line.None = append(slices.Clone(r.None), values...)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s holds values that are no whole number: do they mean nobody?", from), Rows: rows,
			Evidence: fmt.Sprintf("%d rows: %s", rows, joinValues(odd)), Reference: &line,
		})
	}
	return nil
}

// inPlans tells whether a plan can name a value.
func inPlans(v any) bool {
	switch v := v.(type) {
	case float64:
		return !math.IsInf(v, 0) && !math.IsNaN(v)
	case string:
		return utf8.ValidString(v)
	case []byte:
		return false
	}
	return true
}

func samplesOf(values []any) (list []string) {
	for _, v := range values[:min(len(values), listed)] {
		list = append(list, tupleText([]any{v}))
	}
	return list
}
