package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"github.com/gameid/gameid/merge"
)

const heldBefore = "gameid_held_" // a column that says of a row whether a reference's condition held of it in its shard

// Turned loads the rows of one table in final form into a database that nobody keeps, and tells which of the references' conditions hold there of other rows than
// in the shards. Rows that refer to nobody there are left out: nothing is lost by them. The conditions must name no other table.
func (*Engine) Turned(ctx context.Context, shards []merge.Shard, jobs []merge.TableJob, refs []merge.Reference) (list []merge.Misfit, err error) {
	r, remove, err := newRehearsal(shards, jobs)
	if err != nil || r == nil {
		return nil, err
	}
	defer func() { err = remove(err) }()
	d := r.diagnosis()
	return list, r.stage(ctx, "turned", d.held(refs), func(conn *sql.Conn) error {
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
