package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/room"
)

// Rehearse loads the rows of one table, under the output's own declaration and unique indexes, into a database that nobody keeps, and tells which rules rows
// break. With changed it looks only at rows that a job changes: enough where no rule compares rows. Errors are those of Load, but for rows that are refused.
func (*Engine) Rehearse(ctx context.Context, shards []merge.Shard, jobs []merge.TableJob, changed bool) (list []merge.Misfit, err error) {
	r, remove, err := newRehearsal(shards, jobs)
	if err != nil || r == nil {
		return nil, err
	}
	defer func() { err = remove(err) }()
	r.changed = changed
	refused := r.stage(ctx, "final", jobs, func(conn *sql.Conn) error {
		for _, u := range jobs[0].Table.Uniques {
			if u.SQL != "" {
				if err := runFirst(ctx, conn, u.SQL); err != nil {
					return err
				}
			}
		}
		return nil
	})
	var overflow *OverflowError
	switch {
	case refused == nil:
		return r.cutSums(), nil
	case errors.As(refused, &overflow):
		return []merge.Misfit{r.sum(overflow)}, nil
	case !refusesRow(refused):
		return nil, refused
	}
	return r.diagnose(ctx, refused)
}

// rehearsal is one table's load before anything is written.
type rehearsal struct {
	shards  []*shard
	jobs    []merge.TableJob
	changed bool
	room    *room.Room
	beside  []formed // other tables that are loaded, too, in final form
	cuts    map[merge.Col]cutSums
	views   []string // declarations of the output's views, where a condition may ask them
}

// formed is a table of the output, what is indexed in it, and the jobs that make its rows.
type formed struct {
	table   *merge.Table
	indexes []string
	jobs    []merge.TableJob
}

// newRehearsal takes a place for rehearsals of a table, and tells how to leave it; nil where the table has no jobs.
func newRehearsal(shards []merge.Shard, jobs []merge.TableJob) (*rehearsal, func(error) error, error) {
	all, err := own(shards...)
	if err != nil || len(jobs) == 0 {
		return nil, nil, err
	}
	dir := cmp.Or(all[0].workDir, os.TempDir())
	if info, err := os.Stat(dir); err != nil || !info.IsDir() { // an empty root has none
		dir = filepath.Dir(all[0].path)
	}
	place, err := room.New(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("try the rows of %s: %w", jobs[0].Table.Name, err)
	}
	r := &rehearsal{shards: all, jobs: jobs, room: place}
	return r, func(err error) error { return errors.Join(err, place.Remove()) }, nil
}

// stage loads the jobs' rows into a database of their table and those beside it, caps its sums, and hands it over.
func (r *rehearsal) stage(ctx context.Context, name string, jobs []merge.TableJob, f func(*sql.Conn) error) (err error) {
	path := filepath.Join(r.room.Path(), name)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	schema := &merge.Schema{Fold: true, Tables: []*merge.Table{jobs[0].Table}}
	for _, b := range r.beside {
		schema.Tables = append(schema.Tables, b.table)
		jobs = append(slices.Clone(jobs), b.jobs...)
	}
	o := &output{path: path, partial: path, shards: r.shards, schema: schema, pumps: map[*shard]*pump{}, changed: r.changed, rehearsed: true}
	defer func() { err = errors.Join(err, o.closePumps()) }()
	if err := o.build(ctx); err != nil {
		return err
	}
	for _, job := range jobs {
		if _, err := o.Load(ctx, r.shards[job.Shard], job, nil); err != nil {
			return err
		}
	}
	if err := o.closePumps(); err != nil {
		return err
	}
	db, conn, err := open(ctx, path, "rw")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	if err := tune(ctx, conn, loadPragmas("main", sortCacheKiB)); err != nil {
		return err
	}
	if err := o.applyCaps(ctx, conn); err != nil {
		return err
	}
	r.cuts = o.cuts
	for _, b := range r.beside {
		for _, index := range b.indexes {
			if err := runFirst(ctx, conn, index); err != nil {
				return err
			}
		}
	}
	for _, view := range r.views {
		if err := runFirst(ctx, conn, view); err != nil {
			return err
		}
	}
	return f(conn)
}

// refusesRow tells whether SQLite would not take a row's values, and all else is well. An expression of the schema may also fail by itself.
func refusesRow(err error) bool {
	var plan *ConditionError
	if errors.As(err, &plan) {
		return false
	}
	switch code(err) {
	case sqlite3.ErrConstraint, sqlite3.ErrMismatch, sqlite3.ErrError:
		return true
	}
	return false
}

// keepChanged leaves out the rows in which every column stays as it is at which a rule looks.
func (l *loading) keepChanged() {
	var changed []string
	for i, c := range l.columns {
		source := ""
		for _, col := range l.job.Columns {
			if merge.FoldASCII(col.Name) == merge.FoldASCII(c.Name) {
				source = col.Source
			}
		}
		switch {
		case source == "":
			return // its value is the plan's, in every row
		case l.exprs[i] != l.source(source) && l.ruled(c):
			changed = append(changed, l.exprs[i]+" IS NOT "+l.source(source))
		}
	}
	same := "NOT (" + cmp.Or(some(changed), "0") + ")"
	if l.drop != "" {
		same += " OR " + l.drop
	}
	l.drop = same
}

// ruled tells whether a rule of the table's rows may look at a column: a check, a column that is computed from it, its type, or a null that the plan's SQL makes.
func (l *loading) ruled(c *merge.Column) bool {
	table, name := l.job.Table, merge.FoldASCII(c.Name)
	words := table.Checks
	for _, other := range table.Columns {
		if other.Generated {
			words = append(slices.Clone(words), cmp.Or(other.Formula, name))
		}
	}
	for _, r := range l.job.Renames {
		for mark := range r.Rename.Mark {
			if merge.FoldASCII(mark) == name {
				return true
			}
		}
	}
	return table.Strict || slices.ContainsFunc(words, func(w string) bool { return merge.MayName(w, name) })
}

// cutSums tells of the sums that the plan's caps cut.
func (r *rehearsal) cutSums() (list []merge.Misfit) {
	for _, c := range r.jobs[0].Table.Columns {
		if cut := r.cuts[merge.Col{Table: r.jobs[0].Table.Name, Name: c.Name}]; cut.rows > 0 {
			list = append(list, merge.Misfit{Kind: merge.MisfitCut, Columns: []string{c.Name}, Shard: -1, Rows: cut.rows, What: strconv.FormatFloat(cut.by, 'f', -1, 64)})
		}
	}
	return list
}

// sum tells of two values that cannot be combined.
func (r *rehearsal) sum(e *OverflowError) merge.Misfit {
	m := merge.Misfit{Kind: merge.MisfitSum, Columns: []string{e.Column}, Shard: -1, What: e.values()}
	switch {
	case e.How != "sum":
		m.Kind, m.What = merge.MisfitOrder, e.How+" compares letter by letter, of "+m.What
	case !e.Numbers():
		m.Kind = merge.MisfitText
	}
	var key []string
	for i, k := range r.jobs[0].Key {
		key = append(key, k+" = "+literal(e.Key[i]))
	}
	m.Samples = []string{strings.Join(key, ", ")}
	return m
}
