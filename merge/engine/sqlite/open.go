package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/gameid/gameid/merge"
)

// Open reads a database in one snapshot. A file in rollback mode without a journal is read in place under one read transaction; otherwise the database
// and its log or journal are copied into a private folder. It returns a *SourceError when the source cannot be used.
func (e *Engine) Open(ctx context.Context, src merge.Source, opt merge.OpenOptions) (_ merge.Shard, err error) {
	path := Path(src.Source)
	f, info, err := openSource(path)
	if err != nil {
		return nil, err
	}
	s := &shard{engine: e, src: src, path: path, real: realPath(path), file: path, workDir: opt.WorkDir, held: e.hold(f, info)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	b, err := readHeader(f)
	if err != nil {
		return nil, &SourceError{Path: path, Reason: ErrUnreadable, Err: err, Next: "check its permissions and the disk"}
	}
	if err := checkSideFiles(s.path, s.real); err != nil {
		return nil, err
	}
	side := sideFiles(s.real)
	h, err := parseHeader(path, b, info.Size(), side.any())
	if err != nil {
		return nil, err
	}
	if side == (beside{}) && linked(info) {
		return nil, &SourceError{Path: path, Reason: ErrNames, Next: "give the name under which its server opens it; when no server does, give a copy"}
	}
	s.bytes = info.Size() + side.bytes()
	if h.wal || side.any() {
		err = s.copy(ctx, opt.WorkDir)
	} else if err = s.begin(ctx); raced(err) || err == nil && sideFiles(s.real).any() {
		// A writer came between looking and locking: its journal is there now.
		if err = s.leave(); err == nil {
			err = s.copy(ctx, opt.WorkDir)
		}
	}
	if err != nil {
		return nil, err
	}
	if s.private == nil {
		if s.begun, err = s.state(); err != nil {
			return nil, explain(s.path, err)
		}
	}
	err = s.twice(ctx, func() error { return unread(s.path, s.catalog(ctx), "read the schema") })
	if opt.Check && (err == nil || errors.Is(err, ErrDamaged)) { // the check knows what is damaged
		err = cmp.Or(s.check(ctx), err)
	}
	if err != nil {
		return nil, err
	}
	if s.checked = opt.Check; s.checked {
		if err := s.besideOthers(ctx); err != nil {
			return nil, err
		}
		s.verify(ctx)
	}
	return s, nil
}

// besideOthers refuses a schema that SQLite cannot read beside another database, as every later step does: a view or a trigger may call its own one main.
func (s *shard) besideOthers(ctx context.Context) error {
	if !slices.ContainsFunc(s.schema.Objects, func(o merge.Object) bool { return strings.Contains(strings.ToLower(o.SQL), "main") }) {
		return nil
	}
	w, err := newWorkbench(ctx, s.encoding)
	if err != nil {
		return err
	}
	return errors.Join(explain(s.path, s.attach(ctx, w.conn, "src")), w.close())
}

// Path is the file that a source names: without the scheme "sqlite:".
func Path(source string) string {
	if rest, ok := strings.CutPrefix(source, "sqlite:"); ok {
		return strings.TrimPrefix(rest, "//")
	}
	return source
}

// begin opens the file and takes the read transaction.
func (s *shard) begin(ctx context.Context) error {
	return s.twice(ctx, func() error {
		if err := s.leave(); err != nil {
			return err
		}
		return s.beginOnce(ctx)
	})
}

func (s *shard) beginOnce(ctx context.Context) error {
	var err error
	if s.db, s.conn, err = open(ctx, s.file, "ro"); err != nil {
		return unreadCatalog(s.path, err)
	}
	for _, q := range []string{"PRAGMA temp.journal_mode = OFF", fmt.Sprintf("PRAGMA cache_size = -%d", lookCacheKiB), "BEGIN"} {
		if err := tune(ctx, s.conn, q); err != nil {
			return unreadCatalog(s.path, err)
		}
	}
	var n int64
	if err := s.conn.QueryRowContext(ctx, "SELECT count(*) FROM main.sqlite_schema").Scan(&n); err != nil { // BEGIN alone takes no lock
		return unreadCatalog(s.path, err)
	}
	return unreadCatalog(s.path, s.conn.QueryRowContext(ctx, "PRAGMA encoding").Scan(&s.encoding))
}

// leave undoes begin.
func (s *shard) leave() error {
	if s.conn == nil {
		return nil
	}
	err := errors.Join(s.conn.Close(), s.db.Close())
	s.conn, s.db = nil, nil
	return err
}

// raced tells whether a read-only connection met a journal that it would have to play back.
func raced(err error) bool { return code(err) == sqlite3.ErrReadonly }

// strings reads one column of text.
func (s *shard) strings(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := s.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var list []string
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
