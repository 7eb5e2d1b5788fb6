package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// first inserts the rows whose key no row of an earlier shard has. Rows whose key holds a null are never equal. In a table without a key, rows are equal
// when all their columns are: storage class and bytes. Rows of one shard never fold with each other.
func (l *loading) first(ctx context.Context) (int64, error) {
	present, err := l.pump.number(ctx, "SELECT EXISTS(SELECT 1 FROM "+l.into()+")")
	if err != nil {
		return 0, err
	}
	if present == 0 {
		return l.append(ctx)
	}
	if !l.constrained(l.job.Key) {
		return l.firstStaged(ctx)
	}
	on, err := l.keysEqual("gameid_o", alias)
	if err != nil {
		return 0, err
	}
	return l.change(ctx, fmt.Sprintf(insertInto+"%s (%s) SELECT %s FROM (%s) WHERE NOT EXISTS (SELECT 1 FROM %s AS gameid_o WHERE %s)",
		l.into(), l.names(), l.aliases(), l.query(true), l.into(), on))
}

// constrained tells whether the table itself holds the key unique, so that its index finds a row.
func (l *loading) constrained(key []string) bool {
	same := func(columns []string) bool {
		return len(columns) == len(key) && !slices.ContainsFunc(key, func(k string) bool {
			return !slices.ContainsFunc(columns, func(c string) bool { return merge.FoldASCII(c) == merge.FoldASCII(k) })
		})
	}
	if len(key) == 0 {
		return false
	}
	return same(l.job.Table.PrimaryKey) || slices.ContainsFunc(l.job.Table.Uniques, func(u *merge.Unique) bool {
		return u.Plain() && u.SQL == "" && u.Name != "" && same(u.Columns)
	})
}

// place is a column's position in what is written.
func (l *loading) place(name string) (int, error) {
	for i, c := range l.columns {
		if merge.FoldASCII(c.Name) == merge.FoldASCII(name) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("key column %s is not written", name)
}

// keysEqual compares the key of a row of the output, called old, with that of a new row. The old row's column gives collation and affinity.
func (l *loading) keysEqual(old string, fresh func(int) string) (string, error) {
	var words []string
	for _, k := range l.job.Key {
		i, err := l.place(k)
		if err != nil {
			return "", err
		}
		words = append(words, old+"."+ident(l.columns[i].Name)+" = "+fresh(i))
	}
	return every(words), nil
}

func (l *loading) aliases() string {
	list := make([]string, len(l.columns))
	for i := range list {
		list[i] = alias(i)
	}
	return strings.Join(list, ", ")
}

// firstStaged is first for keys without an index: both sides go into temporary tables, where values have the form that the output gives them.
func (l *loading) firstStaged(ctx context.Context) (_ int64, err error) {
	whole := len(l.job.Table.PrimaryKey) == 0 && len(l.job.Key) >= len(l.columns) || len(l.job.Key) == 0
	var equal, indexed []string
	for i, c := range l.columns {
		old, fresh := "gameid_o."+ident(c.Name), "gameid_s."+ident(c.Name)
		switch {
		case whole:
			equal = append(equal, fmt.Sprintf("%s IS %s AND typeof(%s) = typeof(%s)", old, fresh, old, fresh))
			indexed = append(indexed, ident(c.Name))
		case slices.ContainsFunc(l.job.Key, func(k string) bool { j, err := l.place(k); return err == nil && j == i }):
			collate := c.Collation
			if collate == "" {
				collate = "BINARY"
			}
			equal = append(equal, old+" = "+fresh+" COLLATE "+ident(collate))
			indexed = append(indexed, ident(c.Name)+" COLLATE "+ident(collate))
		}
	}
	defer func() {
		for _, t := range []string{"gameid_seen", "gameid_fresh"} {
			if dropped := l.pump.exec(context.WithoutCancel(ctx), "DROP TABLE IF EXISTS temp."+t); err == nil {
				err = dropped
			}
		}
	}()
	steps := []string{
		"CREATE TEMP TABLE gameid_seen AS SELECT " + l.names() + " FROM " + l.into(),
		"CREATE INDEX temp.gameid_seen_key ON gameid_seen(" + strings.Join(indexed, ", ") + ")",
		"CREATE TEMP TABLE gameid_fresh AS SELECT " + l.names() + " FROM " + l.into() + " LIMIT 0",
	}
	for _, q := range steps {
		if err := l.pump.exec(ctx, q); err != nil {
			return 0, err
		}
	}
	if _, err := l.change(ctx, "INSERT INTO temp.gameid_fresh "+l.query(false)); err != nil {
		return 0, err
	}
	return l.change(ctx, fmt.Sprintf(insertInto+"%s (%s) SELECT %s FROM temp.gameid_fresh AS gameid_s WHERE NOT EXISTS (SELECT 1 FROM temp.gameid_seen AS gameid_o WHERE %s)",
		l.into(), l.names(), l.names(), every(equal)))
}
