package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of a plan file. A plan of 500 tables with evidence takes less than a megabyte.
const (
	maxBytes  = 4 << 20
	maxDepth  = 16 // brackets inside brackets
	maxIndent = 64 // columns
	// maxKeys bounds one mapping written over several lines. The YAML parser descends once for every key of such a mapping and looks at all
	// that follow: a megabyte of keys would take it minutes.
	maxKeys = 1000
	// maxEntries bounds the lines that begin with a dash, for the same reason.
	maxEntries = 50_000
)

// source turns a file's text into the one mapping that it must be; nil when something was wrong.
func (r *reader) source(data []byte) ast.Node {
	if len(data) > maxBytes {
		r.failAt(0, 0, fmt.Sprintf("the file has %d bytes, more than the %d of the largest plan", len(data), maxBytes), "give a plan file")
		return nil
	}
	data = plainText(data)
	if !r.text(data) {
		return nil
	}
	tokens := lexer.Tokenize(string(data))
	if !r.tokens(tokens) {
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		r.syntax(err)
		return nil
	}
	var root ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if root != nil {
			r.fail(doc.Body, "the file holds several documents", "keep one, without '---' lines")
			return nil
		}
		root = doc.Body
	}
	if root == nil {
		r.failAt(0, 0, "the plan is empty", "begin with `version: 1`")
	}
	return root
}

// plainText is a file's text without the marks of some editors.
func plainText(data []byte) []byte {
	return bytes.ReplaceAll(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
}

// text refuses bytes that no YAML text holds, and indentation by tabs.
func (r *reader) text(data []byte) bool {
	before := len(r.errs)
	for i, line := range bytes.Split(data, []byte("\n")) {
		column := 0
		indent := true
		for rest := line; len(rest) > 0; {
			column++
			c, size := utf8.DecodeRune(rest)
			rest = rest[size:]
			switch {
			case c == utf8.RuneError && size == 1:
				r.failAt(i+1, column, "the text is not UTF-8", "save the file as UTF-8")
				return false
			case c == '\t' && indent && len(bytes.TrimSpace(rest)) > 0 && bytes.TrimSpace(rest)[0] != '#':
				r.failAt(i+1, column, "a tab indents the line", "use spaces")
				rest = nil
			case c < ' ' && c != '\t' || c == 0x7f:
				r.failAt(i+1, column, fmt.Sprintf("control character %U", c), `write it as an escape in double quotes, such as "\x01"`)
				return false
			}
			indent = indent && c == ' '
		}
	}
	return len(r.errs) == before
}

// tokens refuses what could make a small file large or deep, before anything descends into it.
func (r *reader) tokens(list token.Tokens) bool {
	depth, dashes, entries, line := 0, 0, 0, 0
	var keys [maxIndent + 1]int // by column, of mappings that are still open
	for _, t := range list {
		at := t.Position
		if at == nil {
			continue
		}
		if at.Line != line {
			line, dashes = at.Line, 0
			if depth == 0 && at.Column > maxIndent && t.Type != token.CommentType {
				r.failAt(at.Line, at.Column, "the line is indented too deeply", "two or four spaces are enough")
				return false
			}
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			r.failAt(at.Line, at.Column, "anchors and aliases (&, *, <<) have no place in a plan", "write the value out, in quotes when it begins with that character")
			return false
		case token.TagType, token.DirectiveType:
			r.failAt(at.Line, at.Column, "tags and directives (!, %) have no place in a plan", "remove it, or put the value in quotes")
			return false
		case token.MappingKeyType:
			r.failAt(at.Line, at.Column, "'?' keys have no place in a plan", "write `key: value`, or put the value in quotes")
			return false
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		case token.SequenceEntryType:
			dashes++
			if entries++; entries > maxEntries {
				r.failAt(at.Line, at.Column, fmt.Sprintf("more than %d entries", maxEntries), "answer many columns with one pattern, as in log_*.*")
				return false
			}
			if depth == 0 && at.Column <= maxIndent {
				clear(keys[at.Column+1:])
			}
		case token.MappingValueType:
			if depth > 0 || t.Prev == nil || t.Prev.Position == nil {
				continue
			}
			column := min(max(t.Prev.Position.Column, 0), maxIndent)
			if keys[column]++; keys[column] > maxKeys {
				r.failAt(at.Line, at.Column, fmt.Sprintf("a mapping of more than %d keys", maxKeys), "a section is a list: begin each entry with `- `")
				return false
			}
		}
		if depth > maxDepth || dashes > maxDepth {
			r.failAt(at.Line, at.Column, "lists inside lists, too many", "close the brackets")
			return false
		}
	}
	return true
}

// syntax reports what the YAML parser refused.
func (r *reader) syntax(err error) {
	const next = "put strings with : # , [ ] { } or quotes into quotes, and close every bracket"
	var s *yaml.SyntaxError
	if errors.As(err, &s) && s.Token != nil && s.Token.Position != nil {
		r.failAt(s.Token.Position.Line, s.Token.Position.Column, "not YAML: "+s.Message, next)
		return
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	r.failAt(0, 0, "not YAML: "+text, next)
}
