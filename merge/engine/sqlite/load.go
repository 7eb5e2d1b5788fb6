package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// LoadError tells which table's rows could not be written, and why.
type LoadError struct {
	Table, Shard string
	Detail       string
	Err          error
}

func (e *LoadError) Error() string {
	s := fmt.Sprintf("load %s from shard %s", e.Table, e.Shard)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *LoadError) Unwrap() error { return e.Err }

// Load appends a shard's rows to a table in one statement, and returns how many rows the table grew by. A shard without the table has no rows. It returns
// a *LoadError when a row cannot be written, an *OverflowError when values cannot be combined, and a *ConditionError when the plan's SQL does not compile.
func (o *output) Load(ctx context.Context, s merge.Shard, job merge.TableJob, progress *merge.Progress) (rows int64, err error) {
	mine, ok := s.(*shard)
	if !ok || !slices.Contains(o.shards, mine) {
		return 0, fmt.Errorf("load %s: shard %s is none of the output's", job.Table.Name, s.Source().Name)
	}
	table := mine.schema.Table(job.Table.Name)
	if table == nil {
		return 0, nil
	}
	fail := func(err error) error {
		return &LoadError{Table: job.Table.Name, Shard: mine.src.Name, Err: err}
	}
	if job.Table.Opaque != "" || table.Opaque != "" {
		return 0, &LoadError{Table: job.Table.Name, Shard: mine.src.Name, Detail: job.Table.Opaque + ": its rows cannot be merged as rows"}
	}
	p := o.pumps[mine]
	if p == nil {
		if p, err = newPump(ctx, mine); err != nil {
			return 0, fail(err)
		}
		o.pumps[mine] = p
	}
	l := &loading{out: o, pump: p, job: &job, last: mine == o.shards[len(o.shards)-1], compiler: newCompiler(p, table)}
	if err := l.compile(ctx); err != nil {
		return 0, fail(err)
	}
	if o.changed {
		l.keepChanged()
	}
	if err := p.attach(ctx, o.partial, loadCacheKiB(job.Table)); err != nil {
		return 0, fail(err)
	}
	defer func() {
		if left := p.leave(ctx); err == nil && left != nil {
			err = fail(left)
		}
	}()
	if rows, err = l.run(ctx); err != nil {
		var overflow *OverflowError
		var load *LoadError
		if errors.As(err, &overflow) || errors.As(err, &load) {
			return 0, err
		}
		return 0, fail(err)
	}
	progress.Add(rows)
	return rows, nil
}

// loading is one table of one shard on its way.
type loading struct {
	*compiler
	out     *output
	pump    *pump
	job     *merge.TableJob
	last    bool            // no other shard follows
	columns []*merge.Column // of the output, in the job's order
	exprs   []string        // their values
	drop    string          // true for rows that are left out; "" when none is
}

// compile turns the job's columns and drops into SQL.
func (l *loading) compile(ctx context.Context) error {
	if err := l.checkSQL(ctx); err != nil {
		return err
	}
	for i := range l.job.Columns {
		col := &l.job.Columns[i]
		out := l.job.Table.Column(col.Name, true)
		if out == nil {
			return fmt.Errorf("the output's table has no column %s", col.Name)
		}
		if out.Generated {
			continue
		}
		expr, err := l.column(ctx, col, out)
		if err != nil {
			return fmt.Errorf("column %s: %w", col.Name, err)
		}
		l.columns, l.exprs = append(l.columns, out), append(l.exprs, expr)
	}
	var drops []string
	for _, d := range l.job.Drop {
		cond, err := l.dropped(ctx, d)
		if err != nil {
			return fmt.Errorf("column %s: %w", d.Column, err)
		}
		if cond != "" {
			drops = append(drops, cond)
		}
	}
	l.drop = some(drops)
	return nil
}

