package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// asMultisets compares all expected rows with all merged rows, each as often as it stands there.
func (c *comparing) asMultisets(ctx context.Context) error {
	if err := c.spillRows(ctx, nil); err != nil {
		return err
	}
	return c.difference(ctx, "images")
}

// spillRows writes every expected row into the scratch table images. By fold, a shard's row is left out when an earlier shard has a row of the same key.
func (c *comparing) spillRows(ctx context.Context, fold []int) error {
	var defs, list, names, same []string
	for k := range c.columns {
		defs = append(defs, expected(k)+" "+c.declared(k))
		value := "i." + expected(k)
		if c.unsure() {
			value = c.unlessCounter(k, value, func(n int) string { return fmt.Sprintf("i.gameid_counter_%d", n) })
		}
		list = append(list, value)
	}
	for _, k := range fold {
		names = append(names, expected(k))
		if len(c.table.PrimaryKey) > 0 {
			same = append(same, "x."+expected(k)+" = i."+expected(k))
			continue
		}
		// Rows of a table without a key fold when they are equal to the byte.
		same = append(same, "x."+expected(k)+" COLLATE BINARY IS i."+expected(k))
		if loose(c.columns[k]) {
			same = append(same, "typeof(x."+expected(k)+") = typeof(i."+expected(k)+")")
		}
	}
	create := "CREATE TABLE " + scratchName + ".images(gameid_id INTEGER PRIMARY KEY, " + strings.Join(defs, ", ") + ", gameid_job INTEGER, gameid_own TEXT)"
	if len(fold) > 0 {
		create += "; CREATE INDEX " + scratchName + ".images_key ON images(" + strings.Join(names, ", ") + ", gameid_job)"
	}
	return c.spill(ctx, create, func(j int, p *peer) (err error) {
		if c.want[j], err = p.count(ctx); err != nil {
			return err
		}
		own := "''"
		for n, k := range p.table.PrimaryKey {
			if n == 0 {
				own = quoted(p.source(k))
			} else {
				own += " || ', ' || " + quoted(p.source(k))
			}
		}
		query := "INSERT INTO " + scratchName + ".images SELECT NULL, " + strings.Join(list, ", ") + fmt.Sprintf(", %d, i.gameid_own FROM (", j) + p.rows(append(c.counterRows(), own+" AS gameid_own")...) + ") AS i"
		if len(fold) > 0 {
			query += " WHERE NOT EXISTS (SELECT 1 FROM " + scratchName + ".images AS x WHERE " + every(same) + fmt.Sprintf(" AND x.gameid_job < %d)", j)
		}
		_, err = p.conn.ExecContext(ctx, query)
		return err
	}, "")
}

// difference compares a scratch table with the merged one as multisets, in one sort of both.
func (c *comparing) difference(ctx context.Context, table string) error {
	copy(c.have, c.want)
	err := c.withScratch(ctx, func(conn *sql.Conn) error {
		var want, got, group, out, names []string
		holds := func(n int) string { return "coalesce(" + bracketed(c.floors[n].where) + ", 0)" }
		for k, col := range c.columns {
			names = append(names, "x."+expected(k)+" AS "+ident(col.Name))
			value := ident(c.table.Name) + "." + ident(col.Name)
			if c.unsure() {
				want, got = append(want, value+" AS "+expected(k)), append(got, c.unlessCounter(k, value, holds))
			} else {
				want, got = append(want, c.raised(k, value, holds)+" AS "+expected(k)), append(got, value)
			}
			group = append(group, expected(k)+" COLLATE BINARY")
			if loose(col) {
				group = append(group, "typeof("+expected(k)+")")
			}
			out = append(out, quoted(expected(k)))
		}
		from := " FROM (SELECT " + strings.Join(want, ", ") + ", 1 AS gameid_side, gameid_job, gameid_own" + " FROM (SELECT " + strings.Join(names, ", ") + ", x.gameid_job, x.gameid_own FROM " + scratchName + "." + table + " AS x) AS " + ident(c.table.Name) +
			" UNION ALL SELECT " + strings.Join(got, ", ") + ", -1, NULL, NULL" + " FROM main." + ident(c.table.Name) + ") GROUP BY " + strings.Join(group, ", ")
		having := " HAVING sum(gameid_side) <> 0"
		diff := "SELECT sum(gameid_side) AS n, coalesce(max(gameid_job), -1), coalesce(min(gameid_own), ''), " + strings.Join(out, ", ") + from + having
		rows, err := texts(ctx, conn, diff+fmt.Sprintf(" ORDER BY n < 0 LIMIT %d", 4*max(c.job.Limit, 25)))
		if err != nil || len(rows) == 0 {
			return err
		}
		sums, err := texts(ctx, conn, "SELECT coalesce(sum(max(n, 0)), 0), coalesce(sum(max(-n, 0)), 0) FROM ("+diff+")")
		if err != nil {
			return err
		}
		var lost, extra int64
		if _, err := fmt.Sscan(strings.Join(sums[0], " "), &lost, &extra); err != nil {
			return err
		}
		strange, err := texts(ctx, conn, diff+fmt.Sprintf(" AND n < 0 LIMIT %d", 4*max(c.job.Limit, 25)))
		if err != nil {
			return err
		}
		c.result.Bad += max(lost, extra)
		c.pairUp(rows, strange)
		return nil
	})
	copy(c.result.Shards, c.have)
	if err != nil {
		return err
	}
	if !c.unsure() {
		return nil
	}
	return c.lowCounters(ctx)
}

