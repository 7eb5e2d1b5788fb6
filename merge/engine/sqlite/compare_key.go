package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// keyColumns are the merged table's primary key as indexes into columns.
func (c *comparing) keyColumns() ([]int, error) {
	var list []int
	for _, k := range c.table.PrimaryKey {
		found := -1
		for i, col := range c.columns {
			if merge.FoldASCII(col.Name) == merge.FoldASCII(k) {
				found = i
			}
		}
		if found < 0 {
			return nil, fmt.Errorf("key column %s is generated", k)
		}
		list = append(list, found)
	}
	return list, nil
}

// nullable tells whether rows of the merged table may hold null in the key: SQLite forbids it only in rowid aliases, WITHOUT ROWID and NOT NULL.
func (c *comparing) nullable(key []int) bool {
	if c.merged.facts[c.table].withoutRowid {
		return false
	}
	for _, k := range key {
		col := c.columns[k]
		if !col.NotNull && merge.FoldASCII(c.table.AutoColumn) != merge.FoldASCII(col.Name) {
			return true
		}
	}
	return false
}

// byKey joins every expected row to the merged row of its key. It counts first, and looks closer only where the counts disagree.
func (c *comparing) byKey(ctx context.Context) error {
	key, err := c.keyColumns()
	if err != nil {
		return err
	}
	if c.nullable(key) {
		var null []string
		for _, k := range key {
			null = append(null, ident(c.columns[k].Name)+" IS NULL")
		}
		n, err := number(ctx, c.merged.conn, "SELECT EXISTS (SELECT 1 FROM main."+ident(c.table.Name)+" WHERE "+some(null)+")")
		if err != nil {
			return err
		}
		if n > 0 {
			return c.asMultisets(ctx) // rows without a key are pairs of nobody in particular
		}
	}
	err = c.sideBySide(func(j int) error {
		return c.only(ctx, j, func(p *peer) (err error) {
			if c.want[j], err = p.count(ctx); err != nil {
				return err
			}
			c.have[j], err = number(ctx, p.conn, "SELECT count(*) FROM ("+p.rows(c.counterRows()...)+") AS i CROSS JOIN "+c.mergedTable()+" AS m ON "+c.join(key)+" WHERE "+c.same(key...))
			return err
		})
	})
	if err != nil {
		return err
	}
	var matched int64
	for j := range c.have {
		matched += c.have[j]
		if c.have[j] != c.want[j] {
			if err := c.only(ctx, j, func(p *peer) error { return c.describeKeyed(ctx, p, key) }); err != nil {
				return err
			}
		}
	}
	for j := range c.have {
		c.result.Shards[j] = c.have[j]
		c.result.Bad += c.want[j] - c.have[j]
	}
	distinct, err := c.distinct(ctx, key)
	if err != nil {
		return err
	}
	if matched == c.rows && distinct {
		return nil
	}
	return c.strangers(ctx, key)
}

func (c *comparing) mergedTable() string { return mergedName + "." + ident(c.table.Name) }

// join pairs the keys; the merged column stands on the left, so that its collation and affinity decide, and its index serves.
func (c *comparing) join(key []int) string {
	var terms []string
	for _, k := range key {
		terms = append(terms, "m."+ident(c.columns[k].Name)+" = i."+expected(k))
	}
	return every(terms)
}

