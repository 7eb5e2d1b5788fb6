// Package cmd is the command line of gameid: the commands, the terminal, the
// output formats and the exit codes. It is the only package that knows all others.
package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// app is what every command of one run shares.
type app struct {
	*streams
	lookupEnv     func(string) (string, bool)
	format        format        // --format; ask outFormat
	quiet         bool          // --quiet: no progress
	progressEvery time.Duration // between progress lines off a terminal
	fromEnv       []string      // the variables that set a flag in this run
	noHelp        error         // --help beside a word that is no command
}

// Main runs one command line, without the program's name, and returns the exit
// code of the process. It takes over SIGINT, SIGTERM, SIGHUP and SIGPIPE while it runs.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{
		streams:       newStreams(stdin, stdout, stderr, os.Getenv),
		lookupEnv:     os.LookupEnv,
		progressEvery: lineEvery,
	}
	ctx, stop := withSignals(context.Background())
	defer stop()
	if outClosed(stdout) {
		return a.finish(ctx, trouble(errors.New("stdout is closed: nobody would get the answer"), "leave it open, or throw the answer away with > /dev/null"))
	}
	root := newRootCommand(a)
	root.SetArgs(args)
	checkShells(root)
	help := &heeded{Writer: a.Out}
	root.SetOut(help)
	err := root.ExecuteContext(ctx)
	return a.finish(ctx, cmp.Or(err, a.noHelp, help.err))
}

// Root returns the tree of commands for what describes it, such as man pages. To
// run a command line call Main.
func Root() *cobra.Command {
	return newRootCommand(&app{
		streams:   newStreams(strings.NewReader(""), io.Discard, io.Discard, func(string) string { return "" }),
		lookupEnv: func(string) (string, bool) { return "", false },
	})
}

// The groups that --help sorts the commands into.
const (
	groupIDs   = "ids"
	groupMerge = "merge"
)

// newRootCommand builds the whole tree of commands for one run.
func newRootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:     "gameid",
		Short:   "IDs that never clash between game servers, and merges of the servers that clash",
		Long:    rootHelp,
		Example: rootExample,
		Version: version(),
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return c.Help()
		},
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			// Help is at hand whatever the settings are, and cobra asks for completions by names with "__".
			if c != c.Root() && c.Name() != "help" && !strings.HasPrefix(c.Name(), "__") {
				return a.applySettings(c)
			}
			return nil
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(misused)
	root.PersistentFlags().Var(&a.format, "format",
		"how to write rows: "+strings.Join(formatNames(), ", ")+" (default table on a terminal, tsv elsewhere); csv is for spreadsheets, see 'gameid help formats'")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "show no progress (default: a bar on a terminal, a line every 30 s elsewhere)")
	_ = root.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))

	root.AddGroup(
		&cobra.Group{ID: groupIDs, Title: "Commands for IDs:"},
		&cobra.Group{ID: groupMerge, Title: "Commands for merging:"},
	)
	root.AddCommand(a.commands()...)
	root.AddCommand(newInputTopic(), newFormatsTopic())
	completeFlags(root)
	nameValues(root)
	checkHelpWords(root)
	root.InitDefaultHelpFlag() // before a command is looked for, or --help takes the next word for its value
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c == root && c.Flags().NArg() > 0 { // cobra shows the root's help for any word beside --help
			a.noHelp = unknownCommand(c, c.Flags().Arg(0))
			return
		}
		help(c, args)
	})
	return root
}

func unknownCommand(root *cobra.Command, word string) error {
	return misused(root, fmt.Errorf("unknown command %q%s", word, didYouMean(root, word)))
}

// commands lists every command, in the order of --help's groups. Each file of
// this package that adds a command has one function for it, called here.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		newGenCommand(a), newDecodeCommand(a), newEncodeCommand(a), newPublicCommand(a), newLayoutsCommand(a),
		newMergeCheckCommand(a), newMergeRewriteCommand(a), newMergeVerifyCommand(a), newMergeMapCommand(a),
	}
}

const rootHelp = `gameid gives every row of every game server an ID that no other server will
ever use, and merges the databases of servers that were built without such IDs.

  gen            issue IDs for one server
  decode         show the time, the server and the sequence inside an ID
  merge-check    say what would clash if two or more databases became one
  merge-rewrite  write the merged database, with every clashing key and every
                 reference to it rewritten; the inputs are never changed

Answers go to stdout, everything else to stderr. A flag that the command line
does not give is taken from GAMEID_FLAG in the environment, else from ./gameid.yaml;
a plan, and the shards' server numbers, come from the command line alone.

Exit codes: 0 done or clean; 1 findings, or a failed proof; 2 trouble; 3 refused
before anything was written; 130 interrupted; 143 terminated;
129 hung up; 131 quit.`

const rootExample = `  # Issue three IDs for server 1042, and look into one of them.
  gameid gen --server 1042 -n 3
  gameid decode 255795006470687424512

  # A first merge of two servers, a.db and b.db, into merged.db.
  # 1. What would clash? Nothing is written.
  gameid merge-check a.db b.db
  # 2. Have the open decisions written as a plan, and answer them in an editor.
  gameid merge-check a.db b.db --write-plan plan.yaml
  # 3. Check the plan. Exit code 0: it settles everything.
  gameid merge-check a.db b.db --plan plan.yaml
  # 4. Write the merged database. It is proven before it gets its name.
  gameid merge-rewrite a.db b.db --plan plan.yaml -o merged.db`

// checkHelpWords makes "help" refuse what it has no help for.
func checkHelpWords(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		return
	}
	help.Args = func(_ *cobra.Command, args []string) error {
		if found, _, err := root.Find(args); err == nil && found == root && len(args) > 0 {
			return misused(root, fmt.Errorf("there is no help for %q%s", args[0], didYouMean(root, args[0])))
		}
		return nil
	}
}

// didYouMean names the commands close to what was typed.
func didYouMean(c *cobra.Command, typed string) string {
	if c.SuggestionsMinimumDistance == 0 {
		c.SuggestionsMinimumDistance = 2
	}
	near := c.SuggestionsFor(typed)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
