package sqlite

import (
	"github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
)

// Defended tells whether a shard's connection is in SQLite's defensive mode with its triggers off.
func Defended(s merge.Shard) (bool, error) {
	var is [2]int
	err := s.(*shard).conn.Raw(func(c any) error {
		is = [2]int{option(c.(*sqlite3.SQLiteConn), defensive, -1), option(c.(*sqlite3.SQLiteConn), enableTrigger, -1)}
		return nil
	})
	return is == [2]int{1, 0}, err
}
