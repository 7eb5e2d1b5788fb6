package planfile

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// fail reports an error at a node.
func (r *reader) fail(n ast.Node, text, next string) {
	line, column := 1, 1
	if n != nil {
		if t := start(n); t != nil && t.Position != nil {
			line, column = t.Position.Line, t.Position.Column
		}
	}
	r.failAt(line, column, text, next)
}

// start is the token at which a node begins: a block mapping's own token is its first colon.
func start(n ast.Node) *token.Token {
	switch v := n.(type) {
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			return start(v.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return start(v.Key)
	}
	return n.GetToken()
}

// describe names what stands in the file instead of what was wanted.
func describe(n ast.Node) string {
	switch v := n.(type) {
	case nil, *ast.NullNode:
		return "nothing (null)"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "the number " + n.GetToken().Value
	case *ast.BoolNode:
		return "the word " + n.GetToken().Value
	case *ast.StringNode:
		return fmt.Sprintf("the text %q", short(v.Value))
	case *ast.LiteralNode:
		return "a text"
	}
	return "something else"
}

func short(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}

// wrong reports that a value is of another type than its key wants.
func (r *reader) wrong(n ast.Node, key, want, next string) {
	if _, null := n.(*ast.NullNode); null || n == nil {
		next = "give it a value or remove `" + key + "`"
	}
	r.fail(n, key+": want "+want+", got "+describe(n), next)
}

// str reads a text that is not empty.
func (r *reader) str(n ast.Node, key string) (string, bool) {
	s, ok := r.any(n, key)
	if ok && s == "" {
		r.fail(n, key+": the text is empty", "give it a value or remove `"+key+"`")
		return "", false
	}
	return s, ok
}

// sqlValue reads a text that is not empty, or the word null, which stands for SQL's.
func (r *reader) sqlValue(n ast.Node, key string) (string, bool) {
	if null, ok := n.(*ast.NullNode); ok && null.Token.Type == token.NullType {
		return "NULL", true
	}
	return r.str(n, key)
}

// any reads a text, also an empty one.
func (r *reader) any(n ast.Node, key string) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		if v.Token.Type == token.StringType && (strings.Contains(v.Value, ": ") || strings.Contains(v.Value, " #")) {
			r.fail(n, fmt.Sprintf("%s: %q holds a colon or hash outside of quotes", key, short(v.Value)), "add the missing comma, or put the text in quotes")
			return "", false
		}
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	}
	r.wrong(n, key, "text", "put it in quotes")
	return "", false
}

// integer reads a decimal whole number that fits 64 bits.
func (r *reader) integer(n ast.Node, key string) (int64, bool) {
	if v, ok := n.(*ast.IntegerNode); ok {
		if i, ok := decimal(v.Token.Value); ok {
			return i, true
		}
	}
	r.wrong(n, key, "a whole number", "write decimal digits without leading zeros or quotes, from -9223372036854775808 to 9223372036854775807")
	return 0, false
}

// decimal reads a number in the only way in which it is written: 010 and 0x10 mean different things to different readers.
func decimal(s string) (int64, bool) {
	i, err := strconv.ParseInt(s, 10, 64)
	return i, err == nil && strconv.FormatInt(i, 10) == s
}

// scalar reads a whole number, a fraction or a text.
func (r *reader) scalar(n ast.Node, key string) (any, bool) {
	switch v := n.(type) {
	case *ast.IntegerNode:
		i, ok := r.integer(n, key)
		return i, ok
	case *ast.FloatNode:
		f, err := strconv.ParseFloat(v.Token.Value, 64)
		if err != nil || math.IsInf(f, 0) {
			r.wrong(n, key, "a number", "write a decimal fraction within the range of a double")
		}
		if whole := int64(f); float64(whole) == f && math.Abs(f) < 1<<63 { // 0.0 equals 0 in every engine, and is recorded as 0
			return whole, err == nil
		}
		return f, err == nil
	case *ast.StringNode, *ast.LiteralNode:
		if t := n.GetToken(); t.Type == token.StringType && number(t.Value) {
			r.wrong(n, key, "a number that fits 64 bits, or text", "put text in quotes")
			return nil, false
		}
		return r.any(n, key)
	}
	r.wrong(n, key, "a number or text", "write for example 0, -1 or ''")
	return nil, false
}

// number tells whether a word looks like a number, also one that is too large for any type.
func number(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return s != "" && strings.ContainsRune("+-.0123456789", rune(s[0])) && (err == nil || errors.Is(err, strconv.ErrRange))
}

// boolean reads true or false.
func (r *reader) boolean(n ast.Node, key string) bool {
	if v, ok := n.(*ast.BoolNode); ok {
		return v.Value
	}
	r.wrong(n, key, "true or false", "write true or false, without quotes")
	return false
}

// word reads one of some words.
func (r *reader) word(n ast.Node, key string, words ...string) (string, bool) {
	return r.wordOr(n, key, "", words...)
}

// wordOr is word where a mapping may stand as well, which the caller has looked for; other names its shape.
func (r *reader) wordOr(n ast.Node, key, other string, words ...string) (string, bool) {
	if s, ok := n.(*ast.StringNode); ok && slices.Contains(words, s.Value) {
		return s.Value, true
	}
	want := "one of " + strings.Join(words, ", ")
	if other != "" {
		want += ", " + other
	}
	next := "write one of these"
	if s, ok := n.(*ast.StringNode); ok && gamesOwn[s.Value] != "" {
		next = gamesOwn[s.Value]
	}
	r.wrong(n, key, want, next)
	return "", false
}

// gamesOwn is what operators ask for that no merge can decide.
var gamesOwn = map[string]string{
	"join": joining, "link": joining, "combine": joining,
	"rank": "re-sorting rankings is the game's own business: merge or empty them, and let the game sort them",
	"sort": "re-sorting rankings is the game's own business: merge or empty them, and let the game sort them",
}

const joining = "joining accounts is the game's own business: merge them apart, and let the game join them by merge-map --all"

// list reads the elements of a list.
func (r *reader) list(n ast.Node, key string) []ast.Node {
	if v, ok := n.(*ast.SequenceNode); ok {
		return v.Values
	}
	r.wrong(n, key, "a list", "write `"+key+": [...]`, or one `- ` line for each entry")
	return nil
}
