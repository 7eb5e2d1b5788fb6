package sqlite

import (
	"context"

	"github.com/gameid/gameid/merge"
)

// Clashes lists the unique values that several shards hold.
func (e *Engine) Clashes(context.Context, []merge.Shard, merge.Unique, string, string, int) ([]merge.Clash, int64, error) {
	return nil, 0, errNotYet
}

// SameRows compares rows of the same key.
func (e *Engine) SameRows(context.Context, merge.Shard, merge.Shard, string, int64) (int64, int64, error) {
	return 0, 0, errNotYet
}
