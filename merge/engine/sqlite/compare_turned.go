package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// turned compares, for every condition, the images of the rows of which it holds in the shards with the merged rows of which it holds there: as keys, or whole rows
// of a table without one. Each database answers for its own rows, so that other tables are those of the same database.
func (c *comparing) turned(ctx context.Context) error {
	key, err := c.knownBy()
	if err != nil {
		return err
	}
	for n, h := range c.job.Held {
		one, err := c.turnedBy(ctx, key, fmt.Sprintf("held_%d", n), h)
		if err != nil {
			return fmt.Errorf("condition %q: %w", h.When, err)
		}
		c.result.Turned = append(c.result.Turned, one)
	}
	return nil
}

// knownBy are the columns that tell a merged row from others: its key, or all but those that a counter raises.
func (c *comparing) knownBy() (list []int, err error) {
	if len(c.table.PrimaryKey) > 0 {
		return c.keyColumns()
	}
	for k := range c.columns {
		if c.floorOf(k) == "" {
			list = append(list, k)
		}
	}
	return list, nil
}

func (c *comparing) turnedBy(ctx context.Context, key []int, name string, h merge.Held) (t merge.Turned, err error) {
	var defs, group, quoted, images, merged []string
	for n, k := range key {
		col := fmt.Sprintf("gameid_%d", n)
		defs = append(defs, col+" "+c.declared(k))
		group = append(group, col+" COLLATE BINARY", "typeof("+col+")")
		quoted = append(quoted, "quote("+col+")")
		images = append(images, "i."+expected(k))
		merged = append(merged, ident(c.columns[k].Name))
	}
	from := -1
	for k, col := range c.columns {
		if merge.FoldASCII(col.Name) == merge.FoldASCII(h.Column) {
			from = k
		}
	}
	if from < 0 || len(key) == 0 {
		return t, nil // a computed column follows no key
	}
	somebody := func(v string) string {
		s := v + " IS NOT NULL"
		if len(h.None) > 0 {
			s += " AND NOT " + proofNobody(v, h.None, true)
		}
		return s
	}
	table := scratchName + "." + name
	create := "CREATE TABLE " + table + "(" + strings.Join(defs, ", ") + ", gameid_side INTEGER, gameid_new INTEGER)"
	err = c.spill(ctx, create, func(_ int, p *peer) error {
		source := p.table.Column(h.Column, true)
		holds, fresh := "1", "1" // a column that the shard lacks was given its values by the plan: nothing held of them before
		if source != nil {
			if err := checkExpression(ctx, p.conn, p.table.Name, h.When, 0); err != nil {
				return err
			}
			holds, fresh = bracketed(h.When), "0"
		}
		_, err := p.conn.ExecContext(ctx, "INSERT INTO "+table+" SELECT "+strings.Join(images, ", ")+", 1, "+fresh+
			" FROM ("+p.rows(holds+" AS gameid_holds")+") AS i WHERE i.gameid_holds AND "+somebody("i."+expected(from)))
		return err
	}, "")
	if err != nil {
		return t, err
	}
	err = c.withScratch(ctx, func(conn *sql.Conn) error {
		if err := checkExpression(ctx, conn, c.table.Name, h.When, 0); err != nil {
			return err
		}
		_, err := conn.ExecContext(ctx, "INSERT INTO "+table+" SELECT "+strings.Join(merged, ", ")+", -1, 0 FROM main."+ident(c.table.Name)+
			" WHERE "+bracketed(h.When)+" AND "+somebody(ident(c.columns[from].Name)))
		if err != nil {
			return err
		}
		odd := "SELECT abs(sum(gameid_side)) AS gameid_rows, " + strings.Join(quoted, " || ', ' || ") + " AS gameid_key FROM " + table +
			" GROUP BY " + strings.Join(group, ", ") + " HAVING sum(gameid_side) <> 0 AND max(gameid_new) = 0"
		return conn.QueryRowContext(ctx, "SELECT coalesce(sum(gameid_rows), 0), coalesce(min(gameid_key), '') FROM ("+odd+")").Scan(&t.Rows, &t.Key)
	})
	return t, err
}
