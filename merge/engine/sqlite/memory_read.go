package sqlite

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// ErrMemory tells that the tables in which an earlier merge recorded what it did are incomplete or changed.
var ErrMemory = errors.New("the record of an earlier merge is damaged")

// Memory reads what an earlier merge recorded; nil when there is none.
func (s *shard) Memory(ctx context.Context) (m *merge.Memory, err error) {
	err = s.twice(ctx, func() error {
		m, err = s.memory(ctx)
		return err
	})
	return m, err
}

func (s *shard) memory(ctx context.Context) (*merge.Memory, error) {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(memoryTables)), ", ")
	names := make([]any, len(memoryTables))
	for i, n := range memoryTables {
		names[i] = n
	}
	found, err := each[struct{ Name string }](ctx, s.conn, "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name COLLATE NOCASE IN ("+marks+") ORDER BY rowid", names...)
	if err != nil {
		return nil, s.failed(err, "look for the record of an earlier merge")
	}
	if len(found) == 0 {
		return nil, nil //nolint:nilnil // the interface says so
	}
	damaged := func(err error) error {
		return &SourceError{Path: s.path, Reason: ErrMemory, Err: err, Next: "restore the gameid_ tables from the merge's own output; if the game itself made " + found[0].Name + ", rename it in copies of the shards"}
	}
	for _, name := range memoryTables {
		if name != sealsTable && !slices.ContainsFunc(found, func(f struct{ Name string }) bool { return merge.FoldASCII(f.Name) == name }) {
			return nil, damaged(fmt.Errorf("the table %s is gone", name))
		}
	}
	m := &merge.Memory{}
	for _, read := range []func(context.Context, *merge.Memory) error{s.readShards, s.readSpaces, s.readBuried, s.readRenames, s.readReferences, s.readPlan} {
		if err := read(ctx, m); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, damaged(err)
		}
	}
	m.Broken, err = s.broken(ctx)
	return m, s.failed(err, "read the seal of the record")
}

func (s *shard) readShards(ctx context.Context, m *merge.Memory) error {
	type row struct {
		Via      string
		Name     string
		Server   sql.NullInt64
		Contents string
		State    string
	}
	list, err := each[row](ctx, s.conn, "SELECT via, name, server, contents, state FROM main."+shardsTable+" ORDER BY via, position")
	for _, r := range list {
		source := merge.Source{Name: r.Name, Contents: r.Contents, State: r.State}
		if r.Server.Valid {
			n := r.Server.Int64
			source.Server = &n
		}
		if r.Via != "" {
			m.Earlier = append(m.Earlier, merge.EarlierShard{Via: r.Via, Source: source})
			continue
		}
		m.Shards = append(m.Shards, source)
	}
	return err
}

// readSpaces reads the runs in the order in which they are stored, so that nothing is sorted and only the runs themselves are kept.
func (s *shard) readSpaces(ctx context.Context, m *merge.Memory) error {
	type space struct{ via, table, column, shard string }
	at := map[space]int{}
	for _, table := range []string{keysTable, tombstonesTable} {
		err := s.eachRun(ctx, table, func(via, name, column, shard, rule []byte, run merge.Run, members []byte) error {
			last := len(m.Spaces) - 1
			if last < 0 || m.Spaces[last].Via != string(via) || m.Spaces[last].Key.Table != string(name) || m.Spaces[last].Key.Name != string(column) || m.Spaces[last].Shard != string(shard) {
				next := space{string(via), string(name), string(column), string(shard)}
				found, ok := at[next]
				if last = found; !ok {
					last = len(m.Spaces)
					at[next] = last
					m.Spaces = append(m.Spaces, merge.MemorySpace{Via: next.via, Key: merge.Col{Table: next.table, Name: next.column}, Shard: next.shard})
				}
			}
			sp := &m.Spaces[last]
			runs := &sp.Runs
			if table == tombstonesTable {
				runs = &sp.Tombstones
			}
			switch {
			case run.Count < 0 || members == nil && run.Count > maxRunKeys:
				return fmt.Errorf("%s: a run of %d keys", sp.Key, run.Count)
			case run.Count == 0: // the space took part and nothing of it changed
				return nil
			}
			if run.Rule = knownRule(rule); run.Rule == "" {
				return fmt.Errorf("%s: a run under the unknown rule %q", sp.Key, rule)
			}
			if members != nil {
				var err error
				if run.Among, err = unpackMembers(run, members); err != nil {
					return fmt.Errorf("%s: the run at %d: %w", sp.Key, run.Old, err)
				}
			}
			*runs = append(*runs, run)
			return nil
		})
		if err != nil {
			return err
		}
	}
	m.Spaces = sortedSpaces(m.Spaces)
	return nil
}

// maxRunKeys is more keys than a table holds. A damaged record could claim so many that no memory held them.
const maxRunKeys = 1 << 36

// knownRule shares the name of a rule; "" for any other.
func knownRule(name []byte) merge.Rule {
	for _, r := range []merge.Rule{merge.Shift, merge.GameID, merge.Dense, merge.Static, merge.Fold, merge.Tombstone} {
		if string(name) == string(r) {
			return r
		}
	}
	return ""
}

