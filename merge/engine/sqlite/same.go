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

// SameRows counts the pairs of rows, of one key where pairs is nil, and of these the ones that are equal: every column that both shards have holds the same value of the same
// storage class, byte for byte, but for the keys of given pairs. For a table without a key it counts the rows that both have, each as often as both have it, among a's first
// limit rows.
func (e *Engine) SameRows(ctx context.Context, a, b merge.Shard, table string, pairs []merge.KeyPair, limit int64) (shared, equal int64, err error) {
	if limit <= 0 {
		limit = -1
	}
	err = compared(ctx, a, b, table, pairs, func(conn *sql.Conn, p pair) error {
		query := byKeyQuery(p, limit)
		if len(p.a.PrimaryKey) == 0 {
			query = wholeRowQuery(p, limit)
		}
		if query == "" {
			return nil
		}
		return conn.QueryRowContext(ctx, query).Scan(&shared, &equal)
	})
	return shared, equal, err
}

// DifferentColumns counts, for every column outside the key that both shards have, the pairs of rows, of one key where pairs is nil, whose values differ. A table without a key has
// none.
func (e *Engine) DifferentColumns(ctx context.Context, a, b merge.Shard, table string, pairs []merge.KeyPair) (rows map[string]int64, err error) {
	rows = map[string]int64{}
	err = compared(ctx, a, b, table, pairs, func(conn *sql.Conn, p pair) error {
		from := joinOfKeys(p)
		if from == "" {
			return nil
		}
		for some := range slices.Chunk(p.both, wideTerms/2) {
			var words []string
			counts, into := make([]int64, len(some)), make([]any, len(some))
			for i, c := range some {
				words = append(words, "count(CASE WHEN NOT "+every(same(c))+" THEN 1 END)")
				into[i] = &counts[i]
			}
			if err := conn.QueryRowContext(ctx, "SELECT "+strings.Join(words, ", ")+" "+from).Scan(into...); err != nil {
				return err
			}
			for i, c := range some {
				if counts[i] > 0 {
					rows[c[0].Name] = counts[i]
				}
			}
		}
		return nil
	})
	return rows, err
}

// UnlikeRows counts the rows of one key that differ in every one of some columns. Columns that a shard lacks tell nothing; without any other there are none.
func (e *Engine) UnlikeRows(ctx context.Context, a, b merge.Shard, table string, columns []string) (rows int64, err error) {
	err = compared(ctx, a, b, table, nil, func(conn *sql.Conn, p pair) error {
		from := joinOfKeys(p)
		var differ []string
		for _, c := range p.both {
			if slices.ContainsFunc(columns, func(name string) bool { return merge.FoldASCII(name) == merge.FoldASCII(c[0].Name) }) {
				differ = append(differ, "NOT "+every(same(c)))
			}
		}
		if from == "" || len(differ) == 0 {
			return nil
		}
		return conn.QueryRowContext(ctx, "SELECT count(CASE WHEN "+every(differ)+" THEN 1 END) "+from).Scan(&rows)
	})
	return rows, err
}

// DifferentRows lists the pairs of rows, of one key where pairs is nil, that differ in a column, each with its key and its values of some columns, that one first, in either shard.
// Without a key that both have, or a column, there are none.
func (e *Engine) DifferentRows(ctx context.Context, a, b merge.Shard, table string, pairs []merge.KeyPair, columns []string) (list []merge.RowPair, err error) {
	err = compared(ctx, a, b, table, pairs, func(conn *sql.Conn, p pair) error {
		from := joinOfKeys(p)
		var of [2][]string
		for _, k := range p.a.PrimaryKey {
			if other := p.b.Column(k, true); other != nil {
				of[0], of[1] = append(of[0], "+x."+ident(k)), append(of[1], "+y."+ident(other.Name))
			}
		}
		var differ []string
		for _, name := range columns {
			i := slices.IndexFunc(p.both, func(c [2]*merge.Column) bool { return merge.FoldASCII(name) == merge.FoldASCII(c[0].Name) })
			if i < 0 {
				return nil
			}
			if differ == nil {
				differ = same(p.both[i])
			}
			of[0], of[1] = append(of[0], "+x."+ident(p.both[i][0].Name)), append(of[1], "+y."+ident(p.both[i][1].Name))
		}
		if from == "" || differ == nil {
			return nil
		}
		rows, err := conn.QueryContext(ctx, "SELECT "+strings.Join(slices.Concat(of[0], of[1]), ", ")+" "+from+" WHERE NOT "+every(differ))
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			values := make([]any, len(of[0])+len(of[1]))
			into := make([]any, len(values))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				return err
			}
			one := merge.RowPair{}
			for i, half := range [][]any{values[:len(of[0])], values[len(of[0]):]} {
				one[i].Key, one[i].Values = half[:len(p.a.PrimaryKey)], half[len(p.a.PrimaryKey):]
			}
			list = append(list, one)
		}
		return rows.Err()
	})
	return list, err
}

// pair is a table of two shards, with the columns that both have; of given pairs of rows without the key.
type pair struct {
	a, b  *merge.Table
	both  [][2]*merge.Column
	given bool // the pairs of rows stand in pairsTable; else rows of equal keys are pairs
}

// pairsTable holds the keys of pairs of rows while they are compared: c0, c1 and so on of the first shard's row, d0, d1 and so on of the other's.
const pairsTable = "temp.gameid_pairs"

