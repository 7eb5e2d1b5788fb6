package sqlite

import (
	"context"
	"fmt"

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

// ProofImages is what the proof's function makes of SQL expressions under a map, all on one connection: their types and their values.
func ProofImages(ctx context.Context, m *merge.KeyMap, expressions []string) (list []string, err error) {
	db := newDB(":memory:")
	defer func() { _ = db.Close() }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	maps, err := newProofMaps(conn)
	if err != nil {
		return nil, err
	}
	for _, x := range expressions {
		image, err := maps.image(m, x)
		if err != nil {
			return nil, err
		}
		got, err := texts(ctx, conn, fmt.Sprintf("SELECT typeof(%[1]s), quote(%[1]s)", image))
		if err != nil {
			return nil, err
		}
		list = append(list, got[0][0]+" "+got[0][1])
	}
	return list, nil
}