// eachRun yields the rows of a table of runs in the order of its key. The texts are valid during the call.
func (s *shard) eachRun(ctx context.Context, table string, yield func(via, table, column, shard, rule []byte, run merge.Run, members []byte) error) error {
	members := "NULL"
	if table == keysTable {
		members = "members"
	}
	rows, err := s.conn.QueryContext(ctx, "SELECT via, table_name, column_name, shard, rule, first_old, count, first_new, "+members+" FROM main."+table+
		" ORDER BY via, table_name, column_name, shard, first_old")
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var via, name, column, shard, rule, members sql.RawBytes
		var run merge.Run
		if err := rows.Scan(&via, &name, &column, &shard, &rule, &run.Old, &run.Count, &run.New, &members); err != nil {
			return err
		}
		if err := yield(via, name, column, shard, rule, run, members); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *shard) readBuried(ctx context.Context, m *merge.Memory) error {
	type row struct {
		Via    string
		Table  string `db:"table_name"`
		Column string `db:"column_name"`
		Shard  string
		Old    string
		New    string
	}
	list, err := each[row](ctx, s.conn, "SELECT via, table_name, column_name, shard, old, new FROM main."+buriedTable+" ORDER BY via, table_name, column_name, shard, old")
	for _, r := range list {
		m.Buried = append(m.Buried, merge.MemoryBuried{Via: r.Via, Key: merge.Col{Table: r.Table, Name: r.Column}, Shard: r.Shard, Old: r.Old, New: r.New})
	}
	return err
}

func (s *shard) readRenames(ctx context.Context, m *merge.Memory) error {
	type row struct {
		Via    string
		Unique string `db:"unique_key"`
		Column string `db:"column_name"`
		Shard  string
		Key    string `db:"row_key"`
		Old    string
		New    string
	}
	list, err := each[row](ctx, s.conn, "SELECT via, unique_key, column_name, shard, row_key, old, new FROM main."+renamesTable+" ORDER BY id")
	for _, r := range list {
		var unique [][2]string
		var column [2]string
		key, keyErr := parseKey(r.Key)
		if err := errors.Join(json.Unmarshal([]byte(r.Unique), &unique), json.Unmarshal([]byte(r.Column), &column), keyErr); err != nil {
			return fmt.Errorf("%s: %w", renamesTable, err)
		}
		out := merge.MemoryRename{Via: r.Via, Column: merge.Col{Table: column[0], Name: column[1]}, Shard: r.Shard, Row: key, Old: r.Old, New: r.New}
		for _, u := range unique {
			out.Unique = append(out.Unique, merge.Col{Table: u[0], Name: u[1]})
		}
		m.Renames = append(m.Renames, out)
	}
	return err
}

func (s *shard) readReferences(ctx context.Context, m *merge.Memory) error {
	type row struct{ Reference, Spaces string }
	list, err := each[row](ctx, s.conn, "SELECT reference, spaces FROM main."+referencesTable+" ORDER BY id")
	for _, r := range list {
		var out merge.MemoryReference
		var spaces []*[2]string
		decoder := json.NewDecoder(strings.NewReader(r.Reference))
		decoder.UseNumber() // None holds integers that a float would round
		if err := errors.Join(decoder.Decode(&out.Reference), json.Unmarshal([]byte(r.Spaces), &spaces)); err != nil {
			return fmt.Errorf("%s: %w", referencesTable, err)
		}
		for i, v := range out.Reference.None {
			if n, ok := v.(json.Number); ok {
				if out.Reference.None[i], err = number64(n); err != nil {
					return fmt.Errorf("%s: %w", referencesTable, err)
				}
			}
		}
		for _, c := range spaces {
			if c == nil {
				out.Spaces = append(out.Spaces, merge.Col{})
				continue
			}
			out.Spaces = append(out.Spaces, merge.Col{Table: c[0], Name: c[1]})
		}
		m.References = append(m.References, out)
	}
	return err
}

func (s *shard) readPlan(ctx context.Context, m *merge.Memory) error {
	var plan string
	switch err := s.conn.QueryRowContext(ctx, "SELECT plan FROM main."+planTable+" WHERE via = '' ORDER BY id").Scan(&plan); {
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("%s lacks the row with the plan of the merge", planTable)
	case err != nil:
		return fmt.Errorf("%s: %w", planTable, err)
	}
	m.Plan = []byte(plan)
	return nil
}

// number64 reads an integer, or a fraction.
func number64(n json.Number) (any, error) {
	if k, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return k, nil
	}
	return strconv.ParseFloat(n.String(), 64)
}

// parseKey reads what jsonKey wrote.
func parseKey(s string) ([]any, error) {
	var parts []any
	decoder := json.NewDecoder(strings.NewReader(s))
	decoder.UseNumber()
	if err := decoder.Decode(&parts); err != nil {
		return nil, err
	}
	for i, p := range parts {
		var err error
		switch p := p.(type) {
		case json.Number:
			parts[i], err = strconv.ParseInt(p.String(), 10, 64)
		case map[string]any:
			parts[i], err = tagged(p)
		case nil, string:
		default:
			err = fmt.Errorf("a key part of type %T", p)
		}
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", s, err)
		}
	}
	return parts, nil
}

// tagged reads a value whose storage class JSON does not have.
func tagged(p map[string]any) (any, error) {
	for tag, v := range p {
		text, ok := v.(string)
		if !ok || len(p) != 1 {
			break
		}
		switch tag {
		case "real":
			f, err := strconv.ParseFloat(text, 64)
			if math.IsInf(f, 0) { // 9e999 is how SQL writes infinity; the range error comes with the right value
				err = nil
			}
			return f, err
		case "blob":
			return base64.StdEncoding.DecodeString(text)
		case "text":
			b, err := base64.StdEncoding.DecodeString(text)
			return string(b), err
		}
	}
	return nil, fmt.Errorf("a key part %v", p)
}
