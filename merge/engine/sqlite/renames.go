package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// renamed is a column's value where a rename changes or marks its row, and otherwise rest.
func (l *loading) renamed(ctx context.Context, column, rest string) (string, error) {
	for _, job := range l.job.Renames {
		r := job.Rename
		if len(l.losers(r)) == 0 {
			continue
		}
		own := merge.FoldASCII(r.Column) == merge.FoldASCII(column)
		mark, marked := "", false
		for c, v := range r.Mark {
			if merge.FoldASCII(c) == merge.FoldASCII(column) {
				mark, marked = v, true
			}
		}
		if !own && !marked {
			continue
		}
		from, err := l.renameTable(ctx, r)
		if err != nil {
			return "", err
		}
		if own {
			rest = "coalesce((SELECT gameid_new " + from + "), " + rest + ")"
		} else {
			rest = "CASE WHEN EXISTS (SELECT 1 " + from + ") THEN " + bracketed(mark) + " ELSE " + rest + " END"
		}
	}
	return rest, nil
}

// losers are the rows of this shard that got a new name.
func (l *loading) losers(r *merge.Rename) []merge.Renamed {
	if r == nil || l.job.Shard >= len(r.Shards) {
		return nil
	}
	return r.Shards[l.job.Shard]
}

// rowKey tells by which columns the renamed rows are known: the table's primary key where it is recorded, otherwise the unique's own columns.
func rowKey(table *merge.Table, r *merge.Rename, rows []merge.Renamed) (columns []string, of func(merge.Renamed) []any) {
	for _, row := range rows {
		if len(row.Row) == 0 || len(row.Row) != len(table.PrimaryKey) {
			return r.Unique.Columns, func(row merge.Renamed) []any { return row.Values }
		}
	}
	return table.PrimaryKey, func(row merge.Renamed) []any { return row.Row }
}

// renameTable is the FROM and WHERE that find this row's new name. Keys are compared by value and storage class, bytes by bytes.
func (l *loading) renameTable(ctx context.Context, r *merge.Rename) (string, error) {
	rows := l.losers(r)
	by, of := rowKey(l.job.Table, r, rows)
	var names, equal []string
	for i, b := range by {
		src := l.table.Column(b, true)
		if src == nil {
			return "", fmt.Errorf("the rename of %s needs column %q", r.Column, b)
		}
		k, v := "gameid_k"+itoa(i), "+"+l.source(src.Name)
		names = append(names, k)
		equal = append(equal, k+" IS "+v, "typeof("+k+") = typeof("+v+")")
	}
	name, err := l.pump.once(ctx, r, "rename", strings.Join(names, ", ")+", gameid_new, PRIMARY KEY("+strings.Join(names, ", ")+", gameid_new)", func(insert func(...any) error) error {
		for _, row := range rows {
			key := of(row)
			if len(key) != len(by) {
				return fmt.Errorf("the rename of %q has %d key values for %d columns", row.Old, len(key), len(by))
			}
			if err := insert(append(append([]any{}, key...), row.New)...); err != nil {
				return err
			}
		}
		return nil
	})
	return "FROM temp." + name + " WHERE " + every(equal) + " LIMIT 1", err
}

// copyTable is what a table of copied texts depends on.
type copyTable struct {
	rename   *merge.Rename
	via      string
	to       merge.Col
	by       bool
	affinity merge.Affinity
}

// copied is the value of a column that repeats a renamed text, and otherwise rest.
func (l *loading) copied(ctx context.Context, src *merge.Column, k *merge.CopyJob, rest string) (string, error) {
	if len(l.losers(k.Rename)) == 0 {
		return rest, nil
	}
	name, err := l.copyTable(ctx, src, k)
	if err != nil {
		return "", err
	}
	where := " WHERE gameid_text = +" + l.source(src.Name)
	if k.By != "" {
		by := l.table.Column(k.By, true)
		if by == nil {
			return "", fmt.Errorf("the copy follows column %q, which the table lacks", k.By)
		}
		v := "+" + l.source(by.Name)
		same := "gameid_by IS " + v + " AND gameid_by IS NOT NULL AND typeof(gameid_by) = typeof(" + v + ")"
		if maybeText(by) { // a key stored as decimal text names the same row
			same += " OR gameid_by IS CASE WHEN " + canonical(l.source(by.Name)) + " THEN CAST(" + v + " AS INTEGER) END AND gameid_by IS NOT NULL"
		}
		where += " AND (" + same + ")"
	}
	if k.By == "" && k.Via == "" && l.collation(k.Rename) != "BINARY" {
		where += " AND " + exactFirst("gameid_text", "+"+l.source(src.Name), k.Rename)
	}
	found := "coalesce((SELECT gameid_new FROM temp." + name + where + " ORDER BY gameid_id LIMIT 1), " + rest + ")"
	var holds []string
	if k.When != "" {
		holds = append(holds, bracketed(k.When))
	}
	if len(k.None) > 0 {
		holds = append(holds, "NOT "+nobodyIs(l.source(src.Name), k.None, true))
	}
	if len(holds) == 0 {
		return found, nil
	}
	return "CASE WHEN " + every(holds) + " THEN " + found + " ELSE " + rest + " END", nil
}

