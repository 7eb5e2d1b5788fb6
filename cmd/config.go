package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gameid/gameid/layouts/textfile"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// configFile is the only settings file that is ever read, from the folder that
// the command runs in.
const configFile = "gameid.yaml"

// notFromFile is the annotation of flags that configFile must not set.
const notFromFile = "gameid-not-from-file"

// keepOutOfConfig says that the named flags of c decide about somebody's data,
// so that they come from the command line or the environment and never from a
// file that happens to lie in the current folder.
func keepOutOfConfig(c *cobra.Command, names ...string) {
	for _, name := range names {
		if err := c.Flags().SetAnnotation(name, notFromFile, []string{"true"}); err != nil {
			panic(err) // a name that the command does not have
		}
	}
}

// onlyTyped is the annotation of flags that the environment must not set either.
const onlyTyped = "gameid-only-typed"

// keepToCommandLine says that the named flags of c come from the command line
// alone: a plan, and server numbers of shards, belong to one merge and to no
// other, and a variable outlives it. The variable may be meant for another
// command, as GAMEID_SERVER is for gen, so it is passed over with a note.
func keepToCommandLine(c *cobra.Command, names ...string) {
	keepOutOfConfig(c, names...)
	for _, name := range names {
		_ = c.Flags().SetAnnotation(name, onlyTyped, []string{"true"}) // keepOutOfConfig has found it
	}
}

func keptOut(f *pflag.Flag) bool { return f.Annotations[notFromFile] != nil }

// applySettings gives every flag of c that the command line has not set its
// value from GAMEID_NAME or, when that is unset or empty, from ./gameid.yaml, and names the file
// on Err when anything was taken from it.
func (a *app) applySettings(c *cobra.Command) error {
	file, err := readConfig(configFile, c)
	if err != nil {
		return trouble(err, "correct or remove ./"+configFile)
	}
	var used, deciding []string
	var failed error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || failed != nil || f.Name == "help" || f.Name == "version" {
			return
		}
		variable := "GAMEID_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value, _ := a.lookupEnv(variable); value != "" {
			if f.Annotations[onlyTyped] != nil {
				a.tell(fmt.Sprintf("note: %s is not used by %s: --%s counts on the command line alone", variable, c.Name(), f.Name))
				return
			}
			a.fromEnv = append(a.fromEnv, variable)
			if err := c.Flags().Set(f.Name, value); err != nil {
				failed = misused(c, fmt.Errorf("%s=%q: %w", variable, value, err))
			}
			if keptOut(f) {
				deciding = append(deciding, fmt.Sprintf("--%s %s from %s", f.Name, value, variable))
			}
			return
		}
		values, ok := file[f.Name]
		if !ok || keptOut(f) {
			return
		}
		for _, value := range values {
			if err := c.Flags().Set(f.Name, value); err != nil {
				failed = misused(c, fmt.Errorf("./%s: %s: %w", configFile, f.Name, err))
				return
			}
		}
		used = append(used, f.Name)
	})
	if failed == nil && len(deciding) > 0 { // it decides about somebody's data, and may have been meant for another day
		a.tell("note: " + strings.Join(deciding, ", "))
	}
	if failed == nil && len(used) > 0 {
		fmt.Fprintf(a.Err, "gameid: %s from ./%s\n", strings.Join(used, ", "), configFile)
	}
	return failed
}

// readConfig returns what the file says for the flags of c: top-level keys hold
// for every command, the keys under a command's name for that command. A key
// that is no flag of any command, a null, and a flag that is kept out are errors.
// A file that is not there says nothing.
func readConfig(path string, c *cobra.Command) (map[string][]string, error) {
	text, err := textfile.Read(path, textfile.Small)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := decodeConfig(text)
	if err != nil {
		return nil, fmt.Errorf("./%s: %w", path, err)
	}
	settings := map[string][]string{}
	var sections []map[string]any
	for _, name := range sortedKeys(all) {
		value := all[name]
		if section, ok := value.(map[string]any); ok {
			target, _, err := c.Root().Find([]string{name})
			if err != nil || target == c.Root() {
				return nil, fmt.Errorf("./%s: %s: no command has this name", path, name)
			}
			if err := checkSection(target, section); err != nil {
				return nil, fmt.Errorf("./%s: %s: %w", path, name, err)
			}
			if target == c {
				sections = append(sections, section)
			}
			continue
		}
		if err := checkSetting(c.Root(), name, value); err != nil {
			return nil, fmt.Errorf("./%s: %w", path, err)
		}
		settings[name] = settingText(value)
	}
	for _, section := range sections {
		for name, value := range section {
			settings[name] = settingText(value)
		}
	}
	return settings, nil
}

// decodeConfig reads YAML strictly. The parser panics on some malformed input; a
// file that lies in the current folder must not end the program that way.
func decodeConfig(text []byte) (all map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it is no valid YAML: %v", p)
		}
	}()
	file, err := parser.ParseBytes(bytes.TrimPrefix(text, []byte("\uFEFF")), 0) // editors of Windows begin with it
	if err == nil && len(file.Docs) > 0 && file.Docs[0].Body != nil {
		body := file.Docs[0].Body
		ast.Walk(asWritten{}, body)
		err = yaml.NewDecoder(strings.NewReader(""), yaml.Strict()).DecodeFromNode(body, &all)
	}
	if err != nil {
		return nil, errors.New(yaml.FormatError(err, false, true))
	}
	return all, nil
}

// asWritten keeps numbers as they are written, for the flags to read: YAML would
// read 010 as 8.
type asWritten struct{}

// Visit changes whole numbers.
func (v asWritten) Visit(node ast.Node) ast.Visitor {
	if n, ok := node.(*ast.IntegerNode); ok {
		n.Value = n.Token.Value
	}
	return v
}

func checkSection(c *cobra.Command, section map[string]any) error {
	for _, name := range sortedKeys(section) {
		if err := checkSetting(c, name, section[name]); err != nil {
			return err
		}
	}
	return nil
}

// checkSetting looks for a flag of c, or of a command below it, that a file may set.
func checkSetting(c *cobra.Command, name string, value any) error {
	if value == nil {
		return fmt.Errorf("%s: no value", name)
	}
	known, allowed := false, false
	_, several := value.([]any)
	for _, command := range append([]*cobra.Command{c}, c.Commands()...) {
		for _, flags := range []*pflag.FlagSet{command.LocalFlags(), command.InheritedFlags()} {
			if f := flags.Lookup(name); f != nil {
				known, allowed = true, allowed || !keptOut(f)
				if _, many := f.Value.(pflag.SliceValue); several && !many && !keptOut(f) {
					return fmt.Errorf("%s: a list, and --%s of %s takes one value", name, name, command.Name())
				}
			}
		}
	}
	switch {
	case !known:
		return fmt.Errorf("%s: no flag has this name", name)
	case !allowed:
		return fmt.Errorf("%s: a settings file cannot decide this; give --%s on the command line", name, name)
	}
	return nil
}

// settingText is a value as it would stand on the command line, one string for
// each time the flag is given.
func settingText(value any) []string {
	list, ok := value.([]any)
	if !ok {
		return []string{fmt.Sprint(value)}
	}
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i] = fmt.Sprint(item)
	}
	return texts
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
