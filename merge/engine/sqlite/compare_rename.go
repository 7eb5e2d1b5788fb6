package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// renamed is the expected value of a column under a rename of the row itself. The recorded old name must be the row's own, to the byte and the storage class.
func (im *image) renamed(ctx context.Context, expr string, col *merge.ColumnJob, r *merge.Rename) (string, error) {
	mark, marked := "", false
	for c, v := range r.Mark {
		if merge.FoldASCII(c) == merge.FoldASCII(col.Name) {
			mark, marked = v, true
		}
	}
	own := merge.FoldASCII(r.Column) == merge.FoldASCII(col.Name) && col.Source != ""
	if !own && !marked || im.job.Shard >= len(r.Shards) || len(r.Shards[im.job.Shard]) == 0 {
		return expr, nil
	}
	table, where, err := im.renameTable(ctx, r)
	if err != nil {
		return "", err
	}
	if own { // a row that holds another name by now than the recorded one keeps it, and is found to differ
		return "coalesce((SELECT gameid_new FROM temp." + table + where + " AND gameid_old IS +" + im.source(col.Source) + " LIMIT 1), " + expr + ")", nil
	}
	return "CASE WHEN EXISTS (SELECT 1 FROM temp." + table + where + ") THEN " + bracketed(mark) + " ELSE " + expr + " END", nil
}

// renameTable holds the renamed rows of a shard by their key, or by the unique's values in a table without one.
func (im *image) renameTable(ctx context.Context, r *merge.Rename) (table, where string, err error) {
	list := r.Shards[im.job.Shard]
	by, key := im.knownBy(im.table, r)
	names, terms := []string{}, []string{}
	for i, c := range by {
		names = append(names, fmt.Sprintf("gameid_key_%d", i))
		// No affinity and no collation: the recorded value is the very one that the row holds.
		terms = append(terms, names[i]+" IS +"+im.source(c))
	}
	table, known := im.renames[r]
	where = " WHERE " + every(terms)
	if known {
		return table, where, nil
	}
	table = im.tempName("renames")
	im.renames[r] = table
	create := "CREATE TEMP TABLE " + table + "(" + strings.Join(names, ", ") + ", gameid_old, gameid_new); CREATE INDEX temp." + table + "_key ON " + table + "(" + strings.Join(names, ", ") + ")"
	return table, where, im.fill(ctx, create, "temp."+table, "", func(insert func(...any) error) error {
		for _, row := range list {
			values := key(row)
			if len(values) != len(by) {
				return fmt.Errorf("the rename of %q has %d key values for %d columns", row.Old, len(values), len(by))
			}
			if err := insert(append(append([]any{}, values...), row.Old, row.New)...); err != nil {
				return err
			}
		}
		return nil
	})
}

// knownBy tells which columns know a shard's renamed rows apart: the primary key, or the unique's own where a row has no key, or a null one.
func (im *image) knownBy(t *merge.Table, r *merge.Rename) (columns []string, key func(merge.Renamed) []any) {
	if slices.ContainsFunc(r.Shards[im.job.Shard], func(row merge.Renamed) bool { return len(row.Row) == 0 }) {
		return r.Unique.Columns, func(row merge.Renamed) []any { return row.Values }
	}
	return t.PrimaryKey, func(row merge.Renamed) []any { return row.Row }
}

