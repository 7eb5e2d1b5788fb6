package prove

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// space is what the output records about one key space.
type space struct {
	key    merge.Col
	runs   [][]merge.Run // by shard
	tombs  [][]merge.Run // by shard
	maps   []*merge.KeyMap
	broken bool
	users  []merge.Col // columns that hold its keys
}

// readSpaces collects the maps of this merge.
func (p *proof) readSpaces() error {
	for _, m := range p.mem.Spaces {
		if m.Via != "" {
			continue
		}
		shard := slices.IndexFunc(p.shards, func(s merge.Shard) bool { return s.Source().Name == m.Shard })
		if shard < 0 {
			return &InputError{m.Shard, "the output records keys of it, but it is no input", "the record is damaged: use the output as the merge left it"}
		}
		s := p.spaces[m.Key]
		if s == nil {
			n := len(p.shards)
			s = &space{key: m.Key, runs: make([][]merge.Run, n), tombs: make([][]merge.Run, n), maps: make([]*merge.KeyMap, n), users: []merge.Col{m.Key}}
			p.spaces[m.Key] = s
		}
		s.runs[shard] = append(s.runs[shard], m.Runs...)
		s.tombs[shard] = append(s.tombs[shard], m.Tombstones...)
	}
	for _, s := range p.spaces {
		for i := range s.maps {
			m, err := merge.NewKeyMap(slices.Concat(s.runs[i], s.tombs[i]))
			if err != nil {
				s.broken = true
				p.fail(Check{Name: CheckMaps, Table: s.key.Table, Column: s.key.Name, Shard: p.name(i)}, "%v", err)
				m, _ = merge.NewKeyMap(nil)
			}
			s.maps[i] = m
		}
	}
	for _, r := range p.mem.References {
		for i, to := range r.Spaces {
			if s := p.spaces[to]; s != nil && i < len(r.Reference.From) {
				s.users = append(s.users, r.Reference.From[i])
			}
		}
	}
	return nil
}

// sorted lists the spaces in the order of their names.
func (p *proof) sorted() []*space {
	var list []*space
	for _, s := range p.spaces {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *space) int { return strings.Compare(a.key.String(), b.key.String()) })
	return list
}

// rule is what the plan says about the table of a column; the default is to merge.
func (p *proof) rule(table string) merge.TablePlan {
	r := merge.TablePlan{Table: table, Rows: merge.MergeRows}
	if found := p.plan.TableRule(p.schema, table); found != nil {
		r = *found
		if r.Rows == "" {
			r.Rows = merge.MergeRows
		}
	}
	return r
}

// alive is which keys of a column stand in rows of a shard that came into the output. References of every shard go to the rows of a table that
// came from one shard alone, if they went to such a row before.
func (p *proof) alive(ctx context.Context, shard int, col merge.Col) (*merge.KeySet, error) {
	rule, here := p.rule(col.Table), shard
	switch rule.Rows {
	case merge.EmptyRows:
		return merge.NewKeySet(), nil
	case merge.FromRows:
		shard = slices.IndexFunc(p.shards, func(s merge.Shard) bool { return s.Source().Name == rule.From })
		if shard < 0 {
			return nil, fmt.Errorf("table %s is taken from %s, which is no input", col.Table, rule.From)
		}
	}
	k, err := p.keysOf(ctx, shard, col)
	if err != nil {
		return nil, err
	}
	keys := k.Set
	if gone := p.gone[keyColumn{shard, col}]; gone != nil {
		keys = keys.Without(gone)
	}
	none, err := p.inNoGroup(ctx, col)
	if err != nil {
		return nil, err
	}
	keys = keys.Without(merge.NewKeySet(none...))
	if here == shard {
		return keys, nil
	}
	own, err := p.keysOf(ctx, here, col) // a shard with rows of its own refers to what it has itself
	if err != nil || own.Rows == 0 {
		return keys, err
	}
	return keys.Both(own.Set), nil
}

// inNoGroup are the numbers of a column that mean nobody where rows share its numbers: those that the plan names. Where it names none, as records did not at first, 0 and -1
// are, once two rows of an input hold the same number.
func (p *proof) inNoGroup(ctx context.Context, col merge.Col) ([]int64, error) {
	at := slices.IndexFunc(p.plan.Keys, func(k merge.KeyPlan) bool { return k.Key == col })
	if at < 0 || p.static(col) {
		return nil, nil
	}
	if none := p.plan.Keys[at].None; none != nil {
		return none, nil
	}
	for i := range p.shards {
		if k, err := p.keysOf(ctx, i, col); err != nil || k.Repeats() {
			return []int64{0, -1}, err
		}
	}
	return nil, nil
}

