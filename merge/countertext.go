package merge

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// counterDigits is how many digits the number of a text has at most: more are no number of 8 bytes.
const counterDigits = 18

// CounterText takes what stands in a counter of texts apart: what stands before its number, the number, and how many digits it is written with; of a number itself, none.
func CounterText(v any) (head string, n int64, width int, ok bool) {
	switch v := v.(type) {
	case int64:
		return "", v, 0, v >= 0
	case float64:
		return "", int64(v), 0, v >= 0 && v == math.Trunc(v) && v < 1<<62
	case string:
		head = strings.TrimRight(v, "0123456789")
		if width = len(v) - len(head); width == 0 || width > counterDigits {
			return "", 0, 0, false
		}
		n, err := strconv.ParseInt(v[len(head):], 10, 64)
		return head, n, width, err == nil
	}
	return "", 0, 0, false
}

// BesideCounters is the SQL condition on the rows of a column in which the game counts nothing; "" where it counts in all of them, or in none.
func BesideCounters(s *Schema, c Col, counters []Counter) string {
	var rows []string
	for _, k := range counters {
		if !s.Equal(k.Column.Table, c.Table) || !s.Equal(k.Column.Name, c.Name) {
			continue
		}
		if k.Where == "" {
			return ""
		}
		where := "(" + k.Where + ")"
		if strings.Contains(k.Where, "--") { // a comment at its end must not swallow what follows
			where = "(" + k.Where + "\n)"
		}
		if where += " IS NOT TRUE"; !slices.Contains(rows, where) {
			rows = append(rows, where)
		}
	}
	return strings.Join(rows, " AND ")
}

// Spell writes a number as the counter's column holds it, with at least so many digits.
func (c *Counter) Spell(n int64, width int) string {
	return c.Head + fmt.Sprintf("%0*d", width, n)
}

// Limit is the highest number that a counter's column takes.
func (c *Counter) Limit(column *Column) int64 {
	if c.Head == "" || column == nil || column.Chars == 0 {
		return column.Limit()
	}
	behind := *column
	behind.Chars = max(column.Chars-utf8.RuneCountInString(c.Head), 1)
	return behind.Limit()
}
