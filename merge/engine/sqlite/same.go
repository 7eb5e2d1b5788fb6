package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// SameRows counts the keys that both shards have, and of these rows the ones that are equal: every column that both have holds the same value of the same
// storage class, byte for byte. For a table without a key it counts the rows that both have, each as often as both have it, among a's first limit rows.
func (e *Engine) SameRows(ctx context.Context, a, b merge.Shard, table string, limit int64) (shared, equal int64, err error) {
	list, err := own(a, b)
	if err != nil {
		return 0, 0, err
	}
	first, second := list[0].schema.Table(table), list[1].schema.Table(table)
	if first == nil || second == nil {
		return 0, 0, nil
	}
	if limit <= 0 {
		limit = -1
	}
	var both [][2]*merge.Column
	for _, c := range first.Columns {
		if d := second.Column(c.Name, true); d != nil && !c.Generated && !d.Generated {
			both = append(both, [2]*merge.Column{c, d})
		}
	}
	query := byKeyQuery(first, second, both, limit)
	if len(first.PrimaryKey) == 0 {
		query = wholeRowQuery(first, second, both, limit)
	}
	if query == "" {
		return 0, 0, nil
	}
	db, conn, err := open(ctx, list[0].file, "ro")
	if err != nil {
		return 0, 0, list[0].failed(err, "compare %s", table)
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	if _, err := conn.ExecContext(ctx, "ATTACH ? AS src", list[1].attachURI()); err != nil {
		return 0, 0, list[1].failed(err, "attach")
	}
	if err := conn.QueryRowContext(ctx, query).Scan(&shared, &equal); err != nil {
		return 0, 0, list[0].failed(err, "compare %s with %s", table, list[1].src.Name)
	}
	return shared, equal, nil
}

// byKeyQuery walks a's table and looks each key up in b's. Without the hint SQLite walks a narrow index instead and probes at random.
func byKeyQuery(a, b *merge.Table, both [][2]*merge.Column, limit int64) string {
	var on, same []string
	for _, k := range a.PrimaryKey {
		other := b.Column(k, true)
		if other == nil {
			return ""
		}
		on = append(on, "x."+ident(k)+" = y."+ident(other.Name))
	}
	for _, c := range both {
		if joined(a, b, c) {
			continue
		}
		x, y := "+x."+ident(c[0].Name), "+y."+ident(c[1].Name) // the sign keeps affinities from turning '1' into 1
		same = append(same, x+" COLLATE BINARY IS "+y)
		if !settled(c[0].Affinity) || c[0].Affinity != c[1].Affinity {
			same = append(same, "typeof("+x+") = typeof("+y+")")
		}
	}
	if len(same) == 0 {
		same = []string{"1"}
	}
	// CASE stops at the first column that differs; a value made of ANDs would look at all of them.
	equal := "CASE WHEN " + every(same) + " THEN 1 END"
	from := "FROM main." + ident(a.Name) + " AS x NOT INDEXED CROSS JOIN src." + ident(b.Name) + " AS y ON " + every(on)
	if limit < 0 && len(same) < wideTerms { // a limit makes a step of its own, which holds the columns of wide tables apart from the aggregate
		return "SELECT count(*), count(" + equal + ") " + from
	}
	return fmt.Sprintf("SELECT count(*), count(same) FROM (SELECT %s AS same %s LIMIT %d)", equal, from, limit)
}

// joined tells whether a column is one by which the rows are joined, so that = has shown what IS would: both number the table's rows.
func joined(a, b *merge.Table, c [2]*merge.Column) bool {
	return len(a.PrimaryKey) == 1 && a.PrimaryKey[0] == c[0].Name && a.AutoColumn == c[0].Name && b.AutoColumn == c[1].Name
}

// settled tells whether equal values of a column are always of one storage class: these affinities turn 1.0 into 1 when it is stored.
func settled(a merge.Affinity) bool {
	return a == merge.Integer || a == merge.Text || a == merge.Numeric
}

// wholeRowQuery counts equal rows as multisets.
func wholeRowQuery(a, b *merge.Table, both [][2]*merge.Column, limit int64) string {
	if len(both) == 0 {
		return ""
	}
	var left, right, groups []string
	for i, c := range both {
		left = append(left, fmt.Sprintf("+%s AS c%d", ident(c[0].Name), i))
		right = append(right, "+"+ident(c[1].Name))
		groups = append(groups, fmt.Sprintf("c%d COLLATE BINARY", i))
	}
	groups = append(groups, classes(len(both), "c%d")...)
	return fmt.Sprintf("SELECT coalesce(sum(n), 0), coalesce(sum(n), 0) FROM (SELECT min(sum(side = 0), sum(side = 1)) AS n FROM (SELECT * FROM (SELECT 0 AS side, %s FROM main.%s LIMIT %d) UNION ALL SELECT 1, %s FROM src.%s) GROUP BY %s)",
		strings.Join(left, ", "), ident(a.Name), limit, strings.Join(right, ", "), ident(b.Name), strings.Join(groups, ", "))
}
