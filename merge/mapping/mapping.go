// Package mapping answers, from what a merged database records, which old key became which new one, in both directions and across earlier merges.
package mapping

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// ErrNoRecord says that the database records no merge. Open returns it.
var ErrNoRecord = errors.New("the database records no merge")

// UnknownError says that a question names an input or a key that the record does not know. Lookup returns it.
type UnknownError struct {
	Word  string
	Known []string // what it could have been
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("the record does not know %s; it knows %s", e.Word, strings.Join(e.Known, ", "))
}

// Rename marks an answer about a name instead of a key; Unchanged one about a key that stayed.
const (
	Rename    merge.Rule = "rename"
	Unchanged merge.Rule = "unchanged"
)

// Answer is what became of one key or one name.
type Answer struct {
	Key   merge.Col
	Shard string     // the input; "m/s1" is what input m had from s1. "" when several may have had it
	Of    []string   // these
	Old   string     // in the shard
	New   string     // in the merged database
	Rule  merge.Rule // shift, dense, gameid, tombstone, Rename or Unchanged
	Row   []any      // of a rename: the row's primary key in the merged database; nil where the record does not tell it
}

// Quoter writes names and values as SQL. Every merge.Engine is one.
type Quoter interface {
	Quote(name string) string
	Literal(v any) string
}

// Map is the record of one merged database. Its methods may not be called concurrently.
type Map struct {
	merged merge.Shard
	quoter Quoter
	mem    *merge.Memory
	levels []level
	names  []merge.Col

	renames []*renamed // in the order of the record
}

// level is one input's keys of one key space in one merge.
type level struct {
	via, shard string
	key        merge.Col
	m          *merge.KeyMap
}

// origin is how an answer names the level's input.
func (l *level) origin() string { return l.via + l.shard }

// Open reads the record. It returns ErrNoRecord when there is none.
func Open(ctx context.Context, quoter Quoter, merged merge.Shard) (*Map, error) {
	mem, err := merged.Memory(ctx)
	if err != nil {
		return nil, err
	}
	if mem == nil {
		return nil, ErrNoRecord
	}
	m := &Map{merged: merged, quoter: quoter, mem: mem}
	for _, s := range mem.Spaces {
		km, err := merge.NewKeyMap(slices.Concat(s.Runs, s.Tombstones))
		if err != nil {
			return nil, fmt.Errorf("the record of %s in %s: %w", s.Key, s.Via+s.Shard, err)
		}
		m.levels = append(m.levels, level{s.Via, s.Shard, s.Key, km})
	}
	m.followRenames()
	return m, m.readNames(ctx)
}

// Broken says how the record is not what its merge wrote, so that its answers may be wrong; "" when it is.
func (m *Map) Broken() string { return m.mem.Broken }

// Gone are the columns whose keys or texts earlier merges changed and which the merged database has no more, so that no later merge went on with their record.
func (m *Map) Gone() []merge.Col {
	return slices.DeleteFunc(m.known(), func(c merge.Col) bool {
		_, here := m.merged.Schema().Resolve(c)
		return here
	})
}

// forward follows a key of an input into the merged database: through the merge that recorded the level, and every later one. rule is the last
// change's.
func (m *Map) forward(via, shard string, key merge.Col, old int64) (now int64, rule merge.Rule) {
	now, rule = old, Unchanged
	for {
		if l := m.level(via, shard, key); l != nil {
			if r, changed := l.m.Of(now); changed {
				now, rule = r.At(now-r.Old), r.Rule
			}
		}
		if via == "" {
			return now, rule
		}
		via, shard = parent(via)
	}
}

// parent splits "m/n/" into "m/" and "n": what input n of input m recorded became keys of n, which m then merged.
func parent(via string) (up, shard string) {
	via = strings.TrimSuffix(via, "/")
	i := strings.LastIndexByte(via, '/')
	return via[:i+1], via[i+1:]
}

func (m *Map) level(via, shard string, key merge.Col) *level {
	for i := range m.levels {
		if l := &m.levels[i]; l.via == via && l.shard == shard && l.key == key {
			return l
		}
	}
	return nil
}

// stands tells whether the merged database has a row with a key.
func (m *Map) stands(ctx context.Context, key merge.Col, v int64) (bool, error) {
	own, ok := m.merged.Schema().Resolve(key)
	if !ok {
		return false, nil
	}
	n, err := m.merged.Count(ctx, own.Table, m.quoter.Quote(own.Name)+" = "+m.quoter.Literal(v))
	return n > 0, err
}

func text(v int64) string { return strconv.FormatInt(v, 10) }
