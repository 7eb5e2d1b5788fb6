package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strings"
)

// sealedOrder is every table of a record that the seal covers, by whose key its rows are read.
var sealedOrder = []struct{ table, order string }{
	{shardsTable, "via, position"},
	{keysTable, "via, table_name, column_name, shard, first_old"},
	{tombstonesTable, "via, table_name, column_name, shard, first_old"},
	{buriedTable, "via, table_name, column_name, shard, old"},
	{renamesTable, "id"},
	{referencesTable, "id"},
	{planTable, "id"},
}

// sealedSchema is what the catalogue says of a record: its tables, their indexes, and whatever else was tied to them, such as a trigger.
var sealedSchema = "SELECT type, name, sql FROM main.sqlite_schema WHERE tbl_name COLLATE NOCASE IN ('" + strings.Join(memoryTables[:], "', '") + "') ORDER BY type, name"

// Seal is the digest of a merge's record: SHA-256 over its declarations and every value of every row, with its storage class. It says nothing about who wrote
// the record, and it tells when a part of it was lost or changed afterwards.
func Seal(ctx context.Context, conn *sql.Conn) (string, error) {
	h := sha256.New()
	for _, t := range sealedOrder {
		if err := sealRows(ctx, conn, h, t.table, "SELECT * FROM main."+t.table+" ORDER BY "+t.order); err != nil {
			return "", fmt.Errorf("%s: %w", t.table, err)
		}
	}
	if err := sealRows(ctx, conn, h, "sqlite_schema", sealedSchema); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sealRows adds the rows of a query to a digest, under a name for where they are from.
func sealRows(ctx context.Context, conn *sql.Conn, h hash.Hash, table, query string) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	sealText(h, 't', table)
	for _, c := range columns {
		sealText(h, 'c', c)
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range into {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, v := range values {
			sealValue(h, v)
		}
	}
	return rows.Err()
}

// sealValue adds a value to a digest, with its storage class.
func sealValue(h hash.Hash, v any) {
	switch v := v.(type) {
	case int64:
		sealNumber(h, 'i', uint64(v)) //nolint:gosec // its bits
	case float64:
		sealNumber(h, 'r', math.Float64bits(v))
	case string:
		sealText(h, 's', v)
	case []byte:
		sealText(h, 'b', string(v))
	default:
		sealText(h, 'n', "")
	}
}

func sealText(h hash.Hash, class byte, s string) {
	sealNumber(h, class, uint64(len(s)))
	h.Write([]byte(s))
}

func sealNumber(h hash.Hash, class byte, n uint64) {
	h.Write(binary.BigEndian.AppendUint64([]byte{class}, n))
}

// broken says how the record differs from what its merge wrote; "" when it does not.
func (s *shard) broken(ctx context.Context) (string, error) {
	var there bool
	if err := s.conn.QueryRowContext(ctx, "SELECT EXISTS(SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name COLLATE NOCASE = '"+sealsTable+"')").Scan(&there); err != nil {
		return "", err
	}
	if !there {
		return "it has no " + sealsTable + ", in which a merge notes the digest of what it records", nil
	}
	type row struct{ Digest string }
	list, err := each[row](ctx, s.conn, "SELECT digest FROM main."+sealsTable)
	if err != nil {
		return "", err
	}
	is, err := Seal(ctx, s.conn)
	switch {
	case err != nil:
		return "", err
	case len(list) != 1 || list[0].Digest != is:
		return "a gameid_ table was changed since: the digest in " + sealsTable + " is not that of the others", nil
	}
	return "", nil
}