// exactFirst holds of a renamed text that a copy repeats letter by letter, and of others that only the comparison calls equal where the shard has no row of just those
// letters: two players may differ in nothing else.
func exactFirst(old, value string, r *merge.Rename) string {
	row := "gameid_t." + ident(r.Column)
	return "(" + old + " = " + value + " COLLATE BINARY OR NOT EXISTS (SELECT 1 FROM main." + ident(r.Unique.Table) + " AS gameid_t WHERE " + row + " = " + value + " AND " + row + " = " + value + " COLLATE BINARY))"
}

// copyTable holds the old and new texts of this shard's renamed rows in the form that copies have, and the key by which they are referred to.
func (l *loading) copyTable(ctx context.Context, src *merge.Column, k *merge.CopyJob) (string, error) {
	old, fresh := "?1", "?2"
	switch k.Via {
	case "", "base37":
	case "lower", "upper":
		old, fresh = k.Via+"(?1)", k.Via+"(?2)"
	default:
		if !strings.Contains(k.Via, "{}") {
			return "", fmt.Errorf("via %q: want lower, upper, base37 or an SQL expression over {}", k.Via)
		}
		if err := checkExpression(ctx, l.pump.shard.conn, k.Rename.Unique.Table, strings.ReplaceAll(k.Via, "{}", "''"), 0); err != nil {
			return "", err
		}
		old, fresh = bracketed(strings.ReplaceAll(k.Via, "{}", "?1")), bracketed(strings.ReplaceAll(k.Via, "{}", "?2"))
	}
	key, err := l.copyKey(k)
	if err != nil {
		return "", err
	}
	affinity := map[merge.Affinity]string{merge.Integer: "INTEGER", merge.Text: "TEXT", merge.Real: "REAL", merge.Numeric: "NUMERIC"}[src.Affinity]
	columns := fmt.Sprintf("gameid_id INTEGER PRIMARY KEY, gameid_text %s COLLATE %s, gameid_new, gameid_by", affinity, ident(l.collation(k.Rename)))
	owner := copyTable{k.Rename, k.Via, k.To, k.By != "", src.Affinity}
	_, known := l.pump.tables[owner]
	name, err := l.pump.once(ctx, owner, "copy", columns, func(func(...any) error) error { return nil })
	if err != nil || known {
		return name, err
	}
	if err := l.fillCopies(ctx, "INSERT INTO temp."+name+"(gameid_text, gameid_new, gameid_by) VALUES ("+old+", "+fresh+", "+key+")", k); err != nil {
		return "", err
	}
	index := "CREATE INDEX temp." + name + "_text ON " + name + "(gameid_text)"
	if k.By != "" {
		index = "CREATE INDEX temp." + name + "_by ON " + name + "(gameid_by)"
	}
	return name, l.pump.exec(ctx, index)
}

// fillCopies runs an insert for every renamed row, with its old and new text and its key.
func (l *loading) fillCopies(ctx context.Context, insert string, k *merge.CopyJob) (err error) {
	_, of := rowKey(l.pump.shard.schema.Table(k.Rename.Unique.Table), k.Rename, l.losers(k.Rename))
	stmt, err := l.pump.conn.PrepareContext(ctx, insert)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	for _, row := range l.losers(k.Rename) {
		args := []any{row.Old, row.New}
		if k.Via == "base37" {
			args = []any{nameNumber(row.Old), nameNumber(row.New)}
		}
		if k.By != "" {
			args = append(args, of(row)...)
		}
		if _, err := stmt.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// copyKey is the SQL of the value by which copies refer to a renamed row, whose own key is ?3 and on.
func (l *loading) copyKey(k *merge.CopyJob) (string, error) {
	if k.By == "" {
		return "NULL", nil
	}
	target := l.pump.shard.schema.Table(k.Rename.Unique.Table)
	if target == nil || target.Column(k.To.Name, true) == nil || merge.FoldASCII(target.Name) != merge.FoldASCII(k.To.Table) {
		return "", fmt.Errorf("the copy follows %s to %s, which is no column of the renamed table", k.By, k.To)
	}
	by, _ := rowKey(target, k.Rename, l.losers(k.Rename))
	var equal []string
	for i, b := range by {
		v := "?" + itoa(i+3)
		equal = append(equal, ident(b)+" IS "+v, "typeof("+ident(b)+") = typeof("+v+")")
	}
	return "(SELECT +" + ident(k.To.Name) + " FROM main." + ident(target.Name) + " WHERE " + every(equal) + ")", nil
}

// collation is how copies of a renamed text are compared with it.
func (l *loading) collation(r *merge.Rename) string {
	if r.Collate != "" {
		return r.Collate
	}
	for i, c := range r.Unique.Columns {
		if merge.FoldASCII(c) == merge.FoldASCII(r.Column) && i < len(r.Unique.Collations) && r.Unique.Collations[i] != "" {
			return r.Unique.Collations[i]
		}
	}
	return "BINARY"
}

// nameNumber is a name as the number that some clients keep instead: base 37 of its first twelve characters, a to z as 1 to 26, digits as 27 to 36 and
// everything else as 0, without the zeros at its end.
func nameNumber(name string) int64 {
	var n int64
	for i := range min(len(name), 12) {
		n *= 37
		switch b := name[i] | 0x20; {
		case b >= 'a' && b <= 'z':
			n += int64(b-'a') + 1
		case name[i] >= '0' && name[i] <= '9':
			n += int64(name[i]-'0') + 27
		}
	}
	for n > 0 && n%37 == 0 {
		n /= 37
	}
	return n
}