// folds tells whether equal keys of different shards are the same thing.
func (p *proof) folds(table string) bool {
	switch p.rule(table).Rows {
	case merge.MergeRows, merge.ByValue, merge.EmptyRows:
		return false
	}
	return true
}

// oneEverywhere tells whether a value of a text key means one row on every server: rows fold by it.
func (p *proof) oneEverywhere(key merge.Col) bool {
	rule := p.rule(key.Table)
	return p.folds(key.Table) || rule.Rows == merge.ByValue && len(rule.By) == 1 && p.schema.Equal(rule.By[0], key.Name)
}

// static tells whether a key is the same thing in every shard.
func (p *proof) static(key merge.Col) bool {
	return p.folds(key.Table) || slices.ContainsFunc(p.plan.Keys, func(k merge.KeyPlan) bool { return k.Key == key && k.New == merge.Static })
}

// checkSpaces checks the maps by themselves and against the keys that they map.
func (p *proof) checkSpaces(ctx context.Context) error {
	for _, s := range p.sorted() {
		if s.broken {
			continue
		}
		if p.schema.Column(s.key) == nil {
			p.fail(Check{Name: CheckMaps, Table: s.key.Table, Column: s.key.Name}, "the output has no such column")
			continue
		}
		if err := p.checkSpace(ctx, s); err != nil {
			return err
		}
	}
	return p.checkSequences(ctx)
}

// checkSequences checks that keys of one sequence stand in one table alone.
func (p *proof) checkSequences(ctx context.Context) error {
	seen := map[string]*merge.KeySet{}
	for _, k := range p.plan.Keys {
		if k.Sequence == "" || p.schema.Column(k.Key) == nil {
			continue
		}
		here, err := p.keysOf(ctx, -1, k.Key)
		if err != nil {
			return err
		}
		if seen[k.Sequence] == nil {
			seen[k.Sequence] = merge.NewKeySet()
		}
		check := Check{Name: CheckMaps, Table: k.Key.Table, Column: k.Key.Name, Rows: here.Set.Len(), Detail: "no other key of the sequence " + k.Sequence + " has these values"}
		if both := here.Set.Both(seen[k.Sequence]); both.Len() > 0 {
			p.fail(check, "%d values are those of other keys of the sequence %s, too (%s)", both.Len(), k.Sequence, some(both))
		} else {
			p.pass(check)
		}
		seen[k.Sequence].Union(here.Set)
	}
	return nil
}

// inSequence is which keys of other tables a shard numbers by a key's sequence; of the output where the shard is -1.
func (p *proof) inSequence(ctx context.Context, shard int, key merge.KeyPlan) (*merge.KeySet, error) {
	all := merge.NewKeySet()
	for _, k := range p.plan.Keys {
		if key.Sequence == "" || k.Sequence != key.Sequence || k.Key == key.Key {
			continue
		}
		if shard < 0 {
			here, err := p.keysOf(ctx, shard, k.Key)
			if err != nil {
				return nil, err
			}
			all.Union(here.Set)
			continue
		}
		alive, err := p.alive(ctx, shard, k.Key)
		if err != nil {
			return nil, err
		}
		all.Union(alive)
	}
	return all, nil
}

// otherThings tells of a dead value of a shard, and of what became of it, whether that is a key of another table of the sequence in the output, and was none in its shard.
func (p *proof) otherThings(ctx context.Context, shard int, s *space) (func(old, image int64) bool, error) {
	if s == nil {
		return func(int64, int64) bool { return false }, nil
	}
	key := p.keyPlan(s)
	own, err := p.inSequence(ctx, shard, key)
	if err != nil {
		return nil, err
	}
	merged, err := p.inSequence(ctx, -1, key)
	return func(old, image int64) bool { return merged.Has(image) && !own.Has(old) }, err
}

