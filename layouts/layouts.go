// Package layouts has the preset layouts, as data, and reads layouts from files
// and from expressions on the command line.
//
// A preset is a file NAME.yaml in this folder; adding one takes nothing else.
package layouts

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gameid/gameid/gameid"
)

// Default is the name of the layout that is used when none is named.
const Default = "game"

// Layout is a layout with what a person wants to know about it.
type Layout struct {
	*gameid.Layout
	Summary string // one line, empty for expressions
	Source  string // where it comes from
}

// UnknownError says that no preset has a name, and that it is neither a file nor
// an expression.
type UnknownError struct {
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no layout is called %q; there are %s, or give a file or an expression such as %s", e.Name, strings.Join(e.Known, ", "), Example)
}

//go:embed *.yaml
var presets embed.FS

// List returns the presets, the default first and the others by name.
func List() ([]Layout, error) {
	names, err := Names()
	if err != nil {
		return nil, err
	}
	list := make([]Layout, len(names))
	for i, name := range names {
		if list[i], err = preset(name); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Names returns the names of the presets in the order of List.
func Names() ([]string, error) {
	entries, err := presets.ReadDir(".")
	if err != nil {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(entry.Name(), ".yaml")
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(compareBool(b == Default, a == Default), cmp.Compare(a, b))
	})
	return names, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Load returns the layout that text names: a preset, an expression (with an "="),
// or the path of a file (with a "/" or ending in .yaml or .yml). Errors are
// *UnknownError, *ExpressionError, *FileError, *gameid.LayoutError, or those of
// reading a file.
func Load(text string) (Layout, error) {
	names, err := Names()
	if err != nil {
		return Layout{}, err
	}
	switch extension := path.Ext(text); {
	case slices.Contains(names, text):
		return preset(text)
	case strings.ContainsAny(text, "/\\"), extension == ".yaml", extension == ".yml":
		content, err := os.ReadFile(text)
		if err != nil {
			return Layout{}, fmt.Errorf("layout: %w", err)
		}
		return Read(text, content)
	case strings.Contains(text, "="):
		l, err := Parse(text)
		return Layout{Layout: l}, err
	}
	return Layout{}, &UnknownError{text, names}
}

// preset reads one of the embedded files and checks that its name is its own.
func preset(name string) (Layout, error) {
	content, err := presets.ReadFile(name + ".yaml")
	if err != nil {
		return Layout{}, err
	}
	l, err := Read(name+".yaml", content)
	if err == nil && l.Name() != name {
		err = &FileError{name + ".yaml", errors.New("its name is " + l.Name())}
	}
	return l, err
}
