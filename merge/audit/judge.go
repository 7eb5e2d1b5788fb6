package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// judge turns a reference's counts into findings and questions.
func (a *auditor) judge(ctx context.Context, r *reference) error {
	if refused, err := a.refuseChain(ctx, r); err != nil || refused {
		return err
	}
	var rows, dead, text int64
	var parts []string
	nobody, odd, tuples := map[string]any{}, map[string]any{}, map[string]merge.ValueCount{}
	var oddRows, nobodyRows int64
	for i, c := range r.counts {
		if c == nil {
			continue
		}
		rows, dead, text = rows+c.Rows, dead+c.Rows-c.Alive, text+c.AsText
		if d := c.Rows - c.Alive; d > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d rows in %s (%s)", d, c.Rows, a.name(i), sampleValues(slices.Concat(c.Dead, c.Other))))
		}
		for _, v := range c.Dead {
			if !a.sentinel(r, v.Value...) {
				continue
			}
			for _, part := range v.Value {
				nobody[valueText(part)] = part
			}
			tuples[tupleText(v.Value)], nobodyRows = v, nobodyRows+v.Rows
		}
		for _, v := range c.Other {
			odd[valueText(v.Value[0])], oddRows = v.Value[0], oddRows+v.Rows
		}
	}
	from := merge.JoinCols(r.From)
	spelled, err := a.spelledOtherwise(ctx, r)
	if err != nil {
		return err
	}
	lost := dead - spelled
	if lost > 0 {
		severity, next := merge.Info, ""
		if r.Orphans == merge.ByFail {
			severity, next = merge.Block, "repair the rows, or choose orphans: tombstone, clear or drop"
			if len(r.From) > 1 {
				next = "repair the rows, or choose orphans: tombstone"
			}
		}
		if spelled > 0 {
			parts = append(parts, fmt.Sprintf("%s of %s as %s compares", counted(spelled, "more is a row", "more are rows"), r.To[0].Table, from))
		}
		a.find(merge.Finding{
			Rule: "orphan", Severity: severity, Table: r.table(), Column: r.From[0].Name, Rows: lost,
			Text: fmt.Sprintf("points at no row of %s: %s; %s", r.To[0].Table, strings.Join(parts, "; "), a.orphanFate(r)), Next: next,
		})
	}
	fills := filler(r)
	if words := gamesWords(r); len(words) > 1 || len(words) > 0 && (len(nobody) > 0 || fills == nil) {
		maps.DeleteFunc(words, func(text string, _ any) bool { return nobody[text] != nil }) // the column's default is counted already
		nobodyRows += nobodyIn(r, words)
		maps.Copy(nobody, words)
	}
	bereft, where, err := a.bereft(ctx, r)
	if err != nil {
		return err
	}
	switch {
	case len(odd) > 0 && a.schema.Holds(r.From[0]) == merge.Real:
		a.find(merge.Finding{
			Rule: "type", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: oddRows,
			Text: fmt.Sprintf("holds keys of %s in a column of type %s, which stores them as fractions: they cannot follow", r.To[0], a.schema.Column(r.From[0]).Type),
			Next: "declare the column INTEGER in copies of the shards, or say as: keep if it holds no keys",
		})
	case len(odd) > 0:
		if r.None != nil { // the plan says who is nobody
			nobody, nobodyRows = nil, 0
		}
		if err := a.judgeOdd(ctx, r, odd, oddRows, nobody, nobodyRows); err != nil {
			return err
		}
	case len(nobody) > 0 && r.None == nil && len(r.From) > 1:
		if err := a.askNobodies(ctx, r, nobody, tuples, nobodyRows); err != nil {
			return err
		}
	case len(nobody) > 0 && r.None == nil:
		line := r.Reference
		none, somebody, err := a.nobodies(ctx, r, sortedValues(nobody))
		if err != nil {
			return err
		}
		line.None = none
		lost := "none: [] says that it is a lost key"
		if somebody != "" && a.usual(r, nobodyRows) { // a tombstone would make members of a lost guild of all who are in none
			line.None = sortedValues(nobody)
			lost += fmt.Sprintf("; many rows hold it, as where it means nobody: then give the row that has it elsewhere another key, such as %d, in a copy of that shard, with what refers to it", r.spaces[0].free())
		} else if somebody != "" {
			somebody += ", so here it can only be that"
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does %s in %s mean nobody?", joinValues(nobody), from), Rows: nobodyRows,
			Evidence: fmt.Sprintf("%d rows hold it and no row of %s has that key; %s%s", nobodyRows, r.To[0].Table, lost, somebody), Reference: &line,
		})
	case r.Orphans == "" && bereft > 0:
		a.askBereft(r, bereft, where)
	case r.Orphans == "" && r.When == "" && fills != nil:
		line := r.Reference
		line.None = []any{fills}
		n, beside := nobodyIn(r, map[string]any{valueText(fills): fills}), "and no other dead value"
		if n < lost {
			beside = "several times as many as any other dead value"
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("does %s in %s mean nobody?", valueText(fills), from), Rows: n,
			Evidence: fmt.Sprintf("%d rows, of every server that has dead ones, hold it, %s, and no row of %s has that key; none: [] with orphans: tombstone says that it is a lost key", n, beside, r.To[0].Table), Reference: &line,
		})
	case rows > 0 && r.Orphans == "" && (r.When == "" && float64(lost-nobodyIn(r, nobody)) > manyOrphans*float64(rows) && a.doubts(r, lost) || a.straysOfSequence(r) != nil):
		if r.When == "" && len(r.From) == 1 && r.spaces[0] != nil && a.askGamesNumbers(r, lost, strings.Join(parts, "; ")) {
			break
		}
		line := r.Reference
		line.Orphans = merge.ByTombstone
		which := from
		if r.When != "" {
			which += " when " + r.When
		}
		others, apart := a.othersKeys(r)
		if apart != nil {
			line = *apart
		}
		if len(r.From) == 1 && r.When == "" {
			formed, err := a.nameLine(ctx, r.From[0], r.To[0])
			if err != nil {
				return err
			}
			if formed.Via != "" {
				line, others = *formed, fmt.Sprintf(" In the form %s its texts are %s, which the line below says", formed.Via, r.To[0])
			}
		}
		a.ask(merge.Undecided{
			Question: fmt.Sprintf("%d %% of %s point at nobody: is it a reference at all?%s", max(1, lost*100/rows), which, others), Rows: lost,
			Evidence: strings.Join(parts, "; "), Reference: &line,
		})
	case r.Orphans == "" && r.When != "" && len(r.From) == 1:
		if err := a.askKindsApart(ctx, r); err != nil {
			return err
		}
	}
	if r.Orphans == merge.ByTombstone && bereft > 0 && a.declares(r.From[0]) {
		a.find(merge.Finding{
			Rule: "foreign-key", Severity: merge.Info, Table: r.table(), Column: r.From[0].Name, Rows: bereft,
			Text: fmt.Sprintf("%s to rows of %s that the plan leaves out (%s), and keep doing so: they break the foreign key that the schema declares, as none did before", counted(bereft, "row refers", "rows refer"), r.To[0].Table, strings.Join(where, ", ")),
			Next: "where the game enforces foreign keys, choose orphans: clear or drop, or leave these rows out, too: " + rowsLine(r.table(), merge.EmptyRows),
		})
	}
	if err := a.tellBreaking(ctx, r); err != nil {
		return err
	}
	if r.Orphans == merge.ByClear {
		a.checkClear(r)
	}
	if err := a.judgeWritten(ctx, r); err != nil {
		return err
	}
	if err := a.checkRivals(ctx, r); err != nil {
		return err
	}
	return a.checkNone(ctx, r)
}

