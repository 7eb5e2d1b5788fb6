package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// A number that means nobody in one reference to a key is nobody in every other to it, too, unless a person says otherwise.

// nobodiesOf are the values that mean nobody in references to a key, by the plan or as an open question proposes, each with the first column where it does, in the order of these. What means
// nobody in most games is asked about in every column by itself.
func (a *auditor) nobodiesOf(key, besides merge.Col) (values []any, in []merge.Col) {
	take := func(r *merge.Reference) bool {
		if r.As != merge.Plain || len(r.From) != 1 || len(r.To) != 1 || r.From[0] == besides || a.top(r.To[0]) != a.top(key) {
			return false
		}
		for _, v := range r.None {
			same := func(o any) bool { return valueText(o) == valueText(v) }
			if usual := valueText(v); usual != "" && usual != "0" && usual != "-1" && !slices.ContainsFunc(values, same) {
				values, in = append(values, v), append(in, r.From[0])
			}
		}
		return false
	}
	a.knownOrAsked(take)
	return values, in
}

// askSameNobodies asks about dead values of references that mean nobody in another one to the same key, and to which nothing else says what becomes of them: each would become two.
func (a *auditor) askSameNobodies() {
	for _, r := range a.plain() {
		if len(r.From) != 1 || r.None != nil || r.Orphans != "" || r.spaces[0] == nil || a.askedAgain(r) {
			continue
		}
		values, in := a.nobodiesOf(r.To[0], r.From[0])
		line, rows := r.Reference, int64(0)
		for i, v := range values {
			if n := nobodyIn(r, map[string]any{valueText(v): v}); n > 0 {
				line.None, rows = append(line.None, v), rows+n
				in[len(line.None)-1] = in[i]
			}
		}
		if rows > 0 {
			a.ask(merge.Undecided{
				Question: fmt.Sprintf("does %s in %s mean nobody, as in %s?", joinValues(asSet(line.None)), r.From[0], merge.JoinCols(slices.Compact(in[:len(line.None)]))), Rows: rows,
				Evidence:  fmt.Sprintf("%s and no row of %s has that key; none: [] says that it is a lost key, and each server's another", counted(rows, "row holds it", "rows hold it"), r.To[0].Table),
				Reference: &line,
			})
		}
	}
}

// addNobodies adds to what seems to mean nobody in the column of an open question what does in other references to its key, as far as no row has it as its key, and says so.
func (a *auditor) addNobodies(ctx context.Context, r *merge.Reference, none map[string]any) (words string, err error) {
	values, in := a.nobodiesOf(r.To[0], r.From[0])
	for at, v := range values {
		if none[valueText(v)] != nil {
			continue
		}
		rows := int64(0)
		for _, s := range a.shards {
			own, ok := s.Schema().Resolve(r.From[0])
			if !ok {
				continue
			}
			where := a.engine.Quote(own.Name) + " = " + a.engine.Literal(v)
			if r.When != "" {
				where += " AND " + bracketed(r.When)
			}
			n, err := s.Count(ctx, own.Table, where)
			if err != nil {
				return "", err
			}
			rows += n
		}
		if rows == 0 {
			continue
		}
		if held, err := a.somebodys(ctx, r.To[0], v); err != nil {
			return "", err
		} else if held {
			continue
		}
		none[valueText(v)] = v
		words += fmt.Sprintf("; %s %s, which no row has as its key and which means nobody in %s", counted(rows, "row holds", "rows hold"), valueText(v), in[at])
	}
	return words, nil
}

// asSet are values by their texts.
func asSet(values []any) map[string]any {
	set := map[string]any{}
	for _, v := range values {
		set[valueText(v)] = v
	}
	return set
}
