package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// long is from when on the servers have run, in seconds of Unix.
const long = 1600000000

// text is a name, as players choose them.
func (g *guessing) text(r *rand.Rand) string {
	one := word(r) + word(r)
	return strings.ToUpper(one[:1]) + one[1:]
}

// numbers gives rows numbers of their own, and keeps those of rows that are gone.
func (p *populating) numbers(c *describedColumn, m *meaning, t *truth, rows *[servers][]int) error {
	if m.options["seq"] != "" {
		list, err := p.sequence(m.options["seq"])
		if err != nil {
			return err
		}
		for s := range servers {
			t.values[s] = list[c][s]
		}
		return nil
	}
	t.band = int64(m.share("then", 0))
	r, gone, next := p.dice(c.table.name, c.name), m.share("gone", 0.12), int64(m.share("from", 1))
	p.gone[c] = &[servers][]any{}
	if c.table.rows[0] == "starter" {
		return p.started(c, t, rows, next)
	}
	for s := range servers {
		v := next
		for i := range rows[s] {
			if m.options["then"] != "" && i == m.number(s, 0) {
				v = t.band
			}
			for !c.table.static() && r.Float64() < gone {
				p.gone[c][s] = append(p.gone[c][s], v)
				v++
			}
			t.values[s] = append(t.values[s], v)
			v++
		}
	}
	return nil
}

// started gives what every new player gets the numbers that it got when he came.
func (p *populating) started(c *describedColumn, t *truth, rows *[servers][]int, next int64) error {
	of, each := p.d.table(c.table.rows[1]), (&meaning{args: c.table.rows}).number(2, 1)
	for _, key := range of.columns {
		if key.means.word != "number" {
			continue
		}
		from, err := p.truth(key)
		if err != nil {
			return err
		}
		for s := range servers {
			for i, parent := range rows[s] {
				t.values[s] = append(t.values[s], next+(from.values[s][parent].(int64)-int64(key.means.share("from", 1)))*int64(each)+int64(i%each))
			}
		}
		return nil
	}
	return fmt.Errorf("%s: %s has no number", p.d.name, of.name)
}

// sequence numbers the rows of several tables, in the order in which they came.
func (p *populating) sequence(name string) (map[*describedColumn]*[servers][]any, error) {
	if list := p.sequels[name]; list != nil {
		return list, nil
	}
	list := map[*describedColumn]*[servers][]any{}
	p.sequels[name] = list
	from, r := int64(1), p.dice("sequence", name)
	var order [servers][]*describedColumn
	for _, x := range p.d.tables {
		for _, c := range x.columns {
			if c.means.word != "number" || c.means.options["seq"] != name {
				continue
			}
			list[c], p.gone[c] = &[servers][]any{}, &[servers][]any{}
			from = max(from, int64(c.means.share("from", 1)))
			rows, err := p.rows(x)
			if err != nil {
				return nil, err
			}
			for s := range servers {
				for range rows[s] {
					order[s] = append(order[s], c)
				}
			}
		}
	}
	for s := range servers {
		v := from
		r.Shuffle(len(order[s]), func(i, j int) { order[s][i], order[s][j] = order[s][j], order[s][i] })
		for _, c := range order[s] {
			for r.Float64() < 0.12 {
				p.gone[c][s] = append(p.gone[c][s], v)
				v++
			}
			list[c][s] = append(list[c][s], v)
			v++
		}
	}
	return list, nil
}

// follow gives a column what the row has to which another of its columns leads.
func (p *populating) follow(c *describedColumn, m *meaning, t *truth, rows *[servers][]int) error {
	_, lead, err := p.place(c.table.name + "." + m.args[0])
	if err != nil {
		return err
	}
	place, told := lead.key.Table+"."+m.args[1], lead.key.String()
	if table, _, ok := strings.Cut(m.args[1], "."); ok && p.d.table(table) != nil {
		place, told = m.args[1], table+"."+p.d.table(table).key
	}
	of, from, err := p.place(place)
	if err != nil {
		return err
	}
	_, keys, err := p.place(told)
	if err != nil {
		return err
	}
	if t.what, t.key, t.fixed = from.what, from.key, from.fixed || of.table.stays(); from.what == aName {
		t.what, t.key = aNameCopy, of.at()
	} else if from.what == anOwnKey || from.what == itsNumbers {
		t.what = aReference
	}
	none := value(m.options["none"])
	if none == nil && m.options["none"] == "" {
		if none = int64(0); t.what == aNameCopy || t.what == someWords {
			none = ""
		}
	}
	for s := range servers {
		at := map[any]int{}
		for i, v := range keys.values[s] {
			at[v] = i
		}
		for i := range rows[s] {
			if row, ok := at[lead.values[s][i]]; ok {
				t.values[s] = append(t.values[s], from.values[s][row])
			} else {
				t.values[s] = append(t.values[s], none)
			}
		}
	}
	return nil
}

