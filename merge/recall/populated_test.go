package recall

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// populating makes the worlds of two servers of a described game. Every column draws from dice of its own, so that a line more in a description leaves the others' values.
type populating struct {
	d       *described
	g       *guessing
	parents map[*describedTable]*[servers][]int // by row: that of the table of which it is one
	truths  map[*describedColumn]*truth
	gone    map[*describedColumn]*[servers][]any // keys that were given out
	sequels map[string]map[*describedColumn]*[servers][]any
	used    map[string]bool // tables of whose rows others are, or whose keys others hold
}

// populate makes a game's worlds.
func (d *described) populate() (*guessing, error) {
	p := &populating{
		d: d, g: &guessing{capitals: true}, parents: map[*describedTable]*[servers][]int{}, truths: map[*describedColumn]*truth{}, gone: map[*describedColumn]*[servers][]any{},
		sequels: map[string]map[*describedColumn]*[servers][]any{}, used: map[string]bool{},
	}
	for _, x := range d.tables {
		for _, c := range x.columns {
			if _, err := p.truth(c); err != nil {
				return nil, err
			}
		}
	}
	for _, x := range d.tables {
		y := &gameTable{name: x.name, key: strings.ReplaceAll(x.key, ",", ", "), auto: x.auto, same: x.static(), folds: x.folds}
		for _, c := range x.columns {
			y.columns, y.types = append(y.columns, p.truths[c]), append(y.types, c.kind)
			if c.unique {
				y.clauses = append(y.clauses, "UNIQUE("+quoted(c.name)+")")
			}
			if c.declared {
				to := c.means.args[0]
				if c.means.word == "=" {
					to = x.rows[1] + "." + to
				}
				table, name, _ := strings.Cut(to, ".")
				y.clauses = append(y.clauses, fmt.Sprintf("FOREIGN KEY(%s) REFERENCES %s(%s)", quoted(c.name), quoted(table), quoted(name)))
			}
		}
		for _, u := range x.uniques {
			y.clauses = append(y.clauses, "UNIQUE("+quoted(strings.Split(u, ",")...)+")")
		}
		if err := p.unlike(x, y); err != nil {
			return nil, err
		}
		p.g.add(y)
	}
	return p.g, nil
}

// dice are a column's, or a table's.
func (p *populating) dice(names ...string) *rand.Rand {
	h := fnv.New64a()
	for _, n := range append(names, p.d.name) {
		_, _ = h.Write([]byte(n + "\x00"))
	}
	return rand.New(rand.NewPCG(h.Sum64(), p.d.draw))
}

// truth is what a column holds, and its values.
func (p *populating) truth(c *describedColumn) (*truth, error) {
	if t, ok := p.truths[c]; ok {
		if t == nil {
			return nil, fmt.Errorf("%s: %s follows from itself", p.d.name, c.at())
		}
		return t, nil
	}
	p.truths[c] = nil
	rows, err := p.rows(c.table)
	if err != nil {
		return nil, err
	}
	t := &truth{col: c.at()}
	if err := p.fill(c, c.means, t, rows); err != nil {
		return nil, err
	}
	p.truths[c] = t
	return t, nil
}

// fill gives a column what its meaning says.
func (p *populating) fill(c *describedColumn, m *meaning, t *truth, rows *[servers][]int) error {
	switch m.word {
	case "number":
		t.what, t.key = itsNumbers, t.col
		return p.numbers(c, m, t, rows)
	case "=":
		return p.inherit(c, m, t, rows)
	case "->", "copy", "small", "digits":
		return p.lead(c, m, t, rows)
	case "by":
		return p.cases(c, m, t, rows)
	case "counter":
		return p.count(m, t, rows)
	case "via":
		return p.follow(c, m, t, rows)
	case "group":
		t.what, t.key = aGroup, t.col
		if m.args[0] == "of" {
			of, from, err := p.place(m.args[1])
			if err != nil {
				return err
			}
			t.key = of.at()
			r := p.dice(c.table.name, c.name)
			for s := range servers {
				for range rows[s] {
					t.values[s] = append(t.values[s], pick(r, from.values[s]...))
				}
			}
			return nil
		}
		for s := range servers {
			for i := range rows[s] {
				t.values[s] = append(t.values[s], int64(1+i/m.number(0, 4)))
			}
		}
		return nil
	}
	return p.plain(c, m, t, rows)
}

// place is a column by its name, and what it holds.
func (p *populating) place(name string) (*describedColumn, *truth, error) {
	c, err := p.d.column(name)
	if err != nil {
		return nil, nil, err
	}
	t, err := p.truth(c)
	return c, t, err
}

