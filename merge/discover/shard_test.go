package discover_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
)

// shard reads a SQLite file as plainly as can be, so that these tests depend on no engine.
type shard struct {
	name   string
	db     *sql.DB
	schema *merge.Schema
	t      testing.TB
}

func ident(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

func openShard(t testing.TB, name, file string) *shard {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+file+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	s := &shard{name: name, db: db, t: t, schema: &merge.Schema{Fold: true}}
	for _, row := range s.query("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid") {
		s.schema.Tables = append(s.schema.Tables, s.describe(row[0].(string), row[1].(string)))
	}
	return s
}

func (s *shard) describe(name, text string) *merge.Table {
	t := &merge.Table{Name: name, SQL: text, Counted: strings.Contains(strings.ToUpper(text), "AUTOINCREMENT")}
	type part struct {
		at   int64
		name string
	}
	var pk []part
	for _, r := range s.query("SELECT name, type, pk, hidden, dflt_value FROM pragma_table_xinfo(?)", name) {
		c := &merge.Column{Name: r[0].(string), Type: r[1].(string), Affinity: affinity(r[1].(string)), Generated: r[3].(int64) > 0}
		if d, ok := r[4].(string); ok {
			c.Default = d
		}
		t.Columns = append(t.Columns, c)
		if r[2].(int64) > 0 {
			pk = append(pk, part{r[2].(int64), c.Name})
			if strings.EqualFold(c.Type, "INTEGER") {
				t.AutoColumn = c.Name
			}
		}
	}
	slices.SortFunc(pk, func(a, b part) int { return int(a.at - b.at) })
	for _, p := range pk {
		t.PrimaryKey = append(t.PrimaryKey, p.name)
	}
	if len(pk) != 1 || strings.Contains(strings.ToUpper(text), "WITHOUT ROWID") {
		t.AutoColumn = ""
	}
	for _, r := range s.query(`SELECT name, partial FROM pragma_index_list(?) WHERE "unique"`, name) {
		u := &merge.Unique{Name: r[0].(string), Table: name, Where: r[1].(int64) > 0}
		for _, c := range s.query("SELECT coalesce(name, '') FROM pragma_index_info(?)", r[0]) {
			u.Columns = append(u.Columns, c[0].(string))
		}
		t.Uniques = append(t.Uniques, u)
	}
	for _, r := range s.query(`SELECT id, "table", "from", coalesce("to", 'id') FROM pragma_foreign_key_list(?) ORDER BY id, seq`, name) {
		t.ForeignKeys = append(t.ForeignKeys, &merge.ForeignKey{Columns: []string{r[2].(string)}, ToTable: r[1].(string), ToColumns: []string{r[3].(string)}})
	}
	return t
}

func affinity(declared string) merge.Affinity {
	d := strings.ToUpper(declared)
	for _, rule := range []struct {
		word string
		is   merge.Affinity
	}{{"INT", merge.Integer}, {"CHAR", merge.Text}, {"CLOB", merge.Text}, {"TEXT", merge.Text}, {"BLOB", merge.Blob}, {"REAL", merge.Real}, {"FLOA", merge.Real}, {"DOUBLE", merge.Real}} {
		if strings.Contains(d, rule.word) {
			return rule.is
		}
	}
	if d == "" {
		return merge.Blob
	}
	return merge.Numeric
}

func (s *shard) query(q string, args ...any) (list [][]any) {
	s.t.Helper()
	rows, err := s.db.Query(q, args...)
	if err != nil {
		s.t.Fatalf("%s: %v", q, err)
	}
	defer func() { _ = rows.Close() }()
	names, _ := rows.Columns()
	for rows.Next() {
		row, at := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			at[i] = &row[i]
		}
		if err := rows.Scan(at...); err != nil {
			s.t.Fatalf("%s: %v", q, err)
		}
		list = append(list, row)
	}
	if err := rows.Err(); err != nil {
		s.t.Fatalf("%s: %v", q, err)
	}
	return list
}

func (s *shard) Source() merge.Source  { return merge.Source{Name: s.name} }
func (s *shard) Schema() *merge.Schema { return s.schema }
func (s *shard) Bytes() int64          { return 0 }
func (s *shard) Close() error          { return nil }
func (s *shard) Unchanged() error      { return nil }

func (s *shard) Verified(context.Context) error { return nil }

func (s *shard) Rows(_ context.Context, table string) (int64, error) {
	return s.query("SELECT count(*) FROM " + ident(table))[0][0].(int64), nil
}

func (s *shard) Keys(ctx context.Context, c merge.Col) (*merge.KeyColumn, error) {
	k := &merge.KeyColumn{Set: merge.NewKeySet()}
	k.Rows, _ = s.Rows(ctx, c.Table)
	for _, r := range s.query("SELECT +" + ident(c.Name) + " FROM " + ident(c.Table)) {
		switch v := r[0].(type) {
		case nil:
			k.Nulls++
		case int64:
			k.Set.Add(v)
		default:
			k.Other++
		}
	}
	k.Set.Compress()
	return k, nil
}

// Kinds tells nothing: the types of these databases say what their columns hold.
func (s *shard) Kinds(context.Context, string) (map[string]merge.Kinds, error) { return nil, nil }

