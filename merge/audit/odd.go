package audit

import (
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// manyOdd is how many different values that are no whole number a reference may hold for them to be words that mean nobody.
const manyOdd = 100

// judgeOdd asks whether the values of a reference that are no whole number mean nobody. Those by which SQL finds a row all the same, as '014' finds 14, mean
// somebody, and cannot follow a new key; those that no plan can name cannot be answered for. So many that they mean others than nobody, beside keys, are left out by a
// condition. Numbers that look like nobody's belong to the same question.
func (a *auditor) judgeOdd(ctx context.Context, r *reference, odd map[string]any, rows int64, nobody map[string]any, nobodyRows int64) error {
	values := sortedValues(odd)
	none, _, err := a.nobodies(ctx, r, values)
	if err != nil {
		return err
	}
	nobodies, somebody, err := a.nobodies(ctx, r, sortedValues(nobody))
	if err != nil {
		return err
	}
	if somebody != "" {
		somebody += ", so here it can only be that"
	}
	maps.DeleteFunc(nobody, func(_ string, v any) bool { return !slices.Contains(nobodies, v) })
	from, held := merge.JoinCols(r.From), len(none) < len(values)
	question, evidence := "", ""
	if len(nobodies) > 0 {
		question = fmt.Sprintf(", and %s, which no row of %s has as its key", joinValues(nobody), r.To[0])
		evidence = fmt.Sprintf("; %d rows: %s%s", nobodyRows, joinValues(nobody), somebody)
	}
	block := merge.Finding{Rule: "type", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: rows, Samples: samplesOf(values)}
	inCopies := fmt.Sprintf("in copies of the shards: UPDATE %s SET %s = ", a.engine.Quote(r.From[0].Table), a.engine.Quote(r.From[0].Name))
	switch {
	case held:
		block.Text = fmt.Sprintf("holds values that are no whole number as it is written, though SQL finds rows of %s by them: they cannot follow", r.To[0].Table)
		block.Next = inCopies + fmt.Sprintf("CAST(%s AS INTEGER) where it is such a value, or say as: keep if it holds no keys", a.engine.Quote(r.From[0].Name))
		a.find(block)
	case lists(values) >= fewLists:
		block.Text = "holds lists of numbers beside single ones, of which this version rewrites none: those in lists would point elsewhere"
		block.Next = fmt.Sprintf("put them into rows of their own in copies of the shards, or say that they may point elsewhere: %s", keepLine(r.From[0]))
		a.find(block)
	case len(values) > manyOdd && r.alive() > 0 && len(r.From) == 1 && !strings.Contains(r.When, a.whole(r.From[0])):
		line := r.Reference
		line.When, line.None = a.whole(r.From[0]), append(slices.Clone(r.None), nobodies...)
		if r.When != "" {
			line.When = bracketed(r.When) + " AND " + line.When
		}
		instead := ""
		if len(nobodies) > 0 {
			instead = fmt.Sprintf(" And does %s mean nobody (none: [] if not)?", joinValues(nobody))
		}
		if r.byPlan {
			instead += " The line takes the place of the plan's own"
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s holds %d different values that are no whole number: does it refer to %s where it holds a whole number, and only there?%s", from, len(values), r.To[0], instead), Rows: rows,
			Evidence: fmt.Sprintf("%d rows: %s%s", rows, joinValues(odd), evidence), Reference: &line,
		})
	case len(values) > manyOdd || slices.ContainsFunc(values, func(v any) bool { return !inPlans(v) }):
		block.Text = "holds " + counted(len(values), "value that is no whole number, and no plan can name it", "values that are no whole number, and no plan can name them")
		block.Next = inCopies + "NULL, or what means nobody, where it is such a value, or say as: keep if it holds no keys"
		a.find(block)
	default:
		line := r.Reference
		line.None = slices.Concat(r.None, nobodies, values)
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%s holds values that are no whole number%s: do they mean nobody?", from, question), Rows: rows + nobodyRows,
			Evidence: fmt.Sprintf("%d rows: %s%s", rows, joinValues(odd), evidence), Reference: &line,
		})
	}
	return nil
}

// numberList matches a text of several whole numbers, and fewLists is how many such texts are no chance.
var numberList = regexp.MustCompile(`^[\[({\s]*\d+(\s*[,;|:/ ]\s*\d+)+[\])}\s]*$`)

const fewLists = 2

// lists counts the texts of several whole numbers among some values.
func lists(values []any) (n int) {
	for _, v := range values {
		if text, ok := v.(string); ok && numberList.MatchString(text) {
			n++
		}
	}
	return n
}

// whole is the condition under which a column holds a whole number, as a number or as its text.
func (a *auditor) whole(c merge.Col) string {
	return fmt.Sprintf("CAST(CAST(%[1]s AS INTEGER) AS TEXT) = CAST(%[1]s AS TEXT)", a.engine.Quote(c.Name))
}

// checkWholes refuses keys that are stored as fractions where the engine takes them for integers, as 401.0 for 401: to it they are one key and one row's references,
// and to whoever compares what is stored they are two.
func (a *auditor) checkWholes(s *space, shard int, k *merge.KeyColumn) {
	if k.Wholes == 0 || !a.tables[s.key.Table].takes(a.name(shard)) {
		return
	}
	s.wholes = true
	column := a.engine.Quote(s.key.Name)
	f := merge.Finding{
		Rule: "type", Severity: merge.Block, Table: s.key.Table, Column: s.key.Name, Shard: a.name(shard), Rows: k.Wholes,
		Text: "holds keys that are stored as fractions, though SQL takes each for a whole number: neither they nor what refers to them can follow",
		Next: fmt.Sprintf("in a copy of %[1]s: UPDATE %[2]s SET %[3]s = CAST(%[3]s AS INTEGER) WHERE typeof(%[3]s) = 'real' AND %[3]s = CAST(%[3]s AS INTEGER)", a.name(shard), a.engine.Quote(s.key.Table), column),
	}
	for _, v := range k.Whole {
		f.Samples = append(f.Samples, strconv.FormatFloat(v, 'f', 1, 64))
	}
	a.find(f)
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