// inherit gives a column what the row has of which its own is.
func (p *populating) inherit(c *describedColumn, m *meaning, t *truth, rows *[servers][]int) error {
	of, from, err := p.place(c.table.rows[1] + "." + m.args[0])
	if err != nil {
		return err
	}
	t.what, t.key, t.fixed = from.what, from.key, from.fixed || from.thing || of.table.stays()
	switch {
	case (from.what == itsNumbers || from.thing) && (c.unique || c.table.key == c.name):
		t.what, t.key = anOwnKey, of.at()
	case from.what == itsNumbers || from.thing || from.what == anOwnKey:
		if t.what, t.key = aReference, from.key; from.thing {
			t.key = of.at()
		}
	case from.what == aName:
		t.what, t.key = aNameCopy, of.at()
	}
	for s := range servers {
		for _, i := range rows[s] {
			t.values[s] = append(t.values[s], from.values[s][i])
		}
	}
	return nil
}

// lead gives a column keys, or names.
func (p *populating) lead(c *describedColumn, m *meaning, t *truth, rows *[servers][]int) error {
	of, from, err := p.place(m.args[0])
	if err != nil {
		return err
	}
	p.used[of.table.name] = true
	r, some, dead := p.dice(c.table.name, c.name, m.options["when"]), m.share("some", 1), m.share("dead", 0)
	t.key = of.at()
	if from.what == anOwnKey || from.what == aReference {
		t.key = from.key
	}
	t.fixed = from.fixed || from.thing || of.table.stays()
	switch t.what = aReference; {
	case m.word == "copy":
		t.what = aNameCopy
	case m.word == "small":
		t.what = smallLetters
	case m.word == "digits":
		t.what = aTextID
	case some < 1:
		t.what = sparseReference
	}
	none := value(m.options["none"])
	if none == nil && m.options["none"] == "" {
		none = int64(0)
		if t.what == aNameCopy || t.what == smallLetters || t.what == aTextID || from.thing {
			none = ""
		}
	}
	for s := range servers {
		if c.same && s > 0 {
			t.values[s] = slices.Clone(t.values[0])
			continue
		}
		left := slices.Clone(from.values[s])
		r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for i := range rows[s] {
			var v any
			switch {
			case len(left) == 0 || r.Float64() >= some || m.options["each"] != "" && i >= len(left):
				t.values[s] = append(t.values[s], none)
				continue
			case r.Float64() < dead:
				v = p.dead(r, of, s)
			case m.options["each"] != "":
				v = left[i]
			default:
				v = pick(r, left...)
			}
			switch t.what {
			case smallLetters:
				v = strings.ToLower(v.(string))
			case aTextID:
				v = fmt.Sprint(v)
			}
			t.values[s] = append(t.values[s], v)
		}
	}
	return nil
}

// dead is a key, or a name, that was given out.
func (p *populating) dead(r *rand.Rand, of *describedColumn, shard int) any {
	if gone := p.gone[of]; gone != nil && len(gone[shard]) > 0 {
		return pick(r, gone[shard]...)
	}
	return p.g.text(r)
}

// cases gives a column what another one decides.
func (p *populating) cases(c *describedColumn, m *meaning, t *truth, rows *[servers][]int) error {
	_, kind, err := p.place(c.table.name + "." + m.args[0])
	if err != nil {
		return err
	}
	t.what = plainColumn
	for s := range servers {
		t.values[s] = make([]any, len(rows[s]))
	}
	var found []*truth
	for _, one := range m.cases {
		x := &truth{col: t.col}
		if err := p.fill(c, one, x, rows); err != nil {
			return err
		}
		values := strings.Split(one.options["when"], ",")
		for s := range servers {
			for i := range rows[s] {
				if v := fmt.Sprint(kind.values[s][i]); slices.Contains(values, v) || values[0] == "else" && t.values[s][i] == nil {
					t.values[s][i] = x.values[s][i]
				}
			}
		}
		for _, v := range values {
			if !x.refers() {
				t.remains = true
				continue
			}
			lone := truth{col: t.col, what: x.what, key: x.key, fixed: x.fixed, when: kind.col.Name + " = " + literal(v)}
			if lone.what == aReference || lone.what == sparseReference {
				lone.what = kindReference
			}
			lone.under = func(shard, row int) bool { return fmt.Sprint(kind.values[shard][row]) == v }
			found = append(found, &lone)
		}
	}
	if len(found) > 0 {
		t.what, t.key, t.when, t.under, t.others = found[0].what, found[0].key, found[0].when, found[0].under, found[1:]
		t.fixed = found[0].fixed
	}
	return nil
}

// literal is a kind as a condition writes it.
func literal(word string) string {
	if _, err := strconv.Atoi(word); err == nil {
		return word
	}
	return "'" + word + "'"
}

// count gives a row where the game counts.
func (p *populating) count(m *meaning, t *truth, rows *[servers][]int) error {
	of, from, err := p.place(m.args[0])
	if err != nil {
		return err
	}
	t.what, t.key = aCounter, of.at()
	for s := range servers {
		top := int64(0)
		for _, v := range from.values[s] {
			top = max(top, v.(int64))
		}
		for range rows[s] {
			t.values[s] = append(t.values[s], top+1)
		}
	}
	return nil
}