// usual tells whether so many rows hold a dead value that looks as if it meant nobody that it hardly is one lost key.
func (a *auditor) usual(r *reference, rows int64) bool {
	var all int64
	for _, c := range r.counts {
		if c != nil {
			all += c.Rows
		}
	}
	return r.spaces[0] != nil && rows >= zeroRows && float64(rows) >= zeroShare*float64(all)
}

// free is a number above every key of a space.
func (s *space) free() int64 {
	high := s.highest
	for _, k := range s.alive {
		if last, ok := k.Max(); ok {
			high = max(high, last)
		}
	}
	return high + 1
}

// filler is the one dead value of a reference that stands in many rows of several shards, several times as many as any other: a number by which a game may say that there
// is nobody. It is nil when there is none. The deleted of two servers seldom had one number and left so much behind.
func filler(r *reference) any {
	if r.None != nil {
		return nil
	}
	var found any
	shards := 0
	for _, c := range r.counts {
		if c == nil || len(c.Dead) == 0 {
			continue
		}
		list := slices.SortedFunc(slices.Values(c.Dead), func(x, y merge.ValueCount) int { return cmp.Compare(y.Rows, x.Rows) })
		if top := list[0]; len(top.Value) != 1 || top.Rows < fillersLeast || len(list) > 1 && top.Rows < frequentTimes*list[1].Rows || shards > 0 && tupleText(top.Value) != tupleText([]any{found}) {
			return nil
		}
		found, shards = list[0].Value[0], shards+1
	}
	if shards < 2 {
		return nil
	}
	return found
}

// strayRows is how many dead rows of a declared reference chance hardly makes another table's keys.
const strayRows = 8

// doubts tells whether dead rows raise doubts about a reference. Of one that the schema declares they do where most rows of a shard are dead, or are plainly another
// table's: else they are what the deleted leave behind.
func (a *auditor) doubts(r *reference, lost int64) bool {
	return r.grade != merge.Declared || !a.declares(r.From[0]) || lost >= strayRows && (a.straysOfSequence(r) != nil || a.mostlyOthers(r) != "") ||
		slices.ContainsFunc(r.counts, func(c *merge.RefCount) bool { return c != nil && 2*c.Alive < c.Rows })
}

