package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// formSQL is the SQL of a text in the form in which a copy repeats it. base37 is no SQL.
func formSQL(via, text string) string {
	switch via {
	case "":
		return text
	case "lower", "upper":
		return via + "(" + text + ")"
	}
	return bracketed(strings.ReplaceAll(via, "{}", text))
}

// formed counts the copies of a column that hold its texts in a form, and lists the values that are the form of none.
func (m *measuring) formed(ctx context.Context) error {
	to := m.q.Reference.To[0]
	t, col := m.s.schema.Table(to.Table), m.s.schema.Column(to)
	if t == nil || col == nil {
		if err := m.count(ctx); err != nil {
			return err
		}
		return m.allDead(ctx)
	}
	if m.q.Reference.Via == "base37" {
		set, err := m.s.nameNumbers(ctx, m.target(t), col)
		if err != nil {
			return err
		}
		m.q.Alive = set
		return m.integers(ctx)
	}
	if err := m.count(ctx); err != nil {
		return err
	}
	form := formSQL(m.q.Reference.Via, ident(col.Name))
	if err := checkExpression(ctx, m.s.conn, t.Name, formSQL(m.q.Reference.Via, ident(col.Name)), 0); err != nil {
		return err
	}
	c := m.columns[0]
	query := fmt.Sprintf("SELECT +%[1]s, count(*)%[2]s AND NOT coalesce(%[1]s%[3]s IN (SELECT %[4]s FROM %[5]s WHERE %[4]s IS NOT NULL), 0) GROUP BY typeof(%[1]s), %[1]s COLLATE BINARY",
		c, m.from, collate(col), form, m.target(t))
	var err error
	m.out.Dead, err = counts(ctx, m.s.conn, query, 1)
	m.out.Alive = m.out.Rows
	for _, d := range m.out.Dead {
		m.out.Alive -= d.Rows
	}
	return err
}

// collate compares as a column does.
func collate(col *merge.Column) string {
	if col.Collation == "" {
		return ""
	}
	return " COLLATE " + ident(col.Collation)
}

// nameNumbers are the texts of a column of some rows in the form base37.
func (s *shard) nameNumbers(ctx context.Context, from string, col *merge.Column) (*merge.KeySet, error) {
	rows, err := s.conn.QueryContext(ctx, "SELECT +"+ident(col.Name)+" FROM "+from+" WHERE typeof("+ident(col.Name)+") = 'text'")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	set := merge.NewKeySet()
	var text sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		set.Add(nameNumber(string(text)))
	}
	return set, rows.Err()
}

// Formed returns those of some values of a copy that are the form of a text that a row of the shard has in the column.
func (e *Engine) Formed(ctx context.Context, s merge.Shard, to merge.Col, via string, values []merge.ValueCount) ([]merge.ValueCount, error) {
	list, err := own(s)
	if err != nil {
		return nil, err
	}
	mine := list[0]
	t, col := mine.schema.Table(to.Table), mine.schema.Column(to)
	if t == nil || col == nil || len(values) == 0 {
		return nil, nil
	}
	var out []merge.ValueCount
	if via == "base37" {
		set, err := mine.nameNumbers(ctx, "main."+ident(t.Name), col)
		for _, v := range values {
			if n, ok := v.Value[0].(int64); ok && err == nil && set.Has(n) {
				out = append(out, v)
			}
		}
		return out, mine.failed(err, "read the names of %s", to)
	}
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprintf("(%d, %s)", i, literal(v.Value[0]))
	}
	form := formSQL(via, ident(col.Name))
	if err := checkExpression(ctx, mine.conn, t.Name, form, 0); err != nil {
		return nil, err
	}
	rows, err := mine.conn.QueryContext(ctx, fmt.Sprintf("SELECT column1 FROM (VALUES %s) WHERE column2%s IN (SELECT %s FROM main.%s) ORDER BY 1", strings.Join(words, ", "), collate(col), form, ident(t.Name)))
	if err != nil {
		return nil, mine.failed(err, "look for copies of %s", to)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var i int
		if err := rows.Scan(&i); err != nil {
			return nil, err
		}
		out = append(out, values[i])
	}
	return out, rows.Err()
}

// Forms are texts in the form in which a copy repeats them.
func (e *Engine) Forms(ctx context.Context, s merge.Shard, via string, texts []string) (forms []any, err error) {
	list, err := own(s)
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		form := any(nameNumber(text))
		if via != "base37" {
			if err := list[0].conn.QueryRowContext(ctx, "SELECT "+formSQL(via, literal(text))).Scan(&form); err != nil {
				return nil, list[0].failed(err, "make the form %s of a name", via)
			}
		}
		forms = append(forms, form)
	}
	return forms, nil
}
