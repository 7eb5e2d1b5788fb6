package audit

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"

	"github.com/gameid/gameid/merge"
)

// holders tell which of some columns may hold a text, in whatever shard, so that the texts of many columns need not be held against each of as many others.
type holders struct {
	columns []merge.Col
	seed    maphash.Seed
	texts   []heldBy // by hash
	large   []int    // columns with too many rows to be read as a whole: they may hold any
}

// heldBy is the hash of a folded text, and one of the columns that hold it.
type heldBy struct {
	text   uint64
	column int
}

// textHolders reads the texts of some columns.
func (a *auditor) textHolders(ctx context.Context, columns []merge.Col) (*holders, error) {
	h := &holders{columns: columns, seed: maphash.MakeSeed()}
	for n, c := range columns {
		for i, s := range a.shards {
			own, ok := s.Schema().Resolve(c)
			switch rows := a.tables[c.Table].rows[i]; {
			case !ok || rows == 0:
				continue
			case rows > readWhole:
				h.large = append(h.large, n)
				continue
			}
			found, err := a.wholeTexts(ctx, i, own, "")
			if err != nil {
				return nil, err
			}
			for text := range found {
				h.texts = append(h.texts, heldBy{maphash.String(h.seed, text), n})
			}
		}
	}
	slices.SortFunc(h.texts, func(x, y heldBy) int { return cmp.Compare(x.text, y.text) })
	return h, nil
}

// near are the columns, by their place, that may hold some of the sampled texts; what no other holds is in none of them.
func (h *holders) near(samples []*merge.Sample) (list []int) {
	may := make([]bool, len(h.columns))
	for _, n := range h.large {
		may[n] = true
	}
	for _, one := range samples {
		if one == nil {
			continue
		}
		for _, text := range one.Texts {
			for _, held := range h.of(text) {
				may[held.column] = true
			}
		}
	}
	for n, yes := range may {
		if yes {
			list = append(list, n)
		}
	}
	return list
}

// of tells which columns may hold a text, without the large ones.
func (h *holders) of(text string) []heldBy {
	hash := maphash.String(h.seed, folded(text))
	by := func(x heldBy, hash uint64) int { return cmp.Compare(x.text, hash) }
	at, _ := slices.BinarySearchFunc(h.texts, hash, by)
	end := at
	for end < len(h.texts) && h.texts[end].text == hash {
		end++
	}
	return h.texts[at:end]
}

// may tells whether a text may be one of some columns, those from a place up to another.
func (h *holders) may(text string, from, to int) bool {
	within := func(column int) bool { return column >= from && column < to }
	return slices.ContainsFunc(h.large, within) || slices.ContainsFunc(h.of(text), func(held heldBy) bool { return within(held.column) })
}

// plainly tells whether SQL finds no text in a column but those that it holds as texts, or others in another case or with spaces at their end: its type makes texts of numbers.
func (a *auditor) plainly(c merge.Col) bool {
	for _, s := range a.shards {
		if own := s.Schema().Column(c); own != nil && own.Affinity != merge.Text {
			return false
		}
	}
	return true
}
