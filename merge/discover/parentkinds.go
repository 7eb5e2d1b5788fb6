package discover

import (
	"fmt"

	"github.com/gameid/gameid/merge"
)

// doubtParents takes back that columns certainly hold a key where their names do not say of what, and the rows that their own rows belong to are of several kinds, as the news about a player
// or a manager are: the values of few managers are players, too.
func (s *search) doubtParents() error {
	for _, p := range s.picks {
		if p.when != "" || !p.vague() || p.grade == "" || s.meansPerson(p.column.name) {
			continue
		}
		note, err := s.kindOfParent(p)
		if err != nil {
			return err
		}
		if note != "" {
			if p.note != "" {
				note = p.note + "; " + note
			}
			p.note = note
			if p.grade == merge.Certain {
				p.grade = merge.Likely
			}
		}
	}
	return nil
}

// kindOfParent says how the kind of the row to which a column's row belongs may tell what the column holds; "" when no such row has a kind.
func (s *search) kindOfParent(p *pick) (string, error) {
	for _, of := range s.parentsOf(p.column) {
		c, k := of.column, of.key
		if k.table == p.key.table || k.table == p.column.table {
			continue
		}
		for _, kind := range k.table.Columns {
			n := s.words.parse(kind.Name)
			if kind.Generated || n.id || !s.words.kinds[n.last()] {
				continue
			}
			col := merge.Col{Table: k.table.Name, Name: kind.Name}
			if kinds, err := s.kindsOf(col, kindsMost); err != nil {
				return "", err
			} else if len(kinds) >= kindsLeast {
				return fmt.Sprintf("what it holds may depend on %s, to whose rows %s leads: then it takes a line for each kind, with when: \"%s = ...\"",
					col, c.col, s.kindOfRow(c, k, kind)), nil
			}
		}
	}
	return "", nil
}

// parentsOf are the other columns of a column's table that are declared to refer to a key, or named after one that they hold.
func (s *search) parentsOf(c *column) (list []*pick) {
	for _, o := range s.columns {
		if o.table == c.table && o != c && o.fixed != nil {
			list = append(list, &pick{column: o, key: o.fixed})
		}
	}
	for _, p := range s.picks {
		if p.column.table == c.table && p.column != c && p.when == "" && p.grade != "" && !p.vague() {
			list = append(list, p)
		}
	}
	return list
}