// plain gives a column what leads nowhere.
func (p *populating) plain(c *describedColumn, m *meaning, t *truth, rows *[servers][]int) error {
	r := p.dice(c.table.name, c.name, m.options["when"])
	switch m.word {
	case "name":
		t.what = aName
	case "words", "hash":
		t.what = someWords
	case "uuid", "entry":
		t.what, t.thing = someWords, m.word == "uuid" || c.tells()
	case "amount", "time", "real", "flag", "kind", "slot", "outside", "of", "const", "server", "null":
		t.what = plainColumn
	default:
		return fmt.Errorf("%s: %s: unknown meaning %q", p.d.name, c.at(), m.word)
	}
	each := (&meaning{args: c.table.rows}).number(2, 1)
	for s := range servers {
		if (c.table.static() || c.same) && s > 0 {
			t.values[s] = slices.Clone(t.values[0])
			continue
		}
		slots, clock := map[any]int64{}, int64(long+r.IntN(1000000))
		for i, parent := range rows[s] {
			switch {
			case m.word == "uuid" || m.word == "name":
			case c.table.rows[0] == "starter" && i >= each:
				t.values[s] = append(t.values[s], t.values[0][i%each])
				continue
			case c.table.rows[0] == "starter" && s > 0:
				t.values[s] = append(t.values[s], t.values[0][i])
				continue
			}
			var v any
			switch m.word {
			case "slot":
				in := any(parent)
				if len(m.args) > 1 {
					_, whose, err := p.place(c.table.name + "." + m.args[1])
					if err != nil {
						return err
					}
					in = whose.values[s][i]
				}
				v = int64(m.number(0, 0)) + slots[in]
				slots[in]++
			case "server":
				v = value(m.args[s])
			case "time":
				clock += r.Int64N(100000)
				v = clock
			case "name", "uuid", "entry":
				v = p.known(r, c, m, t, s, i)
			default:
				v = p.any(r, m)
			}
			t.values[s] = append(t.values[s], v)
		}
	}
	return nil
}

// known is a text by which something is known: on the later server now and then one that the first has.
func (p *populating) known(r *rand.Rand, c *describedColumn, m *meaning, t *truth, s, row int) any {
	prefix := ""
	if len(m.args) > 1 {
		prefix = m.args[1]
	}
	for {
		var text string
		switch {
		case m.word == "entry":
			n := r.IntN(m.number(0, 100))
			text = prefix + word(p.dice("entry", prefix, fmt.Sprint(n))) + "_" + fmt.Sprint(n)
		case m.word == "uuid" && s > 0 && row < len(t.values[0]) && r.Float64() < m.share1(0):
			text = t.values[0][row].(string)
		case m.word == "uuid":
			text = prefix + fmt.Sprintf("%08x%08x", r.Uint32(), r.Uint32())
		case c.table.folds == "fold":
			whose := fmt.Sprint(p.foldedBy(c, s, row))
			text = p.g.text(p.dice("name", whose)) + whose[max(0, len(whose)-4):]
		case s > 0 && r.IntN(5) == 0 && len(t.values[0]) > 0:
			text = pick(r, t.values[0]...).(string)
		default:
			text = p.g.text(r)
		}
		if m.word == "entry" && !c.tells() || !slices.Contains(t.values[s], any(text)) {
			return text
		}
	}
}

// tells tells whether a column alone tells rows apart.
func (c *describedColumn) tells() bool {
	return c.unique || c.table.key == c.name || c.table.folds == c.name || slices.Contains(c.table.uniques, c.name)
}

// share1 is an argument that is a share.
func (m *meaning) share1(i int) float64 {
	x := meaning{options: map[string]string{"share": m.args[i]}}
	return x.share("share", 0)
}

// foldedBy is the key of a row that is a thing by itself.
func (p *populating) foldedBy(c *describedColumn, shard, row int) any {
	for _, key := range c.table.columns {
		if key.name == c.table.key && key != c {
			if t, err := p.truth(key); err == nil {
				return t.values[shard][row]
			}
		}
	}
	return fmt.Sprint(c.name, shard, row)
}

// any is a value that says nothing of a row but itself.
func (p *populating) any(r *rand.Rand, m *meaning) any {
	switch m.word {
	case "words":
		return word(r) + " " + word(r) + " " + word(r)
	case "hash":
		return fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64())
	case "amount":
		low, high := m.number(0, 0), m.number(1, 100)
		return int64(low) + int64(r.Float64()*r.Float64()*float64(high-low+1))
	case "real":
		return float64(r.IntN(10000000))/1000 + 0.0625
	case "flag":
		if len(m.args) > 0 && r.Float64() < m.share1(0) || len(m.args) == 0 && r.IntN(2) == 0 {
			return int64(1)
		}
		return int64(0)
	case "kind":
		return value(pick(r, m.args...))
	case "outside":
		return 1 + r.Int64N(int64(m.number(0, 100)))
	case "of":
		if r.Float64() >= m.share("some", 1) {
			if m.options["none"] == "" {
				return int64(0)
			}
			return value(m.options["none"])
		}
		pool := p.d.pools[m.args[0]]
		return pool[int(r.Float64()*r.Float64()*float64(len(pool)))]
	case "const":
		return value(strings.Join(m.args, " "))
	}
	return nil
}
