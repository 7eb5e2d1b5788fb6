package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
)

const heldBefore = "gameid_held_" // a column that says of a row whether a reference's condition held of it in its shard

// Turned loads the rows of one table in final form into a database that nobody keeps, and tells which of the references' conditions hold there of other rows than
// in the shards. Rows that refer to nobody there are left out: nothing is lost by them. Tables at which a condition looks beside it are loaded, too; what looks at
// tables that are not merged as rows, or whose rows the engine would refuse, is not judged.
func (*Engine) Turned(ctx context.Context, shards []merge.Shard, draft *merge.Draft, table string, refs []merge.Reference) (list []merge.Misfit, err error) {
	r, remove, err := newRehearsal(shards, draft.Jobs[table])
	if err != nil || r == nil {
		return nil, err
	}
	defer func() { err = remove(err) }()
	if refs, err = r.besides(ctx, draft, refs); err != nil || len(refs) == 0 {
		return nil, err
	}
	d := r.diagnosis()
	err = r.stage(ctx, "turned", d.held(refs), func(conn *sql.Conn) error {
		if key := d.table.PrimaryKey; len(r.beside) > 0 && len(key) > 0 { // what looks at other rows may look for these by their key
			if _, err := conn.ExecContext(ctx, "CREATE INDEX "+heldBefore+"key ON "+ident(d.table.Name)+" ("+idents(key)+")"); err != nil {
				return err
			}
		}
		for i, ref := range refs {
			from := ident(ref.From[0].Name)
			turned := "(" + bracketed(ref.When) + " IS NOT TRUE) IS " + heldBefore + itoa(i) + " AND " + from + " IS NOT NULL"
			if len(ref.None) > 0 {
				var none []string
				for _, v := range ref.None {
					none = append(none, literal(v))
				}
				turned += " AND " + from + " NOT IN (" + strings.Join(none, ", ") + ")"
			}
			found, err := d.broken(ctx, conn, merge.Misfit{Kind: merge.MisfitTurned, What: ref.When, Columns: []string{ref.From[0].Name}}, turned)
			if err != nil {
				return err
			}
			list = append(list, found...)
		}
		return nil
	})
	if len(r.beside) > 0 && err != nil && refusesRow(err) {
		return nil, nil
	}
	return list, err
}

// besides notes the tables at which conditions look beside their own, and returns the references whose conditions can be judged with them.
func (r *rehearsal) besides(ctx context.Context, draft *merge.Draft, refs []merge.Reference) (judged []merge.Reference, err error) {
	own, seen := r.jobs[0], map[string]bool{merge.FoldASCII(r.jobs[0].Table.Name): true}
	for _, ref := range refs {
		names, views, err := tablesRead(ctx, r.shards[own.Shard].conn, own.Table.Name, ref.When)
		if err != nil {
			return nil, err
		}
		var more []formed
		known := true
		for _, name := range names {
			t := draft.Schema.Table(name)
			if known = known && t != nil && t.Opaque == ""; !known {
				break
			}
			if !seen[merge.FoldASCII(name)] {
				more = append(more, formed{table: t, jobs: draft.Jobs[t.Name]})
			}
		}
		if !known {
			continue
		}
		for _, f := range more {
			seen[merge.FoldASCII(f.table.Name)] = true
			for _, o := range draft.Schema.Objects {
				if o.Kind == "index" && merge.FoldASCII(o.Table) == merge.FoldASCII(f.table.Name) {
					f.indexes = append(f.indexes, o.SQL)
				}
			}
			r.beside = append(r.beside, f)
		}
		if views && r.views == nil {
			for _, o := range draft.Schema.Objects {
				if o.Kind == "view" {
					r.views = append(r.views, o.SQL)
				}
			}
		}
		judged = append(judged, ref)
	}
	return judged, nil
}

// tablesRead lists the tables that a condition on a table's rows reads, and tells whether it reads views. SQLite itself says it.
func tablesRead(ctx context.Context, conn *sql.Conn, table, condition string) (tables []string, views bool, err error) {
	read := map[string]bool{}
	err = conn.Raw(func(c any) error {
		mine := c.(*connection).SQLiteConn
		mine.RegisterAuthorizer(func(action int, name, _, _ string) int {
			if action == sqlite3.SQLITE_READ {
				read[name] = true
			}
			return sqlite3.SQLITE_OK
		})
		defer mine.RegisterAuthorizer(nil)
		stmt, err := mine.PrepareContext(ctx, "SELECT "+bracketed(condition)+" FROM main."+ident(table))
		if err != nil {
			return err
		}
		return stmt.Close()
	})
	if err != nil {
		return nil, false, err
	}
	for _, name := range slices.Sorted(maps.Keys(read)) {
		var kind string
		err := conn.QueryRowContext(ctx, "SELECT type FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')", name).Scan(&kind)
		switch {
		case kind == "view":
			views = true
		case err == nil, errors.Is(err, sql.ErrNoRows): // SQLite's own tables stand in no schema
			tables = append(tables, name)
		default:
			return nil, false, err
		}
	}
	return tables, views, nil
}

// held are lax jobs whose rows also say which conditions held of them.
func (d *diagnosis) held(refs []merge.Reference) []merge.TableJob {
	t := *d.table
	t.Columns = append([]*merge.Column(nil), t.Columns...)
	jobs := append([]merge.TableJob(nil), d.jobs...)
	for i, ref := range refs {
		name := heldBefore + itoa(i)
		t.Columns = append(t.Columns, &merge.Column{Name: name, Affinity: merge.Blob})
		for j := range jobs {
			jobs[j].Columns = append(append([]merge.ColumnJob(nil), jobs[j].Columns...), merge.ColumnJob{Name: name, Missing: bracketed(ref.When) + " IS TRUE"})
		}
	}
	d.table, d.jobs = &t, jobs
	return d.lax()
}
