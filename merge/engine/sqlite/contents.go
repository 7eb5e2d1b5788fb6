package sqlite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// How many of a table's rows a digest of the contents covers, by the table's key: a server of few rows has no others, and one of many differs from every other
// server at its end, where it grew last.
const (
	firstRows = 1000
	lastRows  = 100
)

// digestedBytes is the longest blob that is read for a digest; of a longer one its length counts, which SQLite knows without reading it.
const digestedBytes = 1 << 16

// Contents is a digest by which a database is known again, whatever its file is called: SHA-256 over the first and the last rows of every table by its key. The
// tables without rows say nothing about whose database it is; tables lists the others.
func (s *shard) Contents(ctx context.Context) (digest string, tables []string, err error) {
	list := slices.Clone(s.schema.Tables)
	slices.SortFunc(list, func(a, b *merge.Table) int {
		return cmp.Compare(merge.FoldASCII(a.Name), merge.FoldASCII(b.Name))
	})
	h := sha256.New()
	for _, t := range list {
		if t.Opaque != "" {
			continue
		}
		rows, err := s.digestTable(ctx, h, t)
		if err != nil {
			return "", nil, s.failed(err, "read %s", t.Name)
		}
		if rows > 0 {
			tables = append(tables, t.Name)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), tables, nil
}

// digestTable adds a table to a digest, unless it has no rows.
func (s *shard) digestTable(ctx context.Context, h hash.Hash, t *merge.Table) (rows int, err error) {
	var columns, up, down []string
	for _, c := range t.Columns {
		if !c.Generated {
			// The sign takes the declared type away, by which the driver would make times and truth values of numbers.
			columns = append(columns, fmt.Sprintf("CASE WHEN typeof(%[1]s) = 'blob' AND length(%[1]s) > %[2]d THEN length(%[1]s) ELSE +%[1]s END", ident(c.Name), digestedBytes))
		}
	}
	order := slices.Clone(t.PrimaryKey)
	if rowid := s.facts[t].rowid; rowid != "" && !slices.Contains(order, rowid) { // nulls may repeat in a key
		order = append(order, rowid)
	}
	for _, name := range order {
		up, down = append(up, ident(name)), append(down, ident(name)+" DESC")
	}
	if len(columns) == 0 || len(order) == 0 {
		return 0, nil
	}
	begun := false
	for _, part := range []struct {
		order []string
		limit int
	}{{up, firstRows}, {down, lastRows}} {
		found, err := s.conn.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM main.%s ORDER BY %s LIMIT %d",
			strings.Join(columns, ", "), ident(t.Name), strings.Join(part.order, ", "), part.limit))
		if err != nil {
			return 0, err
		}
		n, err := hashRows(h, found, len(columns), func() {
			if !begun {
				sealText(h, 't', merge.FoldASCII(t.Name))
				begun = true
			}
		})
		if err != nil {
			return 0, err
		}
		if rows += n; n < part.limit && part.limit == firstRows {
			break // there are no others
		}
	}
	return rows, nil
}

// hashRows adds rows to a digest and closes them. It calls begin before the first.
func hashRows(h hash.Hash, rows *sql.Rows, columns int, begin func()) (n int, err error) {
	defer func() { _ = rows.Close() }()
	values, into := make([]any, columns), make([]any, columns)
	for i := range into {
		into[i] = &values[i]
	}
	for rows.Next() {
		if n++; n == 1 {
			begin()
		}
		if err := rows.Scan(into...); err != nil {
			return 0, err
		}
		for _, v := range values {
			sealValue(h, v)
		}
	}
	return n, rows.Err()
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
