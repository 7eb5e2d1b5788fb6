package sqlite

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// bindMap lays a map out and binds its blobs, once in a statement.
func (c *compiler) bindMap(ctx context.Context, m *merge.KeyMap) (*boundSet, error) {
	if b, ok := c.maps[m]; ok {
		return b, nil
	}
	b, err := c.bind(ctx, m, m)
	if err != nil {
		return nil, err
	}
	c.maps[m] = b
	return b, nil
}

// bindSet lays a set out as a map in which every member stays, so that all have one state.
func (c *compiler) bindSet(ctx context.Context, set *merge.KeySet) (*boundSet, error) {
	if b, ok := c.sets[set]; ok {
		return b, nil
	}
	m, err := staying(set)
	if err != nil {
		return nil, err
	}
	b, err := c.bind(ctx, set, m)
	if err != nil {
		return nil, err
	}
	c.sets[set] = b
	return b, nil
}

// staying is a set as a map that changes nothing.
func staying(set *merge.KeySet) (*merge.KeyMap, error) {
	var runs []merge.Run
	low, _ := set.Min()
	if high, ok := set.Max(); ok && high-low >= 0 && high-low < math.MaxInt64 {
		runs = append(runs, merge.Run{Old: low, Count: high - low + 1, New: low, Rule: merge.Static, Among: set})
	} else {
		for first, count := range set.Runs() {
			runs = append(runs, merge.Run{Old: first, Count: count, New: first, Rule: merge.Static})
		}
	}
	return merge.NewKeyMap(runs)
}

func (c *compiler) bind(ctx context.Context, owner any, m *merge.KeyMap) (*boundSet, error) {
	laid, err := c.pump.layOut(owner, m)
	if err != nil {
		return nil, err
	}
	set := laid.changeSet
	b := &boundSet{changeSet: set, params: make([]int, len(set.pieces))}
	for i, p := range set.pieces {
		if p.blob {
			c.args = append(c.args, laid.blobs[i])
			b.params[i] = len(c.args)
		}
	}
	if len(set.runs) > 0 {
		b.table, err = c.pump.once(ctx, owner, "map", "gameid_old INTEGER PRIMARY KEY, gameid_count, gameid_base, gameid_server", func(insert func(...any) error) error {
			for _, r := range set.runs {
				var base, server any = r.New, nil
				if r.Rule == merge.GameID {
					base, server = merge.IDCursor(r.New), merge.IDServer(r.New)<<merge.IDSequenceBits
				}
				if err := insert(r.Old, r.Count, base, server); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return b, err
}

// laidOut is a change set with the blobs of its pieces.
type laidOut struct {
	*changeSet
	blobs [][]byte
}

// layOut lays a map out once for all tables that hold their keys. Only what every table needs again is kept: small blobs, and the last large ones.
func (p *pump) layOut(owner any, m *merge.KeyMap) (*laidOut, error) {
	if laid := p.laid[owner]; laid != nil {
		return laid, nil
	}
	set, err := newChangeSet(m)
	if err != nil {
		return nil, err
	}
	laid, size := &laidOut{changeSet: set, blobs: make([][]byte, len(set.pieces))}, 0
	for i, piece := range set.pieces {
		if piece.blob {
			laid.blobs[i] = set.bytes(piece)
			size += len(laid.blobs[i])
		}
	}
	if size > keptBlobs {
		clear(p.laid)
	}
	p.laid[owner] = laid
	return laid, nil
}

// keptBlobs is the size from which on the blobs of one map push the others out.
const keptBlobs = 8 << 20

// once makes a temporary table for an owner, a pointer, unless this connection has it already, and returns its name. fill gets a function that inserts one row.
func (p *pump) once(ctx context.Context, owner any, kind, columns string, fill func(insert func(...any) error) error) (string, error) {
	if name, ok := p.tables[owner]; ok {
		return name, nil
	}
	name := "gameid_" + kind + "_" + itoa(len(p.tables))
	if err := p.exec(ctx, "CREATE TEMP TABLE "+name+"("+columns+")"); err != nil {
		return "", err
	}
	in := rowInserter{ctx: ctx, p: p, table: name}
	if err := p.exec(ctx, "BEGIN"); err != nil {
		return "", err
	}
	err := fill(in.add)
	if err == nil {
		err = in.flush()
	}
	if err != nil {
		_ = p.exec(context.WithoutCancel(ctx), "ROLLBACK")
		return "", err
	}
	if err := p.exec(ctx, "COMMIT"); err != nil {
		return "", err
	}
	p.tables[owner] = name
	return name, nil
}

// rowInserter gathers rows into statements of many.
type rowInserter struct {
	ctx   context.Context //nolint:containedctx // lives as long as one call of once
	p     *pump
	table string
	width int
	args  []any
}

const rowsAtOnce = 256

func (r *rowInserter) add(values ...any) error {
	r.width = len(values)
	r.args = append(r.args, values...)
	if len(r.args) < rowsAtOnce*r.width {
		return nil
	}
	return r.flush()
}

func (r *rowInserter) flush() error {
	if len(r.args) == 0 {
		return nil
	}
	row := "(" + strings.Join(slices.Repeat([]string{"?"}, r.width), ", ") + ")"
	query := "INSERT INTO temp." + r.table + " VALUES " + strings.Join(slices.Repeat([]string{row}, len(r.args)/r.width), ", ")
	_, err := r.p.conn.ExecContext(r.ctx, query, r.args...)
	r.args = r.args[:0]
	return err
}
