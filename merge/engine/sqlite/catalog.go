package sqlite

import (
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/mattn/go-sqlite3"

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
	WR     bool
	Strict bool
}

// firstWords are those of a definition that SQLite spells in its own way when it makes the object, whatever somebody has written into its catalogue since.
var firstWords = regexp.MustCompile(`(?i)^\s*CREATE\s+(UNIQUE\s+)?(TABLE|INDEX|VIEW|TRIGGER)\s+`)

// catalog reads the schema.
func (s *shard) catalog(ctx context.Context) error {
	objects, err := each[schemaRow](ctx, s.conn, "SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM main.sqlite_schema ORDER BY rowid")
	if err != nil {
		return err
	}
	for i := range objects {
		objects[i].SQL = firstWords.ReplaceAllStringFunc(objects[i].SQL, func(words string) string {
			return strings.ToUpper(strings.Join(strings.Fields(words), " ")) + " "
		})
	}
	db, conn, err := memory(ctx)
	if err != nil {
		return err
	}
	defer func() { _, _ = conn.Close(), db.Close() }()
	if err := s.rebuild(ctx, conn, objects); err != nil {
		return err
	}
	// Asked in the shard itself, SQLite would look into every view first, and views can multiply each other without end.
	list, err := each[listRow](ctx, conn, "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main'")
	if err != nil {
		return err
	}
	s.schema, s.facts = &merge.Schema{Fold: true}, map[*merge.Table]facts{}
	skipped, virtual := map[string]bool{}, virtuals(objects)
	for _, o := range objects {
		if o.Type != "table" {
			continue
		}
		if o.Name == "" { // nothing could tell it from no table at all
			return &SourceError{Path: s.path, Reason: ErrSchema, Detail: "there is a table without a name", Next: "name it: ALTER TABLE \"\" RENAME TO ..."}
		}
		if reserved(o.Name) {
			skipped[o.Name] = true
			continue
		}
		i := slices.IndexFunc(list, func(l listRow) bool { return l.Name == o.Name })
		t := &merge.Table{Name: o.Name, SQL: o.SQL, Source: ownRows(o, objects), Refill: refill(o)}
		t.Opaque, t.MadeBy = opaque(o, virtual)
		f := facts{}
		if i >= 0 {
			f.withoutRowid, f.strict = list[i].WR, list[i].Strict
		}
		if module(o.SQL) == "" {
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
		if skipped[o.Tbl] {
			continue
		}
		if o.Type != "trigger" && recorded(o.Name) {
			return &SourceError{Path: s.path, Reason: ErrReserved, Detail: o.Type + " " + o.Name, Next: "give it another name in a copy"}
		}
		if o.Type == "table" || o.SQL == "" {
			continue
		}
		table := o.Tbl
		if o.Type == "view" {
			table = ""
		}
		s.schema.Objects = append(s.schema.Objects, merge.Object{Kind: o.Type, Name: o.Name, Table: table, SQL: o.SQL})
	}
	if err := s.scratch(ctx, conn); err != nil {
		return err
	}
	return s.countable(ctx)
}

// countable refuses a shard of which SQLite's own counters cannot be read.
func (s *shard) countable(ctx context.Context) error {
	if !slices.ContainsFunc(s.schema.Tables, func(t *merge.Table) bool { return t.Counted }) {
		return nil
	}
	_, err := s.conn.ExecContext(ctx, "SELECT name, seq FROM main.sqlite_sequence LIMIT 0")
	if code(err) == sqlite3.ErrError {
		return &SourceError{Path: s.path, Reason: ErrCatalog, Err: err, Next: mendCatalog}
	}
	return err
}

// reserved tells whether a table is SQLite's own or a merge's memory.
func reserved(name string) bool {
	folded := merge.FoldASCII(name)
	return strings.HasPrefix(folded, "sqlite_") || slices.Contains(memoryTables[:], folded)
}

// recorded tells whether the record of a merge makes a table or an index of this name, which a game's view, index or table would stand in the way of.
func recorded(name string) bool {
	folded := merge.FoldASCII(name)
	return slices.Contains(memoryTables[:], folded) || folded == keysIndex || folded == renamesIndex
}

// shadows are the endings of the tables in which SQLite's own modules keep their rows.
var shadows = map[string][]string{
	"fts3": {"content", "segments", "segdir", "docsize", "stat"}, "fts4": {"content", "segments", "segdir", "docsize", "stat"},
	"fts5":  {"data", "idx", "content", "docsize", "config"},
	"rtree": {"node", "rowid", "parent"}, "rtree_i32": {"node", "rowid", "parent"}, "geopoly": {"node", "rowid", "parent"},
}

// virtuals are the virtual tables.
func virtuals(objects []schemaRow) (list []schemaRow) {
	for _, o := range objects {
		if o.Type == "table" && module(o.SQL) != "" {
			list = append(list, o)
		}
	}
	return list
}

// opaque says why a table's rows cannot be merged as rows, whichever the virtual tables are, "" for an ordinary table, and whose module makes it.
func opaque(o schemaRow, virtual []schemaRow) (why, madeBy string) {
	if m := module(o.SQL); m != "" {
		return "virtual table " + m, ""
	}
	name := merge.FoldASCII(o.Name)
	for _, other := range virtual {
		for _, ending := range shadows[merge.FoldASCII(module(other.SQL))] {
			if name == merge.FoldASCII(other.Name)+"_"+ending {
				return "shadow table of " + other.Name, other.Name
			}
		}
	}
	return "", ""
}

// contents are the endings of the shadow tables that modules make where a virtual table's rows stand nowhere else: a full-text index of another table has no content of its own.
var contents = map[string]string{"fts3": "content", "fts4": "content", "fts5": "content", "rtree": "rowid", "rtree_i32": "rowid", "geopoly": "rowid"}

// ownRows is the shadow table that has one row for each row of a virtual table; "" where they stand elsewhere, too.
func ownRows(o schemaRow, objects []schemaRow) string {
	ending := contents[merge.FoldASCII(module(o.SQL))]
	if of := contentOf(o.SQL); of != nil && *of == "" {
		ending = "docsize" // the terms alone are kept
	}
	at := slices.IndexFunc(objects, func(other schemaRow) bool {
		return ending != "" && other.Type == "table" && merge.FoldASCII(other.Name) == merge.FoldASCII(o.Name)+"_"+ending
	})
	if at < 0 {
		return ""
	}
	return objects[at].Name
}

// contentArgument matches what tells a full-text index whose rows it finds.
var contentArgument = regexp.MustCompile(`(?i)[(,]\s*content\s*=\s*('[^']*'|"[^"]*"|\[[^\]]*\]|[^,)\s]*)`)

// contentOf is the table whose rows a full-text index finds, "" where it keeps terms alone; nil for an index with rows of its own, and for other tables.
func contentOf(statement string) *string {
	m := contentArgument.FindStringSubmatch(statement)
	if m == nil || !strings.HasPrefix(merge.FoldASCII(module(statement)), "fts") {
		return nil
	}
	of := strings.Trim(m[1], "'\"[]")
	return &of
}

// refill is the statement that fills a full-text index from the table whose rows it finds; "" where there is no such table.
func refill(o schemaRow) string {
	if of := contentOf(o.SQL); of == nil || *of == "" {
		return ""
	}
	return "INSERT INTO " + ident(o.Name) + "(" + ident(o.Name) + ") VALUES ('rebuild')"
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
			return strings.Trim(name, "\"`[]'")
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
