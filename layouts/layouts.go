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
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts/textfile"
)

// Default is the name of the layout that is used when none is named.
const Default = "game"

// Layout is a layout with what a person wants to know about it.
type Layout struct {
	*gameid.Layout
	Summary string    // one line, empty for expressions
	Source  string    // where its numbers come from: a project and a file of it
	Since   time.Time // no ID is older: the epoch, or later when the system was born later
	Public  bool      // IDs of a service that players have accounts of, which stand in many databases
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

// Load returns the layout that text names: a preset, a preset with another epoch
// (snowflake,epoch=2020-08-01T00:00:00+08:00), an expression (with an "="), or the
// path of a file (with a "/" or ending in .yaml or .yml). Errors are
// *UnknownError, *ExpressionError, *FileError or *gameid.LayoutError.
func Load(text string) (Layout, error) {
	names, err := Names()
	if err != nil {
		return Layout{}, err
	}
	name, rest, more := strings.Cut(text, ",")
	switch extension := path.Ext(text); {
	case slices.Contains(names, name) && more:
		return withEpoch(name, rest)
	case slices.Contains(names, text):
		return preset(text)
	case strings.ContainsAny(text, "/\\"), extension == ".yaml", extension == ".yml":
		content, err := textfile.Read(text, textfile.Small)
		if err != nil {
			return Layout{}, &FileError{text, err}
		}
		return Read(text, content)
	case strings.Contains(text, "="):
		l, err := Parse(text)
		if err != nil {
			return Layout{}, err
		}
		return Layout{Layout: l, Since: l.Epoch()}, nil
	}
	return Layout{}, &UnknownError{text, names}
}

// withEpoch returns a preset with the epoch of "epoch=TIME". Its name is the
// whole text, so that nothing takes it for the preset.
func withEpoch(name, text string) (Layout, error) {
	value, ok := strings.CutPrefix(text, "epoch=")
	if !ok {
		return Layout{}, &ExpressionError{text, "after the name of a preset only epoch=TIME can stand"}
	}
	epoch, err := parseEpoch(value)
	if err != nil {
		return Layout{}, &ExpressionError{text, err.Error()}
	}
	l, err := preset(name)
	if err != nil {
		return Layout{}, err
	}
	spec := gameid.Spec{Name: name + "," + text, Fields: l.Fields(), Tick: l.Tick(), Epoch: epoch}
	changed, err := gameid.NewLayout(spec)
	if err != nil {
		return Layout{}, err
	}
	return Layout{Layout: changed, Summary: name + " with another epoch", Source: l.Source, Since: epoch}, nil
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
