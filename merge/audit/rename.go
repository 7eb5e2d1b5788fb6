package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

const (
	renameTry  = 200 // numbers tried before a name is given up
	checkBatch = 200 // candidate names looked up at once
)

// candidate is a row on its way to a new name.
type candidate struct {
	shard int
	row   merge.Renamed
	same  []merge.Renamed // further rows of the shard with the same text: they go on sharing it
	n     int             // tries so far
	cut   string          // what the name had to fit, where the old one is shortened in it
	also  []merge.Col     // further columns that have to hold the name
	why   error           // there is none
}

// namesake is what rows of a shard have in common that are called the same.
type namesake struct {
	shard int
	text  string
}

// noTexts are the rows of clashes that would have to be renamed in a column in which they hold no text.
func noTexts(list []merge.Clash, part int) (rows []merge.ClashRow) {
	for _, c := range list {
		if _, ok := c.Rows[0].Values[part].(string); !ok { // all rows of a clash hold the same
			rows = append(rows, c.Rows[1:]...)
		}
	}
	return rows
}

// rowWords says which row it is, where it has a key.
func rowWords(row merge.ClashRow) string {
	if len(row.Key) == 0 {
		return ""
	}
	return ", such as that of key " + tupleText(row.Key)
}

// renameLosers gives every row but the winner of each clash a name that is free in every shard. Rows of one shard that share a text go on sharing it: where no key
// forbids it, what repeats the name means any of them. What becomes of the names besides is added to the finding.
func (a *auditor) renameLosers(ctx context.Context, u *merge.Unique, column string, plan *merge.UniquePlan, list []merge.Clash, f *merge.Finding) error {
	col := merge.Col{Table: u.Table, Name: column}
	part := -1
	for i, c := range u.Columns {
		if a.schema.Equal(c, column) {
			part = i
		}
	}
	if part < 0 {
		a.problem("uniques: %s does not hold the column %s", merge.JoinCols(u.Cols()), column)
		return nil
	}
	r := &merge.Rename{Unique: *u, Column: column, Collate: plan.Collate, Mark: plan.Mark, Shards: make([][]merge.Renamed, len(a.shards))}
	// Of several unique keys over the same columns, the one that calls most texts equal tells what repeats the name; the record names the columns alone.
	for _, other := range a.schema.Table(u.Table).Uniques {
		if slices.EqualFunc(other.Columns, u.Columns, a.schema.Equal) && !slices.ContainsFunc(other.Collations, func(c string) bool { return sameCollation(c, "") }) {
			r.Unique.Collations = other.Collations
			break
		}
	}
	if no := noTexts(list, part); len(no) > 0 {
		a.find(merge.Finding{
			Rule: "rename", Severity: merge.Block, Table: u.Table, Column: column, Shard: a.name(no[0].Shard), Rows: int64(len(no)), Samples: []string{tupleText(no[0].Values)},
			Text: counted(int64(len(no)), "row holds", "rows hold") + " something else than a text in " + col.String() + ", which gets no other name" + rowWords(no[0]),
			Next: "give such rows another name in copies of the later shards, or choose on_conflict: fail",
		})
		return nil
	}
	var todo []*candidate
	called := map[namesake]*candidate{} // under a key of several columns, rows of a shard that share the name and nothing else go on sharing it
	for _, c := range list {
		// A row that lost this name under another unique key holds it no more, and cannot be the one that keeps it.
		rows := slices.DeleteFunc(slices.Clone(c.Rows), func(row merge.ClashRow) bool { return a.nameLost(col, row, row.Values[part]) })
		shared := map[namesake]*candidate{}
		for i, row := range rows {
			old, _ := row.Values[part].(string)
			alike := alikeBy(u.Collations, row.Values)
			at, name := namesake{row.Shard, tupleText(alike)}, namesake{row.Shard, tupleText(alike[part : part+1])}
			known, again := shared[at]
			switch {
			case i == 0:
				shared[at] = nil // the winner
				continue
			case again && known == nil: // the winner's own shard bears with it
				continue
			case again && len(row.Key) > 0:
				known.same = append(known.same, merge.Renamed{Values: row.Values, Old: old, Row: row.Key})
				continue
			case again:
				continue // all rows of the text are found by it
			}
			if known := called[name]; known != nil && len(u.Columns) > 1 && len(row.Key) > 0 {
				shared[at] = known
				known.same = append(known.same, merge.Renamed{Values: row.Values, Old: old, Row: row.Key})
				continue
			}
			if len(row.Key) == 0 {
				alone, err := a.knownByName(ctx, u, row)
				if err != nil {
					return err
				}
				if !alone {
					next := "rename it by hand, or choose on_conflict: fail"
					if len(u.Columns) > 1 {
						next = "take the rename out of the plan, and " + a.byHand(col)
					}
					a.find(merge.Finding{
						Rule: "rename", Severity: merge.Block, Table: u.Table, Column: column, Shard: a.name(row.Shard), Rows: 1, Samples: []string{old},
						Text: fmt.Sprintf("%q clashes and nothing tells its row from others: it has no primary key", old), Next: next,
					})
					return nil
				}
			}
			shared[at] = &candidate{shard: row.Shard, row: merge.Renamed{Values: row.Values, Old: old, Row: row.Key}}
			todo, called[name] = append(todo, shared[at]), shared[at]
		}
	}
	given, bad, err := a.freshNames(ctx, todo, col, plan)
	if err != nil {
		return err
	}
	if bad != nil {
		next := "use another template or a wider column"
		if a.shards[bad.shard].Source().Server == nil && strings.Contains(plan.Template, "{server}") {
			next = fmt.Sprintf("give it: --server %s=N", a.name(bad.shard))
		} else if other, err := a.passing(ctx, col, slices.DeleteFunc(a.otherTemplates(), func(t string) bool { return t == plan.Template }), bad); err != nil {
			return err
		} else if other != "" {
			next = fmt.Sprintf("use another template, such as %q, or a wider column", other)
		}
		a.find(merge.Finding{
			Rule: "rename", Severity: merge.Block, Table: u.Table, Column: column, Shard: a.name(bad.shard), Rows: 1, Samples: []string{bad.row.Old},
			Text: bad.why.Error(), Next: next,
		})
		return nil
	}
	if cut := cutNames(given, "new name is", "new names are"); cut != "" {
		f.Text, f.Next = f.Text+"; "+cut, "a shorter template, or a column that is declared wider in copies of the shards, leaves the old names whole in the new ones"
	}
	for _, c := range given {
		r.Shards[c.shard] = append(r.Shards[c.shard], c.row)
		for _, row := range c.same {
			row.New = sameShape(c.row, row.Old)
			r.Shards[c.shard] = append(r.Shards[c.shard], row)
		}
	}
	a.rename = append(a.rename, r)
	return nil
}

