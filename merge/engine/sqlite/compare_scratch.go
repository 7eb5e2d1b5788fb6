package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/room"
)

// scratchName is the scratch database on a connection. It holds what has to be seen of several shards at once, on disk, so memory does not grow.
const scratchName = "gameid_scratch"

// besideScratch runs f while a connection has the scratch database attached.
func (c *comparing) besideScratch(ctx context.Context, conn *sql.Conn, f func() error) error {
	if c.scratch == nil {
		dir := c.merged.workDir
		if len(c.shards) > 0 && c.shards[0].workDir != "" {
			dir = c.shards[0].workDir
		}
		if dir == "" {
			dir = os.TempDir()
			if info, err := os.Stat(dir); err != nil || !info.IsDir() { // an empty root has none
				dir = filepath.Dir(c.merged.path)
			}
		}
		var err error
		if c.scratch, err = room.New(dir); err != nil {
			return err
		}
	}
	// An attached database takes the main one's encoding only while it is empty, as a new one is.
	_, err := conn.ExecContext(ctx, "ATTACH ? AS "+scratchName, fileURI(filepath.Join(c.scratch.Path(), "scratch"), "rwc"))
	if err == nil {
		err = tune(ctx, conn, "PRAGMA "+scratchName+".journal_mode = OFF; PRAGMA "+scratchName+".synchronous = OFF; PRAGMA "+scratchName+".cache_size = -65536")
	}
	if err == nil {
		err = f()
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "DETACH "+scratchName)
	}
	return err
}

// withScratch runs f on a connection to the merged database with the scratch database beside it.
func (c *comparing) withScratch(ctx context.Context, f func(conn *sql.Conn) error) error {
	return c.merged.witness(ctx, c.merged, func(conn *sql.Conn) error {
		return c.besideScratch(ctx, conn, func() error { return f(conn) })
	})
}

// spillKeys writes the key of every expected row of every job into the scratch table keys.
func (c *comparing) spillKeys(ctx context.Context, key []int) error {
	var defs, list, names []string
	for n, k := range key {
		names = append(names, fmt.Sprintf("gameid_%d", n))
		defs = append(defs, names[n]+" "+c.declared(k))
		list = append(list, "i."+expected(k))
	}
	create := "CREATE TABLE " + scratchName + ".keys(" + strings.Join(defs, ", ") + ", gameid_job INTEGER, gameid_own TEXT)"
	return c.spill(ctx, create, func(j int, p *peer) error {
		own := "''"
		for n, k := range p.table.PrimaryKey {
			if own = quoted(p.source(k)); n > 0 {
				own = "''"
				break
			}
		}
		_, err := p.conn.ExecContext(ctx, "INSERT INTO "+scratchName+".keys SELECT "+strings.Join(list, ", ")+fmt.Sprintf(", %d, gameid_own FROM (", j)+p.rows(own+" AS gameid_own")+") AS i")
		return err
	}, "CREATE INDEX "+scratchName+".keys_key ON keys("+strings.Join(names, ", ")+")")
}

// spill makes scratch tables, lets every job add to them, and ends with a statement.
func (c *comparing) spill(ctx context.Context, create string, add func(j int, p *peer) error, end string) error {
	run := func(statement string) error {
		return c.withScratch(ctx, func(conn *sql.Conn) error {
			_, err := conn.ExecContext(ctx, statement)
			return err
		})
	}
	if err := run(create); err != nil {
		return err
	}
	err := c.each(ctx, func(j int, p *peer) error {
		return c.besideScratch(ctx, p.conn, func() error { return add(j, p) })
	})
	if err != nil || end == "" {
		return err
	}
	return run(end)
}

// declared gives a scratch column the affinity and the collation of the merged one, so that it coerces and compares alike.
func (c *comparing) declared(k int) string {
	col := c.columns[k]
	s := map[merge.Affinity]string{merge.Integer: "INTEGER", merge.Text: "TEXT", merge.Real: "REAL", merge.Numeric: "NUMERIC"}[col.Affinity]
	if merge.FoldASCII(col.Type) == "any" {
		s = "" // of a STRICT table: values stay as they are
		if !c.merged.facts[c.table].strict {
			s = "NUMERIC"
		}
	}
	if col.Collation != "" && col.Collation != "BINARY" {
		s += " COLLATE " + ident(col.Collation)
	}
	return s
}

// texts reads rows of text columns.
func texts(ctx context.Context, conn *sql.Conn, query string, args ...any) (list [][]string, err error) {
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, into := make([]string, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}
