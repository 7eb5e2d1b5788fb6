package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// columnRow is a row of PRAGMA table_xinfo.
type columnRow struct {
	Name    string
	Type    string
	NotNull bool           `db:"notnull"`
	Default sql.NullString `db:"dflt_value"`
	PK      int
	Hidden  int
}

// indexRow is a row of PRAGMA index_list.
type indexRow struct {
	Name    string
	Unique  bool
	Origin  string
	Partial bool
}

// partRow is a key column of PRAGMA index_xinfo.
type partRow struct {
	CID  int
	Name sql.NullString
	Coll string
}

// describe reads a table's columns and keys.
func (s *shard) describe(ctx context.Context, t *merge.Table, f *facts, objects []schemaRow) error {
	columns, err := each[columnRow](ctx, s.conn, `SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, 'main') ORDER BY cid`, t.Name)
	if err != nil {
		return err
	}
	type part struct {
		position int
		name     string
	}
	var key []part
	for _, c := range columns {
		if c.Hidden == 1 { // of a virtual table
			continue
		}
		if c.Name == "" { // in an index, a column without a name is an expression
			return &SourceError{Path: s.path, Reason: ErrSchema, Detail: "table " + t.Name + " has a column without a name", Next: "name it: ALTER TABLE ... RENAME COLUMN \"\" TO ..."}
		}
		a := affinity(c.Type, f.strict)
		t.Columns = append(t.Columns, &merge.Column{
			Name: c.Name, Type: c.Type, Affinity: a, Bytes: integerBytes(c.Type, a), Chars: textChars(c.Type, a), TextBytes: textBytes(c.Type),
			NotNull: c.NotNull, Default: c.Default.String, Generated: c.Hidden == 2 || c.Hidden == 3,
		})
		if c.PK > 0 {
			key = append(key, part{c.PK, c.Name})
		}
	}
	slices.SortFunc(key, func(a, b part) int { return a.position - b.position })
	for _, k := range key {
		t.PrimaryKey = append(t.PrimaryKey, k.name)
	}
	t.Strict = f.strict
	declarations(t)
	indexes, err := each[indexRow](ctx, s.conn, `SELECT name, "unique", origin, partial FROM pragma_index_list(?, 'main') ORDER BY seq DESC`, t.Name)
	if err != nil {
		return err
	}
	indexed := false // the primary key has an index of its own, so no column is the rowid
	for _, x := range indexes {
		indexed = indexed || x.Origin == "pk"
		if !x.Unique {
			continue
		}
		u, err := s.unique(ctx, t, x, objects)
		if err != nil {
			return err
		}
		t.Uniques = append(t.Uniques, u)
	}
	if len(t.PrimaryKey) == 1 && !indexed && !f.withoutRowid {
		t.AutoColumn = t.PrimaryKey[0]
		t.Uniques = slices.Insert(t.Uniques, 0, &merge.Unique{
			Name: "PRIMARY KEY", Table: t.Name, Columns: []string{t.AutoColumn}, Collations: []string{"BINARY"}, Primary: true,
		})
	}
	promote(t)
	f.rowid = rowidName(t, f.withoutRowid)
	return nil
}

// promote takes the one unique key whose columns are never NULL for the primary key of a table that declares none, as InnoDB does. Of several none says which it is.
func promote(t *merge.Table) {
	if len(t.PrimaryKey) > 0 {
		return
	}
	var keys []*merge.Unique
	for _, u := range t.Uniques {
		if u.Plain() && !slices.ContainsFunc(u.Columns, func(name string) bool { c := t.Column(name, true); return c == nil || !c.NotNull }) {
			keys = append(keys, u)
		}
	}
	if len(keys) == 1 {
		keys[0].Primary, t.PrimaryKey = true, slices.Clone(keys[0].Columns)
	}
}

