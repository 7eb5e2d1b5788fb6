package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/gameid/gameid/merge"
)

// keptCharacters is how much of an old name stays, at the least, as a reader counts.
const keptCharacters = 2

// fitName fills the template with an old name that is shortened at its end, between the characters that a reader sees, until every column that holds it takes
// the whole: by its declared length in its unit, and by the checks of its table. The first try of a template without {n} has no number; later ones append one.
func (a *auditor) fitName(ctx context.Context, template, server string, c *candidate, cols []merge.Col) (string, error) {
	if !strings.Contains(template, "{n}") && c.n > 0 {
		template += "{n}"
	}
	frame := strings.NewReplacer("{server}", server, "{shard}", a.name(c.shard), "{n}", strconv.Itoa(c.n+1)).Replace(template)
	why, holders := "", slices.Concat(cols, a.repeating(cols[0]))
	for kept, left := range shortened(c.row.Old) {
		name := strings.ReplaceAll(frame, "{value}", kept)
		failed := ""
		for _, col := range cols {
			if failed == "" {
				failed = tooLong(a.schema.Column(col), name)
			}
			if failed == "" {
				var err error
				if failed, err = a.failedCheck(ctx, c, col, name); err != nil {
					return "", err
				}
			}
		}
		for _, col := range holders {
			failed = cmp.Or(failed, madeNumber(a.schema.Column(col), name))
		}
		if failed == "" {
			c.cut = why
			return name, nil
		}
		if why = failed; left <= keptCharacters {
			break
		}
	}
	return "", fmt.Errorf("the new name of %q does not fit %s under the template %q with %d characters of it kept", c.row.Old, why, template, keptCharacters)
}

// cutNames says how many new texts hold their old ones shortened, to fit what, with an example; "" where all hold them whole.
func cutNames(given []*candidate, one, many string) string {
	n := slices.DeleteFunc(slices.Clone(given), func(c *candidate) bool { return c.cut == "" })
	if len(n) == 0 {
		return ""
	}
	return fmt.Sprintf("%s cut to fit %s, as that of %q: %q", counted(int64(len(n)), one, many), strings.TrimSuffix(n[0].cut, ","), n[0].row.Old, n[0].row.New)
}

// shortened gives a name and then what is left of it, one character a time, with their count. A space that a cut leaves at the end goes, too.
func shortened(name string) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		var ends []int
		for g := uniseg.NewGraphemes(name); g.Next(); {
			_, end := g.Positions()
			ends = append(ends, end)
		}
		if !yield(name, len(ends)) {
			return
		}
		for n := len(ends) - 1; n > 0; n-- {
			part := name[:ends[n-1]]
			if last, _ := utf8.DecodeLastRuneInString(part); unicode.IsSpace(last) {
				continue
			}
			if !yield(part, n) {
				return
			}
		}
	}
}

// tooLong says which declared length a name exceeds; "" when it fits.
func tooLong(c *merge.Column, name string) string {
	switch {
	case c.Chars > 0 && utf8.RuneCountInString(name) > c.Chars:
		return fmt.Sprintf("%d characters", c.Chars)
	case c.TextBytes > 0 && len(name) > c.TextBytes:
		return fmt.Sprintf("%d bytes", c.TextBytes)
	}
	return ""
}

// failedCheck says which check of the table a row would fail under another name; "" when none.
func (a *auditor) failedCheck(ctx context.Context, c *candidate, col merge.Col, name string) (string, error) {
	t, shard := a.schema.Table(col.Table), a.shards[c.shard]
	own := shard.Schema().Table(col.Table)
	if t == nil || own == nil || !a.complete(t, own) {
		return "", nil
	}
	row, values := a.engine.Quote(col.Name)+" = ?", []any{c.row.Old}
	if len(c.row.Row) == len(t.PrimaryKey) {
		for i, k := range t.PrimaryKey {
			row, values = row+" AND "+a.engine.Quote(k)+" = ?", append(values, c.row.Row[i])
		}
	}
	for _, check := range t.Checks {
		if !merge.MayName(check, col.Name) {
			continue
		}
		failed, err := shard.Any(ctx, own.Name, row+" AND "+a.failing(own, check, col.Name, "?"), append(values, name)...)
		if err != nil {
			return "", fmt.Errorf("table %s: the check (%s) under the name %q: %w", own.Name, check, name, err)
		}
		if failed {
			return "the check (" + check + ")", nil
		}
	}
	return "", nil
}

// failing is a condition on rows that would fail a check under another value of a column, which an expression of the row makes of a parameter. The value stands in a query inside the row's,
// where SQL looks for names first.
func (a *auditor) failing(own *merge.Table, check, column, expression string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM (SELECT %s AS %s) AS %s WHERE NOT (\n%s\n))", expression, a.engine.Quote(column), a.engine.Quote(own.Name), check)
}
