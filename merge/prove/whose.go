package prove

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// owner is a part of a key by which rows fold that leads to other rows.
type owner struct {
	part  int
	alive []*merge.KeySet // by input
	none  []any
}

// ownersIn are the parts of a key by which rows fold that lead to rows known by numbers. The key takes them for what they became.
func (p *proof) ownersIn(ctx context.Context, key *merge.Unique) (list []owner, err error) {
	for part, c := range key.Cols() {
		at := slices.IndexFunc(p.mem.References, func(r merge.MemoryReference) bool {
			return r.Reference.As == merge.Plain && len(r.Reference.From) == 1 && p.sameCol(r.Reference.From[0], c)
		})
		if at < 0 {
			continue
		}
		r := p.mem.References[at]
		if kind := p.schema.Holds(r.Reference.To[0]); kind != merge.Integer && kind != merge.Numeric && kind != merge.Blob { // texts become one by what they are
			continue
		}
		o := owner{part: part, alive: make([]*merge.KeySet, len(p.shards)), none: r.Reference.None}
		if key.Images == nil {
			key.Images = make([][]merge.Case, len(p.shards))
		}
		for i := range p.shards {
			if key.Images[i] == nil {
				key.Images[i] = make([]merge.Case, len(key.Columns))
			}
			if s := p.spaces[r.Spaces[0]]; s != nil {
				key.Images[i][part] = merge.Case{Map: s.maps[i], None: o.none}
			}
			if o.alive[i], err = p.alive(ctx, i, r.Reference.To[0]); err != nil {
				return nil, err
			}
		}
		list = append(list, o)
	}
	return list, nil
}

// ownerless tells whether one of the parts leads to nobody's row in the row's own input, and holds nothing that means nobody: another input's such row is somebody else's.
func ownerless(owners []owner, row merge.ClashRow) bool {
	return slices.ContainsFunc(owners, func(o owner) bool {
		n, ok := row.Values[o.part].(int64)
		return !slices.Contains(o.none, row.Values[o.part]) && (!ok || !o.alive[row.Shard].Has(n))
	})
}
