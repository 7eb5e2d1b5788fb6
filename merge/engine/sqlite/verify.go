package sqlite

import (
	"context"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// verification holds the indexes of a database against their tables, beside the other work on it: the check at its opening has looked at every page and row.
type verification struct {
	cancel   context.CancelFunc
	done     chan struct{}
	messages []string
	err      error
}

// verify begins the verification.
func (s *shard) verify(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	v := &verification{cancel: cancel, done: make(chan struct{})}
	s.verifying = v
	go func() {
		defer close(v.done)
		select {
		case s.engine.verifiers <- struct{}{}:
			v.messages, v.err = s.badIndexes(ctx)
			<-s.engine.verifiers
		case <-ctx.Done():
		}
	}()
}

// end stops the verification.
func (v *verification) end() {
	if v != nil {
		v.cancel()
		<-v.done
	}
}

// badIndexes is what is wrong with the indexes, looked at on a connection of its own.
func (s *shard) badIndexes(ctx context.Context) ([]string, error) {
	pool, conn, err := s.another(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _, _ = conn.Close(), pool.Close() }()
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA cache_size = -%d", readCacheKiB)); err != nil {
		return nil, err
	}
	return s.indexDamage(ctx, conn)
}

// Verified waits until every index has been looked at and returns a *SourceError when an index and its table say different things.
func (s *shard) Verified(ctx context.Context) error {
	v := s.verifying
	if v == nil {
		return nil
	}
	select {
	case <-v.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if len(v.messages) == 0 && code(v.err) != sqlite3.ErrCorrupt {
		return unread(s.path, v.err, "check the indexes")
	}
	return s.twice(ctx, func() error {
		messages, err := s.badIndexes(ctx)
		if err == nil && len(messages) > 0 {
			err = &SourceError{
				Path: s.path, Reason: ErrIndexes, Detail: strings.Join(s.defects(ctx, messages), "; "),
				Next: "rebuild the indexes in a copy (REINDEX in the sqlite3 shell) and give that; where it refuses, restore a backup",
			}
		}
		if err == nil { // the first look saw damage
			err = &SourceError{Path: s.path, Reason: ErrUnreadable, Err: errUnsteady, Next: checkDisk}
		}
		return unread(s.path, err, "check the indexes")
	})
}
