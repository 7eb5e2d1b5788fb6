package cmd

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/gameid/gameid/merge"
)

// overridden says where the command line's shards are others than the plan's. One file of rules serves every merge of a game, so this is no mistake, and nobody
// should have to notice it by what is missing in the output.
func overridden(sources []merge.Source, plan *merge.Plan, planFile string) (notes []string) {
	if plan == nil {
		return nil
	}
	for _, want := range plan.Shards {
		at := slices.IndexFunc(sources, func(s merge.Source) bool { return s.Name == want.Name })
		switch {
		case at < 0 && want.Source != "":
			notes = append(notes, fmt.Sprintf("note: %s lists the shard %s (%s), which the command line does not name: it is left out", planFile, want.Name, shown(want.Source)))
		case at < 0:
			notes = append(notes, fmt.Sprintf("note: %s lists the shard %s, which the command line does not name: it is left out", planFile, want.Name))
		case filepath.Clean(sources[at].Source) != filepath.Clean(want.Source):
			note := fmt.Sprintf("note: the shard %s is %s by the command line", want.Name, shown(sources[at].Source))
			if want.Source != "" {
				note += fmt.Sprintf(", and %s in %s", shown(want.Source), planFile)
			}
			if want.Server != nil && sources[at].Server == nil {
				note += fmt.Sprintf("; the server number %d that %s gives it is not taken over: if it is that server, say --server %s=%[1]d", *want.Server, planFile, want.Name)
			} else if want.Source == "" {
				continue
			}
			notes = append(notes, note)
		}
	}
	return notes
}

// shown is a source as it may be shown: what may hold a password may not.
func shown(source string) string {
	if secretive(source) && !exists(source) {
		return "a connection string"
	}
	return source
}
