package sqlite

import "context"

// Marks are the numbers of the whole database that belong to the game: PRAGMA user_version and application_id.
func (s *shard) Marks(ctx context.Context) (map[string]int64, error) {
	marks := map[string]int64{}
	for _, name := range []string{"user_version", "application_id"} {
		n, err := number(ctx, s.conn, "PRAGMA main."+name)
		if err != nil {
			return nil, s.failed(err, "read %s", name)
		}
		marks[name] = n
	}
	return marks, nil
}
