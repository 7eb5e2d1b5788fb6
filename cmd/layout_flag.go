package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"github.com/spf13/cobra"
)

// layoutAuto asks decode to try every preset.
const layoutAuto = "auto"

// addLayoutFlag adds --layout to c. extra is added to its help.
func addLayoutFlag(c *cobra.Command, target *string, extra string) {
	c.Flags().StringVar(target, "layout", layouts.Default,
		"layout of the IDs: a preset (see 'gameid layouts'), a file, or "+layouts.Example+extra)
	_ = c.RegisterFlagCompletionFunc("layout", completeLayouts)
}

// completeLayouts offers the presets, and files.
func completeLayouts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	list, err := layouts.List()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	names := make([]string, len(list))
	for i, l := range list {
		names[i] = l.Name() + "\t" + l.Summary
	}
	return names, cobra.ShellCompDirectiveDefault
}

// form is one of the text forms of an ID.
type form string

const (
	formAny     form = ""
	formDecimal form = "decimal"
	formBase32  form = "base32"
	formHex     form = "hex"
	formUUID    form = "uuid"
)

func formNames() []string {
	return []string{string(formDecimal), string(formBase32), string(formHex), string(formUUID)}
}

// String and Type make form a flag value.
func (f *form) String() string { return string(*f) }

// Type is what --help shows for the value.
func (f *form) Type() string { return "FORM" }

// Set takes the name of a form.
func (f *form) Set(name string) error {
	for _, known := range formNames() {
		if name == known {
			*f = form(name)
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", name, strings.Join(formNames(), ", "))
}

// formOrFormat is --format of a command that writes IDs: it takes the name of a form as well.
type formOrFormat struct {
	form   *form
	format *format
}

// String and Type make formOrFormat a flag value.
func (f formOrFormat) String() string { return "" }

// Type is what --help shows for the value.
func (f formOrFormat) Type() string { return "FORMAT" }

// Set takes the name of a form of IDs or of a format of rows.
func (f formOrFormat) Set(name string) error {
	if f.form.Set(name) == nil || f.format.Set(name) == nil {
		return nil
	}
	return fmt.Errorf("%q is none of %s, %s", name, strings.Join(formNames(), ", "), strings.Join(formatNames(), ", "))
}

// addFormFlag adds --form to a command that writes IDs, and lets --format name a form too.
func (a *app) addFormFlag(c *cobra.Command, target *form) {
	*target = formDecimal
	c.Flags().Var(target, "form", "form of the IDs: "+strings.Join(formNames(), ", "))
	c.Flags().Var(formOrFormat{target, &a.format}, "format",
		"form of the IDs, as --form (default decimal), or how to write them as rows: "+strings.Join(formatNames(), ", "))
	_ = c.RegisterFlagCompletionFunc("form", cobra.FixedCompletions(formNames(), cobra.ShellCompDirectiveNoFileComp))
}

// appendID appends id in the form.
func (f form) appendID(b []byte, id gameid.ID) []byte {
	switch f {
	case formBase32:
		return id.AppendBase32(b)
	case formHex:
		return id.AppendHex(b)
	case formUUID:
		return id.AppendUUID(b)
	default:
		return id.AppendDecimal(b)
	}
}

// parse reads an ID in the form, or in any form by its shape.
func (f form) parse(text string) (gameid.ID, error) {
	switch f {
	case formDecimal:
		return gameid.ParseDecimal(text)
	case formBase32:
		return gameid.ParseBase32(text)
	case formHex:
		return gameid.ParseHex(text)
	case formUUID:
		return gameid.ParseUUID(text)
	default:
		return gameid.Parse(text)
	}
}

// checkColumn refuses a layout whose IDs do not fit the SQL type of --column: in the form f, or in any.
func checkColumn(c *cobra.Command, l *gameid.Layout, column string, f form) error {
	if !c.Flags().Changed("column") {
		return nil
	}
	if strings.TrimSpace(column) == "" {
		return misused(c, errors.New("--column is empty: it is an SQL type, such as BIGINT"))
	}
	check := func(f form) error {
		if f == formAny {
			return l.CheckColumn(column)
		}
		return l.CheckColumnForm(column, string(f))
	}
	err := check(f)
	if err == nil {
		return nil
	}
	if !errors.Is(err, gameid.ErrTooWide) {
		return trouble(err, "give --column one of these types")
	}
	for _, other := range formNames() {
		if f != formAny && check(form(other)) == nil {
			return refused(err, "give --form "+other+", which fits, or a column of one of: "+strings.Join(l.Columns(), "; "))
		}
	}
	return refused(err, "use a layout that fits, such as game63 for a BIGINT, or a column of one of: "+strings.Join(l.Columns(), "; "))
}

// columnFlagHelp describes --column.
const columnFlagHelp = "refuse a layout whose IDs do not fit a column of this SQL type, such as BIGINT (default: not checked)"
