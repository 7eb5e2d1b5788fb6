package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// folded proves a table whose rows of one key become one: the first shard's row stays, or the columns combine. All images are written to the
// scratch database, folded there in another way than the rewrite folds, and compared.
func (c *comparing) folded(ctx context.Context) error {
	first := &c.job.Jobs[0]
	var key []int
	for _, name := range first.Key {
		for k, col := range c.columns {
			if merge.FoldASCII(col.Name) == merge.FoldASCII(name) {
				key = append(key, k)
			}
		}
	}
	if len(key) == 0 || len(key) != len(first.Key) {
		return fmt.Errorf("rows fold by (%s), but the table has no such columns", strings.Join(first.Key, ", "))
	}
	if first.Rows == merge.FirstRows && len(c.job.Names) == 0 {
		if err := c.spillRows(ctx, key); err != nil {
			return err
		}
		return c.difference(ctx, "images")
	}
	if err := c.spillRows(ctx, nil); err != nil {
		return err
	}
	if err := c.combine(ctx, key); err != nil {
		return err
	}
	if err := c.namesLost(ctx, key); err != nil {
		return err
	}
	return c.difference(ctx, "combined")
}

// combine makes one row of the images that share a key, in the scratch table combined.
func (c *comparing) combine(ctx context.Context, key []int) error {
	images := scratchName + ".images"
	var names, same, null, copies []string
	for _, k := range key {
		names = append(names, expected(k))
		same = append(same, "x."+expected(k)+" = b."+expected(k))
		null = append(null, "b."+expected(k)+" IS NULL")
	}
	group := " FROM " + images + " AS x WHERE " + every(same)
	var list []string
	for k, col := range c.columns {
		copies = append(copies, "b."+expected(k))
		how := jobOf(&c.job.Jobs[0], col.Name).Combine
		v := "x." + expected(k)
		var one string
		switch how.How {
		case "", "first":
			one = "b." + expected(k)
		case "sum":
			sum := "(SELECT sum(" + v + ")" + group + ")"
			if col.Affinity != merge.Integer {
				sum = c.added(v, group)
			}
			if how.Cap != nil {
				// Far above any cap, the exact sum may leave 64 bits.
				sum = "CASE WHEN (SELECT total(" + v + ")" + group + ") >= 9e18 THEN " + literal(*how.Cap) + " ELSE min(" + sum + ", " + literal(*how.Cap) + ") END"
			}
			one = "CASE (SELECT count(*)" + group + ") WHEN 1 THEN b." + expected(k) + " ELSE " + sum + " END"
		case "max", "min":
			one = "(SELECT " + how.How + "(" + v + ")" + group + ")"
		case "latest", "lowest", "set":
			by := -1
			for n, other := range c.columns {
				if merge.FoldASCII(other.Name) == merge.FoldASCII(how.By) {
					by = n
				}
			}
			if by < 0 {
				return fmt.Errorf("column %s is the %s by %s, which the table lacks", col.Name, how.How, how.By)
			}
			rank := "x." + expected(by)
			order := map[string]string{"latest": rank + " DESC", "lowest": rank + " ASC NULLS LAST", "set": unset(rank)}[how.How]
			one = "(SELECT " + v + group + " ORDER BY " + order + ", x.gameid_id LIMIT 1)"
		default:
			return fmt.Errorf("column %s combines by %q, which the proof does not know", col.Name, how.How)
		}
		list = append(list, one+" AS "+expected(k))
	}
	var defs []string
	for k := range c.columns {
		defs = append(defs, expected(k)+" "+c.declared(k))
	}
	more := ", b.gameid_job, b.gameid_own FROM " + images + " AS b WHERE "
	return c.withScratch(ctx, func(conn *sql.Conn) error {
		for _, q := range []string{
			"CREATE INDEX " + scratchName + ".images_key ON images(" + strings.Join(names, ", ") + ")",
			"CREATE TABLE " + scratchName + ".combined(" + strings.Join(defs, ", ") + ", gameid_job INTEGER, gameid_own TEXT)",
			"INSERT INTO " + scratchName + ".combined SELECT " + strings.Join(copies, ", ") + more + some(null),
			"INSERT INTO " + scratchName + ".combined SELECT " + strings.Join(list, ", ") + more + "NOT (" + some(null) + ") AND b.gameid_id = (SELECT min(x.gameid_id)" + group + ")",
		} {
			if _, err := conn.ExecContext(ctx, q); err != nil {
				return err
			}
		}
		return nil
	})
}

// namesLost finds images that are called otherwise than the row that came of them: what repeats their names is somebody else's, or nobody's.
func (c *comparing) namesLost(ctx context.Context, key []int) error {
	var same []string
	for _, k := range key {
		same = append(same, "b."+expected(k)+" = x."+expected(k))
	}
	for k, col := range c.columns {
		if !slices.ContainsFunc(c.job.Names, func(name string) bool { return merge.FoldASCII(name) == merge.FoldASCII(col.Name) }) {
			continue
		}
		was, is := "b."+expected(k), "x."+expected(k)
		lost := " FROM " + scratchName + ".combined AS x CROSS JOIN " + scratchName + ".images AS b ON " + every(same) + fmt.Sprintf(" WHERE typeof(%[1]s) = 'text' AND typeof(%[2]s) = 'text' AND %[1]s <> '' AND %[2]s <> '' AND %[1]s COLLATE BINARY <> %[2]s", was, is)
		err := c.withScratch(ctx, func(conn *sql.Conn) error {
			var n int64
			if err := conn.QueryRowContext(ctx, "SELECT count(*)"+lost).Scan(&n); err != nil || n == 0 {
				return err
			}
			c.result.Bad += n
			rows, err := texts(ctx, conn, "SELECT b.gameid_job, b.gameid_own, "+quoted(was)+", "+quoted(is)+lost+fmt.Sprintf(" ORDER BY 1, 2 LIMIT %d", c.job.Limit))
			for _, row := range rows {
				job, convErr := strconv.Atoi(row[0])
				if convErr != nil {
					return convErr
				}
				c.bad(merge.BadRow{Shard: c.shards[job].src.Name, Key: row[1], Column: col.Name, Want: row[2], Got: row[3]})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// added is what the images that share a key come to, one shard's after the other's: sum() makes up for what fractions lose on the way, and no game does.
func (c *comparing) added(value, group string) string {
	sum := "NULL"
	for j := range c.job.Jobs {
		sum = fmt.Sprintf("(SELECT coalesce(s + n, s, n) FROM (SELECT %s AS s, (SELECT %s%s AND x.gameid_job = %d) AS n))", sum, value, group, j)
	}
	return sum
}
