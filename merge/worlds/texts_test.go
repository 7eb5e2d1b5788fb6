package worlds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// named tells whether a reference holds names, and copied the same of a copy by any row: by such texts rows are looked up.
func (r *reference) named() bool { return r.to.columns[r.at[0]].role == name }

func (k *copied) looked() bool { return k.by == nil && k.via == "" }

// lostName is a text by which no row of its shard is known.
type lostName struct {
	at    cell // the name
	shard int
	text  string // as the name's column calls equal
}

// lostText is where one stands.
type lostText struct {
	lostName
	from   *table
	column int
	row    []any
	plain  bool // a reference, not a copy
}

func (l *lostText) somebody() bool { return l.plain || l.text != "" }

// folded is a text in a form in which those that a name's column calls equal are equal.
func folded(c *column, text string) string {
	if strings.Contains(c.decl, "NOCASE") {
		return merge.FoldASCII(text)
	}
	return text
}

// lostNames are the texts of nobody that are looked up and that no rule clears or drops.
func (a *answer) lostNames() (list []lostText) {
	look := func(from *table, column int, at cell, plain bool, holds func([]any) bool) {
		for s, rows := range from.source {
			for i, row := range rows {
				text, ok := row[column].(string)
				if !from.takes(s) || a.left[from][s][i] || !ok || !holds(row) || a.known(at, s, text) {
					continue
				}
				list = append(list, lostText{lostName{at, s, folded(at.table.columns[at.column], text)}, from, column, row, plain})
			}
		}
	}
	for _, r := range a.w.refs {
		if len(r.from) == 1 && r.named() && r.orphans == merge.ByTombstone {
			look(r.table, r.from[0], cell{r.to, r.at[0]}, true, r.speaks)
		}
	}
	for _, k := range a.w.copies {
		if k.looked() {
			look(k.table, k.column, cell{k.of, k.ofColumn}, false, func([]any) bool { return true })
		}
	}
	return list
}

// known tells whether a row of a shard has a name.
func (a *answer) known(at cell, shard int, text string) bool {
	for i, row := range at.table.rowsOf(shard) {
		if !a.left[at.table][shard][i] && same(text, row[at.column], at.table.columns[at.column]) {
			return true
		}
	}
	return false
}

// caught tells whether a lost name must not stay: another shard's row has it, or it is another shard's lost one, too. No text at all is nobody's name in a copy.
func (a *answer) caught(l lostText, all []lostText) bool {
	for s := range a.w.shards {
		if s != l.shard && a.known(l.at, s, l.text) {
			return true
		}
	}
	return l.somebody() && slices.ContainsFunc(all, func(o lostText) bool { return o.somebody() && o.at == l.at && o.text == l.text && o.shard != l.shard })
}

// epitaphs checks lost names: each stays, or becomes a text that nobody has or had, by which one lost player of one shard stays one, and two stay two.
func (a *answer) epitaphs() {
	all := a.lostNames()
	became, owner := map[lostName]string{}, map[cell]map[string]lostName{}
	for _, l := range all {
		what := fmt.Sprintf("%s.%s: the lost name %q of shard %d", l.from.name, l.from.columns[l.column].name, l.row[l.column], l.shard+1)
		if l.from.find(tag) < 0 {
			continue
		}
		m := a.image(l.from, l.row)
		if m == nil {
			continue // said elsewhere
		}
		now, ok := m[l.column].(string)
		if !ok {
			a.fail("%s is %v", what, m[l.column])
			continue
		}
		name := l.at.table.columns[l.at.column]
		if slices.ContainsFunc(a.merged[l.at.table], func(row []any) bool { return same(now, row[l.at.column], name) }) {
			a.fail("%s is %q, somebody's", what, now)
		}
		caught, stayed := a.caught(l, all), now == l.row[l.column]
		if !a.w.again && (caught && stayed || l.plain && !caught && !stayed) {
			a.fail("%s is %q, must it change: %v", what, now, caught)
		}
		if !stayed && !a.w.again {
			for s := range a.w.shards {
				if a.known(l.at, s, now) {
					a.fail("%s is %q, which a row of shard %d had", what, now, s+1)
				}
			}
			if slices.ContainsFunc(all, func(o lostText) bool { return o.at == l.at && o.text == folded(name, now) }) {
				a.fail("%s is %q, another lost name", what, now)
			}
		}
		if !l.somebody() {
			continue
		}
		now = folded(name, now)
		if b, ok := became[l.lostName]; ok && b != now {
			a.fail("%s became %q and %q", what, b, now)
		}
		became[l.lostName] = now
		if owner[l.at] == nil {
			owner[l.at] = map[string]lostName{}
		}
		if o, ok := owner[l.at][now]; ok && o != l.lostName && !a.w.again {
			a.fail("%s is %q, and so is that of shard %d", what, now, o.shard+1)
		}
		owner[l.at][now] = l.lostName
	}
}

// capturedName makes a lost name a living player's.
func capturedName(_ *world, a *answer) []change {
	for _, l := range a.lostNames() {
		m := a.image(l.from, l.row)
		if l.from.find(tag) < 0 || m == nil {
			continue
		}
		for _, row := range a.merged[l.at.table] {
			if text, ok := row[l.at.column].(string); ok && text != "" {
				return []change{set(l.from, l.column, m, text)}
			}
		}
	}
	return nil
}

// reusedName gives a lost name of one shard to another shard's lost reference.
func reusedName(_ *world, a *answer) []change {
	all := a.lostNames()
	for _, l := range all {
		for _, o := range all {
			if !l.plain || !o.plain || l.at != o.at || l.shard == o.shard || l.from.find(tag) < 0 || o.from.find(tag) < 0 {
				continue
			}
			m, other := a.image(l.from, l.row), a.image(o.from, o.row)
			if m != nil && other != nil && m[l.column] != other[o.column] {
				return []change{set(l.from, l.column, m, other[o.column])}
			}
		}
	}
	return nil
}