// unique reads a unique index.
func (s *shard) unique(ctx context.Context, t *merge.Table, x indexRow, objects []schemaRow) (*merge.Unique, error) {
	parts, err := each[partRow](ctx, s.conn, `SELECT cid, name, coll FROM pragma_index_xinfo(?, 'main') WHERE "key" ORDER BY seqno`, x.Name)
	if err != nil {
		return nil, err
	}
	u := &merge.Unique{Name: x.Name, Table: t.Name, Primary: x.Origin == "pk", Where: x.Partial}
	for _, p := range parts {
		u.Columns = append(u.Columns, p.Name.String) // null for an expression
		u.Collations = append(u.Collations, p.Coll)
	}
	for _, o := range objects {
		if o.Type == "index" && o.Name == x.Name {
			u.SQL = o.SQL
		}
	}
	return u, nil
}

// rowidName is a name under which a table's rowid can be read.
func rowidName(t *merge.Table, withoutRowid bool) string {
	if withoutRowid {
		return ""
	}
	if t.AutoColumn != "" {
		return t.AutoColumn
	}
	for _, name := range []string{"rowid", "_rowid_", "oid"} {
		if t.Column(name, true) == nil {
			return name
		}
	}
	return ""
}

// foreignKeys reads a table's declared references, in the order of their declaration. One that names no columns refers to the primary key; one of columns to themselves
// says nothing and is left out.
func (s *shard) foreignKeys(ctx context.Context, t *merge.Table) error {
	type row struct {
		ID    int
		Table string
		From  string
		To    sql.NullString
		Del   string
		Upd   string
	}
	rows, err := each[row](ctx, s.conn, `SELECT id, "table", "from", "to", on_delete AS del, on_update AS upd FROM pragma_foreign_key_list(?, 'main') ORDER BY id DESC, seq`, t.Name)
	if err != nil {
		return err
	}
	last := -1
	for _, r := range rows {
		if r.ID != last {
			name := r.Table
			if target := s.schema.Table(name); target != nil {
				name = target.Name
			}
			t.ForeignKeys = append(t.ForeignKeys, &merge.ForeignKey{ToTable: name, Actions: actions(r.Del, r.Upd)})
			last = r.ID
		}
		fk := t.ForeignKeys[len(t.ForeignKeys)-1]
		fk.Columns = append(fk.Columns, spelled(t, r.From))
		if r.To.Valid {
			fk.ToColumns = append(fk.ToColumns, spelled(s.schema.Table(fk.ToTable), r.To.String))
		}
	}
	for _, fk := range t.ForeignKeys {
		if target := s.schema.Table(fk.ToTable); len(fk.ToColumns) == 0 && target != nil {
			fk.ToColumns = slices.Clone(target.PrimaryKey)
		}
	}
	t.ForeignKeys = slices.DeleteFunc(t.ForeignKeys, func(fk *merge.ForeignKey) bool {
		return fk.ToTable == t.Name && slices.Equal(fk.Columns, fk.ToColumns)
	})
	return nil
}

// actions words what a foreign key does by itself.
func actions(del, upd string) string {
	var words []string
	if del != "NO ACTION" {
		words = append(words, "ON DELETE "+del)
	}
	if upd != "NO ACTION" {
		words = append(words, "ON UPDATE "+upd)
	}
	return strings.Join(words, " ")
}

// spelled is a column's name as its table spells it; a name without a column stays.
func spelled(t *merge.Table, name string) string {
	if t != nil {
		if c := t.Column(name, true); c != nil {
			return c.Name
		}
	}
	return name
}

// affinity follows SQLite's five rules (https://sqlite.org/datatype3.html, 3.1). ANY in a STRICT table converts nothing.
func affinity(declared string, strict bool) merge.Affinity {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(merge.FoldASCII(declared), w) })
	}
	switch {
	case strict && strings.EqualFold(declared, "ANY"):
		return merge.Blob
	case has("int"):
		return merge.Integer
	case has("char", "clob", "text"):
		return merge.Text
	case declared == "" || has("blob"):
		return merge.Blob
	case has("real", "floa", "doub"): //nolint:misspell // as in DOUBLE
		return merge.Real
	}
	return merge.Numeric
}
