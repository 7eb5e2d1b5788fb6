package audit

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// nobodies are the integers that mean nobody in some reference to the space: a row that got one of them as its key would be given what belongs to nobody.
func (s *space) nobodies() *merge.KeySet {
	set := merge.NewKeySet()
	set.Add(s.plan.None...)
	for _, r := range s.users {
		for _, v := range r.None {
			switch v := v.(type) {
			case int64:
				set.Add(v)
			case string:
				if n, err := strconv.ParseInt(v, 10, 64); err == nil {
					set.Add(n)
				}
			}
		}
	}
	return set
}

// nameNobodies adds to the open questions about references what seems to mean nobody in their columns: one answer settles both.
func (a *auditor) nameNobodies(ctx context.Context) error {
	for i := range a.res.Undecided {
		u := &a.res.Undecided[i]
		if u.Reference == nil || u.Reference.As != merge.Plain || len(u.Reference.From) != 1 || u.Reference.None != nil || a.covered(u.Reference.From) {
			continue
		}
		none, rows, err := a.seemNobody(ctx, u.Reference)
		if err != nil {
			return err
		}
		others, err := a.othersBelow(ctx, u.Reference)
		if err != nil {
			return err
		}
		if others > 0 {
			delete(none, "-1")
			u.Evidence += fmt.Sprintf("; %s other numbers under 0, which no row has as its key: where the sign says that these are another table's, nothing leads them there, and they belong into a column of their own in copies of the shards",
				counted(others, "row holds", "rows hold"))
		}
		seem := joinValues(none)
		also, err := a.addNobodies(ctx, u.Reference, none)
		if err != nil {
			return err
		}
		if len(none) > 0 {
			u.Reference.None = sortedValues(none)
		}
		if seem != "" {
			u.Evidence += fmt.Sprintf("; %s %s, which no row has as its key: none says that it means nobody", counted(rows, "row holds", "rows hold"), seem)
		}
		u.Evidence += also
	}
	return nil
}

// askNobodies asks whether dead values of several columns mean nobody, of which every part looks so. What is named under none is nobody in every one of the columns: where rows that are
// referred to hold it in one of them, a condition tells these rows apart instead.
func (a *auditor) askNobodies(ctx context.Context, r *reference, nobody map[string]any, tuples map[string]merge.ValueCount, rows int64) error {
	line, why := r.Reference, ""
	line.None = sortedValues(nobody)
	for part, to := range r.To {
		for _, v := range sortedValues(nobody) {
			if held, err := a.heldInPart(ctx, r, part, v); err != nil {
				return err
			} else if held {
				line.None, why = nil, fmt.Sprintf("; none would take %s for nobody in each of the columns, and %s holds it for somebody: a condition leaves these rows as they are", tupleText([]any{v}), to)
			}
		}
	}
	list := make([]merge.ValueCount, 0, len(tuples))
	for _, id := range slices.Sorted(maps.Keys(tuples)) {
		list = append(list, tuples[id])
	}
	if line.None == nil {
		if line.When != "" {
			why += ", in place of the condition " + line.When
			line.When = bracketed(line.When) + " AND "
		}
		words := make([]string, len(list))
		for i, v := range list {
			parts := make([]string, len(v.Value))
			for k, c := range r.From {
				parts[k] = a.engine.Quote(c.Name) + " = " + a.engine.Literal(v.Value[k])
			}
			words[i] = strings.Join(parts, " AND ")
		}
		line.When += "NOT (" + strings.Join(words, " OR ") + ")"
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s in %s mean nobody?", sampleValues(list), merge.JoinCols(r.From)), Rows: rows,
		Evidence: fmt.Sprintf("%s and no row of %s has that key; none: [] says that it is a lost key%s", counted(rows, "row holds it", "rows hold it"), r.To[0].Table, why), Reference: &line,
	})
	return nil
}

// heldInPart tells whether a value is somebody's in a part of what a reference leads to: that of a row there, or the key that the part follows.
func (a *auditor) heldInPart(ctx context.Context, r *reference, part int, v any) (bool, error) {
	if held, err := a.somebodys(ctx, r.To[part], v); err != nil || held {
		return held, err
	}
	s := r.spaces[part]
	for i := range a.shards {
		if s == nil {
			break
		}
		if held, err := a.holds(ctx, s, r.To[part], i, v); err != nil || held {
			return held, err
		}
	}
	return false, nil
}

// seemNobody finds the values of a column that look as if they meant nobody, as far as no shard has a row with such a key.
func (a *auditor) seemNobody(ctx context.Context, r *merge.Reference) (none map[string]any, rows int64, err error) {
	none = map[string]any{}
	from, to := r.From[0], r.To[0]
	for _, s := range a.shards {
		own, ok := s.Schema().Resolve(from)
		if !ok {
			continue
		}
		where := a.engine.Quote(own.Name) + " IN (0, -1, '')"
		if def := s.Schema().Column(own).Default; plainDefault.MatchString(def) {
			where = fmt.Sprintf("%s IN (0, -1, '', %s)", a.engine.Quote(own.Name), def)
		}
		if r.When != "" {
			where += " AND " + bracketed(r.When)
		}
		list, err := s.Values(ctx, own, where, listed)
		if err != nil {
			return nil, 0, err
		}
		for _, v := range list {
			if !a.sentinel(&reference{Reference: *r}, v.Value[0]) {
				continue
			}
			held, err := a.somebodys(ctx, to, v.Value[0])
			if err != nil {
				return nil, 0, err
			}
			if !held {
				none[valueText(v.Value[0])], rows = v.Value[0], rows+v.Rows
			}
		}
	}
	return none, rows, nil
}

// belowLeast is how many different numbers below -1 are no slips of a game that writes -1 for nobody.
const belowLeast = 3

// othersBelow counts the rows that hold numbers below -1 where a key has none, and several of them: games tell by the sign whose number it is.
func (a *auditor) othersBelow(ctx context.Context, r *merge.Reference) (rows int64, err error) {
	different := 0
	for i, s := range a.shards {
		own, ok := s.Schema().Resolve(r.From[0])
		if !ok || a.schema.Holds(r.From[0]) != merge.Integer {
			continue
		}
		keys, err := a.alive(ctx, r.To[0], i)
		if err != nil {
			return 0, err
		}
		if low, some := keys.Min(); some && low < 0 {
			return 0, nil
		}
		where := a.engine.Quote(own.Name) + " < -1"
		if r.When != "" {
			where += " AND " + bracketed(r.When)
		}
		list, err := s.Values(ctx, own, where, 0)
		if err != nil {
			return 0, err
		}
		different = max(different, len(list))
		for _, v := range list {
			rows += v.Rows
		}
	}
	if different < belowLeast {
		return 0, nil
	}
	return rows, nil
}

// plainDefault is a declared default that is a number or a text and nothing to compute.
var plainDefault = regexp.MustCompile(`^(-?\d+|'[^']*')$`)

// somebodys tells whether any shard has a row with this key.
func (a *auditor) somebodys(ctx context.Context, to merge.Col, v any) (bool, error) {
	for _, s := range a.shards {
		own, ok := s.Schema().Resolve(to)
		if !ok {
			continue
		}
		found, err := s.Any(ctx, own.Table, a.engine.Quote(own.Name)+" = "+a.engine.Literal(v))
		if err != nil || found {
			return found, err
		}
	}
	return false, nil
}