// unsure tells whether a counter's condition may name a generated column, which expected rows lack: such a counter only has to be high enough.
func (c *comparing) unsure() bool {
	return len(c.columns) < len(c.table.Columns) && slices.ContainsFunc(c.floors, func(f proofFloor) bool { return f.where != "" })
}

// unlessCounter blanks a column in the rows where it is a counter.
func (c *comparing) unlessCounter(k int, value string, where func(n int) string) string {
	for n, f := range c.floors {
		if f.column != k {
			continue
		}
		if f.where == "" {
			return "NULL"
		}
		value = "CASE WHEN " + where(n) + " THEN NULL ELSE " + value + " END"
	}
	return value
}

// lowCounters finds the counters that a key has passed.
func (c *comparing) lowCounters(ctx context.Context) error {
	for _, f := range c.floors {
		col := ident(c.columns[f.column].Name)
		where := "coalesce(CAST(" + col + " AS INTEGER), -1) < " + literal(f.floor)
		if f.head != "" {
			where = headed(f.head, col, literal(f.floor))
		}
		if f.where != "" {
			where = bracketed(f.where) + " AND " + where
		}
		rows, err := texts(ctx, c.merged.conn, "SELECT quote("+col+") FROM main."+ident(c.table.Name)+" WHERE "+where)
		if err != nil {
			return err
		}
		c.result.Bad += int64(len(rows))
		for _, r := range rows {
			c.bad(merge.BadRow{Column: c.columns[f.column].Name, Want: "at least " + literal(f.floor), Got: r[0]})
		}
	}
	return nil
}

// pairUp describes lost and strange rows, and puts those together that differ least, so that the column is named that is wrong.
func (c *comparing) pairUp(lost, strange [][]string) {
	const from = 3 // of the values in a row
	taken := map[int]bool{}
	for _, l := range lost {
		if strings.HasPrefix(l[0], "-") {
			continue
		}
		bad := merge.BadRow{Key: l[2]}
		var j int
		if _, err := fmt.Sscan(l[1], &j); err == nil && j >= 0 {
			bad.Shard = c.shards[j].src.Name
			var n int64
			_, _ = fmt.Sscan(l[0], &n)
			c.have[j] = max(c.have[j]-n, 0)
		}
		best, fewest := -1, (len(l)-from+1)/2+1
		for i, s := range strange {
			if taken[i] {
				continue
			}
			differ := 0
			for k := from; k < len(l); k++ {
				if l[k] != s[k] {
					differ++
				}
			}
			if differ < fewest {
				best, fewest = i, differ
			}
		}
		if best < 0 {
			bad.Want, bad.Got = "("+strings.Join(l[from:], ", ")+")", "no such row"
			c.bad(bad)
			continue
		}
		taken[best] = true
		for k := range c.columns {
			if l[from+k] != strange[best][from+k] {
				bad.Key = cmp.Or(bad.Key, "("+strings.Join(l[from:], ", ")+")") // a row without a key is known by what it holds
				bad.Column, bad.Want, bad.Got = c.columns[k].Name, l[from+k], strange[best][from+k]
				c.bad(bad)
			}
		}
	}
	for i, s := range strange {
		if !taken[i] {
			c.bad(merge.BadRow{Key: s[2], Want: "no such row", Got: "(" + strings.Join(s[from:], ", ") + ")"})
		}
	}
}
