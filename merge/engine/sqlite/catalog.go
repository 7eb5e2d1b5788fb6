package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/gameid/gameid/merge"
)

// schemaRow is a row of sqlite_schema.
type schemaRow struct {
	Type string
	Name string
	Tbl  string `db:"tbl_name"`
	SQL  string
}

// listRow is a row of PRAGMA table_list.
type listRow struct {
	Name   string
	Type   string
	WR     bool
	Strict bool
}

// catalog reads the schema.
func (s *shard) catalog(ctx context.Context) error {
	objects, err := each[schemaRow](ctx, s.conn, "SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM main.sqlite_schema ORDER BY rowid")
	if err != nil {
		return err
	}
	list, err := each[listRow](ctx, s.conn, "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'")
	if err != nil {
		return err
	}
	s.schema, s.facts = &merge.Schema{Fold: true}, map[*merge.Table]facts{}
	skipped := map[string]bool{}
	for _, o := range objects {
		if o.Type != "table" {
			continue
		}
		if reserved(o.Name) {
			skipped[o.Name] = true
			continue
		}
		i := slices.IndexFunc(list, func(l listRow) bool { return l.Name == o.Name })
		t := &merge.Table{Name: o.Name, SQL: o.SQL}
		f := facts{}
		if i >= 0 {
			f.withoutRowid, f.strict = list[i].WR, list[i].Strict
			t.Opaque = opaque(list[i], o, objects)
		}
		if t.Opaque == "" || list[i].Type == "shadow" {
			if err := s.describe(ctx, t, &f, objects); err != nil {
				return err
			}
		}
		s.schema.Tables = append(s.schema.Tables, t)
		s.facts[t] = f
	}
	for _, t := range s.schema.Tables {
		if err := s.foreignKeys(ctx, t); err != nil {
			return err
		}
	}
	for _, o := range objects {
		if o.Type == "table" || o.SQL == "" || skipped[o.Tbl] {
			continue
		}
		table := o.Tbl
		if o.Type == "view" {
			table = ""
		}
		s.schema.Objects = append(s.schema.Objects, merge.Object{Kind: o.Type, Name: o.Name, Table: table, SQL: o.SQL})
	}
	return s.scratch(ctx)
}

// reserved tells whether a table is SQLite's own or a merge's memory.
func reserved(name string) bool {
	folded := merge.FoldASCII(name)
	return strings.HasPrefix(folded, "sqlite_") || slices.Contains(memoryTables[:], folded)
}

// opaque says why a table's rows cannot be merged as rows.
func opaque(l listRow, o schemaRow, objects []schemaRow) string {
	switch l.Type {
	case "virtual":
		return "virtual table " + module(o.SQL)
	case "shadow":
		owner := ""
		for _, other := range objects { // a shadow table is named after its virtual table; the longest name that fits owns it
			if other.Type == "table" && module(other.SQL) != "" && len(other.Name) > len(owner) && strings.HasPrefix(merge.FoldASCII(l.Name), merge.FoldASCII(other.Name)+"_") {
				owner = other.Name
			}
		}
		return "shadow table of " + owner
	}
	return ""
}

// module is the name of a virtual table's module, "" for another table. SQLite stores the statement from CREATE VIRTUAL TABLE on.
func module(statement string) string {
	words := strings.Fields(statement)
	if len(words) < 3 || !strings.EqualFold(words[1], "VIRTUAL") {
		return ""
	}
	for i, w := range words {
		if strings.EqualFold(w, "USING") && i+1 < len(words) {
			name, _, _ := strings.Cut(words[i+1], "(")
			return name
		}
	}
	return ""
}

// each reads catalogue rows.
func each[T any](ctx context.Context, conn *sql.Conn, query string, args ...any) ([]T, error) {
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var list []T
	if err := sqlx.StructScan(rows, &list); err != nil {
		return nil, err
	}
	return list, rows.Err()
}
