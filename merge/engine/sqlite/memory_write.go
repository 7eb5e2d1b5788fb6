package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// writeMemory records a merge: runs, not rows, and neither paths nor times.
func writeMemory(ctx context.Context, conn *sql.Conn, m *merge.Memory) error {
	if _, err := conn.ExecContext(ctx, memorySchema); err != nil {
		return err
	}
	w := memoryWriter{ctx, conn}
	shards := make([]merge.EarlierShard, 0, len(m.Shards)+len(m.Earlier))
	for _, s := range m.Shards {
		shards = append(shards, merge.EarlierShard{Source: s})
	}
	for i, s := range append(shards, m.Earlier...) {
		var server any
		if s.Source.Server != nil {
			server = *s.Source.Server
		}
		if err := w.rows(shardsTable, []any{s.Via, i, s.Source.Name, server, s.Source.Contents, s.Source.State}); err != nil {
			return err
		}
	}
	for _, sp := range sortedSpaces(m.Spaces) {
		runs := sp.Runs
		if len(runs) == 0 { // says that the space took part
			runs = []merge.Run{{Rule: merge.Static}}
		}
		if err := errors.Join(w.runs(keysTable, sp, runs, nil), w.runs(tombstonesTable, sp, sp.Tombstones)); err != nil {
			return err
		}
	}
	for _, b := range m.Buried {
		if err := w.rows(buriedTable, []any{b.Via, b.Key.Table, b.Key.Name, b.Shard, b.Old, b.New}); err != nil {
			return err
		}
	}
	if err := w.renames(m.Renames); err != nil {
		return err
	}
	if err := w.references(m.References); err != nil {
		return err
	}
	if err := w.rows(planTable, []any{1, "", string(m.Plan)}); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, memoryIndexes); err != nil {
		return err
	}
	seal, err := Seal(ctx, conn)
	if err != nil {
		return err
	}
	return w.rows(sealsTable, []any{seal})
}

type memoryWriter struct {
	ctx  context.Context //nolint:containedctx // lives as long as one call of writeMemory
	conn *sql.Conn
}

func (w memoryWriter) rows(table string, rows ...[]any) error {
	in := bulk{ctx: w.ctx, conn: w.conn, into: "main." + table}
	for _, r := range rows {
		if err := in.add(r...); err != nil {
			return errors.Join(err, in.close())
		}
	}
	return errors.Join(in.flush(), in.close())
}

// runs writes runs; further are the values of the columns that only this table has, where a row has none of them.
func (w memoryWriter) runs(table string, sp merge.MemorySpace, runs []merge.Run, further ...any) error {
	in := bulk{ctx: w.ctx, conn: w.conn, into: "main." + table}
	row := func(r merge.Run, further ...any) error {
		return in.add(append([]any{sp.Via, sp.Key.Table, sp.Key.Name, sp.Shard, r.Old, r.Count, r.New, string(r.Rule)}, further...)...)
	}
	for _, r := range runs {
		var err error
		if members, rows := packMembers(r); rows > maxRunRows {
			err = row(r, members)
		} else {
			for first, count := range r.Parts(r.Old, r.Last()) {
				err = errors.Join(err, row(merge.Run{Old: first, Count: count, New: r.At(first - r.Old), Rule: r.Rule}, further...))
			}
			if r.Count == 0 {
				err = row(r, further...)
			}
		}
		if err != nil {
			return errors.Join(err, in.close())
		}
	}
	return errors.Join(in.flush(), in.close())
}

func (w memoryWriter) renames(list []merge.MemoryRename) error {
	rows := make([][]any, len(list))
	for i, r := range list {
		pairs := make([][2]string, len(r.Unique))
		for j, c := range r.Unique {
			pairs[j] = [2]string{c.Table, c.Name}
		}
		unique, err1 := json.Marshal(pairs)
		column, err2 := json.Marshal([2]string{r.Column.Table, r.Column.Name})
		key, err3 := jsonKey(r.Row)
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
		rows[i] = []any{i + 1, r.Via, string(unique), string(column), r.Shard, key, r.Old, r.New}
	}
	return w.rows(renamesTable, rows...)
}

func (w memoryWriter) references(list []merge.MemoryReference) error {
	rows := make([][]any, len(list))
	for i, r := range list {
		spaces := make([]*[2]string, len(r.Spaces))
		for j, c := range r.Spaces {
			if c != (merge.Col{}) {
				spaces[j] = &[2]string{c.Table, c.Name}
			}
		}
		reference, err1 := json.Marshal(r.Reference)
		targets, err2 := json.Marshal(spaces)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		rows[i] = []any{i + 1, string(reference), string(targets)}
	}
	return w.rows(referencesTable, rows...)
}

// sortedSpaces are the spaces in the order of the table's key, so that its rows are appended.
func sortedSpaces(list []merge.MemorySpace) []merge.MemorySpace {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b merge.MemorySpace) int {
		return cmp.Or(cmp.Compare(a.Via, b.Via), cmp.Compare(a.Key.Table, b.Key.Table), cmp.Compare(a.Key.Name, b.Key.Name), cmp.Compare(a.Shard, b.Shard))
	})
	return list
}

// jsonKey writes a row's key as a JSON array that keeps storage classes: null, an integer as a number, text as a string, and {"real": digits},
// {"blob": base64} and, for text that is not UTF-8, {"text": base64}.
func jsonKey(values []any) (string, error) {
	parts := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil, int64:
			parts[i] = v
		case float64:
			digits := fmt.Sprintf("%.17g", v)
			if math.IsInf(v, 0) {
				digits = literal(v)
			}
			parts[i] = map[string]string{"real": digits}
		case string:
			if parts[i] = v; !utf8.ValidString(v) {
				parts[i] = map[string]string{"text": base64.StdEncoding.EncodeToString([]byte(v))}
			}
		case []byte:
			parts[i] = map[string]string{"blob": base64.StdEncoding.EncodeToString(v)}
		default:
			return "", fmt.Errorf("a key of type %T", v)
		}
	}
	b, err := json.Marshal(parts)
	return string(b), err
}
