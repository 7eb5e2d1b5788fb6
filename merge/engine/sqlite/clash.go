package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Clashes lists the values of a unique key that rows of two or more shards hold: SQLite collects all values and groups them by the key's
// collations. Shards that lack the table or a column take no part. A value that one shard alone holds twice is a clash, too, where a schema declares the key and
// this shard does not demand it.
func (e *Engine) Clashes(ctx context.Context, shards []merge.Shard, u merge.Unique, collate, winner string, limit int) (_ []merge.Clash, total int64, err error) {
	list, err := own(shards...)
	if err != nil || len(list) == 0 {
		return nil, 0, err
	}
	c, err := newClashing(u, collate, winner)
	if err != nil {
		return nil, 0, err
	}
	taking, lax := 0, false
	for _, s := range list {
		if !c.takesPart(s) {
			continue
		}
		if err := c.checkOrder(ctx, s); err != nil {
			return nil, 0, err
		}
		taking++
		lax = lax || u.Name != "" && !u.Whole && collate == "" && !demands(s.schema.Table(u.Table), u)
	}
	if u.Images == nil {
		if none, err := c.none(ctx, list, lax); err != nil || none {
			return nil, 0, err
		}
	}
	if c.w, err = newWorkbench(ctx, list[0].encoding); err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, c.w.close()) }()
	if u.Images != nil {
		if c.lookups, err = newLookups(c.w.conn); err != nil {
			return nil, 0, err
		}
	}
	if err := c.w.exec(ctx, "CREATE TABLE gameid_values(shard INTEGER, "+c.list()+")"); err != nil {
		return nil, 0, err
	}
	for i, s := range list {
		if !c.takesPart(s) {
			continue
		}
		if err := c.w.with(ctx, s, func() error { return c.collect(ctx, i) }); err != nil {
			return nil, 0, err
		}
	}
	if taking < 2 && !lax {
		return nil, 0, nil
	}
	if total, err = c.find(ctx, limit, lax); err != nil || total == 0 {
		return nil, 0, err
	}
	found := make([]merge.Clash, min(total, int64(limit)))
	if len(found) == 0 {
		return nil, total, nil
	}
	keys := make([]int, len(list))
	for i, s := range list {
		if c.takesPart(s) {
			keys[i] = len(c.keyOf(s.schema.Table(u.Table)))
			if err := c.w.with(ctx, s, func() error { return c.rows(ctx, i, s) }); err != nil {
				return nil, 0, err
			}
		}
	}
	return found, total, c.read(ctx, found, keys)
}

// clashing is the search for one unique key's clashes.
type clashing struct {
	w          *workbench
	lookups    *lookups // of the key's images; nil without any
	unique     merge.Unique
	terms      []term // the key's columns or expressions
	where      string
	collations []string
	order      []term // the winner's
	width      int    // columns for primary keys
}

func newClashing(u merge.Unique, collate, winner string) (*clashing, error) {
	c := &clashing{unique: u, collations: make([]string, len(u.Columns))}
	var err error
	if u.Plain() {
		for _, name := range u.Columns {
			c.terms = append(c.terms, term{expression: ident(name)})
		}
	} else if c.terms, c.where, err = indexTerms(u); err != nil {
		return nil, err
	}
	for i := range c.collations {
		if i < len(u.Collations) {
			c.collations[i] = u.Collations[i]
		}
		if collate != "" {
			c.collations[i] = collate
		}
		if c.collations[i] == "" {
			c.collations[i] = "BINARY"
		}
	}
	if winner != "" {
		if c.order, err = splitTerms(winner); err != nil {
			return nil, &ConditionError{u.Table, winner, err}
		}
	}
	if u.Whole && c.where != "" {
		c.order = append([]term{{expression: "CASE WHEN " + bracketed(c.where) + " THEN 0 ELSE 1 END"}}, c.order...)
		c.where = ""
	}
	return c, nil
}

// takesPart tells whether a shard has the table and the key's columns.
func (c *clashing) takesPart(s *shard) bool {
	t := s.schema.Table(c.unique.Table)
	if t == nil || t.Opaque != "" {
		return false
	}
	c.width = max(c.width, len(c.keyOf(t)))
	for _, name := range slices.Concat(c.unique.Columns, c.unique.Key) {
		if name != "" && t.Column(name, true) == nil {
			return false
		}
	}
	return true
}

// keyOf is by which columns a table's rows are known.
func (c *clashing) keyOf(t *merge.Table) []string {
	if len(t.PrimaryKey) == 0 {
		return c.unique.Key
	}
	return t.PrimaryKey
}

