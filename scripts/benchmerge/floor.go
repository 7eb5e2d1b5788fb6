package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gameid/gameid/fixtures"
	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/rewrite"
)

// floor copies both servers into one fresh file inside SQLite, every key and reference of the second one plus a constant: what nobody can do faster. It reads and
// writes the rows that the merge reads and writes: tables that the plan empties are left out, and tables that it folds come from the first server. With indexes
// it is a bare load.
func (b *bench) floor(ctx context.Context, indexes bool) error {
	out := filepath.Join(b.dir, "floor.db")
	_ = os.Remove(out)
	defer func() { _ = os.Remove(out) }()
	db, err := sql.Open("sqlite3", "file:"+out+"?_journal_mode=OFF&_synchronous=OFF&_cache_size=-98304&_locking_mode=EXCLUSIVE")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	schema, plan, err := b.schema(ctx)
	if err != nil {
		return err
	}
	for _, t := range schema.Tables {
		if _, err := db.ExecContext(ctx, t.SQL); err != nil {
			return err
		}
	}
	for i, file := range b.shards {
		if _, err := db.ExecContext(ctx, "ATTACH ? AS src", "file:"+file+"?mode=ro"); err != nil {
			return err
		}
		for _, t := range schema.Tables {
			rule := plan.TableRule(schema, t.Name)
			if rule == nil || rule.Rows == merge.EmptyRows || rule.Rows != merge.MergeRows && i > 0 {
				continue
			}
			if err := b.copyTable(ctx, db, t, i); err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
		}
		if _, err := db.ExecContext(ctx, "DETACH src"); err != nil {
			return err
		}
	}
	if indexes {
		if _, err := db.ExecContext(ctx, "PRAGMA threads = 2"); err != nil {
			return err
		}
		for _, o := range schema.Objects {
			if o.Kind == "index" {
				if _, err := db.ExecContext(ctx, o.SQL); err != nil {
					return err
				}
			}
		}
	}
	return syncFile(out)
}

// copyTable copies a table. The constant is above every key and no wider than the keys that a merge gives out; unique texts of the second server get one
// character more, so that no row is refused.
func (b *bench) copyTable(ctx context.Context, db *sql.DB, t *merge.Table, shard int) error {
	moved, renamed := map[string]bool{}, map[string]bool{}
	for _, r := range fixtures.References() {
		if r.Table == t.Name && !r.Static && r.CopyBy == "" {
			moved[r.Column] = true
		}
	}
	if len(t.PrimaryKey) == 1 && t.Column(t.PrimaryKey[0], true).Affinity == merge.Integer {
		moved[t.PrimaryKey[0]] = true
	}
	for _, u := range t.Uniques {
		if u.Plain() && len(u.Columns) == 1 && t.Column(u.Columns[0], true).Affinity == merge.Text {
			renamed[u.Columns[0]] = true
		}
	}
	var into, from []string
	for _, c := range t.Columns {
		if c.Generated {
			continue
		}
		q := `"` + c.Name + `"`
		into = append(into, q)
		switch {
		case moved[c.Name] && shard > 0:
			q = fmt.Sprintf("%s + %d", q, b.rows)
		case renamed[c.Name] && shard > 0:
			q += " || '~'"
		}
		from = append(from, q)
	}
	_, err := db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO main."%s"(%s) SELECT %s FROM src."%[1]s" NOT INDEXED`, t.Name, strings.Join(into, ", "), strings.Join(from, ", ")))
	return err
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return f.Sync()
}

// schema is the first server's, beside the plan under which the two are merged.
func (b *bench) schema(ctx context.Context) (*merge.Schema, *merge.Plan, error) {
	text, err := os.ReadFile(b.plan)
	if err != nil {
		return nil, nil, err
	}
	plan, err := planfile.Parse(b.plan, text)
	if err != nil {
		return nil, nil, err
	}
	s, err := sqlite.New().Open(ctx, merge.Source{Name: "s1", Source: b.shards[0]}, merge.OpenOptions{})
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = s.Close() }()
	return s.Schema(), plan, nil
}

// rewriteAgainstCopy measures the rewrite alone, without indexes, triggers and proof, against the bare copy.
func (b *bench) rewriteAgainstCopy(ctx context.Context) error {
	_, plan, err := b.schema(ctx)
	if err != nil {
		return err
	}
	engine := sqlite.New()
	var shards []merge.Shard
	for i, file := range b.shards {
		server := int64(i + 1)
		s, err := engine.Open(ctx, merge.Source{Name: fmt.Sprintf("s%d", i+1), Server: &server, Source: file}, merge.OpenOptions{})
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		shards = append(shards, s)
	}
	res, err := audit.Run(ctx, engine, shards, plan, audit.Options{Present: merge.IDCursorNow(time.Now())})
	if err != nil {
		return err
	}
	if res.Settled == nil {
		return fmt.Errorf("the plan of the fixture leaves something open: %v", res.Undecided)
	}
	res.Settled.Schema.Objects = nil
	rewritten, err := b.fastest(func() error {
		out := filepath.Join(b.dir, "rewritten.db")
		_, o, err := rewrite.Run(ctx, engine, shards, res.Settled, out, rewrite.Options{})
		if err != nil {
			return err
		}
		defer func() { _ = os.Remove(out) }()
		return o.Publish(ctx)
	})
	if err != nil {
		return err
	}
	floor, err := b.fastest(func() error { return b.floor(ctx, false) })
	if err != nil {
		return err
	}
	report("rewrite and record: no indexes", rewritten, floor, "<= 1.6 of a copy + constant")
	return nil
}
