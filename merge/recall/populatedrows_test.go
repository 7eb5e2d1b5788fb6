package recall

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rows are the parents of a table's rows; of one that has none, zeros.
func (p *populating) rows(x *describedTable) (*[servers][]int, error) {
	if list := p.parents[x]; list != nil {
		return list, nil
	}
	list := &[servers][]int{}
	p.parents[x] = list
	m := meaning{args: x.rows}
	switch x.rows[0] {
	case "static":
		for s := range servers {
			list[s] = make([]int, m.number(1, 1))
		}
	case "per", "starter", "head":
		of := p.d.table(x.rows[1])
		if of == nil {
			return nil, fmt.Errorf("%s: no table %s", p.d.name, x.rows[1])
		}
		p.used[of.name] = true
		parents, err := p.rows(of)
		if err != nil {
			return nil, err
		}
		low, high, _ := strings.Cut(x.rows[2], "-")
		least, _ := strconv.Atoi(low)
		most, err := strconv.Atoi(high)
		if err != nil {
			most = least
		}
		share := strings.Contains(x.rows[2], ".") // of the others' rows have one
		part := m.share1(2)
		r := p.dice(x.name)
		for s := range servers {
			for i := range parents[s] {
				if x.rows[0] == "head" {
					if i < m.number(2+s, 0) {
						list[s] = append(list[s], i)
					}
					continue
				}
				n := least
				if !share {
					n += r.IntN(most - least + 1)
				} else if r.Float64() < part {
					n = 1
				}
				for range n {
					list[s] = append(list[s], i)
				}
			}
			if x.rows[0] == "per" {
				r.Shuffle(len(list[s]), func(i, j int) { list[s][i], list[s][j] = list[s][j], list[s][i] })
			}
		}
	default:
		for s := range servers {
			list[s] = make([]int, m.number(s, 1))
		}
	}
	return list, nil
}

// unlike leaves out rows of which another has the key.
func (p *populating) unlike(x *describedTable, y *gameTable) error {
	keys := slices.Clone(x.uniques)
	for _, c := range x.columns {
		if c.unique {
			keys = append(keys, c.name)
		}
	}
	for _, key := range append(keys, x.key) {
		if key == "" {
			continue
		}
		for s := range servers {
			seen, twice := map[string]bool{}, map[int]bool{}
			for i := range y.columns[0].values[s] {
				var b strings.Builder
				null := false
				for _, c := range y.columns {
					if slices.Contains(strings.Split(key, ","), c.col.Name) {
						fmt.Fprintf(&b, "%v|", c.values[s][i])
						null = null || c.values[s][i] == nil
					}
				}
				twice[i] = seen[b.String()] && !null
				seen[b.String()] = true
			}
			for _, c := range y.columns {
				var kept []any
				for i, v := range c.values[s] {
					if !twice[i] {
						kept = append(kept, v)
					} else if p.used[x.name] {
						return fmt.Errorf("%s: two rows of %s have the same %s", p.d.name, x.name, key)
					}
				}
				c.values[s] = kept
			}
		}
	}
	return nil
}