// Sample takes every n-th distinct value.
func (s *shard) Sample(ctx context.Context, c merge.Col, limit int) (*merge.Sample, error) {
	out := &merge.Sample{Complete: true}
	out.Rows, _ = s.Rows(ctx, c.Table)
	name := ident(c.Name)
	list := s.query("SELECT +" + name + ", count(*) FROM " + ident(c.Table) + " WHERE typeof(" + name + ") = 'integer' GROUP BY 1 ORDER BY 1")
	for i := range min(limit, len(list)) {
		r := list[i*len(list)/min(limit, len(list))]
		out.Values, out.Weights = append(out.Values, r[0].(int64)), append(out.Weights, r[1].(int64))
	}
	out.Complete = len(list) <= limit
	for _, r := range s.query("SELECT DISTINCT +" + name + " FROM " + ident(c.Table) + " WHERE typeof(" + name + ") = 'text' AND " + name + " <> '' LIMIT 100") {
		out.Texts = append(out.Texts, r[0].(string))
	}
	stored := "CASE typeof(" + name + ") WHEN 'text' THEN CAST(CAST(" + name + " AS INTEGER) AS TEXT) = " + name + " WHEN 'real' THEN CAST(" + name + " AS INTEGER) = " + name + " ELSE 0 END"
	different := "CASE typeof(" + name + ") WHEN 'blob' THEN x'' ELSE " + name + " END"
	counts := s.query("SELECT count(DISTINCT " + different + "), coalesce(sum(" + stored + "), 0) FROM " + ident(c.Table) + " WHERE typeof(" + name + ") NOT IN ('integer', 'null')")[0]
	out.Others, out.Stored = int(counts[0].(int64)), counts[1].(int64)
	out.Other = s.query("SELECT count(*) FROM " + ident(c.Table) + " WHERE typeof(" + name + ") NOT IN ('integer', 'null')")[0][0].(int64)
	return out, nil
}

func (s *shard) Values(_ context.Context, c merge.Col, condition string, limit int) (out []merge.ValueCount, err error) {
	if condition == "" {
		condition = "1"
	}
	for _, r := range s.query("SELECT +"+ident(c.Name)+", count(*) FROM "+ident(c.Table)+" WHERE "+condition+" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?", limit) {
		out = append(out, merge.ValueCount{Value: r[:1], Rows: r[1].(int64)})
	}
	return out, nil
}

func (s *shard) Tuples(_ context.Context, columns []merge.Col, condition string, limit int) (out []merge.ValueCount, err error) {
	if condition == "" {
		condition = "1"
	}
	var values, order []string
	for i, c := range columns {
		values, order = append(values, "+"+ident(c.Name)), append(order, fmt.Sprint(i+1))
	}
	groups, n := strings.Join(order, ", "), len(columns)
	for _, r := range s.query(fmt.Sprintf("SELECT %s, count(*) FROM %s WHERE %s GROUP BY %s ORDER BY %d DESC, %[4]s LIMIT ?", strings.Join(values, ", "), ident(columns[0].Table), condition, groups, n+1), cmp.Or(limit, -1)) {
		out = append(out, merge.ValueCount{Value: r[:n], Rows: r[n].(int64)})
	}
	return out, nil
}

func (s *shard) Measure(context.Context, merge.RefQuery) (*merge.RefCount, error) { return nil, nil }

func (s *shard) Count(context.Context, string, string, ...any) (int64, error) { return 0, nil }

func (s *shard) Any(context.Context, string, string, ...any) (bool, error) { return false, nil }

// Top takes texts by what stands before their numbers alone.
func (s *shard) Top(_ context.Context, c merge.Counter) (top int64, ok bool, err error) {
	for _, r := range s.query("SELECT DISTINCT " + ident(c.Key.Name) + " FROM " + ident(c.Key.Table)) {
		if head, n, _, is := merge.CounterText(r[0]); is && head == c.Head {
			top, ok = max(top, n), true
		}
	}
	return top, ok, nil
}

func (s *shard) Memory(context.Context) (*merge.Memory, error) { return nil, nil }

// same compares rows by primary key, or whole rows of a table without one.
func same(shards []merge.Shard) func(context.Context, int, int, string) (int64, int64, error) {
	return func(_ context.Context, a, b int, table string) (shared, equal int64, err error) {
		rows := func(i int) map[string]string {
			s := shards[i].(*shard)
			t := s.schema.Table(table)
			m := map[string]string{}
			for n, r := range s.query("SELECT * FROM " + ident(table)) {
				key, all := "", fmt.Sprintf("%v", r)
				for j, c := range t.Columns {
					if slices.ContainsFunc(t.PrimaryKey, func(p string) bool { return strings.EqualFold(p, c.Name) }) && j < len(r) {
						key += fmt.Sprintf("%v\x00", r[j])
					}
				}
				if key == "" {
					key = all
					for m[key] != "" {
						key += "+"
					}
				}
				_ = n
				m[key] = all
			}
			return m
		}
		x, y := rows(a), rows(b)
		for k, v := range x {
			if w, ok := y[k]; ok {
				shared++
				if v == w {
					equal++
				}
			}
		}
		return shared, equal, nil
	}
}

// copyFile copies a database so that nothing can write beside the original.
func copyFile(t testing.TB, from string) string {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	to := filepath.Join(t.TempDir(), filepath.Base(from))
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return to
}
