package prove

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkObjects checks that tables are declared as in an input, and that indexes, triggers and views are the inputs' own, to the letter.
func (p *proof) checkObjects(context.Context) error {
	good := true
	for _, o := range p.schema.Objects {
		known := false
		for _, s := range p.shards {
			known = known || slices.ContainsFunc(s.Schema().Objects, func(x merge.Object) bool { return p.sameObject(x, o) && x.SQL == o.SQL })
		}
		if !known {
			good = false
			p.fail(Check{Name: CheckObjects, Table: o.Table}, "no input has the %s %s as the output has it", o.Kind, o.Name)
		}
	}
	for i, s := range p.shards {
		for _, o := range s.Schema().Objects {
			if o.Table != "" && p.schema.Table(o.Table) == nil {
				continue // of a table that the plan leaves out
			}
			if !slices.ContainsFunc(p.schema.Objects, func(x merge.Object) bool { return p.sameObject(x, o) }) {
				good = false
				p.fail(Check{Name: CheckObjects, Table: o.Table, Shard: p.name(i)}, "the output lacks the %s %s", o.Kind, o.Name)
			}
		}
	}
	for _, t := range p.schema.Tables {
		if !p.declared(t) {
			good = false
			p.fail(Check{Name: CheckObjects, Table: t.Name}, "the table is declared as in no input")
		}
	}
	if good {
		n := len(p.schema.Objects)
		p.pass(Check{Name: CheckObjects, Rows: int64(n), Detail: fmt.Sprintf("%d indexes, triggers and views", n)})
	}
	return nil
}

func (p *proof) sameObject(a, b merge.Object) bool {
	return a.Kind == b.Kind && p.schema.Equal(a.Name, b.Name)
}

// declared tells whether a table is declared as in an input. One that has wider columns has a declaration of its own.
func (p *proof) declared(t *merge.Table) bool {
	widened := p.widened(t)
	return slices.ContainsFunc(p.shards, func(s merge.Shard) bool {
		own := s.Schema().Table(t.Name)
		return own != nil && (own.SQL == t.SQL || len(widened) > 0 && p.sameButWider(own, t, widened))
	})
}

