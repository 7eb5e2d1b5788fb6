package cmd

import "github.com/spf13/cobra"

// idCommands are the commands that issue, read and explain IDs.
func (a *app) idCommands() []*cobra.Command {
	return []*cobra.Command{
		newGenCommand(a),
		newDecodeCommand(a),
		newEncodeCommand(a),
		newLayoutsCommand(a),
	}
}