// copied is the expected value of a column that repeats a renamed text. value is what the shard holds.
func (im *image) copied(ctx context.Context, expr, value string, c *merge.CopyJob) (string, error) {
	if c.Rename == nil || im.job.Shard >= len(c.Rename.Shards) || len(c.Rename.Shards[im.job.Shard]) == 0 {
		return expr, nil
	}
	by, key, err := im.copyKey(c)
	if err != nil {
		return "", err
	}
	old, fresh := "?1", "?2"
	via := func(s string) any { return s }
	switch c.Via {
	case "":
	case "lower", "upper":
		old, fresh = c.Via+"(?1)", c.Via+"(?2)"
	case "base37":
		via = func(s string) any { return base37(s) }
	default:
		old, fresh = bracketed(strings.ReplaceAll(c.Via, "{}", "?1")), bracketed(strings.ReplaceAll(c.Via, "{}", "?2"))
	}
	table := im.tempName("copies")
	create := "CREATE TEMP TABLE " + table + "(gameid_by, gameid_old COLLATE " + ident(im.copyCollation(c.Rename)) + ", gameid_new); CREATE INDEX temp." + table + "_old ON " + table + "(gameid_old, gameid_by)"
	err = im.fill(ctx, create, "temp."+table, "("+by+", "+old+", "+fresh+")", func(insert func(...any) error) error {
		for _, row := range c.Rename.Shards[im.job.Shard] {
			if err := insert(append([]any{via(row.Old), via(row.New)}, key(row)...)...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	where := " WHERE gameid_old = +" + value
	if c.By != "" {
		id := im.source(c.By)
		where += " AND gameid_by IS CASE WHEN " + proofDecimal(id) + " THEN CAST(" + id + " AS INTEGER) ELSE " + id + " END AND gameid_by IS NOT NULL"
	}
	if c.By == "" && c.Via == "" && im.copyCollation(c.Rename) != "BINARY" {
		name := "gameid_n." + ident(c.Rename.Column)
		letters := "(SELECT 1 FROM main." + ident(c.Rename.Unique.Table) + " AS gameid_n WHERE " + name + " = " + value + " AND " + name + " COLLATE BINARY = " + value + ")"
		where += " AND CASE WHEN EXISTS " + letters + " THEN gameid_old COLLATE BINARY = " + value + " ELSE 1 END" // who is called just so, before whoever is nearly
	}
	found := "coalesce((SELECT gameid_new FROM temp." + table + where + " LIMIT 1), " + expr + ")"
	cond := proofWhen(c.When)
	if len(c.None) > 0 {
		cond = append(cond, "NOT "+proofNobody(value, c.None, true))
	}
	if len(cond) == 0 {
		return found, nil
	}
	return "CASE WHEN " + every(cond) + " THEN " + found + " ELSE " + expr + " END", nil
}

// copyKey is the SQL of the value by which copies name a renamed row, and its arguments, ?3 and on.
func (im *image) copyKey(c *merge.CopyJob) (by string, _ func(merge.Renamed) []any, err error) {
	if c.By == "" {
		return "NULL", func(merge.Renamed) []any { return nil }, nil
	}
	target := im.shard.schema.Table(c.Rename.Unique.Table)
	if target == nil || target.Column(c.To.Name, true) == nil {
		return "", nil, fmt.Errorf("the copy follows %s to %s, which the shard lacks", c.By, c.To)
	}
	known, key := im.knownBy(target, c.Rename)
	var terms []string
	for i, k := range known {
		terms = append(terms, fmt.Sprintf("%s IS ?%d", ident(k), i+3))
	}
	return "(SELECT +" + ident(c.To.Name) + " FROM main." + ident(target.Name) + " WHERE " + every(terms) + ")", key, nil
}

// copyCollation is how a copy compares with the renamed text: as the plan says, or as the unique key does.
func (im *image) copyCollation(r *merge.Rename) string {
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

// base37 is a name as the number that old clients store: up to 12 characters, letters 1 to 26, digits 27 to 36, anything else 0, trailing zeros cut.
func base37(s string) int64 {
	var n int64
	for i := 0; i < len(s) && i < 12; i++ {
		n *= 37
		switch c := s[i]; {
		case c >= 'A' && c <= 'Z':
			n += int64(c-'A') + 1
		case c >= 'a' && c <= 'z':
			n += int64(c-'a') + 1
		case c >= '0' && c <= '9':
			n += int64(c-'0') + 27
		}
	}
	for n != 0 && n%37 == 0 {
		n /= 37
	}
	return n
}