// alikeBy are values in a form in which those are equal that the key's own comparison calls equal.
func alikeBy(collations []string, values []any) []any {
	out := slices.Clone(values)
	for i := range out {
		if text, ok := out[i].(string); ok && i < len(collations) {
			out[i] = merge.Collated(text, collations[i])
		}
	}
	return out
}

// sameShape is the new name of a row that shares another's by the key's comparison, with its own letters: S2.ANN beside S2.Ann.
func sameShape(first merge.Renamed, old string) string {
	for kept := len(first.Old); kept > 0; kept-- {
		if before, after, ok := strings.Cut(first.New, first.Old[:kept]); ok {
			return before + old[:min(kept, len(old))] + after
		}
	}
	return first.New
}

// freshNames gives candidates names of a column that no row of any shard has, that no text names in vain and that no two of them share. bad is one for which there
// is none.
func (a *auditor) freshNames(ctx context.Context, todo []*candidate, col merge.Col, plan *merge.UniquePlan) (given []*candidate, bad *candidate, err error) {
	used := a.usedNames(col)
	for len(todo) > 0 {
		var again []*candidate
		for start := 0; start < len(todo); start += checkBatch {
			batch := todo[start:min(start+checkBatch, len(todo))]
			for _, c := range batch {
				if c.why = a.nextName(ctx, c, col, plan, used); c.why != nil {
					return nil, c, nil //nolint:nilerr // the candidate carries it
				}
			}
			taken, err := a.takenNames(ctx, col, a.nameCollation(col, plan), batch)
			if err != nil {
				return nil, nil, err
			}
			for _, c := range batch {
				if taken {
					// Some name of the batch is taken: look them up one by one.
					one, err := a.takenNames(ctx, col, a.nameCollation(col, plan), []*candidate{c})
					if err != nil {
						return nil, nil, err
					}
					if one {
						again = append(again, c)
						continue
					}
				}
				given = append(given, c)
			}
		}
		twins, err := a.twins(ctx, given, a.nameCollation(col, plan))
		if err != nil {
			return nil, nil, err
		}
		for _, i := range slices.Backward(twins) {
			again = append(again, given[i])
			given = slices.Delete(given, i, i+1)
		}
		todo = again
	}
	return given, nil, nil
}

