package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// ErrForm tells that a reference's form cannot be measured in the database: its keys are inside larger values.
var ErrForm = errors.New("keys inside larger values are not measured")

// measure counts what a reference's columns hold.
func (s *shard) measure(ctx context.Context, q merge.RefQuery) (*merge.RefCount, error) {
	r := q.Reference
	m := measuring{s: s, q: q, out: &merge.RefCount{}}
	err := m.rows(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case r.As == merge.Keep:
		err = m.count(ctx)
		m.out.Alive = m.out.Rows
	case r.As == merge.Copy && r.Via != "":
		err = m.formed(ctx)
	case r.As != merge.Plain && r.As != merge.Copy:
		err = ErrForm
	case len(r.From) == 1 && q.Alive != nil:
		if err = m.integers(ctx); err == nil {
			err = m.named(ctx)
		}
	default:
		err = m.antiJoin(ctx)
	}
	if err != nil {
		return nil, s.failed(err, "measure %s", r)
	}
	sortCounts(m.out.Dead)
	sortCounts(m.out.Other)
	return m.out, nil
}

// measuring is one reference in one shard.
type measuring struct {
	s       *shard
	q       merge.RefQuery
	columns []string // quoted
	table   string   // FROM
	where   string   // which of its rows refer to something
	from    string   // both
	out     *merge.RefCount
}

// rows selects the rows that refer to something: no part is null or a none value, and the condition holds.
func (m *measuring) rows(ctx context.Context) error {
	r := m.q.Reference
	var words []string
	var table *merge.Table
	for _, c := range r.From {
		t, col, err := m.s.column(c)
		if err != nil {
			return err
		}
		table = t
		name := ident(col.Name)
		m.columns = append(m.columns, name)
		words = append(words, name+" IS NOT NULL")
		for _, v := range r.None {
			words = append(words, name+" <> "+literal(v))
			if n, ok := v.(int64); ok { // nobody may stand as text, too
				words = append(words, name+" <> "+literal(strconv.FormatInt(n, 10)))
			}
		}
	}
	if r.When != "" {
		if err := checkExpression(ctx, m.s.conn, table.Name, r.When, 0); err != nil {
			return err
		}
		words = append(words, bracketed(r.When))
	}
	m.table, m.where = " FROM main."+ident(table.Name)+" NOT INDEXED", every(words)
	m.from = m.table + " WHERE " + m.where
	return nil
}

func (m *measuring) count(ctx context.Context) error {
	return m.s.conn.QueryRowContext(ctx, "SELECT count(*)"+m.from).Scan(&m.out.Rows)
}

// keptMaps is how many sets of keys stay laid out for SQLite from one reference to the next: most of a game's references are to a few keys.
const keptMaps = 8

// integers measures a reference to an integer key: one scan looks every value up, counts, and groups those that are not alive.
func (m *measuring) integers(ctx context.Context) error {
	l, err := m.s.lookingUp()
	if err != nil {
		return err
	}
	if len(l.at) > keptMaps {
		l.forget()
	}
	c := m.columns[0]
	misses, err := l.misses(m.q.Alive, m.q.Moving, c)
	if err != nil {
		return err
	}
	// CASE alone keeps SQLite from asking for rows to which another part of the condition does not apply.
	err = m.group(ctx, "SELECT +"+c+", count(*)"+m.table+" WHERE CASE WHEN "+m.where+" THEN "+misses+" END GROUP BY typeof("+c+"), "+c+" COLLATE BINARY")
	values, alive, moving := l.counted()
	m.out.Rows, m.out.Alive, m.out.Moving = values, m.out.Alive+alive, m.out.Moving+moving
	return err
}

// group takes distinct values that are not alive as integers, with their rows.
func (m *measuring) group(ctx context.Context, query string) error {
	rows, err := m.s.conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	target := m.s.schema.Column(m.q.Reference.To[0])
	converts := target == nil || target.Affinity != merge.Blob // a key without affinity is not equal to its text
	dead := map[int64]int64{}
	for rows.Next() {
		var v any
		var n int64
		if err := rows.Scan(&v, &n); err != nil {
			return err
		}
		k, isInt := v.(int64)
		text, isText := v.(string)
		if isText && converts {
			if k, isInt = decimal(text); isInt {
				m.out.AsText += n
			}
		}
		switch {
		case !isInt:
			m.out.Other = append(m.out.Other, merge.ValueCount{Value: []any{v}, Rows: n})
		case m.q.Alive.Has(k):
			m.out.Alive += n
			if m.q.Moving != nil && m.q.Moving.Has(k) {
				m.out.Moving += n
			}
		default:
			dead[k] += n
		}
	}
	for k, n := range dead {
		m.out.Dead = append(m.out.Dead, merge.ValueCount{Value: []any{k}, Rows: n})
	}
	return rows.Err()
}

