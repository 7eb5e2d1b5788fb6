// Command gameid issues sortable IDs for game servers and merges the databases
// of two or more servers into one. Run "gameid --help" to start.
package main

import (
	"os"

	"github.com/gameid/gameid/cmd"
)

func main() {
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
