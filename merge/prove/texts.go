package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// readBuried collects the tombstones of this merge's dead texts.
func (p *proof) readBuried() error {
	for _, m := range p.mem.Buried {
		if m.Via != "" {
			continue
		}
		shard := slices.IndexFunc(p.shards, func(s merge.Shard) bool { return s.Source().Name == m.Shard })
		if shard < 0 {
			return &InputError{m.Shard, "the output records dead texts of it, but it is no input", "the record is damaged: use the output as the merge left it"}
		}
		b := p.buried[m.Key]
		if b == nil {
			b = &merge.Burial{Key: m.Key}
			for range p.shards {
				b.Shards = append(b.Shards, map[string]string{})
			}
			p.buried[m.Key] = b
		}
		b.Shards[shard][m.Old] = m.New
	}
	return nil
}

// names tells whether a reference's values are texts by which rows are looked up: a text key, or a copied name that no id beside it decides.
func (p *proof) names(r merge.Reference) bool {
	if len(r.From) != 1 || len(r.To) != 1 {
		return false
	}
	return r.As == merge.Plain && !p.integerKey(r.To[0]) || r.As == merge.Copy && r.By == nil && r.Via == ""
}

// tombs tells whether dead texts of a reference may have tombstones.
func (p *proof) tombs(r merge.Reference) bool { return p.names(r) && orphans(r) == merge.ByTombstone }

// tombstones are how the dead texts of a reference's column changed.
func (p *proof) tombstones(r merge.Reference) []merge.BuryJob {
	if !p.tombs(r) {
		return nil
	}
	b := p.buried[p.root(r.To[0])]
	if b == nil {
		return nil
	}
	return []merge.BuryJob{{Burial: b, When: r.When, None: r.None}}
}

// deadText is a dead value of a text key in the output: two shards' must not be one.
type deadText struct {
	key  merge.Col
	text string
}

// followed tells of a copy's text, which is no row's letter by letter, whether it follows a row of its shard whose new name the plan's own comparison gives to what is called
// so in other letters, too.
func (p *proof) followed(ref merge.Reference, shard int) func(text string) bool {
	called := map[string]map[string]bool{} // by comparison
	for _, n := range p.rename {
		if way := strings.ToUpper(n.Collate); way != "" && ref.As == merge.Copy && ref.Via == "" && ref.By == nil && len(n.Unique.Columns) == 1 && n.Unique.Table == ref.To[0].Table && n.Column == ref.To[0].Name {
			if called[way] == nil {
				called[way] = map[string]bool{}
			}
			for _, row := range n.Shards[shard] {
				called[way][merge.Collated(row.Old, way)] = true
			}
		}
	}
	return func(text string) bool {
		for way, names := range called {
			if names[merge.Collated(text, way)] {
				return true
			}
		}
		return false
	}
}

// checkTexts checks that no dead text of an input is a row's in the output, or another input's dead text. Copied names that nobody is looked up by, and those that
// an id beside them decides, are only texts.
func (p *proof) checkTexts(ctx context.Context, r *reference, check Check, shard int, dead []merge.ValueCount, met map[deadText]int) (good bool, err error) {
	ref := r.Reference
	key := p.root(ref.To[0])
	check.Shard, good = p.name(shard), true
	lent := false
	if rule := p.rule(key.Table); rule.Rows == merge.FromRows && rule.From != check.Shard {
		t := p.shards[shard].Schema().Table(key.Table)
		if lent = t == nil; !lent {
			n, err := p.shards[shard].Rows(ctx, t.Name)
			if err != nil {
				return false, err
			}
			lent = n == 0
		}
	}
	var values []any
	rows, ways := map[any]merge.ValueCount{}, p.ways(key)
	if len(dead) == 0 {
		return true, nil
	}
	own, err := p.inLetters(ctx, shard, key, append(slices.Clone(ways), p.schema.Column(ref.From[0]).Collation))
	if err != nil {
		return false, err
	}
	followed := p.followed(ref, shard)
	for _, d := range dead {
		if _, bytes := d.Value[0].([]byte); len(d.Value) != 1 || bytes {
			continue
		}
		r.dead[shard].Add(d.Value[0])
		if lent || orphans(ref) != merge.ByTombstone && orphans(ref) != merge.ByFail {
			continue
		}
		if key != ref.To[0] { // a row of the key at the end, which only lacks a detail
			own, err := p.standing(ctx, p.shards[shard], key, []any{d.Value[0]}, p.leftOut(shard, key.Table))
			if err != nil {
				return false, err
			}
			if own > 0 {
				continue
			}
		}
		image := d.Value[0]
		if text, ok := image.(string); ok && followed(text) {
			continue
		}
		if text, ok := image.(string); ok && p.tombs(ref) && p.buried[key] != nil {
			if fresh, changed := p.buried[key].Shards[shard][text]; changed {
				image = fresh
			}
		}
		values = append(values, image)
		rows[image] = d
		if p.oneEverywhere(key) || own(d.Value[0]) || ref.As == merge.Copy && d.Value[0] == any("") {
			continue
		}
		at := deadText{key, folded(image, ways)}
		if other, seen := met[at]; seen && other != shard {
			p.fail(check, "the dead value %v of %d rows and one of %s are both %v in the output", d.Value[0], d.Rows, p.name(other), image)
			good = false
		}
		met[at] = shard
	}
	for batch := range slices.Chunk(values, namesAtOnce) {
		n, err := p.standing(ctx, p.merged, key, batch, "")
		if err != nil {
			return false, err
		}
		for k := 0; n > 0 && k < len(batch); k++ {
			one, err := p.standing(ctx, p.merged, key, batch[k:k+1], "")
			if err != nil {
				return false, err
			}
			if one > 0 {
				d := rows[batch[k]]
				p.fail(check, "the dead value %v of %d rows is %v in the output, where a row of %s has it", d.Value[0], d.Rows, batch[k], key.Table)
				p.bad(check.Table, merge.BadRow{Shard: check.Shard, Column: check.Column, Want: "a value that no row has", Got: fmt.Sprint(batch[k])})
				good = false
			}
		}
	}
	other, err := p.checkLetters(ctx, key, check, shard, rows)
	return good && other, err
}

