package planfile

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// match checks a pattern of the form text: RE2 with the one group that holds the key.
func (r *reader) match(n ast.Node, pattern string) {
	if pattern == "" {
		return
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		r.fail(n, "match: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "), "write an RE2 expression, in single quotes")
		return
	}
	if re.NumSubexp() != 1 {
		r.fail(n, fmt.Sprintf("match: the expression has %d groups", re.NumSubexp()), `put the key, and nothing else, into parentheses; (?:...) groups without being one`)
	}
}

const pathNext = `write for example "$.equip[*].id", or "$.bag.*~" for the keys of an object`

// jsonPath checks a path of the form json: $, then .name, ["name"], [3], .* and [*], and ~ at the end for the keys of an object.
func (r *reader) jsonPath(n ast.Node, path string) {
	if path == "" {
		return
	}
	rest, ok := strings.CutPrefix(path, "$")
	if !ok {
		r.fail(n, fmt.Sprintf("path: %q does not begin with $", short(path)), pathNext)
		return
	}
	last := ""
	for rest != "" && rest != "~" {
		step := pathStep(rest)
		if step == "" {
			r.fail(n, fmt.Sprintf("path: %q is no step of a path", short(rest)), pathNext)
			return
		}
		last, rest = step, rest[len(step):]
	}
	if rest == "~" && last != ".*" && last != "[*]" {
		r.fail(n, "path: ~ stands after something else than .*", pathNext)
	}
}

// pathStep is the first step of the rest of a path; "" when it begins with none.
func pathStep(rest string) string {
	for _, any := range []string{".*", "[*]"} {
		if strings.HasPrefix(rest, any) {
			return any
		}
	}
	switch {
	case strings.HasPrefix(rest, `["`):
		for i := 2; i < len(rest); i++ {
			if rest[i] == '\\' {
				i++
			} else if rest[i] == '"' && strings.HasPrefix(rest[i+1:], "]") {
				return rest[:i+2]
			}
		}
	case strings.HasPrefix(rest, "["):
		digits := strings.TrimLeft(rest[1:], "0123456789")
		if n := len(rest) - len(digits); n > 1 && strings.HasPrefix(digits, "]") {
			return rest[:n+1]
		}
	case strings.HasPrefix(rest, "."):
		end := strings.IndexAny(rest[1:], `.[]~*"' `)
		if end < 0 {
			end = len(rest) - 1
		}
		if end > 0 {
			return rest[:end+1]
		}
	}
	return ""
}