// knownByName tells whether a row without a key is found by its name: no other row of its shard holds it, or those that do lose it, too. An index over some rows alone
// does not promise it.
func (a *auditor) knownByName(ctx context.Context, u *merge.Unique, row merge.ClashRow) (bool, error) {
	if len(u.Columns) > 1 {
		return false, nil
	}
	if !u.Where || a.beyond(u) {
		return true, nil
	}
	c, ok := a.shards[row.Shard].Schema().Resolve(u.Cols()[0])
	if !ok {
		return false, nil
	}
	n, err := a.shards[row.Shard].Count(ctx, c.Table, a.engine.Quote(c.Name)+" = "+a.engine.Literal(row.Values[0]))
	return n == 1, err
}

// twins are the places of those new names that the engine calls equal to an earlier one.
func (a *auditor) twins(ctx context.Context, given []*candidate, collation string) ([]int, error) {
	e, ok := a.engine.(interface {
		Twins(ctx context.Context, texts []string, collation string) ([]int, error)
	})
	if !ok {
		return nil, nil
	}
	texts := make([]string, len(given))
	for i, c := range given {
		texts[i] = c.row.New
	}
	return e.Twins(ctx, texts, collation)
}

func folded(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// renamed tells whether rows get new values in a column.
func (a *auditor) renamed(c merge.Col) bool {
	return slices.ContainsFunc(a.rename, func(n *merge.Rename) bool { return n.Unique.Table == c.Table && n.Column == c.Name })
}

// nameLost tells whether a row gets another name already.
func (a *auditor) nameLost(col merge.Col, row merge.ClashRow, old any) bool {
	return slices.ContainsFunc(a.rename, func(r *merge.Rename) bool {
		return r.Unique.Table == col.Table && r.Column == col.Name && a.losers(r)[loser{row.Shard, valueText(old), keyText(row.Key)}]
	})
}

// loser is a row that gets another name than its old one; its key is "" where nothing else tells it from others.
type loser struct {
	shard    int
	old, key string
}

// losers are the rows that get other names by a rename.
func (a *auditor) losers(r *merge.Rename) map[loser]bool {
	if a.lostNames[r] == nil {
		a.lostNames[r] = map[loser]bool{}
		for shard, rows := range r.Shards {
			for _, row := range rows {
				a.lostNames[r][loser{shard, row.Old, keyText(row.Row)}] = true
			}
		}
	}
	return a.lostNames[r]
}

// keyText is a row's key as one text.
func keyText(key []any) string {
	words := make([]string, len(key))
	for i, v := range key {
		words[i] = strconv.Quote(valueText(v))
	}
	return strings.Join(words, ",")
}
