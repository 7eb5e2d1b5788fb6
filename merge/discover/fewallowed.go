package discover

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Conditions by which a column holds one of a few numbers, with the column's name left out.
var (
	oneOfList  = regexp.MustCompile(`(?i)^in\s*\(\s*'?-?\d+'?(\s*,\s*'?-?\d+'?)*\s*\)$`)
	oneOfRange = regexp.MustCompile(`(?i)^between\s+(-?\d+)\s+and\s+(-?\d+)$`)
)

// allowedMost is how many numbers a condition allows at most that leaves room for no new keys.
const allowedMost = 12

// allowsFew tells whether the schema allows a few numbers alone in a column, as a yes or no has: it refers to nothing that gets new ones.
func (s *search) allowsFew(t *merge.Table, c *merge.Column) bool {
	return slices.ContainsFunc(t.Checks, func(check string) bool {
		column, rest, ok := strings.Cut(unbracketed(check), " ")
		if !ok || !s.schema.Equal(strings.Trim(column, "\"`[]"), c.Name) {
			return false
		}
		if rest = strings.TrimSpace(rest); oneOfList.MatchString(rest) {
			return strings.Count(rest, ",") < allowedMost
		}
		m := oneOfRange.FindStringSubmatch(rest)
		if m == nil {
			return false
		}
		low, err1 := strconv.ParseInt(m[1], 10, 64)
		high, err2 := strconv.ParseInt(m[2], 10, 64)
		return err1 == nil && err2 == nil && high < low+allowedMost
	})
}

// unbracketed is a condition without the brackets around all of it.
func unbracketed(check string) string {
	for check = strings.TrimSpace(check); strings.HasPrefix(check, "(") && strings.HasSuffix(check, ")"); check = strings.TrimSpace(check[1 : len(check)-1]) {
		depth := 0
		for i, r := range check {
			switch r {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 && i < len(check)-1 {
				return check
			}
		}
	}
	return check
}
