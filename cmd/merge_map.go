package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/mapping"
)

const mapHelp = `Answers, from a merged database alone, which old key or name became which new
one, in both directions and across earlier merges.

KEY is a key or a name as it stood in any shard or stands now. To ask about one
key space write players.id=4711; about one shard s2:4711 or s2:players.id=4711, in
every merge that had one of this name, and m/s2:4711 about the s2 that was
merged into m.

The record holds the keys that changed. Beside one that stayed stands every shard
that may have had it, also when one of them was asked about: where there are
several, that shard may have had none, and the row is another one's.

--all lists every key that changed, --renamed every row that got a new name: one
row each, for the game's own tools. The column "row" is the renamed row's primary
key, bytes written as in SQL: x'00ff'.

Of a row that kept its key and was deleted later, or left out, the record says
nothing.

Exit codes: 0 found; 1 nobody has that key and no merge changed it, or not the shard
that was asked about; 2 trouble; 3 refused, such as a file that is no database.`

type mapOptions struct {
	all, renamed bool
	workDir      string
}

func newMergeMapCommand(a *app) *cobra.Command {
	var o mapOptions
	c := &cobra.Command{
		Use: "merge-map OUT [KEY...]", SuggestFor: []string{"map"}, Short: "Say which old key became which new one, and back", Long: mapHelp, GroupID: groupMerge,
		Example: `  gameid merge-map merged.db s2:characters.id=42
  gameid merge-map merged.db 4711
  gameid merge-map merged.db --all --format csv > keys.csv
  gameid merge-map merged.db --renamed`,
		Args: atLeastOne("merged database: say 'merge-map OUT KEY'"),
		RunE: func(c *cobra.Command, args []string) error { return a.mergeMap(c.Context(), c, &o, args) },
	}
	c.Flags().BoolVar(&o.all, "all", false, "list every key that changed (default false)")
	c.Flags().BoolVar(&o.renamed, "renamed", false, "list every renamed row (default false)")
	c.Flags().StringVar(&o.workDir, "work-dir", "", "folder for a private copy when the database is in WAL mode (default: beside it)")
	return c
}

func (a *app) mergeMap(ctx context.Context, c *cobra.Command, o *mapOptions, args []string) error {
	if !o.all && !o.renamed && len(args) == 1 {
		return misused(c, errors.New("no key: name one, or ask for --all or --renamed"))
	}
	if (o.all || o.renamed) && len(args) > 1 {
		return misused(c, fmt.Errorf("%s and a whole list: name keys, or ask for --all or --renamed", args[1]))
	}
	engine, err := engineFor(args[0])
	if err != nil {
		return err
	}
	merged, err := openMerged(ctx, engine, args[0], o.workDir)
	if err != nil {
		return err
	}
	defer func() { _ = merged.Close() }()
	m, err := mapping.Open(ctx, engine, merged)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	if why := m.Broken(); why != "" {
		a.tell("note: answers may be wrong: " + why)
	}
	w := a.newRowWriter([]string{"key", "shard", "old", "new", "rule", "row"})
	gone, told := m.Gone(), []merge.Col{}
	write := func(answer mapping.Answer) error {
		if slices.Contains(gone, answer.Key) && !slices.Contains(told, answer.Key) {
			told = append(told, answer.Key)
		}
		return writeAnswer(w, engine, answer)
	}
	if o.all {
		for answer := range m.All() {
			if err := write(answer); err != nil {
				return err
			}
		}
	}
	if o.renamed {
		for _, answer := range m.Renames() {
			if err := write(answer); err != nil {
				return err
			}
		}
	}
	var missing []string
	several := false
	for _, key := range args[1:] {
		answers, err := m.Lookup(ctx, key)
		var unknown *mapping.UnknownError
		if errors.As(err, &unknown) {
			return trouble(fmt.Errorf("%s: %w", key, err), "ask without a shard or key space")
		}
		if err != nil {
			return err
		}
		if len(answers) == 0 {
			missing = append(missing, cmp.Or(key, `""`))
		}
		for _, answer := range answers {
			several = several || len(answer.Of) > 0
			if err := write(answer); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if several {
		a.tell("note: the record tells which keys changed: one that stayed was in one of the shards that stand beside it")
	}
	if len(missing) > 0 {
		told = gone
	}
	if len(told) > 0 {
		a.tell(fmt.Sprintf("note: %s has no %s any more: what stands there is as of the merge that recorded it; where the game renamed it since, ask on with the new number and the new name", args[0], strings.Trim(merge.JoinCols(told), "()")))
	}
	if len(missing) > 0 {
		return findings(fmt.Errorf("nobody has %s in %s, and no merge changed it: whoever had it kept it and is gone by now, or was left out", strings.Join(missing, " or "), args[0]),
			"ask without a shard or key space, or look at --all")
	}
	return nil
}

func writeAnswer(w *rowWriter, sql mapping.Quoter, answer mapping.Answer) error {
	shard := answer.Shard
	if shard == "" {
		shard = strings.Join(answer.Of, ", ")
	}
	var row any
	if len(answer.Row) > 0 {
		var parts []string
		for _, v := range answer.Row {
			switch v.(type) {
			case nil, []byte:
				parts = append(parts, sql.Literal(v))
			default:
				parts = append(parts, fmt.Sprint(v))
			}
		}
		row = strings.Join(parts, ", ")
	}
	return w.Write(answer.Key.String(), shard, answer.Old, answer.New, string(answer.Rule), row)
}