// column is the value of one column: its key mapped, then the renames that it copies, then its own.
func (l *loading) column(ctx context.Context, col *merge.ColumnJob, out *merge.Column) (string, error) {
	var expr string
	if col.Source == "" {
		if expr = bracketed(col.Missing); col.Missing == "" {
			expr = "NULL"
		}
	} else {
		src := l.table.Column(col.Source, true)
		if src == nil {
			return "", fmt.Errorf("the shard's table has no column %s", col.Source)
		}
		var err error
		if expr, err = l.cases(ctx, src, col.Cases); err != nil {
			return "", err
		}
		for i := range col.Buried {
			if expr, err = l.buried(ctx, src, l.job.Shard, &col.Buried[i], expr); err != nil {
				return "", err
			}
		}
		for i := range col.Copies {
			if expr, err = l.copied(ctx, src, &col.Copies[i], expr); err != nil {
				return "", err
			}
		}
	}
	return l.renamed(ctx, out.Name, expr)
}

// checkSQL compiles every piece of the plan's SQL by itself, so that none can reach out of its place.
func (l *loading) checkSQL(ctx context.Context) error {
	var texts []string
	for _, col := range l.job.Columns {
		if col.Source == "" {
			texts = append(texts, col.Missing)
		}
		for _, k := range col.Cases {
			texts = append(texts, k.When)
		}
		for _, k := range col.Copies {
			texts = append(texts, k.When)
		}
		for _, k := range col.Buried {
			texts = append(texts, k.When)
		}
	}
	for _, d := range l.job.Drop {
		texts = append(texts, d.When)
	}
	for _, r := range l.job.Renames {
		for _, mark := range r.Rename.Mark {
			texts = append(texts, mark)
		}
	}
	slices.Sort(texts)
	for _, text := range slices.Compact(texts) {
		if text == "" {
			continue
		}
		if err := checkExpression(ctx, l.pump.shard.conn, l.table.Name, text, 0); err != nil {
			return err
		}
	}
	return nil
}

// names are the quoted columns that are written.
func (l *loading) names() string {
	list := make([]string, len(l.columns))
	for i, c := range l.columns {
		list[i] = c.Name
	}
	return idents(list)
}

// insertInto overrules what a table declares for conflicts (ON CONFLICT IGNORE): no row may be left out or replaced.
const insertInto = "INSERT OR ABORT INTO "

// into is the table that is written.
func (l *loading) into() string { return outSchema + "." + ident(l.job.Table.Name) }

// query is the SELECT of the rows in their final form; aliased names the columns n0, n1 and so on.
func (l *loading) query(aliased bool) string {
	list := slices.Clone(l.exprs)
	if aliased {
		for i := range list {
			list[i] += " AS " + alias(i)
		}
	}
	q := "SELECT " + strings.Join(list, ", ") + " FROM main." + ident(l.table.Name) + " NOT INDEXED"
	if l.drop != "" {
		q += " WHERE NOT (" + l.drop + ")"
	}
	return q
}

func alias(i int) string { return "gameid_n" + itoa(i) }

// run moves the rows.
func (l *loading) run(ctx context.Context) (int64, error) {
	if len(l.columns) == 0 {
		return 0, errors.New("no columns")
	}
	switch l.job.Rows {
	case merge.MergeRows, "", merge.FromRows:
		return l.append(ctx)
	case merge.FirstRows:
		return l.first(ctx)
	case merge.UnionRows:
		return l.union(ctx)
	}
	return 0, fmt.Errorf("this version cannot load rows by the policy %s", l.job.Rows)
}

// append inserts every row.
func (l *loading) append(ctx context.Context) (int64, error) {
	want, err := l.expected(ctx)
	if err != nil {
		return 0, err
	}
	got, err := l.change(ctx, insertInto+l.into()+" ("+l.names()+") "+l.query(false))
	if err == nil && got != want {
		err = fmt.Errorf("%d rows were written, want %d", got, want)
	}
	return got, err
}

// expected is how many of the shard's rows take part.
func (l *loading) expected(ctx context.Context) (int64, error) {
	n, err := l.pump.shard.Rows(ctx, l.table.Name)
	if err != nil || l.drop == "" {
		return n, err
	}
	gone, err := l.pump.number(ctx, "SELECT count(*) FROM main."+ident(l.table.Name)+" NOT INDEXED WHERE "+l.drop)
	return n - gone, err
}

// change runs a statement and returns how many rows it changed.
func (l *loading) change(ctx context.Context, query string) (int64, error) {
	result, err := l.pump.conn.ExecContext(ctx, query)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