func nobodyIn(r *reference, nobody map[string]any) int64 {
	var n int64
	for _, c := range r.counts {
		if c == nil {
			continue
		}
		for _, v := range c.Dead {
			if !slices.ContainsFunc(v.Value, func(part any) bool { return nobody[valueText(part)] == nil }) {
				n += v.Rows
			}
		}
	}
	return n
}

func (a *auditor) orphanFate(r *reference) string {
	switch r.Orphans {
	case merge.ByClear:
		return "they are cleared"
	case merge.ByDrop:
		return "their rows are left out"
	case merge.ByFail:
		return "the plan says to fail"
	}
	if len(r.From) > 1 && !keptApart(r) {
		return "they stay" // findCaptured says which would belong to somebody
	}
	if s := r.spaces[0]; s != nil && s.plan.New != merge.Static && a.emptied(s) {
		return "they get tombstones, for the next rows get these numbers"
	}
	return "those that would become somebody else's get a tombstone, and those that two servers hold one each; the others stay"
}

// sentinel tells whether a dead value looks as if it meant nobody, each part of it: 0, -1, the empty text or the column's declared default.
func (a *auditor) sentinel(r *reference, values ...any) bool {
	for i, v := range values {
		switch v {
		case int64(0), int64(-1), "", "0", "-1":
			continue
		}
		if def := a.schema.Column(r.From[i]).Default; def == "" || def != valueText(v) && def != "'"+valueText(v)+"'" {
			return false
		}
	}
	return true
}

// checkClear refuses to clear a column that takes no null and has no value for nobody.
func (a *auditor) checkClear(r *reference) {
	for _, c := range r.From {
		if !a.schema.TakesNull(c) && len(r.None) == 0 {
			why := "takes no null"
			if a.tables[c.Table].AutoColumn == c.Name {
				why += " (the engine makes a number of it)"
			}
			a.find(merge.Finding{
				Rule: "orphan", Severity: merge.Block, Table: c.Table, Column: c.Name, Rows: r.dead(),
				Text: "cannot be cleared: the column " + why + " and the plan names no value for nobody", Next: "name one (none: [0]) or choose tombstone or drop",
			})
		}
	}
}

// checkNone refuses a value that means nobody in one shard and is somebody's key in another.
func (a *auditor) checkNone(ctx context.Context, r *reference) error {
	for part, s := range r.spaces {
		if s == nil || a.tables[s.key.Table].plan.Rows != merge.MergeRows || s.plan.New == merge.Static {
			continue // or what holds it may find another shard's row, which is the same thing
		}
		for _, v := range r.None {
			if like, err := a.alikeEverywhere(ctx, r.To[part], v); err != nil || like != nil {
				if err != nil {
					return err
				}
				continue
			}
			for i := range a.shards {
				held, err := a.holds(ctx, s, r.To[part], i, v)
				if err != nil {
					return err
				}
				if held {
					a.find(merge.Finding{
						Rule: "nobody", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Shard: a.name(i),
						Text: fmt.Sprintf("%s means nobody by the plan, but %s has a row with %s = %[1]s", tupleText([]any{v}), a.name(i), s.key), Next: fmt.Sprintf("give that row another key, such as %d, in a copy of %s, with what refers to it, or correct the value first, or take it out of none", s.free(), a.name(i)),
					})
				}
			}
		}
	}
	return nil
}

// nobodies are those of some values that are no shard's key, so that a plan may say that they mean nobody, and words about the others.
func (a *auditor) nobodies(ctx context.Context, r *reference, values []any) (none []any, somebody string, err error) {
	none = []any{}
next:
	for _, v := range values {
		if s := r.spaces[0]; s != nil && a.tables[s.key.Table].plan.Rows == merge.MergeRows {
			for i := range a.shards {
				held, err := a.holds(ctx, s, r.To[0], i, v)
				if err != nil {
					return nil, "", err
				}
				if held {
					somebody += fmt.Sprintf("; %s has a row with %s = %s", a.name(i), s.key, tupleText([]any{v}))
					continue next
				}
			}
		}
		none = append(none, v)
	}
	return none, somebody, nil
}

// holds tells whether a shard has a row with this key. The key sets know the integers; of the rest the engine says what it equals ('01' may be 1).
func (a *auditor) holds(ctx context.Context, s *space, to merge.Col, shard int, v any) (bool, error) {
	if k, ok := v.(int64); ok {
		return s.alive[shard].Has(k), nil
	}
	own := a.shards[shard].Schema().Column(to)
	if own == nil {
		return false, nil
	}
	if text, ok := v.(string); ok && s.other == 0 && own.Affinity != merge.Text {
		if _, err := strconv.ParseFloat(strings.TrimSpace(text), 64); errors.Is(err, strconv.ErrSyntax) {
			return false, nil // no number in any spelling equals it
		}
	}
	return a.shards[shard].Any(ctx, to.Table, a.engine.Quote(own.Name)+" = "+a.engine.Literal(v))
}