// describeKeyed names the rows of a shard that have no image or a wrong one.
func (c *comparing) describeKeyed(ctx context.Context, p *peer, key []int) error {
	room := c.job.Limit - len(c.result.Rows)
	if room <= 0 {
		return nil
	}
	own := "''"
	for n, k := range p.table.PrimaryKey {
		if n == 0 {
			own = quoted(p.source(k))
		} else {
			own += " || ', ' || " + quoted(p.source(k))
		}
	}
	list := []string{"i.gameid_own", "m." + ident(c.columns[key[0]].Name) + " IS NULL"}
	for k := range c.columns {
		list = append(list, c.equal(k), quoted("i."+expected(k)), quoted("m."+ident(c.columns[k].Name)))
	}
	rows, err := p.conn.QueryContext(ctx, "SELECT "+strings.Join(list, ", ")+" FROM ("+p.rows(append(c.counterRows(), own+" AS gameid_own")...)+") AS i LEFT JOIN "+c.mergedTable()+" AS m ON "+c.join(key)+
		" WHERE NOT coalesce("+c.same()+", 0) OR m."+ident(c.columns[key[0]].Name)+fmt.Sprintf(" IS NULL LIMIT %d", room))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	n := len(c.columns)
	for rows.Next() {
		var id string
		var missing bool
		equal, want, got := make([]any, n), make([]string, n), make([]string, n)
		into := []any{&id, &missing}
		for k := range n {
			into = append(into, &equal[k], &want[k], &got[k])
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		bad := merge.BadRow{Shard: p.shard.src.Name, Key: id}
		if missing {
			bad.Want, bad.Got = keyText(want, key), "no such row"
			c.bad(bad)
			continue
		}
		for k := range n {
			if equal[k] != int64(1) {
				bad.Column, bad.Want, bad.Got = c.columns[k].Name, want[k], got[k]
				if c.floorOf(k) != "" {
					bad.Want = "a counter raised to the next key, or as it was"
				}
				c.bad(bad)
			}
		}
	}
	return rows.Err()
}

func keyText(values []string, key []int) string {
	var list []string
	for _, k := range key {
		list = append(list, values[k])
	}
	return strings.Join(list, ", ")
}

// strangers counts the merged rows that are nobody's image, and the images that several rows share.
func (c *comparing) strangers(ctx context.Context, key []int) error {
	if err := c.spillKeys(ctx, key); err != nil {
		return err
	}
	return c.withScratch(ctx, func(conn *sql.Conn) error {
		var names, terms []string
		for n, k := range key {
			names = append(names, fmt.Sprintf("gameid_%d", n))
			terms = append(terms, fmt.Sprintf("x.gameid_%d = m.%s", n, ident(c.columns[k].Name)))
		}
		shown := quoted("m." + ident(c.columns[key[0]].Name))
		for _, k := range key[1:] {
			shown += " || ', ' || " + quoted("m."+ident(c.columns[k].Name))
		}
		from := " FROM main." + ident(c.table.Name) + " AS m WHERE NOT EXISTS (SELECT 1 FROM " + scratchName + ".keys AS x WHERE " + every(terms) + ")"
		n, err := number(ctx, conn, "SELECT count(*)"+from)
		if err != nil {
			return err
		}
		c.result.Bad += n
		keys, err := texts(ctx, conn, "SELECT "+shown+from+fmt.Sprintf(" LIMIT %d", max(c.job.Limit, 0)))
		if err != nil {
			return err
		}
		for _, k := range keys {
			c.bad(merge.BadRow{Key: k[0], Want: "no such row", Got: "a row that is no row's image"})
		}
		double := " FROM " + scratchName + ".keys GROUP BY " + strings.Join(names, ", ") + " HAVING count(*) > 1"
		if n, err = number(ctx, conn, "SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n"+double+")"); err != nil {
			return err
		}
		c.result.Bad += n
		shown = quoted("gameid_0")
		for _, n := range names[1:] {
			shown += " || ', ' || " + quoted(n)
		}
		keys, err = texts(ctx, conn, "SELECT "+shown+", max(gameid_job), min(gameid_own)"+double+fmt.Sprintf(" LIMIT %d", max(c.job.Limit, 0)))
		if err != nil {
			return err
		}
		for _, k := range keys {
			var j int
			_, _ = fmt.Sscan(k[1], &j)
			c.bad(merge.BadRow{Shard: c.shards[j].src.Name, Key: k[2], Want: "a row of its own", Got: "shares " + k[0] + " with another row"})
		}
		return nil
	})
}
