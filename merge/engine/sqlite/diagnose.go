package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// diagnosed is how many rows a misfit names.
const diagnosed = 8

// Columns that say of a row where it comes from.
const (
	fromShard = "gameid_shard"
	fromKey   = "gameid_key_"
)

// diagnose finds the rules that rows break: it loads them into a table of the same columns that demands nothing, and asks for each rule which rows break it.
func (r *rehearsal) diagnose(ctx context.Context, refused error) (list []merge.Misfit, err error) {
	t := r.jobs[0].Table
	other := []merge.Misfit{{Kind: merge.MisfitOther, What: sqliteText(refused), Shard: -1}}
	if slices.ContainsFunc(t.Columns, func(c *merge.Column) bool { return c.Generated && c.Formula == "" }) {
		return other, nil
	}
	d := r.diagnosis()
	err = r.stage(ctx, "lax", d.lax(), func(conn *sql.Conn) error {
		for _, look := range []func(context.Context, *sql.Conn) ([]merge.Misfit, error){d.checks, d.nulls, d.types, d.uniques} {
			found, err := look(ctx, conn)
			if err != nil {
				return err
			}
			list = append(list, found...)
		}
		return nil
	})
	if err != nil && !refusesRow(err) {
		return nil, err
	}
	if len(list) == 0 {
		return other, nil
	}
	return list, nil
}

// sqliteText is what SQLite itself said.
func sqliteText(err error) string {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}

// diagnosis asks about the rows of a table that demands nothing.
type diagnosis struct {
	*rehearsal
	table *merge.Table
	folds bool
	from  bool     // rows say where they come from
	known []string // the columns by which a row is named, or "rowid"
}

func (r *rehearsal) diagnosis() *diagnosis {
	t := r.jobs[0].Table
	d := &diagnosis{rehearsal: r, table: t, folds: r.jobs[0].Rows != merge.MergeRows && r.jobs[0].Rows != ""}
	if d.known = t.PrimaryKey; len(d.known) == 0 {
		d.known = []string{"rowid"}
	}
	d.from = len(t.PrimaryKey) > 0 || !d.folds // rows without a key fold by all of their columns
	return d
}

// lax are the jobs, for a table of the same columns without a rule but the key by which rows fold.
func (d *diagnosis) lax() []merge.TableJob {
	t := *d.table
	t.Checks, t.Strict = nil, false
	var lines []string
	for _, c := range t.Columns {
		kind := map[merge.Affinity]string{merge.Integer: " INT", merge.Text: " TEXT", merge.Real: " REAL", merge.Numeric: " NUMERIC"}[c.Affinity]
		if c.Name == t.AutoColumn {
			kind = " INTEGER"
		}
		line := ident(c.Name) + kind
		if c.Collation != "" {
			line += " COLLATE " + ident(c.Collation)
		}
		if c.Generated {
			line += " AS " + bracketed(c.Formula)
		}
		lines = append(lines, line)
	}
	t.Columns = slices.Clone(t.Columns)
	if d.from {
		for _, name := range d.origins() {
			t.Columns = append(t.Columns, &merge.Column{Name: name, Affinity: merge.Blob})
			lines = append(lines, ident(name))
		}
	}
	if d.folds && len(t.PrimaryKey) > 0 {
		var key []string
		for i, k := range t.PrimaryKey {
			for _, u := range t.Uniques {
				if u.Primary && t.AutoColumn == "" && i < len(u.Collations) {
					k = ident(t.PrimaryKey[i]) + " COLLATE " + ident(u.Collations[i])
				}
			}
			if k == t.PrimaryKey[i] {
				k = ident(k)
			}
			key = append(key, k)
		}
		lines = append(lines, "PRIMARY KEY("+strings.Join(key, ", ")+")")
	}
	t.SQL = "CREATE TABLE " + ident(t.Name) + "(" + strings.Join(lines, ", ") + ")"
	jobs := slices.Clone(d.jobs)
	for i := range jobs {
		jobs[i].Table = &t
		if !d.from {
			continue
		}
		jobs[i].Columns = append(slices.Clone(jobs[i].Columns), merge.ColumnJob{Name: fromShard, Missing: itoa(jobs[i].Shard)})
		for n, k := range d.known {
			col := merge.ColumnJob{Name: fromKey + itoa(n)}
			source := d.shards[jobs[i].Shard]
			own := source.schema.Table(t.Name)
			if c := own.Column(k, true); c != nil && len(t.PrimaryKey) > 0 {
				col.Source = c.Name
			} else if name := source.facts[own].rowid; name != "" {
				col.Missing = ident(name)
			}
			jobs[i].Columns = append(jobs[i].Columns, col)
		}
	}
	return jobs
}

