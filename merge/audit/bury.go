package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// burial is the dead texts of references to one text key that would be somebody's in the output, or that are dead in two shards: each gets a tombstone.
type burial struct {
	key     merge.Col
	texts   []map[string]bool // by shard, as columns hold them
	settled *merge.Burial
}

func (b *burial) holds(shard int, text string) bool { return b != nil && b.texts[shard][text] }

// namesKey tells whether a reference's values are texts by which rows are looked up: a key, or, in a copy, a name without an id beside it that decides.
func (a *auditor) namesKey(r *reference) bool {
	switch {
	case len(r.From) != 1:
		return false
	case r.As == merge.Plain:
		return len(r.spaces) > 0 && r.spaces[0] == nil
	}
	return r.As == merge.Copy && r.By == nil && r.Via == ""
}

// tombs tells whether dead texts of a reference get tombstones where they need one.
func (a *auditor) tombs(r *reference) bool {
	return a.namesKey(r) && (r.Orphans == "" || r.Orphans == merge.ByTombstone)
}

// identifies tells whether a table's rows are known by a column alone: its key, or the only thing that a table without a key has.
func (a *auditor) identifies(c merge.Col) bool {
	t := a.schema.Table(c.Table)
	if len(t.PrimaryKey) == 1 {
		return t.PrimaryKey[0] == c.Name
	}
	return len(t.PrimaryKey) == 0
}

// holdsIdentity tells whether a reference's texts are a row's identity, so that its dead values are lost rows: two shards' are two, and none may be found.
func (a *auditor) holdsIdentity(r *reference) bool {
	return r.As == merge.Plain || a.identifies(r.To[0])
}

// keyOf is the text key at the end of the references that a reference's target is part of.
func (a *auditor) keyOf(r *reference) merge.Col {
	if len(r.To) == 0 {
		return merge.Col{}
	}
	return a.top(r.To[0])
}

// keyTable is the table whose rows a reference's values name. Of several columns it is the target's own: each may be part of another key.
func (a *auditor) keyTable(r *reference) *table {
	if len(r.From) > 1 {
		return a.tables[r.To[0].Table]
	}
	return a.tables[a.keyOf(r).Table]
}

func (a *auditor) sortedBurials() (list []*burial) {
	for _, b := range a.burials {
		list = append(list, b)
	}
	slices.SortFunc(list, func(x, y *burial) int { return strings.Compare(x.key.String(), y.key.String()) })
	return list
}

// chooseTombstones gives every dead text that needs one a fresh text in the form of a new name: nobody has it, nothing names it in vain, and every column that has to
// hold it can.
func (a *auditor) chooseTombstones(ctx context.Context) error {
	for _, b := range a.sortedBurials() {
		b.settled = &merge.Burial{Key: b.key}
		for range a.shards {
			b.settled.Shards = append(b.settled.Shards, map[string]string{})
		}
		plan := &merge.UniquePlan{Template: a.template()}
		if given := a.uniquePlan(&merge.Unique{Table: b.key.Table, Columns: []string{b.key.Name}}); given != nil && given.Template != "" {
			plan = given
		}
		todo, spellings := a.deadTexts(b, plan)
		given, bad, err := a.freshNames(ctx, todo, b.key, plan)
		if err != nil {
			return err
		}
		if bad != nil {
			a.find(merge.Finding{
				Rule: "orphan", Severity: merge.Block, Table: b.key.Table, Column: b.key.Name, Shard: a.name(bad.shard), Rows: 1, Samples: []string{bad.row.Old},
				Text: fmt.Sprintf("%q is a dead value of %s, in %s, and gets no tombstone: %v", bad.row.Old, a.name(bad.shard), merge.JoinCols(bad.also), bad.why),
				Next: a.unburiedIn(b.key, "use a shorter template, or change the value in copies of "+a.name(bad.shard)),
			})
			continue
		}
		if cut := cutNames(given, "tombstone is", "tombstones are"); cut != "" {
			a.find(merge.Finding{Rule: "orphan", Severity: merge.Info, Table: b.key.Table, Column: b.key.Name, Text: "of the dead values " + cut})
		}
		for _, c := range given {
			for _, text := range spellings[c] {
				b.settled.Shards[c.shard][text] = c.row.New
			}
		}
	}
	return nil
}

