package sqlite

import (
	"context"
	"fmt"
	"strings"
)

// byPosition pairs rows by their order: a table that SQLite numbers by itself, without an alias for the rowid, was filled shard after shard,
// so the n-th row of a shard is the n-th of its stretch. When every pair is equal, each merged row has exactly one source, and nothing else
// has to be looked at. When it is not, that proves nothing, and done is false.
func (c *comparing) byPosition(ctx context.Context) (done bool, err error) {
	facts := c.merged.facts[c.table]
	if facts.withoutRowid || facts.rowid == "" || c.table.AutoColumn != "" {
		return false, nil
	}
	rowid := ident(facts.rowid)
	span, err := texts(ctx, c.merged.conn, "SELECT coalesce(min("+rowid+"), 0), coalesce(max("+rowid+"), -1) FROM main."+ident(c.table.Name))
	if err != nil {
		return false, err
	}
	var low, high int64
	if _, err := fmt.Sscan(strings.Join(span[0], " "), &low, &high); err != nil {
		return false, err
	}
	if uint64(high)-uint64(low)+1 != uint64(c.rows) {
		return false, nil
	}
	next, equal := low, true
	err = c.each(ctx, func(j int, p *peer) (err error) {
		f := p.shard.facts[p.table]
		if f.withoutRowid || f.rowid == "" {
			equal = false
		}
		if !equal {
			return nil
		}
		if c.want[j], err = p.count(ctx); err != nil {
			return err
		}
		at := "(row_number() OVER (ORDER BY " + ident(p.table.Name) + "." + ident(f.rowid) + ") + " + literal(next-1) + ") AS gameid_at"
		first, dense, err := p.stretch(ctx, f.rowid)
		if err != nil {
			return err
		}
		if dense && p.drop == "" {
			at = ident(p.table.Name) + "." + ident(f.rowid) + " + (" + literal(next-first) + ") AS gameid_at"
		}
		c.have[j], err = number(ctx, p.conn, "SELECT count(*) FROM ("+p.rows(append(c.counterRows(), at)...)+") AS i CROSS JOIN "+c.mergedTable()+" AS m ON m."+rowid+" = i.gameid_at WHERE "+c.same())
		equal = c.have[j] == c.want[j]
		next += c.want[j]
		return err
	})
	if err != nil || !equal || next != high+1 {
		return false, err
	}
	copy(c.result.Shards, c.have)
	return true, nil
}

// stretch is the lowest rowid, and whether no rowid is missing above it.
func (p *peer) stretch(ctx context.Context, rowid string) (first int64, dense bool, err error) {
	table := " FROM main." + ident(p.table.Name)
	span, err := texts(ctx, p.conn, "SELECT coalesce(min("+ident(rowid)+"), 0), coalesce(max("+ident(rowid)+"), -1)"+table)
	if err != nil {
		return 0, false, err
	}
	var last int64
	if _, err := fmt.Sscan(strings.Join(span[0], " "), &first, &last); err != nil {
		return 0, false, err
	}
	n, err := number(ctx, p.conn, "SELECT count(*)"+table)
	return first, uint64(last)-uint64(first)+1 == uint64(n), err
}
