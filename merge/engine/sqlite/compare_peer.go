package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// witnesses are the proof's own connections, by what they read: a shard with the merged database attached, or that one by itself. Those that nobody uses wait here for
// the next table until the merged database is closed: to read two large schemas takes longer than to compare most tables.
type witnesses struct {
	sync.Mutex
	idle map[*shard][]attached
}

// witness runs f with a connection that reads a shard, or the merged database s itself. One that met an error is not used again.
func (s *shard) witness(ctx context.Context, of *shard, f func(conn *sql.Conn) error) error {
	is, err := s.waiting(of), cmp.Or(of.Unchanged(), s.Unchanged())
	if is.conn == nil {
		is.db, is.conn, err = of.another(ctx)
		if err == nil && of != s {
			err = s.attachTo(ctx, is.conn)
		}
	}
	if err == nil {
		err = f(is.conn)
	}
	if err == nil {
		_, err = is.conn.ExecContext(ctx, "PRAGMA shrink_memory") // as many wait as there are shards
	}
	if err != nil {
		_ = is.close()
		return err
	}
	s.witnesses.Lock()
	defer s.witnesses.Unlock()
	if s.witnesses.idle == nil {
		s.witnesses.idle = map[*shard][]attached{}
	}
	s.witnesses.idle[of] = append(s.witnesses.idle[of], is)
	return nil
}

// waiting takes a connection that waits; without one there is none in it.
func (s *shard) waiting(of *shard) (is attached) {
	s.witnesses.Lock()
	defer s.witnesses.Unlock()
	if list := s.witnesses.idle[of]; len(list) > 0 {
		is, s.witnesses.idle[of] = list[len(list)-1], list[:len(list)-1]
	}
	return is
}

// attachTo gives a shard's connection the merged database.
func (s *shard) attachTo(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA automatic_index = OFF; PRAGMA cache_size = -%d", readCacheKiB))
	if err == nil {
		err = s.attach(ctx, conn, mergedName)
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, fmt.Sprintf("PRAGMA %s.cache_size = -%d", mergedName, 2*readCacheKiB))
	}
	return err
}

// dismiss closes the connections that wait.
func (s *shard) dismiss() error {
	s.witnesses.Lock()
	defer s.witnesses.Unlock()
	var errs []error
	for _, list := range s.witnesses.idle {
		for _, is := range list {
			errs = append(errs, is.close())
		}
	}
	s.witnesses.idle = nil
	return errors.Join(errs...)
}

// peer is what a job expects of its shard, on a connection with the merged database attached.
type peer struct{ *image }

// withPeer runs f with a job's peer, whose shard has the table.
func (c *comparing) withPeer(ctx context.Context, j int, f func(p *peer) error) error {
	return c.merged.witness(ctx, c.shards[j], func(conn *sql.Conn) error {
		im, err := newImage(ctx, conn, c.shards[j], &c.job.Jobs[j])
		if err != nil {
			return err
		}
		if err := f(&peer{im}); err != nil {
			return err
		}
		return im.forget(ctx)
	})
}
