package sqlite

import (
	"context"
	"errors"
)

// Twins lists, by their places, the texts that SQLite calls equal to an earlier one under a collation ("" compares bytes).
func (e *Engine) Twins(ctx context.Context, texts []string, collation string) (twins []int, err error) {
	if collation == "" {
		collation = "BINARY"
	}
	w, err := newWorkbench(ctx, "UTF-8")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.exec(ctx, "CREATE TABLE gameid_texts(n INTEGER PRIMARY KEY, text TEXT COLLATE "+ident(collation)+")"); err != nil {
		return nil, err
	}
	if err := w.exec(ctx, "BEGIN"); err != nil {
		return nil, err
	}
	insert, err := w.conn.PrepareContext(ctx, "INSERT INTO gameid_texts VALUES(?, ?)")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	for i, text := range texts {
		if _, err := insert.ExecContext(ctx, i, text); err != nil {
			return nil, err
		}
	}
	rows, err := w.conn.QueryContext(ctx, "SELECT n FROM gameid_texts EXCEPT SELECT min(n) FROM gameid_texts GROUP BY text ORDER BY 1")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		twins = append(twins, n)
	}
	return twins, rows.Err()
}
