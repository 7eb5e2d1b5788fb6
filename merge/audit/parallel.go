package audit

import (
	"context"

	"github.com/gameid/gameid/merge"
)

// sideBySide runs f for every shard, a few at a time. Each call may use its own shard alone.
func (a *auditor) sideBySide(f func(shard int) error) error {
	return merge.SideBySide(len(a.shards), f)
}

// anyShard tells whether f holds for any shard, of which a few are asked at once. Its answer, also where one cannot be asked, is that of asking in turn up to the first that holds.
func (a *auditor) anyShard(f func(shard int) (bool, error)) (bool, error) {
	holds, errs := make([]bool, len(a.shards)), make([]error, len(a.shards))
	_ = a.sideBySide(func(i int) error {
		holds[i], errs[i] = f(i)
		return nil
	})
	for i := range holds {
		if holds[i] || errs[i] != nil {
			return holds[i], errs[i]
		}
	}
	return false, nil
}

// readKeys reads the keys that every later step asks for.
func (a *auditor) readKeys(ctx context.Context) error {
	return a.sideBySide(func(i int) error {
		for _, t := range a.schema.Tables {
			if t.Opaque != "" || len(t.PrimaryKey) != 1 || !a.has(i, t.Name) {
				continue
			}
			c := merge.Col{Table: t.Name, Name: t.PrimaryKey[0]}
			if a.schema.Holds(c) != merge.Integer || a.schema.Column(c).Generated {
				continue
			}
			if _, err := a.shards[i].Keys(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
}