// fate says what the plan can say of a reference's dead values that get no tombstone: a copied text is neither cleared nor dropped.
func (a *auditor) fate(r *reference) string {
	switch c := r.From[0]; {
	case r.As == merge.Copy:
		return fmt.Sprintf("where nobody is looked up by it, say orphans: keep for %s", c)
	case !a.schema.TakesNull(c) && len(r.None) == 0:
		return fmt.Sprintf("say orphans: drop for %s", c)
	default:
		return fmt.Sprintf("say orphans: clear or drop for %s", c)
	}
}

// unburied is fate, or what else can be done. Where a key tells the own rows apart by it, they are looked up by it, and kept, they would be somebody else's.
func (a *auditor) unburied(r *reference, repair string) string {
	if c := r.From[0]; r.As == merge.Copy && a.uniqueAlone(c) {
		return fmt.Sprintf("%s, and in whatever else holds them: rows are looked up by %s, and kept, these would be somebody else's", repair, c)
	}
	return a.fate(r) + "; otherwise " + repair
}

// unburiedIn is unburied for all that name a key.
func (a *auditor) unburiedIn(key merge.Col, repair string) string {
	var list []string
	for _, r := range a.refs {
		if a.tombs(r) && a.keyOf(r) == key {
			list = append(list, a.fate(r))
		}
	}
	return strings.Join(list, ", and ") + "; otherwise " + repair
}

// deadTexts are the dead texts of a burial, those that the key calls equal as one, with all their spellings.
func (a *auditor) deadTexts(b *burial, plan *merge.UniquePlan) (list []*candidate, spellings map[*candidate][]string) {
	var also []merge.Col
	for _, r := range a.refs {
		if a.tombs(r) && a.keyOf(r) == b.key && !slices.Contains(also, r.From[0]) {
			also = append(also, r.From[0])
		}
	}
	collation := a.nameCollation(b.key, plan)
	spellings = map[*candidate][]string{}
	for i, texts := range b.texts {
		seen := map[string]*candidate{}
		for _, text := range slices.Sorted(maps.Keys(texts)) {
			fold := merge.Collated(text, collation)
			if seen[fold] == nil {
				seen[fold] = &candidate{shard: i, row: merge.Renamed{Old: text}, also: also}
				list = append(list, seen[fold])
			}
			spellings[seen[fold]] = append(spellings[seen[fold]], text)
		}
	}
	return list, spellings
}

// holdsTexts tells whether any text can stand in a column as it is: numbers are made of some in other columns, and nothing can be written to computed ones.
func (a *auditor) holdsTexts(c merge.Col) bool {
	column := a.schema.Column(c)
	return !column.Generated && (a.schema.Holds(c) == merge.Text || column.Affinity == merge.Blob)
}

// buryTexts notes dead texts of a shard; rows that hold something else are counted as other. What is a row of the key at the end, in its own shard, is not dead.
func (a *auditor) buryTexts(ctx context.Context, r *reference, shard int, dead []merge.ValueCount) (buried, other int64, err error) {
	b := a.burialOf(a.keyOf(r))
	for _, v := range dead {
		text, ok := v.Value[0].(string)
		if !ok {
			other += v.Rows
			continue
		}
		if b.key != r.To[0] {
			if own, err := a.known(ctx, b.key, shard, text); err != nil {
				return 0, 0, err
			} else if own {
				continue
			}
		}
		b.texts[shard][text] = true
		buried += v.Rows
	}
	return buried, other, nil
}

func (a *auditor) burialOf(key merge.Col) *burial {
	b := a.burials[key]
	if b == nil {
		b = &burial{key: key}
		for range a.shards {
			b.texts = append(b.texts, map[string]bool{})
		}
		a.burials[key] = b
	}
	return b
}

// known tells whether a row of a shard has a text as its key.
func (a *auditor) known(ctx context.Context, key merge.Col, shard int, text string) (bool, error) {
	own, ok := a.shards[shard].Schema().Resolve(key)
	if !ok {
		return false, nil
	}
	return a.shards[shard].Any(ctx, own.Table, a.staying(key.Table, shard, a.engine.Quote(own.Name)+" = "+a.engine.Literal(text)))
}
