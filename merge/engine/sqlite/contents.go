package sqlite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Contents digests what a database holds, however its file lays it out. A digest of rows is SHA-256 over the sum of every table's rows, as gameid_sum makes it: to read
// the rows takes most of the time, and nobody has to be kept from making two tables of one sum.
func (s *shard) Contents(ctx context.Context) (merge.Contents, error) {
	if s.seen.contents == nil {
		c, err := s.digest(ctx)
		if err != nil {
			return merge.Contents{}, err
		}
		s.seen.contents = &c
	}
	return *s.seen.contents, nil
}

func (s *shard) digest(ctx context.Context) (c merge.Contents, err error) {
	if err := registerSum(s.conn); err != nil {
		return c, s.failed(err, "digest")
	}
	list := slices.Clone(s.schema.Tables)
	slices.SortFunc(list, func(a, b *merge.Table) int {
		return cmp.Compare(merge.FoldASCII(a.Name), merge.FoldASCII(b.Name))
	})
	h := sha256.New()
	for _, t := range list {
		if s.derived(t) {
			continue
		}
		rows, err := s.digestTable(ctx, h, t)
		if err != nil {
			return c, s.failed(err, "read %s", t.Name)
		}
		if rows && t.Opaque == "" {
			c.Tables = append(c.Tables, t.Name)
		}
	}
	c.Rows = hex.EncodeToString(h.Sum(nil))
	if err := s.digestRest(ctx, h); err != nil {
		return c, s.failed(err, "read the schema")
	}
	c.All = hex.EncodeToString(h.Sum(nil))
	return c, nil
}

// derived tells whether a table has no rows of its own: it is virtual, or its module can build it again from other tables.
func (s *shard) derived(t *merge.Table) bool {
	if t.MadeBy == "" {
		return t.Opaque != ""
	}
	virtual := s.schema.Table(t.MadeBy)
	return virtual == nil || virtual.Source == ""
}

// digestTable adds a table to a digest, unless it has no rows: such a table says nothing about whose database it is.
func (s *shard) digestTable(ctx context.Context, h hash.Hash, t *merge.Table) (rows bool, err error) {
	var columns []string
	for _, c := range t.Columns {
		if !c.Generated {
			columns = append(columns, ident(c.Name))
		}
	}
	var key []string // ties the parts of a row together that are summed apart
	for _, name := range t.PrimaryKey {
		key = append(key, ident(name))
	}
	if len(key) > maxArguments/2 {
		key = nil
	}
	sums := []string{"count(*)"}
	for part := range slices.Chunk(columns, maxArguments-len(key)) {
		if len(part) < len(columns) {
			part = slices.Concat(key, part)
		}
		sums = append(sums, "gameid_sum("+strings.Join(part, ", ")+")")
	}
	list, err := texts(ctx, s.conn, "SELECT "+strings.Join(sums, ", ")+" FROM main."+ident(t.Name)+" NOT INDEXED")
	if err != nil || list[0][0] == "0" {
		return false, err
	}
	sealText(h, 't', merge.FoldASCII(t.Name))
	for _, sum := range list[0] {
		sealText(h, 's', sum)
	}
	return true, nil
}

// digestRest adds to a digest what a database holds beside its rows: its schema's text, the game's numbers in the file's header, and SQLite's own counters.
func (s *shard) digestRest(ctx context.Context, h hash.Hash) error {
	type query struct{ from, sql string }
	queries := []query{
		{"sqlite_schema", "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"},
		{"user_version", "PRAGMA main.user_version"},
		{"application_id", "PRAGMA main.application_id"},
	}
	counters := "SELECT NULL AS name, NULL AS seq LIMIT 0" // SQLite makes the table with the first of them
	there, err := number(ctx, s.conn, "SELECT count(*) FROM main.sqlite_schema WHERE name = 'sqlite_sequence'")
	if err != nil {
		return err
	}
	if there > 0 {
		counters = "SELECT name, seq FROM main.sqlite_sequence ORDER BY name, seq"
	}
	for _, q := range append(queries, query{"sqlite_sequence", counters}) {
		if err := sealRows(ctx, s.conn, h, q.from, q.sql); err != nil {
			return err
		}
	}
	return nil
}
