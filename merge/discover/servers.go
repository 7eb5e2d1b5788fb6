package discover

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// serversMost is how many numbers a column of servers has at most.
const serversMost = 200

// doubtServers asks about references beside a column that tells several servers apart, as that of an arena where players of all servers meet: the player 77 of another server
// is not the one of the own.
func (s *search) doubtServers() error {
	for _, p := range s.picks {
		if sureness(p.grade) <= sureness(merge.Doubtful) || s.alike[p.key.table.Name] {
			continue
		}
		for _, m := range p.column.table.Columns {
			if !s.namesServer(p.column, m) {
				continue
			}
			several, err := s.several(merge.Col{Table: p.column.col.Table, Name: m.Name})
			if err != nil {
				return err
			}
			if several {
				p.grade, p.column.abroad = merge.Doubtful, true
				p.note = "but " + s.quote(m.Name) + " beside it seems to say on which server: a row of another server is not this one's, and no line follows it there"
				break
			}
		}
	}
	return nil
}

// namesServer tells whether a column's name says that it holds the server of what another one refers to: foe_zone of foe_player_id, server_id of all that say no other. A zone
// or a world alone is a part of the map.
func (s *search) namesServer(c *column, by *merge.Column) bool {
	n := s.words.parse(by.Name)
	if by.Name == c.meta.Name || !s.words.hosts[n.last()] {
		return false
	}
	stem := n.tokens[:len(n.tokens)-1]
	if len(stem) == 0 {
		return !s.words.regions[n.last()]
	}
	mapped := s.words.regions[n.last()] && slices.ContainsFunc(s.keys, func(k *key) bool { return slices.Contains(k.table.bare, n.last()) })
	return !mapped && len(c.name.tokens) >= len(stem) && slices.Equal(c.name.tokens[:len(stem)], stem)
}

// several tells whether a column holds more than one value in a shard, and few in all.
func (s *search) several(col merge.Col) (bool, error) {
	some := make([]bool, len(s.shards))
	err := s.everyShard(func(i int, shard merge.Shard) error {
		own, ok := shard.Schema().Resolve(col)
		if !ok {
			return nil
		}
		list, err := shard.Values(s.ctx, own, "", serversMost+1)
		some[i] = len(list) > 1 && len(list) <= serversMost
		return err
	})
	return slices.Contains(some, true), err
}
