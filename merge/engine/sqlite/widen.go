package sqlite

import (
	"fmt"
	"math"
	"strings"

	"github.com/gameid/gameid/merge"
)

// textDigits is how many characters the digits of 8 bytes take, with a sign.
const textDigits = 20

// Widen is the table declared with columns of 8 bytes where they have fewer as MySQL reads their types, and texts with room for as many digits; the table itself when
// there are none. A STRICT table knows no other width, so it stays. The error says which declaration is not understood.
func (e *Engine) Widen(t *merge.Table, columns []string) (*merge.Table, error) {
	all, err := tokens(t.SQL)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Name, err)
	}
	if strict(all) {
		return t, nil
	}
	wide := *t
	wide.Columns = nil
	for _, c := range t.Columns {
		narrow := false
		for _, name := range columns {
			narrow = narrow || c.Limit() < math.MaxInt64-1 && merge.FoldASCII(name) == merge.FoldASCII(c.Name)
		}
		if !narrow {
			wide.Columns = append(wide.Columns, c)
			continue
		}
		column := *c
		column.Type, column.Bytes = "BIGINT", 8
		if c.Affinity == merge.Text {
			column.Type, column.Bytes, column.Chars = fmt.Sprintf("VARCHAR(%d)", textDigits), 0, textDigits
		}
		if strings.Contains(merge.FoldASCII(c.Type), "unsigned") {
			column.Type += " UNSIGNED"
		}
		if wide.SQL, err = retyped(wide.SQL, c, column.Type); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		wide.Columns = append(wide.Columns, &column)
	}
	return &wide, nil
}

// strict tells whether a CREATE TABLE ends in the option STRICT.
func strict(all []token) bool {
	for i := len(all) - 1; i >= 0 && all[i].text != ")"; i-- {
		if all[i].is("STRICT") {
			return true
		}
	}
	return false
}

// retyped is a CREATE TABLE in which a column has another type.
func retyped(text string, c *merge.Column, declared string) (string, error) {
	all, err := tokens(text)
	if err != nil {
		return "", err
	}
	want := merge.FoldASCII(strings.Join(strings.Fields(c.Type), ""))
	for i, t := range all {
		first := t.depth == 1 && i > 0 && (all[i-1].text == "(" && all[i-1].depth == 0 || all[i-1].text == "," && all[i-1].depth == 1)
		if !first || merge.FoldASCII(unquoted(t.text)) != merge.FoldASCII(c.Name) {
			continue
		}
		got := ""
		for _, word := range all[i+1:] {
			got += merge.FoldASCII(unquoted(word.text))
			if got == want {
				return text[:all[i+1].from] + declared + text[word.to:], nil
			}
			if !strings.HasPrefix(want, got) {
				break
			}
		}
	}
	return "", fmt.Errorf("the declaration of %s as %s is not understood", c.Name, c.Type)
}