// list names the key's columns, as they are compared.
func (c *clashing) list() string {
	words := make([]string, len(c.terms))
	for i := range words {
		words[i] = fmt.Sprintf("c%d", i)
	}
	return strings.Join(words, ", ")
}

// collated is list with each column's collation.
func (c *clashing) collated(pattern string) string {
	words := make([]string, len(c.terms))
	for i := range words {
		words[i] = strings.ReplaceAll(pattern, "%d", itoa(i)) + " COLLATE " + ident(c.collations[i])
	}
	return strings.Join(words, ", ")
}

// source selects from a database's table the rows that the key covers, as c0, c1 and so on, and further expressions.
func (c *clashing) source(schema string, shard int, more ...string) (string, error) {
	words := more
	var where []string
	for i, t := range c.terms {
		compared, err := c.image(shard, i)
		if err != nil {
			return "", err
		}
		words = append(words, fmt.Sprintf("%s AS c%d", compared, i))
		where = append(where, bracketed(t.expression)+" IS NOT NULL")
	}
	if c.where != "" {
		where = append(where, bracketed(c.where))
	}
	if c.unique.Among != "" {
		where = append(where, bracketed(c.unique.Among))
	}
	return "SELECT " + strings.Join(words, ", ") + " FROM " + schema + "." + ident(c.unique.Table) + " WHERE " + every(where), nil
}

// image is the SQL for what is compared of a part of the key: what stands there, or what that becomes.
func (c *clashing) image(shard, part int) (string, error) {
	v := "+" + bracketed(c.terms[part].expression)
	if c.unique.Images == nil || c.unique.Images[shard] == nil || c.unique.Images[shard][part].Map == nil {
		return v, nil
	}
	k := &c.unique.Images[shard][part]
	image, err := c.lookups.image(k.Map, v)
	if none := touched(k); len(none) > 0 && err == nil {
		image = "CASE WHEN " + nobodyIs(v, none, false) + " THEN " + v + " ELSE " + image + " END"
	}
	return image, err
}

func (c *clashing) collect(ctx context.Context, shard int) error {
	source, err := c.source("src", shard)
	if err != nil {
		return err
	}
	return c.w.exec(ctx, "INSERT INTO gameid_values SELECT "+itoa(shard)+", * FROM ("+source+")")
}

// demands tells whether a table holds the key unique itself.
func demands(t *merge.Table, u merge.Unique) bool {
	return slices.ContainsFunc(t.Uniques, func(v *merge.Unique) bool {
		return v.Where == u.Where && v.SQL == u.SQL &&
			slices.EqualFunc(v.Columns, u.Columns, strings.EqualFold) && slices.EqualFunc(v.Collations, u.Collations, strings.EqualFold)
	})
}

// find groups the values and keeps the first of those that several shards hold, or any shard twice, in the order of the key.
func (c *clashing) find(ctx context.Context, limit int, twice bool) (total int64, err error) {
	having := "min(shard) <> max(shard)"
	if twice {
		having = "count(*) > 1"
	}
	for _, q := range []string{
		"CREATE TABLE gameid_clash(n INTEGER PRIMARY KEY, " + c.list() + ")",
		"INSERT INTO gameid_clash(" + c.list() + ") SELECT " + c.list() + " FROM gameid_values GROUP BY " + c.collated("c%d") +
			" HAVING " + having + " ORDER BY " + c.collated("c%d"),
		"DROP TABLE gameid_values",
	} {
		if err := c.w.exec(ctx, q); err != nil {
			return 0, err
		}
	}
	if total, err = c.w.number(ctx, "SELECT count(*) FROM gameid_clash"); err != nil {
		return 0, err
	}
	if err := c.w.exec(ctx, "DELETE FROM gameid_clash WHERE n > ?", limit); err != nil {
		return 0, err
	}
	var columns []string
	for i := range c.order {
		columns = append(columns, fmt.Sprintf("o%d", i))
	}
	for i := range c.width {
		columns = append(columns, fmt.Sprintf("k%d", i))
	}
	for _, q := range []string{
		"CREATE INDEX gameid_clash_values ON gameid_clash(" + c.collated("c%d") + ")",
		fmt.Sprintf("PRAGMA cache_size = -%d", tempCacheKiB), // every row of every shard is looked up in the clashes
		"CREATE TABLE gameid_rows(" + strings.Join(append([]string{"n INTEGER", "shard INTEGER", c.list()}, columns...), ", ") + ")",
	} {
		if err := c.w.exec(ctx, q); err != nil {
			return 0, err
		}
	}
	return total, nil
}
