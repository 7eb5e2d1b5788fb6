package cmd_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gameid/gameid/cmd"
)

// TestHelpSaysWhatAFlagTakes: every flag says what its value is and what happens without it, and no line of a help text is wider than a terminal.
func TestHelpSaysWhatAFlagTakes(t *testing.T) {
	says := regexp.MustCompile(`\((default|required)|\(default:`)
	zero := []string{"", "0", "0s", "false", "[]"}
	goTypes := []string{"string", "stringArray", "strings", "uint", "uint8", "int", "duration"}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		for _, line := range strings.Split(c.Long, "\n") {
			if n := utf8.RuneCountInString(line); n > 90 {
				t.Errorf("%s --help: a line of %d columns, want at most 90: %q", c.CommandPath(), n, line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" {
				return
			}
			if !says.MatchString(f.Usage) && slices.Contains(zero, f.DefValue) {
				t.Errorf("%s --%s: %q: want the default", c.CommandPath(), f.Name, f.Usage)
			}
			if name, _ := pflag.UnquoteUsage(f); slices.Contains(goTypes, name) {
				t.Errorf("%s --%s %s: want a name for what it takes", c.CommandPath(), f.Name, name)
			}
		})
		for _, sub := range c.Commands() {
			look(sub)
		}
	}
	look(cmd.Root())
}