// origins are the columns that say where a row comes from.
func (d *diagnosis) origins() []string {
	names := []string{fromShard}
	for i := range d.known {
		names = append(names, fromKey+itoa(i))
	}
	return names
}

// row is the SQL that names a row by its shard and old key.
func (d *diagnosis) row() string {
	if !d.from {
		return "'a row'"
	}
	word := "CASE " + fromShard
	for _, j := range d.jobs {
		word += fmt.Sprintf(" WHEN %d THEN %s", j.Shard, literal(d.shards[j.Shard].src.Name))
	}
	words := []string{word + " END"}
	for i, k := range d.known {
		words = append(words, literal(k+" = ")+" || substr(quote("+fromKey+itoa(i)+"), 1, 60)")
	}
	return chained(words, " || ' ' || ")
}

// broken counts, by shard, the rows for which a condition holds, and names some.
func (d *diagnosis) broken(ctx context.Context, conn *sql.Conn, m merge.Misfit, condition string) (list []merge.Misfit, err error) {
	shard := "-1"
	if d.from {
		shard = fromShard
	}
	from := " FROM main." + ident(d.table.Name) + " WHERE " + condition
	counts, err := counts(ctx, conn, "SELECT "+shard+", count(*)"+from+" GROUP BY 1 ORDER BY 1", 1)
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		m.Rows = c.Rows
		n, _ := c.Value[0].(int64)
		m.Shard = int(n)
		if m.Samples, err = rowNames(ctx, conn, fmt.Sprintf("SELECT %s%s AND %s = %d LIMIT %d", d.row(), from, shard, n, diagnosed)); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

func (d *diagnosis) checks(ctx context.Context, conn *sql.Conn) (list []merge.Misfit, err error) {
	for _, check := range d.table.Checks {
		found, err := d.broken(ctx, conn, merge.Misfit{Kind: merge.MisfitCheck, What: check}, "NOT "+bracketed(check))
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func (d *diagnosis) nulls(ctx context.Context, conn *sql.Conn) (list []merge.Misfit, err error) {
	for _, c := range d.table.Columns {
		if !c.NotNull {
			continue
		}
		found, err := d.broken(ctx, conn, merge.Misfit{Kind: merge.MisfitNull, What: "NOT NULL", Columns: []string{c.Name}}, ident(c.Name)+" IS NULL")
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// types looks for values that a STRICT table, or a key that the engine numbers, refuses.
func (d *diagnosis) types(ctx context.Context, conn *sql.Conn) (list []merge.Misfit, err error) {
	for _, c := range d.table.Columns {
		takes := map[merge.Affinity]string{merge.Integer: "'integer'", merge.Text: "'text'", merge.Real: "'real'"}[c.Affinity]
		if c.Affinity == merge.Blob && strings.EqualFold(c.Type, "BLOB") {
			takes = "'blob'"
		}
		if takes == "" || !d.table.Strict && c.Name != d.table.AutoColumn {
			continue
		}
		m := merge.Misfit{Kind: merge.MisfitType, What: c.Type, Columns: []string{c.Name}}
		found, err := d.broken(ctx, conn, m, "typeof("+ident(c.Name)+") NOT IN ('null', "+takes+")")
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// uniques looks for values of unique keys that more than one row has.
func (d *diagnosis) uniques(ctx context.Context, conn *sql.Conn) (list []merge.Misfit, err error) {
	for _, u := range d.table.Uniques {
		c, err := newClashing(*u, "", "")
		if err != nil {
			return nil, err
		}
		var by, where []string
		for i, t := range c.terms {
			by = append(by, bracketed(t.expression)+" COLLATE "+ident(c.collations[i]))
			where = append(where, bracketed(t.expression)+" IS NOT NULL")
		}
		if c.where != "" {
			where = append(where, bracketed(c.where))
		}
		m := merge.Misfit{Kind: merge.MisfitUnique, What: u.Name, Columns: u.Columns, Shard: -1}
		from := fmt.Sprintf(" FROM (SELECT %s AS gameid_row, count(*) OVER w AS gameid_n, dense_rank() OVER (ORDER BY %[2]s) AS gameid_group FROM main.%[3]s WHERE %[4]s WINDOW w AS (PARTITION BY %[2]s)) WHERE gameid_n > 1",
			d.row(), strings.Join(by, ", "), ident(d.table.Name), every(where))
		if err := conn.QueryRowContext(ctx, "SELECT count(*)"+from).Scan(&m.Rows); err != nil {
			return nil, err
		}
		if m.Rows == 0 {
			continue
		}
		if m.Samples, err = rowNames(ctx, conn, fmt.Sprintf("SELECT gameid_row%s ORDER BY gameid_group, gameid_row LIMIT %d", from, diagnosed)); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// rowNames reads one column of text.
func rowNames(ctx context.Context, conn *sql.Conn, query string) (list []string, err error) {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}
