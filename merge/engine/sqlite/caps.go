package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/gameid/gameid/merge"
)

// capped is a union some of whose sums exceed their caps so far: a later shard may hold a debt. The keys of these rows stand in a table of their own in the output.
type capped struct {
	table string
	keys  []string
	caps  map[string]int64 // by column
}

// cutSums is how many sums of a column a cap cuts, and by how much together.
type cutSums struct {
	rows int64
	by   float64
}

// cappedTable is what the table of a union's keys is called until all shards are in.
func cappedTable(table string) string { return ident("gameid_capped_" + table) }

// cut notes that a cap cuts sums.
func (o *output) cut(c merge.Col, rows int64, by float64) {
	if o.cuts == nil {
		o.cuts = map[merge.Col]cutSums{}
	}
	o.cuts[c] = cutSums{o.cuts[c].rows + rows, o.cuts[c].by + by}
}

// noteCapped looks for rows whose sums will exceed their caps. Those of the last shard are cut at once, and only counted; the others are for applyCaps.
func (l *loading) noteCapped(ctx context.Context) error {
	caps := map[string]int64{}
	var above []string
	on, err := l.keysEqual("gameid_o", alias)
	if err != nil {
		return err
	}
	both := fmt.Sprintf(" FROM (%s) CROSS JOIN %s AS gameid_o ON %s WHERE ", l.query(true), l.into(), on)
	for i, c := range l.columns {
		how := l.combine(c)
		if how.How != "sum" || how.Cap == nil {
			continue
		}
		sum := unionSum("gameid_o."+ident(c.Name), alias(i))
		more := fmt.Sprintf("typeof(%[1]s) IN ('integer', 'real') AND %[1]s > %[2]s", sum, literal(*how.Cap))
		caps[c.Name], above = *how.Cap, append(above, more)
		if l.last && l.out.rehearsed {
			var cut cutSums
			query := fmt.Sprintf("SELECT count(*), total(%s - %s)", sum, literal(*how.Cap))
			if err := l.pump.conn.QueryRowContext(ctx, query+both+more).Scan(&cut.rows, &cut.by); err != nil {
				return err
			}
			l.out.cut(merge.Col{Table: l.job.Table.Name, Name: c.Name}, cut.rows, cut.by)
		}
	}
	if l.last || len(above) == 0 {
		return nil
	}
	var keys []string
	for _, k := range l.job.Key {
		keys = append(keys, "gameid_o."+ident(k)+" AS "+ident(k))
	}
	scratch, rows := outSchema+"."+cappedTable(l.job.Table.Name), "SELECT "+strings.Join(keys, ", ")+both+some(above)
	if known := l.out.capped[l.job.Table.Name]; known != nil {
		_, err = l.change(ctx, "INSERT INTO "+scratch+" "+rows)
		return err
	}
	if l.out.capped == nil {
		l.out.capped = map[string]*capped{}
	}
	l.out.capped[l.job.Table.Name] = &capped{l.job.Table.Name, l.job.Key, caps}
	_, err = l.change(ctx, "CREATE TABLE "+scratch+" AS "+rows)
	return err
}

// applyCaps lowers the sums that still exceed their cap when all shards are in.
func (o *output) applyCaps(ctx context.Context, conn *sql.Conn) error {
	for _, u := range o.capped {
		for name, limit := range u.caps {
			where := fmt.Sprintf(" WHERE typeof(%[1]s) IN ('integer', 'real') AND +%[1]s > %[2]s AND (%[3]s) IN (SELECT %[3]s FROM main.%[4]s)",
				ident(name), literal(limit), idents(u.keys), cappedTable(u.table))
			var cut cutSums
			if o.rehearsed {
				query := fmt.Sprintf("SELECT count(*), total(%s - %s) FROM main.%s", ident(name), literal(limit), ident(u.table))
				if err := conn.QueryRowContext(ctx, query+where).Scan(&cut.rows, &cut.by); err != nil {
					return fmt.Errorf("cap of %s.%s: %w", u.table, name, err)
				}
				o.cut(merge.Col{Table: u.table, Name: name}, cut.rows, cut.by)
			}
			if _, err := conn.ExecContext(ctx, fmt.Sprintf("UPDATE main.%s SET %s = %s", ident(u.table), ident(name), literal(limit))+where); err != nil {
				return fmt.Errorf("cap of %s.%s: %w", u.table, name, err)
			}
		}
		if _, err := conn.ExecContext(ctx, "DROP TABLE main."+cappedTable(u.table)); err != nil {
			return fmt.Errorf("caps of %s: %w", u.table, err)
		}
	}
	return nil
}