// standing counts the rows of a database that have one of some values in a column, as the column compares, but those for which left holds.
func (p *proof) standing(ctx context.Context, db merge.Shard, c merge.Col, values []any, left string) (int64, error) {
	own, ok := db.Schema().Resolve(c)
	if !ok || len(values) == 0 {
		return 0, nil
	}
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = p.engine.Literal(v)
	}
	condition := p.engine.Quote(own.Name) + " IN (" + strings.Join(words, ", ") + ")"
	if left != "" {
		condition += " AND (" + left + "\n) IS NOT TRUE"
	}
	return db.Count(ctx, own.Table, condition)
}

// identity tells whether a table's rows are known by a column alone.
func (p *proof) identity(c merge.Col) bool {
	t := p.schema.Table(c.Table)
	return t == nil || len(t.PrimaryKey) == 0 || len(t.PrimaryKey) == 1 && p.schema.Equal(t.PrimaryKey[0], c.Name)
}

// checkTombstones checks the recorded tombstones of texts by themselves: each stands for a value that its input holds in vain, and nobody of any input has it or
// names it.
func (p *proof) checkTombstones(ctx context.Context) error {
	for _, b := range p.sortedBuried() {
		check := Check{Name: CheckMaps, Table: b.Key.Table, Column: b.Key.Name}
		if p.schema.Column(b.Key) == nil {
			p.fail(check, "tombstones are recorded for a key that the output lacks")
			continue
		}
		given, ways := map[string]string{}, p.ways(b.Key)
		for i, texts := range b.Shards {
			check.Shard = p.name(i)
			wrong := false
			for _, old := range sortedTexts(texts) {
				id, fresh := fmt.Sprint(i)+"\x00"+folded(old, ways), folded(texts[old], ways)
				if other, seen := given[fresh]; seen && other != id {
					wrong = true
					p.fail(check, "%q is recorded as the tombstone of two dead values", texts[old])
				}
				given[fresh] = id
			}
			for batch := range slices.Chunk(sortedTexts(texts), namesAtOnce) {
				why, err := p.wrongTombstones(ctx, b.Key, i, batch, texts)
				if err != nil {
					return err
				}
				if why != "" {
					wrong = true
					p.fail(check, "%s", why)
				}
			}
			if !wrong && len(texts) > 0 {
				check.Rows, check.Detail = int64(len(texts)), fmt.Sprintf("%d dead texts have tombstones", len(texts))
				p.pass(check)
			}
		}
	}
	return nil
}

// wrongTombstones says what is wrong with one of some recorded tombstones of an input; "" when nothing.
func (p *proof) wrongTombstones(ctx context.Context, key merge.Col, shard int, list []string, texts map[string]string) (string, error) {
	olds, fresh := make([]any, len(list)), make([]any, len(list))
	for i, old := range list {
		olds[i], fresh[i] = old, texts[old]
	}
	if old, err := p.anyStanding(ctx, p.shards[shard], key, olds, p.leftOut(shard, key.Table)); err != nil || old != nil {
		return fmt.Sprintf("%q is recorded as a dead value, but a row has it", old), err
	}
	held := map[string]bool{}
	columns := []merge.Col{key}
	for _, r := range p.refs {
		if !p.tombs(r.Reference) || p.root(r.Reference.To[0]) != key {
			continue
		}
		columns = append(columns, r.Reference.From[0])
		for _, old := range list {
			held[old] = held[old] || r.dead[shard].Has(old)
		}
	}
	for _, old := range list {
		if !held[old] {
			return fmt.Sprintf("a tombstone is recorded for %q, which no reference of this input holds in vain", old), nil
		}
	}
	for _, c := range columns {
		for i, s := range p.shards {
			if text, err := p.anyStanding(ctx, s, c, fresh, ""); err != nil || text != nil {
				return fmt.Sprintf("the tombstone %q stands in %s of %s already", text, c, p.name(i)), err
			}
		}
	}
	return "", nil
}

// anyStanding is one of some values that such a row of a database has in a column; nil when none has.
func (p *proof) anyStanding(ctx context.Context, db merge.Shard, c merge.Col, values []any, left string) (any, error) {
	n, err := p.standing(ctx, db, c, values, left)
	if err != nil || n == 0 {
		return nil, err
	}
	for _, v := range values {
		if n, err := p.standing(ctx, db, c, []any{v}, left); err != nil || n > 0 {
			return v, err
		}
	}
	return nil, nil
}

func (p *proof) sortedBuried() (list []*merge.Burial) {
	for _, b := range p.buried {
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b *merge.Burial) int { return strings.Compare(a.Key.String(), b.Key.String()) })
	return list
}

func sortedTexts(texts map[string]string) (list []string) {
	for old := range texts {
		list = append(list, old)
	}
	slices.Sort(list)
	return list
}
