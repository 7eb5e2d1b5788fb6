package cmd

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// valueNames are what --help shows for the values of flags, in place of their types in Go.
var valueNames = map[string]string{
	"alphabet": "CHARACTERS", "at": "TIME", "change": "WHICH", "column": "TYPE", "count": "N", "html": "FILE", "key-file": "FILE", "layout": "LAYOUT",
	"max-behind": "DURATION", "merged": "FILE", "min-length": "N", "new-keys": "RULE", "output": "FILE", "plan": "FILE", "salt-file": "FILE", "server": "N",
	"since": "TIME", "state": "FILE", "tz": "ZONE", "until": "TIME", "update-plan": "FILE", "work-dir": "FOLDER", "write-plan": "FILE",
}

// namedValue is a flag's value with a name for what it takes.
type namedValue struct {
	pflag.Value
	name string
}

// Type is what --help shows for the value.
func (v namedValue) Type() string { return v.name }

// nameValues gives the flags of every command the names of their values. A flag that may be given again keeps its type: completion asks for it.
func nameValues(root *cobra.Command) {
	for _, c := range root.Commands() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name, ok := valueNames[f.Name]
			if _, again := f.Value.(pflag.SliceValue); ok && !again {
				f.Value = namedValue{f.Value, name}
			}
		})
	}
}
