package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/room"
)

// mergedName is the merged database on a connection whose main database is a shard.
const mergedName = "gameid_merged"

// comparing is the proof of one table.
type comparing struct {
	merged  *shard
	shards  []*shard // by job
	job     *merge.CompareJob
	table   *merge.Table    // of the merged database
	columns []*merge.Column // of the merged table, generated ones left out
	floors  []proofFloor
	rows    int64 // of the merged table
	want    []int64
	have    []int64
	result  *merge.Comparison
	scratch *room.Room // of the scratch database; nil until one is needed
}

// proofFloor is a counter: where the condition holds, the column is raised to floor if it stands below.
type proofFloor struct {
	column int
	where  string
	floor  int64
	head   string // what stands before the number
}

// Compare proves one table: every row of every job's shard has its image in the merged table, every merged row is the image of one, and no two
// rows share one. Values are equal when storage class and bytes are. A zero Limit describes no row, but counts them all.
func (e *Engine) Compare(ctx context.Context, merged merge.Shard, shards []merge.Shard, job merge.CompareJob) (*merge.Comparison, error) {
	if len(job.Jobs) == 0 {
		return nil, errors.New("compare: no shard takes part")
	}
	list, err := own(append([]merge.Shard{merged}, shards...)...)
	if err != nil {
		return nil, err
	}
	c := &comparing{
		merged: list[0], job: &job, result: &merge.Comparison{Shards: make([]int64, len(job.Jobs))},
		want: make([]int64, len(job.Jobs)), have: make([]int64, len(job.Jobs)),
	}
	defer c.clean()
	for i := range job.Jobs {
		n := job.Jobs[i].Shard
		if n < 0 || n >= len(shards) {
			return nil, fmt.Errorf("compare %s: there is no shard %d", job.Jobs[i].Table.Name, n)
		}
		c.shards = append(c.shards, list[1+n])
	}
	if err := c.run(ctx); err != nil {
		return nil, fmt.Errorf("compare table %s: %w", job.Jobs[0].Table.Name, err)
	}
	return c.result, nil
}

func (c *comparing) run(ctx context.Context) error {
	first := &c.job.Jobs[0]
	if c.table = c.merged.schema.Table(first.Table.Name); c.table == nil {
		return errors.New("the merged database lacks it")
	}
	for _, col := range first.Table.Columns {
		if col.Generated {
			continue
		}
		mine := c.table.Column(col.Name, true)
		if mine == nil {
			return fmt.Errorf("the merged table lacks column %s", col.Name)
		}
		c.columns = append(c.columns, mine)
	}
	if err := c.setFloors(ctx); err != nil {
		return err
	}
	rows, err := c.merged.Rows(ctx, c.table.Name)
	if err != nil {
		return err
	}
	c.rows, c.result.Merged = rows, rows
	if first.Rows == merge.FirstRows || first.Rows == merge.UnionRows {
		return c.folded(ctx)
	}
	if err := c.turned(ctx); err != nil {
		return err
	}
	if len(first.Table.PrimaryKey) == 0 || slices.ContainsFunc(c.floors, func(f proofFloor) bool { return slices.Contains(c.table.PrimaryKey, c.columns[f.column].Name) }) {
		return c.asMultisets(ctx) // a row whose key is raised is found by no key
	}
	done, err := c.byPosition(ctx)
	if err != nil || done {
		return err
	}
	return c.byKey(ctx)
}

// setFloors reads what the counters must reach.
func (c *comparing) setFloors(ctx context.Context) error {
	for _, n := range c.job.Counters {
		t := c.merged.schema.Table(n.Key.Table)
		if t == nil || t.Column(n.Key.Name, true) == nil {
			return fmt.Errorf("the merged database lacks %s, which a counter counts", n.Key)
		}
		var top sql.NullInt64
		query := topOf(&n, t.Name, n.Key.Name)
		if t.AutoColumn != "" && merge.FoldASCII(t.AutoColumn) == merge.FoldASCII(n.Key.Name) {
			query = "SELECT max(" + ident(n.Key.Name) + ") FROM main." + ident(t.Name) // an index on the key answers it at once
		}
		if err := c.merged.conn.QueryRowContext(ctx, query).Scan(&top); err != nil {
			return err
		}
		for i, col := range c.columns {
			if merge.FoldASCII(col.Name) != merge.FoldASCII(n.Column.Name) {
				continue
			}
			if top.Valid {
				c.floors = append(c.floors, proofFloor{i, n.Where, n.Next(top.Int64), n.Head})
			} else if n.Floor > 0 {
				c.floors = append(c.floors, proofFloor{i, n.Where, n.Floor, n.Head})
			}
		}
	}
	return nil
}

// only runs f with one job's peer. A shard that lacks the table has no rows, so there is nothing to run.
func (c *comparing) only(ctx context.Context, j int, f func(p *peer) error) error {
	if c.shards[j].schema.Table(c.job.Jobs[j].Table.Name) == nil {
		return nil
	}
	if err := c.withPeer(ctx, j, f); err != nil {
		return fmt.Errorf("shard %s: %w", c.shards[j].src.Name, err)
	}
	return nil
}

// each runs f with every job's peer, one after the other.
func (c *comparing) each(ctx context.Context, f func(j int, p *peer) error) error {
	for j := range c.job.Jobs {
		if err := c.only(ctx, j, func(p *peer) error { return f(j, p) }); err != nil {
			return err
		}
	}
	return nil
}

// sideBySide runs f for every job, a few at a time: each works on a connection of its own and writes nothing but its job's numbers.
func (c *comparing) sideBySide(f func(j int) error) error {
	return merge.SideBySide(len(c.job.Jobs), f)
}

