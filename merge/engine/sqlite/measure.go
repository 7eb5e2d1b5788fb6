package sqlite

import (
	"context"
	"errors"

	"github.com/gameid/gameid/merge"
)

var errNotYet = errors.New("not built yet")

// Measure counts what a reference's columns hold.
func (s *shard) Measure(context.Context, merge.RefQuery) (*merge.RefCount, error) {
	return nil, errNotYet
}

// Memory reads what an earlier merge recorded.
func (s *shard) Memory(context.Context) (*merge.Memory, error) { return nil, nil }
