package merge

import "context"

// Kinds counts the different values that some rows of a column hold, null and the empty text left out; all of them where it holds no text. Texts that are dates are
// others.
type Kinds struct {
	Texts  int64
	Others int64
}

// textsLeast is how many different texts make a column of a whole number's type one of texts: a key or two that are none are odd ones.
const textsLeast = 3

// strayShare is the share of different values that may be something else in a column of texts.
const strayShare = 0.1

func (k Kinds) ofTexts() bool {
	return k.Texts > 0 && float64(k.Others) <= strayShare*float64(k.Texts+k.Others)
}

// FindTexts notes which columns of a schema hold texts though their types prefer something else, as STRING does in SQLite: nearly all of their different values are
// texts, and most of those of every shard; more than a few where the type is that of whole numbers.
func FindTexts(ctx context.Context, schema *Schema, shards []Shard) error {
	schema.texts = map[Col]bool{}
	for _, t := range schema.Tables {
		all, mixed := map[Col]Kinds{}, map[Col]bool{}
		for _, shard := range shards {
			own := shard.Schema().Table(t.Name)
			if t.Opaque != "" || own == nil || own.Opaque != "" {
				continue
			}
			kinds, err := shard.Kinds(ctx, own.Name)
			if err != nil {
				return err
			}
			for name, k := range kinds {
				if col, ok := schema.Resolve(Col{t.Name, name}); ok {
					all[col] = Kinds{all[col].Texts + k.Texts, all[col].Others + k.Others}
					mixed[col] = mixed[col] || k.Others > k.Texts
				}
			}
		}
		for col, k := range all {
			schema.texts[col] = k.ofTexts() && !mixed[col] && (k.Texts >= textsLeast || schema.Column(col).Affinity != Integer)
		}
	}
	return nil
}

// Holds is what kind of value a column holds: texts where it stores hardly anything else, and otherwise what its type prefers; "" when there is no such column.
func (s *Schema) Holds(c Col) Affinity {
	col, ok := s.Resolve(c)
	switch {
	case !ok:
		return ""
	case s.texts[col]:
		return Text
	}
	return s.Column(col).Affinity
}