func (p *proof) checkSpace(ctx context.Context, s *space) error {
	key := p.keyPlan(s)
	here, err := p.keysOf(ctx, -1, s.key)
	if err != nil {
		return err
	}
	static, nobody := p.static(s.key), p.nobody(s)
	earlier, images, tombs := merge.NewKeySet(), merge.NewKeySet(), merge.NewKeySet()
	twins, err := p.twinsOf(ctx, s)
	if err != nil {
		return err
	}
	for i := range s.maps {
		check := Check{Name: CheckMaps, Table: s.key.Table, Column: s.key.Name, Shard: p.name(i)}
		alive, err := p.alive(ctx, i, s.key)
		if err != nil {
			return err
		}
		good := true
		wrong := func(format string, args ...any) {
			good = false
			p.fail(check, format, args...)
		}
		p.checkRuns(s, i, key, wrong)
		folds := p.checkFolds(s, twins, i, wrong)
		moving, buried := merge.OldKeys(s.runs[i]), merge.OldKeys(s.tombs[i])
		if static && moving.Len() > 0 {
			wrong("%d keys are recorded as changed, but this key is static", moving.Len())
		}
		if n := moving.Without(alive).Len(); n > 0 {
			wrong("%d keys are recorded as changed that no row has", n)
		}
		if both := buried.Both(alive); both.Len() > 0 {
			wrong("%s is recorded as a dead value, but a row has it", some(both))
		}
		if !key.All {
			if idle := moving.Without(folds).Without(earlier); idle.Len() > 0 && key.Range == nil {
				wrong("%d keys changed without need (%s): no earlier input has them", idle.Len(), some(idle))
			}
		}
		mine := s.maps[i].Images(alive)
		if mine.Len() != alive.Len() {
			wrong("%d keys became the same as others of the same input", alive.Len()-mine.Len())
		}
		if !static {
			if both := s.maps[i].Images(alive.Without(folds)).Both(images); both.Len() > 0 {
				wrong("%d keys became the keys of another input's rows (%s)", both.Len(), some(both))
			}
		}
		fresh := s.maps[i].Images(buried)
		if both := fresh.Both(tombs); both.Len() > 0 || fresh.Len() != buried.Len() {
			wrong("two dead values got the same tombstone")
		}
		if both := fresh.Both(here.Set); both.Len() > 0 {
			wrong("the tombstone %s is alive in the output", some(both))
		}
		made := s.maps[i].Images(moving)
		made.Union(fresh)
		if both := made.Both(nobody); both.Len() > 0 {
			wrong("the plan says that %s means nobody, and it was given out", some(both))
		}
		images.Union(mine)
		tombs.Union(fresh)
		others, err := p.inSequence(ctx, i, key)
		if err != nil {
			return err
		}
		earlier.Union(alive, others)
		if good {
			check.Rows, check.Detail = alive.Len(), fmt.Sprintf("%d keys changed, %d tombstones", moving.Len(), buried.Len())
			p.pass(check)
		}
	}
	return nil
}

// checkRuns checks one map's numbers: their width, their range, and whose IDs they are.
func (p *proof) checkRuns(s *space, shard int, key merge.KeyPlan, wrong func(string, ...any)) {
	low, high, narrow := p.limits(s, key)
	server := p.mem.Shards[shard].Server
	runs := slices.DeleteFunc(slices.Clone(s.runs[shard]), func(r merge.Run) bool { return r.Rule == merge.Fold })
	for _, r := range runs {
		if r.Rule != key.New && key.New != "" {
			wrong("keys from %d on are recorded under the rule %s, but the plan says %s", r.Old, r.Rule, key.New)
			return
		}
		if first := runs[0]; r.Rule == merge.Shift && r.New-r.Old != first.New-first.Old {
			wrong("keys from %d on are shifted by %d, and others by %d", r.Old, r.New-r.Old, first.New-first.Old)
			return
		}
	}
	for _, r := range s.tombs[shard] {
		if r.Rule != merge.Tombstone {
			wrong("the tombstone of %d is recorded under the rule %s", r.Old, r.Rule)
			return
		}
	}
	for _, r := range s.maps[shard].Runs() {
		last := r.At(r.Count - 1)
		if last < r.New || r.New < low || last > high {
			wrong("new keys %d to %d do not fit %s", r.New, last, narrow)
			return
		}
		if r.Rule == merge.GameID && (server == nil || merge.IDServer(r.New) != *server) {
			wrong("the IDs from %d on are those of server %d, which is not this input's", r.New, merge.IDServer(r.New))
			return
		}
	}
}

// limits are the lowest and the highest number that a key and every column that holds it can take; narrow is the column that ends first.
func (p *proof) limits(s *space, key merge.KeyPlan) (low, high int64, narrow merge.Col) {
	low, high, narrow = math.MinInt64, math.MaxInt64-1, s.key
	if !key.Widen {
		for _, c := range s.users {
			if col := p.schema.Column(c); col != nil && col.Limit() < high {
				high, narrow = col.Limit(), c
			}
		}
	}
	if key.Range != nil {
		low, high, narrow = key.Range[0], min(high, key.Range[1]), s.key
	}
	return low, high, narrow
}

// keyPlan is what the plan says of a space's key.
func (p *proof) keyPlan(s *space) (key merge.KeyPlan) {
	for _, k := range p.plan.Keys {
		if k.Key == s.key {
			key = k
		}
	}
	return key
}

// some names up to three values of a set.
func some(set *merge.KeySet) string {
	var list []string
	for k := range set.All() {
		if len(list) == 3 {
			list = append(list, "...")
			break
		}
		list = append(list, fmt.Sprint(k))
	}
	return strings.Join(list, ", ")
}
