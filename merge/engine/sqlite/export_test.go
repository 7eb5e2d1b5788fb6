package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gameid/gameid/merge"
)

// Defended tells whether a shard's connection is in SQLite's defensive mode with its triggers off.
func Defended(s merge.Shard) (bool, error) {
	var is [2]int
	err := s.(*shard).conn.Raw(func(c any) error {
		is = [2]int{option(c.(*connection).SQLiteConn, defensive, -1), option(c.(*connection).SQLiteConn, enableTrigger, -1)}
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

// RunsOnWithoutTheDriver runs an endless statement under a context of its own on a connection whose context has ended, as when the driver's interruption is lost.
func RunsOnWithoutTheDriver() error {
	ctx, cancel := context.WithCancel(context.Background())
	db, conn, err := memory(ctx)
	if err != nil {
		cancel()
		return err
	}
	time.AfterFunc(50*time.Millisecond, cancel)
	var n int64
	err = conn.QueryRowContext(context.Background(), "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n").Scan(&n)
	return errors.Join(err, conn.Close(), db.Close())
}

// ContentOf is the table whose rows a full-text index finds; false where the index has rows of its own.
func ContentOf(statement string) (string, bool) {
	of := contentOf(statement)
	if of == nil {
		return "", false
	}
	return *of, true
}

// Tallies tells whether a shard counts values with gameid_tally.
func Tallies(s merge.Shard) bool { return s.(*shard).tallies }

// Sort makes a shard count values as SQLite alone does, until again is called.
func Sort(s merge.Shard) (again func()) {
	is := s.(*shard)
	tallies, encoding := is.tallies, is.encoding
	is.tallies, is.encoding = false, ""
	return func() { is.tallies, is.encoding = tallies, encoding }
}