// loose tells whether a column may hold a number both as an integer and as a real, so that equality alone says too little.
func loose(c *merge.Column) bool {
	return c.Affinity == merge.Blob || merge.FoldASCII(c.Type) == "any"
}

// same is the condition that a merged row m is the expected row i; joined are columns that the join has found equal.
func (c *comparing) same(joined ...int) string {
	var got, want, more []string
	for k, col := range c.columns {
		if slices.Contains(joined, k) && !loose(col) && (col.Collation == "" || col.Collation == "BINARY") && c.floorOf(k) == "" {
			continue // IS, with the same affinity and collation, says no more than =
		}
		if floor := c.floorOf(k); floor != "" {
			more = append(more, floor)
			continue
		}
		g, w := c.pair(k)
		got, want = append(got, g), append(want, w)
		if loose(col) {
			got, want = append(got, "typeof(m."+ident(col.Name)+")"), append(want, "typeof("+w+")")
		}
	}
	var all []string
	if len(got) > 0 {
		all = append(all, "("+strings.Join(got, ", ")+") IS ("+strings.Join(want, ", ")+")")
	}
	if all = append(all, more...); len(all) == 0 {
		return "1"
	}
	return every(all)
}

// pair is a column of the merged row m and of the expected row i, to be compared as bytes.
func (c *comparing) pair(k int) (got, want string) {
	got = "m." + ident(c.columns[k].Name)
	if col := c.columns[k].Collation; col != "" && col != "BINARY" {
		got += " COLLATE BINARY"
	}
	return got, "i." + expected(k)
}

// equal is the condition that one column is as expected.
func (c *comparing) equal(k int) string {
	if floor := c.floorOf(k); floor != "" {
		return floor
	}
	got, want := c.pair(k)
	s := got + " IS " + want
	if loose(c.columns[k]) {
		s = "(" + s + " AND typeof(m." + ident(c.columns[k].Name) + ") = typeof(" + want + "))"
	}
	return s
}

// floorOf is the condition on a counter; "" for other columns.
func (c *comparing) floorOf(k int) string {
	if !slices.ContainsFunc(c.floors, func(f proofFloor) bool { return f.column == k }) {
		return ""
	}
	got, want := c.pair(k)
	want = c.raised(k, want, func(n int) string { return fmt.Sprintf("i.gameid_counter_%d", n) })
	return "(" + got + " IS " + want + " AND typeof(" + got + ") = typeof(" + want + "))"
}

// raised is a column's value after the counters: one below the highest floor of those that it is stands at that, one above stays. holds tells where the n-th counter's condition
// holds.
func (c *comparing) raised(k int, value string, holds func(n int) string) string {
	var counts []string
	top := "" // named a few times below, so that the text grows with the counters and does not multiply by each
	for n, f := range c.floors {
		if f.column != k || f.head != "" {
			continue
		}
		one, floor := "1", literal(f.floor)
		if f.where != "" {
			one = holds(n)
			floor = "CASE WHEN " + one + " THEN " + floor + " ELSE " + literal(int64(math.MinInt64)) + " END"
		}
		if counts = append(counts, one); top != "" {
			floor = "max(" + top + ", " + floor + ")"
		}
		top = floor
	}
	texts := c.raisedTexts(k, value, holds)
	if top == "" {
		if len(texts) == 0 {
			return value
		}
		return "CASE " + strings.Join(texts, " ") + " ELSE " + value + " END"
	}
	floor := top
	switch c.columns[k].Affinity { // as the column stores it
	case merge.Text:
		floor = "CAST(" + floor + " AS TEXT)"
	case merge.Real:
		floor = "CAST(" + floor + " AS REAL)"
	}
	return fmt.Sprintf("CASE %[5]s WHEN (%[1]s) AND (%[2]s IS NULL OR CAST(%[2]s AS INTEGER) < %[3]s) THEN CASE WHEN typeof(%[2]s) = 'text' AND %[2]s GLOB '0*' THEN printf('%%0*d', length(%[2]s), %[3]s) ELSE %[4]s END ELSE %[2]s END",
		strings.Join(counts, " OR "), value, top, floor, strings.Join(texts, " "))
}

// raisedTexts are the cases of those counters of a column that have something before their numbers; of two of one row the higher one comes first.
func (c *comparing) raisedTexts(k int, value string, holds func(n int) string) (cases []string) {
	var order []int
	for n, f := range c.floors {
		if f.column == k && f.head != "" {
			order = append(order, n)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(c.floors[y].floor, c.floors[x].floor) })
	for _, n := range order {
		f := c.floors[n]
		where := headed(f.head, value, literal(f.floor))
		if f.where != "" {
			where = holds(n) + " AND " + where
		}
		cases = append(cases, "WHEN "+where+" THEN "+numbered(f.head, value, literal(f.floor)))
	}
	return cases
}

// counterRows are the columns that tell for which rows a counter's condition holds.
func (c *comparing) counterRows() (more []string) {
	for n, f := range c.floors {
		if f.where != "" {
			more = append(more, fmt.Sprintf("coalesce(%s, 0) AS gameid_counter_%d", bracketed(f.where), n))
		}
	}
	return more
}

// bad counts a row that is not as it must be, and describes it while there is room.
func (c *comparing) bad(rows ...merge.BadRow) {
	for _, r := range rows {
		if len(c.result.Rows) < c.job.Limit {
			c.result.Rows = append(c.result.Rows, r)
		}
	}
}

func (c *comparing) clean() {
	_ = c.scratch.Remove() // the next room removes what could not be
}
