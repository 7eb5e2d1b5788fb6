package cmd

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/report"
)

// keyFlags are what becomes of keys of which the plan says nothing.
type keyFlags struct {
	keys   string
	change string
}

func (f *keyFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.keys, "new-keys", "", "rule for every key space that the plan leaves open: shift, dense or gameid (default: shift for keys that the engine numbers or 32-bit columns hold, else gameid)")
	c.Flags().StringVar(&f.change, "change", "", "which keys change: conflicts, as the plan says, or all that are not static (default conflicts)")
	keepOutOfConfig(c, "new-keys", "change")
}

// read sets the audit's options.
func (f *keyFlags) read(opt *audit.Options) error {
	switch merge.Rule(f.keys) {
	case "", merge.Shift, merge.Dense, merge.GameID:
	default:
		return fmt.Errorf("--new-keys %q is none of shift, dense, gameid", f.keys)
	}
	switch f.change {
	case "", "conflicts", "all":
	default:
		return fmt.Errorf("--change %q is none of conflicts, all", f.change)
	}
	opt.NewKeys, opt.ChangeAll = merge.Rule(f.keys), f.change == "all"
	return nil
}

// again is the flags as a next step has to repeat them, but for one with a plan that has just been written by them.
func (f *keyFlags) again() string {
	words := ""
	if f.keys != "" {
		words += " --new-keys " + f.keys
	}
	if f.change != "" {
		words += " --change " + f.change
	}
	return words
}

// checkUsed refuses --new-keys where the plan has decided every key, and says how many it decided where that leaves some.
func (f *keyFlags) checkUsed(a *app, plan *merge.Plan, name string, res *audit.Result, shards string) error {
	if f.keys == "" || plan == nil {
		return nil
	}
	var other, follow int64
	decided := func(k merge.Col) bool {
		return slices.ContainsFunc(plan.Keys, func(p merge.KeyPlan) bool { return p.Key == k && p.New != "" })
	}
	for _, k := range res.Plan.Keys {
		switch {
		case k.New == merge.Static:
		case !decided(k.Key):
			follow++
		case k.New != merge.Rule(f.keys):
			other++
		}
	}
	open := slices.ContainsFunc(res.Undecided, func(u merge.Undecided) bool { return u.Key != nil || u.Table != nil })
	switch {
	case other == 0:
	case follow == 0 && !open:
		return refused(fmt.Errorf("--new-keys %s has no effect: %s says another rule for every key that gets new ones (%s)", f.keys, name, report.Count(other, "line")),
			fmt.Sprintf("take the lines of the keys that shall follow it out of %s, or say there new: %s; a new plan has it from the start: gameid merge-check %s --new-keys %[2]s --write-plan new.yaml", name, f.keys, shards))
	default:
		a.tell(fmt.Sprintf("--new-keys %s is for keys that the plan leaves open: of %s %s decides otherwise.", f.keys, report.Count(other, "key"), name))
	}
	return nil
}
