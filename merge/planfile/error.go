package planfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one thing that is wrong with a plan file.
type Error struct {
	File         string
	Line, Column int // from 1; 0 when the whole file is meant
	Text         string
	Next         string // what to do about it
}

// Error is "file:line:column: text; next".
func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Next == "" {
		return where + ": " + e.Text
	}
	return where + ": " + e.Text + "; " + e.Next
}

// Errors are all the things that are wrong with a plan file, in the order of the file; never empty.
type Errors []*Error

// Error has one line for each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As each *Error, the first of the file first.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i, one := range e {
		list[i] = one
	}
	return list
}

// maxErrors bounds how many errors one reading reports.
const maxErrors = 100

// reader collects what is wrong while a file is read.
type reader struct {
	file string
	errs Errors
}

func (r *reader) failAt(line, column int, text, next string) {
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, &Error{File: r.file, Line: line, Column: column, Text: text, Next: next})
	}
}

func (r *reader) err() error {
	if len(r.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(r.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return r.errs
}
