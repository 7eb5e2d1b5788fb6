package sqlite

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/gameid/gameid/merge"
)

// Engine reads and writes SQLite files. A process uses one Engine for all of its files: it knows which files SQLite has open, and closing
// any other descriptor of such a file would drop SQLite's locks on it. Goroutines may share an Engine.
type Engine struct {
	mu        sync.Mutex
	files     []*held
	verifiers chan struct{} // holds one for each verification under way
}

// held are the descriptors of one file, kept until the last shard that reads it is closed.
type held struct {
	info   os.FileInfo
	file   *os.File // to read by; it never changes
	shards int
	others []*os.File
}

// New makes an engine.
func New() *Engine { return &Engine{verifiers: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))} }

// Name is "sqlite".
func (*Engine) Name() string { return "sqlite" }

// hold counts a shard that reads the file.
func (e *Engine) hold(f *os.File, info os.FileInfo) *held {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, h := range e.files {
		if os.SameFile(h.info, info) {
			h.shards++
			h.others = append(h.others, f)
			return h
		}
	}
	h := &held{info: info, file: f, shards: 1}
	e.files = append(e.files, h)
	return h
}

// release closes the file's descriptors when no shard reads it any more.
func (e *Engine) release(h *held) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if h.shards--; h.shards > 0 {
		return nil
	}
	for i, other := range e.files {
		if other == h {
			e.files = append(e.files[:i], e.files[i+1:]...)
			break
		}
	}
	var first error
	for _, f := range append(h.others, h.file) {
		if err := f.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// own finds the shards of this package and refuses others, and databases whose text encodings differ: SQLite attaches only equal ones.
func own(shards ...merge.Shard) ([]*shard, error) {
	list := make([]*shard, len(shards))
	for i, s := range shards {
		mine, ok := s.(*shard)
		if !ok {
			return nil, fmt.Errorf("shard %s is not a SQLite database (%T)", s.Source().Name, s)
		}
		list[i] = mine
	}
	return list, CheckEncodings(shards...)
}

// CheckEncodings tells whether all shards store text in the same encoding; a *SourceError with ErrEncoding names the first that differs.
func CheckEncodings(shards ...merge.Shard) error {
	var first *shard
	for _, s := range shards {
		mine, ok := s.(*shard)
		switch {
		case !ok:
		case first == nil:
			first = mine
		case first.encoding != mine.encoding:
			return &SourceError{
				Path: mine.path, Reason: ErrEncoding,
				Detail: fmt.Sprintf("%s, but %s has %s", mine.encoding, first.path, first.encoding),
				Next:   "convert one of them: dump it with the sqlite3 shell and load it after PRAGMA encoding = '" + first.encoding + "'",
			}
		}
	}
	return nil
}

// exec runs statements on the shard's connection, where temporary tables may be made; the source itself is read-only.
func (s *shard) exec(ctx context.Context, query string, args ...any) error {
	_, err := s.conn.ExecContext(ctx, query, args...)
	return err
}
