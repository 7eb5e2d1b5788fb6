package cmd

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
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
		case !sameSource(sources[at].Source, want.Source):
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

// misplaced refuses a shard that gets its name by its place alone and stands in the plan under another: rules that name shards would take the wrong one's rows.
func misplaced(src merge.Source, plan *merge.Plan) error {
	name := planName(src, plan)
	if name == "" {
		return nil
	}
	return refused(fmt.Errorf("%s would be shard %s by its place, and the plan says that it is %s", src.Source, src.Name, name),
		fmt.Sprintf("write %s, or give the shards in the plan's order; for other names correct the plan's shards", quoteWord(name+"="+src.Source)))
}

// swapped refuses a source that the plan lists under one name and that the command line gives the name of another of the plan's sources. A file that the plan
// does not list may take any name, and a name that the plan does not list any file: those are no swaps, but another season's servers.
func swapped(list []merge.Source, plan *merge.Plan) error {
	for _, src := range list {
		name := planName(src, plan)
		if name == "" {
			continue
		}
		at := slices.IndexFunc(plan.Shards, func(s merge.Source) bool { return s.Name == src.Name && s.Source != "" })
		if at < 0 {
			continue
		}
		return refused(fmt.Errorf("the command line says that %s is shard %s, and the plan says that it is %s, and that %s is %s: its rules would take the wrong server's rows",
			src.Source, src.Name, name, src.Name, shown(plan.Shards[at].Source)),
			fmt.Sprintf("write %s; if the servers have changed their names, correct the sources of the plan's shards", quoteWord(name+"="+src.Source)))
	}
	return nil
}

// planName is the name under which the plan lists a source; "" when it does not, or does so under the name that the source has.
func planName(src merge.Source, plan *merge.Plan) (name string) {
	if plan == nil {
		return ""
	}
	for _, s := range plan.Shards {
		switch {
		case !sameSource(s.Source, src.Source):
		case s.Name == src.Name:
			return ""
		case name == "":
			name = s.Name
		}
	}
	return name
}

// sameSource tells whether two sources are one database: by their words, or because both paths lead to one file.
func sameSource(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	same, err := sqlite.SameFile(sqlite.Path(a), sqlite.Path(b))
	return err == nil && same
}

// shown is a source as it may be shown: what may hold a password may not.
func shown(source string) string {
	if secretive(source) && !exists(source) {
		return "a connection string"
	}
	return source
}