// widened are the columns of a table that hold keys which the plan makes 8 bytes wide.
func (p *proof) widened(t *merge.Table) (names []string) {
	for _, k := range p.plan.Keys {
		if !k.Widen {
			continue
		}
		for _, c := range t.Columns {
			s := p.columnSpace(merge.Col{Table: t.Name, Name: c.Name})
			if s == nil { // a part of a key, or a reference under a condition
				for _, r := range p.mem.References {
					if i := slices.Index(r.Reference.From, merge.Col{Table: t.Name, Name: c.Name}); i >= 0 && i < len(r.Spaces) && p.spaces[r.Spaces[i]] != nil && r.Spaces[i] == k.Key {
						s = p.spaces[r.Spaces[i]]
					}
				}
			}
			if s != nil && s.key == k.Key {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// sameButWider tells whether an input declares the same table, the types of columns that hold wider keys apart.
func (p *proof) sameButWider(own, t *merge.Table, widened []string) bool {
	return slices.EqualFunc(own.Columns, t.Columns, func(a, b *merge.Column) bool {
		as := *a
		switch text := a.Affinity == merge.Text; {
		case !slices.Contains(widened, b.Name) || text != (b.Affinity == merge.Text):
		case text && b.Limit() == math.MaxInt64-1:
			as.Type, as.Chars = b.Type, b.Chars
		case b.Bytes == 8:
			as.Type, as.Bytes, as.Affinity = b.Type, b.Bytes, b.Affinity
		}
		return as == *b
	}) && slices.EqualFunc(own.Uniques, t.Uniques, func(a, b *merge.Unique) bool { return reflect.DeepEqual(a, b) }) &&
		slices.EqualFunc(own.ForeignKeys, t.ForeignKeys, func(a, b *merge.ForeignKey) bool { return reflect.DeepEqual(a, b) }) &&
		slices.Equal(own.Checks, t.Checks) && own.AutoColumn == t.AutoColumn && own.Counted == t.Counted && own.Strict == t.Strict
}

// checkCounters checks the engine's own counters: above every key, also of other tables that one sequence numbers, and above what they ever were. Counters of the game are columns, and compared.
func (p *proof) checkCounters(ctx context.Context) error {
	for _, t := range p.schema.Tables {
		if !t.Counted || t.AutoColumn == "" || t.Opaque != "" {
			continue
		}
		col := merge.Col{Table: t.Name, Name: t.AutoColumn}
		check := Check{Name: CheckCounters, Table: t.Name, Column: t.AutoColumn}
		got, err := p.keysOf(ctx, -1, col)
		if err != nil {
			return err
		}
		floor, _ := got.Set.Max()
		for i := range p.shards {
			own, err := p.keysOf(ctx, i, col)
			if err != nil {
				return err
			}
			floor = max(floor, own.Highest)
		}
		if at := slices.IndexFunc(p.plan.Keys, func(k merge.KeyPlan) bool { return p.sameCol(k.Key, col) }); at >= 0 {
			others, err := p.inSequence(ctx, -1, p.plan.Keys[at])
			if err != nil {
				return err
			}
			top, _ := others.Max()
			floor = max(floor, top)
		}
		for _, c := range p.plan.Counters {
			if !c.ByEngine(p.schema) || c.Column.Table != t.Name {
				continue
			}
			counted, err := p.keysOf(ctx, -1, c.Key)
			if err != nil {
				return err
			}
			top, _ := counted.Set.Max()
			floor = max(floor, top)
		}
		switch {
		case got.Highest < floor:
			p.fail(check, "the counter stands at %d, and must be at least %d", got.Highest, floor)
			p.bad(t.Name, merge.BadRow{Column: t.AutoColumn, Want: fmt.Sprintf("a counter of at least %d", floor), Got: fmt.Sprint(got.Highest)})
		case got.Highest == math.MaxInt64:
			p.fail(check, "the counter stands at the last number: no row could be added")
		default:
			check.Rows, check.Detail = got.Rows, fmt.Sprintf("counter at %d", got.Highest)
			p.pass(check)
		}
	}
	return nil
}

// checkSound checks the output's integrity, and that no more declared foreign keys are broken than were.
func (p *proof) checkSound(ctx context.Context) error {
	found := <-p.sound
	if found.err != nil {
		return found.err
	}
	damage, broken := found.damage, found.violations
	if len(damage) > 0 {
		p.fail(Check{Name: CheckIntegrity, Rows: int64(len(damage))}, "%s", damage[0])
	} else {
		p.pass(Check{Name: CheckIntegrity, Detail: "ok"})
	}
	before := map[string]int64{}
	if len(broken) > 0 {
		own := make([]map[string]int64, len(p.shards))
		if err := merge.SideBySide(len(own), func(i int) (err error) {
			own[i], err = p.violations(ctx, p.shards[i])
			return err
		}); err != nil {
			return err
		}
		for _, inputs := range own {
			for t, n := range inputs {
				if merged := p.schema.Table(t); merged != nil {
					before[merged.Name] += n
				}
			}
		}
	}
	for _, t := range p.schema.Tables {
		if broken[t.Name] <= before[t.Name] {
			continue
		}
		loose, err := p.heldByNone(ctx, t)
		if err != nil {
			return err
		}
		before[t.Name] += loose
	}
	good, total, more := true, int64(0), int64(0)
	for _, t := range p.schema.Tables {
		n := broken[t.Name]
		total, more = total+n, more+max(0, n-before[t.Name])
		if n > before[t.Name]+p.bereft[t.Name] {
			good = false
			p.fail(Check{Name: CheckForeign, Table: t.Name, Rows: n}, "%d rows break a declared foreign key, %d did before", n, before[t.Name])
		}
	}
	detail := fmt.Sprintf("%d rows break a declared foreign key, no more than before", total)
	if more > 0 {
		detail = fmt.Sprintf("%d rows break a declared foreign key, %d more than before: they referred to rows that the plan leaves out", total, more)
	}
	if good {
		p.pass(Check{Name: CheckForeign, Rows: total, Detail: detail})
	}
	return nil
}

// heldByNone counts the rows of the inputs that break a foreign key which the output declares and their own input does not.
func (p *proof) heldByNone(ctx context.Context, t *merge.Table) (rows int64, err error) {
	for _, f := range t.ForeignKeys {
		for _, s := range p.shards {
			own, broken := s.Schema().Table(t.Name), p.schema.Breaking(p.engine, t, f, s.Schema())
			if broken == "" {
				continue
			}
			n, err := s.Count(ctx, own.Name, broken)
			if err != nil {
				return 0, err
			}
			rows += n
		}
	}
	return rows, nil
}

// soundness is what an engine says about a database's integrity.
type soundness struct {
	damage     []string
	violations map[string]int64
	err        error
}

// soundInBackground starts the check of the output's integrity, which needs nothing of the proof; the returned function ends it.
func (p *proof) soundInBackground(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	answer, done := make(chan soundness, 1), make(chan struct{})
	p.sound = answer
	go func() {
		defer close(done)
		var s soundness
		s.damage, s.violations, s.err = p.engine.Sound(ctx, p.merged)
		answer <- s
	}()
	return func() {
		cancel()
		<-done
	}
}

// violator is an engine that counts broken foreign keys without looking at anything else.
type violator interface {
	Violations(ctx context.Context, db merge.Shard) (map[string]int64, error)
}

// violations are the rows of an input that break a declared foreign key, by table.
func (p *proof) violations(ctx context.Context, s merge.Shard) (map[string]int64, error) {
	if v, ok := p.engine.(violator); ok {
		return v.Violations(ctx, s)
	}
	_, own, err := p.engine.Sound(ctx, s)
	return own, err
}
