package prove

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// twin is a row that holds what an earlier input's row holds, by which the plan folds.
type twin struct {
	shard int // of the earlier row
	key   int64
}

// sameValues are, by input, the rows of a table that fold by their values into an earlier input's, found anew; nil where the plan folds none so. Of several rows of one input that with
// the lowest key folds.
func (p *proof) sameValues(ctx context.Context, table string) ([]map[int64]twin, error) {
	rule, t := p.rule(table), p.schema.Table(table)
	if rule.Rows != merge.ByValue || t == nil {
		return nil, nil
	}
	var by []string
	for _, name := range rule.By {
		if c := t.Column(name, p.schema.Fold); c != nil {
			by = append(by, c.Name)
		}
	}
	key := t.KeyOver(by)
	key.Key = p.numberedBy(t)
	owners, err := p.ownersIn(ctx, &key)
	if err != nil {
		return nil, err
	}
	var rows int64
	twins := make([]map[int64]twin, len(p.shards))
	for i, s := range p.shards {
		twins[i] = map[int64]twin{}
		if s.Schema().Table(t.Name) == nil {
			continue
		}
		n, err := s.Rows(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		rows += n
	}
	list, _, err := p.engine.Clashes(ctx, p.shards, key, "", "", int(rows))
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		keys := map[int]int64{}
		first := -1
		for _, row := range c.Rows {
			if len(row.Key) != 1 || ownerless(owners, row) {
				continue
			}
			k, ok := row.Key[0].(int64)
			if _, again := keys[row.Shard]; !ok || again && keys[row.Shard] < k {
				continue
			}
			keys[row.Shard] = k
			if first < 0 || row.Shard < first {
				first = row.Shard
			}
		}
		for shard, k := range keys {
			if shard != first {
				twins[shard][k] = twin{first, keys[first]}
			}
		}
	}
	return twins, nil
}

// twinsOf are, by input, the values of a key whose rows fold by their values, and those of the rows into which they do; nil where its values do not become others.
func (p *proof) twinsOf(ctx context.Context, s *space) ([]map[int64]twin, error) {
	rows, err := p.sameValues(ctx, s.key.Table)
	if err != nil || rows == nil {
		return nil, err
	}
	t := p.schema.Table(s.key.Table)
	number := s.key
	if len(t.PrimaryKey) == 1 {
		number.Name = t.PrimaryKey[0]
	}
	if number == s.key {
		return rows, nil
	}
	alone := slices.ContainsFunc(t.Uniques, func(u *merge.Unique) bool { return u.Plain() && slices.Equal(u.Cols(), []merge.Col{s.key}) })
	if !alone || p.static(s.key) {
		return nil, nil
	}
	values := make([]map[int64]int64, len(p.shards))
	for i, sh := range p.shards {
		values[i] = map[int64]int64{}
		id, ok := sh.Schema().Resolve(number)
		own, has := sh.Schema().Resolve(s.key)
		if !ok || !has {
			continue
		}
		n, err := sh.Rows(ctx, id.Table)
		if err != nil {
			return nil, err
		}
		list, err := sh.Tuples(ctx, []merge.Col{id, own}, "", int(n))
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			k, numbered := v.Value[0].(int64)
			if value, ok := v.Value[1].(int64); ok && numbered {
				values[i][k] = value
			}
		}
	}
	twins := make([]map[int64]twin, len(p.shards))
	for i := range rows {
		twins[i] = map[int64]twin{}
		for old, into := range rows[i] {
			from, has := values[i][old]
			if key, ok := values[into.shard][into.key]; has && ok {
				twins[i][from] = twin{into.shard, key}
			}
		}
	}
	return twins, nil
}

// checkFolds checks that just the rows of equal values became one, and returns the keys of an input that did.
func (p *proof) checkFolds(s *space, twins []map[int64]twin, shard int, wrong func(string, ...any)) *merge.KeySet {
	folds := merge.NewKeySet()
	if twins != nil {
		for old, into := range twins[shard] {
			folds.Add(old)
			mine, _ := s.maps[shard].Lookup(old)
			if its, _ := s.maps[into.shard].Lookup(into.key); mine != its {
				wrong("row %d holds what row %d of %s holds, by which the plan folds, and became %d instead of %d", old, into.key, p.name(into.shard), mine, its)
			}
		}
	}
	led := merge.NewKeySet()
	for _, r := range s.runs[shard] {
		if r.Rule == merge.Fold {
			led.Union(merge.OldKeys([]merge.Run{r}))
		}
	}
	if alone := led.Without(folds); alone.Len() > 0 {
		wrong("%d keys are recorded as those of rows that fold, and no earlier input's row holds the same (%s)", alone.Len(), some(alone))
	}
	return folds
}
