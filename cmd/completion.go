package cmd

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// checkShells makes "completion" refuse a shell that it has no script for; cobra shows help then.
func checkShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	if err != nil || c == root {
		return
	}
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return misused(c, fmt.Errorf("there is no completion for %q%s", args[0], didYouMean(c, args[0])))
		}
		return c.Help()
	}
}

// completeFlags makes a shell offer what the flags of the commands take: fixed values, folders, or files of a kind. Shards and other databases are
// files of any name, which a shell offers by itself.
func completeFlags(root *cobra.Command) {
	fixed := map[string][]string{
		"format":   slices.Concat(formatNames(), formNames()), // of gen and encode; the others share the root's
		"new-keys": {"shift", "dense", "gameid"},
		"change":   {"conflicts", "all"},
		"column":   {"BIGINT", "BINARY(10)", "CHAR(16)", "DECIMAL(22)", "UUID"},
		"tz":       {"Local", "UTC", "Asia/Shanghai", "Asia/Tokyo", "Europe/Berlin", "America/New_York"},
		"count":    nil, "max-behind": nil, "server": nil, // a number, or NAME=N
	}
	for _, c := range root.Commands() {
		for name, values := range fixed {
			if c.LocalFlags().Lookup(name) == nil {
				continue
			}
			if _, done := c.GetFlagCompletionFunc(name); !done {
				_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
			}
		}
		for _, name := range []string{"plan", "update-plan", "write-plan"} {
			_ = c.MarkFlagFilename(name, "yaml", "yml")
		}
		_ = c.MarkFlagFilename("html", "html")
		_ = c.MarkFlagDirname("work-dir")
		switch c.Name() {
		case "merge-map":
			c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
				if len(args) > 0 { // keys
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return nil, cobra.ShellCompDirectiveDefault
			}
		case "gen", "decode":
			c.ValidArgsFunction = cobra.NoFileCompletions
		case "encode":
			c.ValidArgsFunction = cobra.FixedCompletions([]string{"time=", "server=", "seq="}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
		}
	}
}
