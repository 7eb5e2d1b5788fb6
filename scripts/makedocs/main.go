// Command makedocs writes what a release carries beside the program: man pages and shell completions. "makedocs DIR TIME" fills DIR/man/man1 and
// DIR/completions; TIME (RFC 3339) is the date that the pages bear, so that one commit always gives the same bytes.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/gameid/gameid/cmd"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "makedocs:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: makedocs DIR TIME")
	}
	at, err := time.Parse(time.RFC3339, args[1])
	if err != nil {
		return err
	}
	at = at.UTC()
	man, completions := filepath.Join(args[0], "man", "man1"), filepath.Join(args[0], "completions")
	for _, dir := range []string{man, completions} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	root := cmd.Root()
	root.InitDefaultCompletionCmd()
	err = errors.Join(
		root.GenBashCompletionFileV2(filepath.Join(completions, "gameid.bash"), true),
		root.GenZshCompletionFile(filepath.Join(completions, "_gameid")),
		root.GenFishCompletionFile(filepath.Join(completions, "gameid.fish"), true),
	)
	if err != nil {
		return err
	}
	forMan(root)
	version, _, _ := strings.Cut(root.Version, "\n")
	return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Date: &at, Source: version, Manual: "gameid"}, man)
}

// forMan turns the help of a command and of all below it into the Markdown that cobra makes man pages of: paragraphs with an indented line stay as they
// are set, and in the others no character of the text is markup.
func forMan(c *cobra.Command) {
	c.DisableAutoGenTag = true
	paragraphs := strings.Split(c.Long, "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, "  ") || strings.Contains(p, "\n  ") {
			paragraphs[i] = "```\n" + p + "\n```"
		} else {
			paragraphs[i] = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, "`", "\\`").Replace(p)
		}
	}
	c.Long = strings.Join(paragraphs, "\n\n")
	for _, sub := range c.Commands() {
		forMan(sub)
	}
}
