package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// about says why a key seems to say what its rows are about, as the castle of its owner, and not which of its table's rows each is: nothing is named like those, no engine
// counts it, and nothing tells that the rows were added one by one; "" when something does.
func (s *search) about(k *key) (string, error) {
	if len(s.shards) < 2 || s.alike[k.table.Name] || k.Undeclared || k.auto && k.table.Counted {
		return "", nil
	}
	if own, err := s.saysRows(k); err != nil || own {
		return "", err
	}
	if added, err := s.added(k.table); err != nil || added {
		return "", err
	}
	led := ""
	if !s.referred(k) {
		led = ", no reference leads to it"
	}
	named := "its name is not that of its own rows"
	if k.ownName() {
		named = "its rows are called like parts of the game's world, and every server's numbers end alike"
	}
	return named + led + ", and nothing tells that its rows were added one by one, neither names nor times", nil
}

// saysRows tells whether a key's name says that it numbers its own table's rows. A word that every table may give its
// key says so where the numbers may be counted up, and one that several keys of this game share where the rows of one
// of these were added one by one.
func (s *search) saysRows(k *key) (bool, error) {
	switch {
	case !k.ownName(), !k.Generic && k.table.places() && k.endAlike() && !s.referred(k):
		return false, nil
	case s.common[k.name.whole]:
		for _, o := range s.keys {
			if o.name.whole != k.name.whole {
				continue
			}
			if added, err := s.added(o.table); err != nil || added || o.auto && o.table.Counted {
				return err == nil, err
			}
		}
		return false, nil
	}
	return !k.Generic || k.few() || k.countedUp(), nil
}

// saysAbout judges a key that seems to say what its rows are about. Where references lead to it more has to tell so:
// what players have is referred to, too.
func (s *search) saysAbout(k *key, n *Nature) error {
	about, err := s.about(k)
	if err != nil || about == "" {
		return err
	}
	owned, err := s.owners(k.table)
	if err != nil {
		return err
	}
	switch {
	case !s.referred(k):
		n.About, n.Elsewhere = about, s.ofElsewhere(k)
	case n.Thing != "":
	case s.worlds(k):
		n.Thing = "every shard has the very same keys; " + about
	case s.meetsMore(k):
		n.Thing = "two servers share more of its numbers than chance makes of what each counts up, as of a catalogue's; " + about
		s.doubt(k)
	case n.Places == "" && len(owned) == 0 && k.size >= catalogueLeast && k.spans(func(n, span float64) bool { return span > holey*n*float64(k.step()) }):
		n.Places = "its numbers lie as far apart as some of a catalogue's, and its rows are nobody's; " + about
		s.doubt(k)
	case len(owned) > 0 && slices.Contains(k.table.bare, k.name.stem) && k.table.bare[len(k.table.bare)-1] == k.name.stem: // items that players have
	case !k.Generic && !s.person(k.table) && !s.namedAfter(k):
		n.About, n.Elsewhere = about, s.ofElsewhere(k)
	}
	return nil
}

// ofElsewhere tells whether a key that says what its rows are about is named after somebody, or after a thing that a game's client knows: another number is another one.
func (s *search) ofElsewhere(k *key) bool {
	return !s.person(k.table) && (s.meansPerson(k.name) || k.name.has(s.words.things))
}

// namedAfter tells whether something that leads to a key is named after its table, or declared to lead there: then that is where the numbers come from. A column of the key's own
// name may as well hold the same numbers of something outside.
func (s *search) namedAfter(k *key) bool {
	for _, t := range s.schema.Tables {
		if slices.ContainsFunc(t.ForeignKeys, func(f *merge.ForeignKey) bool {
			return s.schema.Equal(f.ToTable, k.table.Name) && t.Name != k.table.Name
		}) {
			return true
		}
	}
	after := func(c *column) bool {
		return slices.ContainsFunc(k.table.stems, func(stem string) bool { return strings.HasPrefix(c.name.whole, stem) || c.name.stem == stem })
	}
	return slices.ContainsFunc(s.columns, func(c *column) bool { return c.fixed == k && after(c) }) ||
		slices.ContainsFunc(s.picks, func(p *pick) bool { return p.key == k && after(p.column) })
}

// doubt takes back that columns certainly refer to a key that may be no number of its own table's rows: they may hold
// the same numbers of something outside.
func (s *search) doubt(k *key) {
	for _, p := range s.picks {
		if p.key == k && p.grade == merge.Certain {
			p.grade, p.note = merge.Likely, "both may be numbers of something that no table lists"
		}
	}
}

// worlds tells whether a key's numbers may be things of the game's world to which other tables' rows belong, as empires: every shard has the very same ones, however few. Whether
// they are another table's is a question of its own.
func (s *search) worlds(k *key) bool {
	return sameSets(k, 1) && !slices.ContainsFunc(s.picks, func(p *pick) bool { return p.column.self == k })
}

// meetsMore tells whether servers share so many of a key's numbers as only those that come from elsewhere, unless they
// share as many of their people's and so had one past.
func (s *search) meetsMore(k *key) bool {
	return k.meetsMore() && !slices.ContainsFunc(s.picks, func(p *pick) bool { return p.column.self == k }) &&
		!slices.ContainsFunc(s.keys, func(o *key) bool { return o.heads() && (s.person(o.table) || s.hub(o.table)) && o.meetsMore() })
}

// othersTexts tells whether the texts of a small table's column are all those by which a larger table tells its rows apart, in every shard, as the name of a castle's owner is.
func (s *search) othersTexts(t *table, c merge.Col) (bool, error) {
	if slices.Max(t.rows) > smallTable {
		return false, nil
	}
next:
	for _, o := range s.uniqueTexts() {
		for i, shard := range s.shards {
			own, here := shard.Schema().Resolve(c)
			other, there := shard.Schema().Resolve(o)
			if !here || !there || s.tables[o.Table] == t || s.tables[o.Table].rows[i] <= t.rows[i] {
				continue next
			}
			name := s.quote(own.Name)
			strange, err := shard.Count(s.ctx, own.Table, fmt.Sprintf("%s <> '' AND %[1]s NOT IN (SELECT %s FROM %s WHERE %[2]s IS NOT NULL)", name, s.quote(other.Name), s.quote(other.Table)))
			if err != nil {
				return false, err
			}
			if strange > 0 {
				continue next
			}
		}
		return true, nil
	}
	return false, nil
}

// uniqueTexts are the columns of texts of which the schema holds every value unique.
func (s *search) uniqueTexts() (list []merge.Col) {
	for _, t := range s.schema.Tables {
		names := [][]string{t.PrimaryKey}
		for _, u := range t.Uniques {
			if u.Plain() {
				names = append(names, u.Columns)
			}
		}
		for _, columns := range names {
			if len(columns) == 1 && s.tables[t.Name] != nil && s.schema.Holds(merge.Col{Table: t.Name, Name: columns[0]}) == merge.Text {
				list = append(list, merge.Col{Table: t.Name, Name: columns[0]})
			}
		}
	}
	return list
}