// named takes out of the other values those that a row of the target has: a key need not be an integer where its column is not the rowid.
func (m *measuring) named(ctx context.Context) error {
	to := m.q.Reference.To[0]
	t, col := m.s.schema.Table(to.Table), m.s.schema.Column(to)
	if t == nil || col == nil || col.Name == t.AutoColumn || len(m.out.Other) == 0 {
		return nil
	}
	query := "SELECT EXISTS(SELECT 1 FROM " + m.target(t) + " WHERE " + ident(col.Name) + " = ? AND typeof(" + ident(col.Name) + ") <> 'integer')" // 01 equals an integer key, which may change
	var rest []merge.ValueCount
	for _, v := range m.out.Other {
		var found bool
		if err := m.s.conn.QueryRowContext(ctx, query, v.Value[0]).Scan(&found); err != nil {
			return err
		}
		if !found {
			rest = append(rest, v)
			continue
		}
		m.out.Alive, m.out.Named = m.out.Alive+v.Rows, m.out.Named+v.Rows
	}
	m.out.Other = rest
	return nil
}

// target is the SQL of a table's rows that come into the output.
func (m *measuring) target(t *merge.Table) string {
	if m.q.Left == "" {
		return "main." + ident(t.Name)
	}
	return "(SELECT * FROM main." + ident(t.Name) + " WHERE " + bracketed(m.q.Left) + " IS NOT TRUE)"
}

// decimal reads text that is the canonical decimal of an integer.
func decimal(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == s
}

// antiJoin measures a reference whose target is compared by SQLite itself: with the target's affinity and collation, as a foreign key is.
func (m *measuring) antiJoin(ctx context.Context) error {
	if err := m.count(ctx); err != nil {
		return err
	}
	var inner, on, groups, outer, held, keys, known []string
	target, first := "", ""
	for i, c := range m.q.Reference.To {
		t, col := m.s.schema.Table(c.Table), m.s.schema.Column(c)
		if col == nil { // a shard without the target: every value is dead
			return m.allDead(ctx)
		}
		if i == 0 {
			target, first = m.target(t), "p."+ident(col.Name)
		}
		inner = append(inner, fmt.Sprintf("+%s AS v%d", m.columns[i], i))
		on = append(on, fmt.Sprintf("p.%s = +c.v%d", ident(col.Name), i)) // the sign leaves affinity and collation to the target
		by := cmp.Or(collate(col), " COLLATE BINARY")
		if k := m.q.Collations; i < len(k) && k[i] != "" {
			by = " COLLATE " + ident(k[i])
		}
		held = append(held, fmt.Sprintf("+c.v%d%s", i, by))
		keys = append(keys, ident(col.Name))
		known = append(known, ident(col.Name)+" IS NOT NULL")
		outer = append(outer, fmt.Sprintf("c.v%d", i))
		groups = append(groups, fmt.Sprintf("typeof(c.v%[1]d), c.v%[1]d COLLATE BINARY", i))
	}
	query := fmt.Sprintf("SELECT %s, count(*) FROM (SELECT %s%s) AS c LEFT JOIN %s AS p ON %s WHERE %s IS NULL GROUP BY %s",
		strings.Join(outer, ", "), strings.Join(inner, ", "), m.from, target, every(on), first, strings.Join(groups, ", "))
	if len(m.q.Collations) > 0 { // no index of the target's helps: SQLite makes one for IN
		query = fmt.Sprintf("SELECT %s, count(*) FROM (SELECT %s%s) AS c WHERE (%s) NOT IN (SELECT %s FROM %s WHERE %s) GROUP BY %s",
			strings.Join(outer, ", "), strings.Join(inner, ", "), m.from, strings.Join(held, ", "), strings.Join(keys, ", "), target, every(known), strings.Join(groups, ", "))
	}
	var err error
	m.out.Dead, err = counts(ctx, m.s.conn, query, len(m.columns))
	m.out.Alive = m.out.Rows
	for _, d := range m.out.Dead {
		m.out.Alive -= d.Rows
	}
	return err
}

// allDead counts every value as one that points at nobody.
func (m *measuring) allDead(ctx context.Context) error {
	var list, groups []string
	for _, c := range m.columns {
		list, groups = append(list, "+"+c), append(groups, fmt.Sprintf("typeof(%[1]s), %[1]s COLLATE BINARY", c))
	}
	var err error
	m.out.Dead, err = counts(ctx, m.s.conn, "SELECT "+strings.Join(list, ", ")+", count(*)"+m.from+" GROUP BY "+strings.Join(groups, ", "), len(m.columns))
	return err
}

// sortCounts orders values: integers, fractions, text, blobs.
func sortCounts(list []merge.ValueCount) {
	slices.SortFunc(list, func(a, b merge.ValueCount) int {
		return slices.CompareFunc(a.Value, b.Value, compareValues)
	})
}

func compareValues(a, b any) int {
	if d := cmp.Compare(class(a), class(b)); d != 0 {
		return d
	}
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return cmp.Compare(a, b.(string))
	case []byte:
		return slices.Compare(a, b.([]byte))
	}
	return 0
}

func class(v any) int {
	switch v.(type) {
	case nil:
		return 0
	case int64:
		return 1
	case float64:
		return 2
	case string:
		return 3
	}
	return 4
}