// withPairs runs work while pairsTable holds some pairs.
func withPairs(ctx context.Context, conn *sql.Conn, pairs []merge.KeyPair, parts int, work func() error) (err error) {
	var columns []string
	for i := range parts {
		columns = append(columns, fmt.Sprintf("c%[1]d, d%[1]d", i))
	}
	if _, err := conn.ExecContext(ctx, "CREATE TABLE "+pairsTable+"("+strings.Join(columns, ", ")+")"); err != nil {
		return err
	}
	defer func() {
		_, dropErr := conn.ExecContext(context.WithoutCancel(ctx), "DROP TABLE "+pairsTable)
		err = errors.Join(err, dropErr)
	}()
	in := rowInserter{ctx: ctx, conn: conn, table: strings.TrimPrefix(pairsTable, "temp.")}
	for _, p := range pairs {
		var values []any
		for i := range parts {
			values = append(values, p[0][i], p[1][i])
		}
		if err := in.add(values...); err != nil {
			return err
		}
	}
	if err := in.flush(); err != nil {
		return err
	}
	return work()
}

// compared runs work on a connection that holds a shard and, as src, another, when both have the table.
func compared(ctx context.Context, a, b merge.Shard, table string, pairs []merge.KeyPair, work func(*sql.Conn, pair) error) error {
	list, err := own(a, b)
	if err != nil {
		return err
	}
	p := pair{a: list[0].schema.Table(table), b: list[1].schema.Table(table)}
	if p.a == nil || p.b == nil {
		return nil
	}
	p.given = pairs != nil && len(p.a.PrimaryKey) > 0
	for _, c := range p.a.Columns {
		if p.given && slices.Contains(p.a.PrimaryKey, c.Name) {
			continue
		}
		if d := p.b.Column(c.Name, true); d != nil && !c.Generated && !d.Generated {
			p.both = append(p.both, [2]*merge.Column{c, d})
		}
	}
	conn, err := list[0].beside(ctx, list[1])
	if err != nil {
		return err
	}
	if p.given {
		err = withPairs(ctx, conn, pairs, len(p.a.PrimaryKey), func() error { return work(conn, p) })
	} else {
		err = work(conn, p)
	}
	return list[0].failed(err, "compare %s with %s", table, list[1].src.Name)
}

// joinOfKeys walks a's table and looks each key up in b's, or looks up the rows of given pairs in both; "" without a key that both have. Without the hint SQLite walks a narrow
// index instead and probes at random.
func joinOfKeys(p pair) string {
	var on, left, right []string
	for i, k := range p.a.PrimaryKey {
		other := p.b.Column(k, true)
		if other == nil {
			return ""
		}
		on = append(on, "x."+ident(k)+" = y."+ident(other.Name))
		left, right = append(left, fmt.Sprintf("x.%s = p.c%d", ident(k), i)), append(right, fmt.Sprintf("y.%s = p.d%d", ident(other.Name), i))
	}
	if len(on) == 0 {
		return ""
	}
	if p.given {
		return "FROM " + pairsTable + " AS p CROSS JOIN main." + ident(p.a.Name) + " AS x ON " + every(left) + " CROSS JOIN src." + ident(p.b.Name) + " AS y ON " + every(right)
	}
	return "FROM main." + ident(p.a.Name) + " AS x NOT INDEXED CROSS JOIN src." + ident(p.b.Name) + " AS y ON " + every(on)
}

// same are the conditions under which two columns of joined rows hold the same value of the same storage class.
func same(c [2]*merge.Column) []string {
	x, y := "+x."+ident(c[0].Name), "+y."+ident(c[1].Name) // the sign keeps affinities from turning '1' into 1
	list := []string{x + " COLLATE BINARY IS " + y}
	if !settled(c[0].Affinity) || c[0].Affinity != c[1].Affinity {
		list = append(list, "typeof("+x+") = typeof("+y+")")
	}
	return list
}

// byKeyQuery counts the rows of one key, and those of them that are equal.
func byKeyQuery(p pair, limit int64) string {
	from := joinOfKeys(p)
	if from == "" {
		return ""
	}
	var conditions []string
	for _, c := range p.both {
		if !joined(p.a, p.b, c) {
			conditions = append(conditions, same(c)...)
		}
	}
	if len(conditions) == 0 {
		conditions = []string{"1"}
	}
	// CASE stops at the first column that differs; a value made of ANDs would look at all of them.
	equal := "CASE WHEN " + every(conditions) + " THEN 1 END"
	if limit < 0 && len(conditions) < wideTerms { // a limit makes a step of its own, which holds the columns of wide tables apart from the aggregate
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
func wholeRowQuery(p pair, limit int64) string {
	if len(p.both) == 0 {
		return ""
	}
	var left, right, groups []string
	for i, c := range p.both {
		left = append(left, fmt.Sprintf("+%s AS c%d", ident(c[0].Name), i))
		right = append(right, "+"+ident(c[1].Name))
		groups = append(groups, fmt.Sprintf("c%d COLLATE BINARY", i))
	}
	groups = append(groups, classes(len(p.both), "c%d")...)
	return fmt.Sprintf("SELECT coalesce(sum(n), 0), coalesce(sum(n), 0) FROM (SELECT min(sum(side = 0), sum(side = 1)) AS n FROM (SELECT * FROM (SELECT 0 AS side, %s FROM main.%s LIMIT %d) UNION ALL SELECT 1, %s FROM src.%s) GROUP BY %s)",
		strings.Join(left, ", "), ident(p.a.Name), limit, strings.Join(right, ", "), ident(p.b.Name), strings.Join(groups, ", "))
}
