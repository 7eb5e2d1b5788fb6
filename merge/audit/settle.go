package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/rewrite"
)

// settle writes the plan in force and, when nothing is left to a person, what a rewrite carries out.
func (a *auditor) settle(context.Context) error {
	a.joinTables()
	plan := &merge.Plan{Schema: Fingerprint(a.raw), Accept: a.given.Accept, Uniques: a.given.Uniques, Counters: a.counters}
	for _, s := range a.shards {
		plan.Shards = append(plan.Shards, s.Source())
	}
	set := &merge.Settled{Shards: plan.Shards, Schema: &merge.Schema{Objects: a.schema.Objects, Fold: a.schema.Fold}, Renames: a.rename}
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if t.Opaque == "" || line.dropped {
			plan.Tables = append(plan.Tables, line.plan)
		}
		a.tableLine(line)
		if line.dropped {
			set.Schema.Objects = slices.DeleteFunc(slices.Clone(set.Schema.Objects), func(o merge.Object) bool { return a.schema.Equal(o.Table, t.Name) })
			continue
		}
		out, err := a.widened(t)
		if err != nil {
			return err
		}
		set.Schema.Tables = append(set.Schema.Tables, out)
		set.Tables = append(set.Tables, merge.SettledTable{Table: out, Origin: a.origin[t.Name], Plan: a.unfilled(line), Key: a.foldKey(line)})
	}
	byKey := map[*space]*merge.Space{}
	for _, s := range a.order {
		if s.byPlan || a.tables[s.key.Table].total() > 0 { // what will number rows that nobody has seen is found out when they are there
			plan.Keys = append(plan.Keys, s.plan)
		}
		if moves := s.moves() - s.folded(); moves > 0 {
			text := counted(moves, "key stands", "keys stand") + " in two shards; the later shards get new ones"
			if s.plan.All {
				text = counted(moves, "key gets a new one", "keys get new ones") + ", as every key changes"
			}
			text = fmt.Sprintf("%s (%s)", text, s.plan.New)
			if s.earlier != "" {
				text += ", as in the merge that made " + s.earlier
			}
			a.find(merge.Finding{Rule: "key-conflict", Severity: merge.Info, Table: s.key.Table, Column: s.key.Name, Rows: moves, Text: text})
			a.bandLine(s, moves)
		}
		if s.result == nil {
			continue
		}
		out := &merge.Space{Key: s.key, Rule: s.plan.New, Alive: s.alive, Maps: s.result.Maps}
		byKey[s] = out
		set.Spaces = append(set.Spaces, out)
	}
	for _, r := range a.refs {
		plan.References = append(plan.References, r.Reference)
		a.res.Evidence[r.String()] = r.why(a.shards)
		ref := merge.SettledReference{Reference: r.Reference, Grade: r.grade, Cleared: r.cleared}
		if b := a.burials[a.keyOf(r)]; b != nil && a.tombs(r) {
			ref.Buried = b.settled
		}
		for _, s := range r.spaces {
			if s == nil || s.plan.New == merge.Static && (s.result == nil || s.result.Tombstones == 0) {
				ref.Spaces = append(ref.Spaces, nil)
				continue
			}
			ref.Spaces = append(ref.Spaces, byKey[s])
		}
		for _, c := range r.counts {
			ref.AsText = ref.AsText || c != nil && c.AsText > 0
		}
		set.References = append(set.References, ref)
	}
	for _, b := range a.sortedBurials() {
		set.Burials = append(set.Burials, b.settled)
	}
	a.res.Plan = plan
	a.leaveOpen(plan)
	slices.SortStableFunc(a.res.Undecided, func(x, y merge.Undecided) int {
		if x.Rows != y.Rows {
			return int(min(max(y.Rows-x.Rows, -1), 1))
		}
		return strings.Compare(x.Subject(), y.Subject())
	})
	blocked := slices.ContainsFunc(a.res.Findings, func(f merge.Finding) bool { return f.Severity == merge.Block })
	if len(a.res.Undecided) == 0 && !blocked {
		set.Plan = *plan
		a.res.Settled = set
	}
	return nil
}

// joinTables makes one entry of what is asked about a table's rows and about columns that a shard lacks: a plan has one line for a table. Of rows that are left out
// no column is asked about.
func (a *auditor) joinTables() {
	joined := map[*merge.TablePlan]bool{}
	for i := range a.res.Undecided {
		u := &a.res.Undecided[i]
		if u.Table == nil || len(u.Table.Missing) > 0 {
			continue
		}
		for _, o := range a.res.Undecided {
			if o.Table == nil || o.Table.Table != u.Table.Table || len(o.Table.Missing) == 0 {
				continue
			}
			if joined[o.Table] = true; u.Table.Rows != merge.EmptyRows {
				line, question := *u.Table, u.Question
				if line.Missing = o.Table.Missing; !strings.HasSuffix(question, "?") {
					question += "."
				}
				*u = merge.Undecided{Question: question + " And " + o.Question, Evidence: joinWords(u.Evidence, o.Evidence), Rows: max(u.Rows, o.Rows), Table: &line}
			}
			break
		}
	}
	a.res.Undecided = slices.DeleteFunc(a.res.Undecided, func(u merge.Undecided) bool { return joined[u.Table] })
}

// checkSettled blocks a settled plan that the rewrite would refuse, or whose rows it could not write.
func (a *auditor) checkSettled(ctx context.Context) error {
	if a.res.Settled == nil {
		return nil
	}
	list, err := rewrite.Check(ctx, a.engine, a.raw, a.res.Settled, a.unjudged)
	if err != nil {
		return err
	}
	for _, f := range list {
		if a.renamedInVain(f) {
			f.Text += "; the plan's on_conflict: rename tells none of them apart, for what they hold is known only when they are written"
		}
		a.find(f)
		if f.Severity == merge.Block {
			a.res.Settled = nil
		}
	}
	return nil
}

// renamedInVain tells whether a finding is about a unique key of which the plan renames rows, and whose values nobody could compare before they were final.
func (a *auditor) renamedInVain(f merge.Finding) bool {
	return f.Rule == "unique-conflict" && slices.ContainsFunc(a.uniques(), func(u *merge.Unique) bool {
		plan := a.uniquePlan(u)
		return plan != nil && plan.OnConflict == "rename" && u.Table == f.Table && strings.Join(u.Columns, ", ") == f.Column && a.remade(u)
	})
}

// widener is an engine that can declare columns wider.
type widener interface {
	Widen(t *merge.Table, columns []string) (*merge.Table, error)
}

// widened is a table as the output declares it: with 8 bytes for keys that the plan widens and for whatever refers to them.
func (a *auditor) widened(t *merge.Table) (*merge.Table, error) {
	var names []string
	for _, s := range a.order {
		if !s.plan.Widen {
			continue
		}
		if s.key.Table == t.Name {
			names = append(names, s.key.Name)
		}
		for _, r := range s.users {
			for i, sp := range r.spaces {
				if sp == s && r.table() == t.Name {
					names = append(names, r.From[i].Name)
				}
			}
		}
	}
	w, ok := a.engine.(widener)
	if len(names) == 0 || !ok {
		return t, nil
	}
	return w.Widen(t, names)
}

// mostlyOf tells whether nearly all of a key's numbers are another one's, in every shard.
func (a *auditor) mostlyOf(key, of merge.Col) bool {
	for i, keys := range a.spaces[key].alive {
		if n := keys.Len(); float64(keys.Shared(a.spaces[of].alive[i])) < copyShare*float64(n) {
			return false
		}
	}
	return true
}

// leaveOpen takes out of a plan whatever an undecided entry is about, so that the entry's line can be moved in and nothing is settled by default.
func (a *auditor) leaveOpen(p *merge.Plan) {
	for _, u := range a.res.Undecided {
		switch {
		case u.Table != nil:
			p.Tables = slices.DeleteFunc(p.Tables, func(t merge.TablePlan) bool { return t.Table == u.Table.Table })
			p.Keys = slices.DeleteFunc(p.Keys, func(k merge.KeyPlan) bool { return k.Key.Table == u.Table.Table })
		case u.Key != nil:
			p.Keys = slices.DeleteFunc(p.Keys, func(k merge.KeyPlan) bool { return k.Key == u.Key.Key })
		case u.Counter != nil && a.spaces[u.Counter.Column] != nil: // the key of a table that may be there for its numbers alone
			p.Tables = slices.DeleteFunc(p.Tables, func(t merge.TablePlan) bool { return t.Table == u.Counter.Column.Table })
			p.Keys = slices.DeleteFunc(p.Keys, func(k merge.KeyPlan) bool { return k.Key == u.Counter.Column })
		case u.Reference != nil:
			p.References = slices.DeleteFunc(p.References, func(r merge.Reference) bool {
				return slices.Equal(r.From, u.Reference.From) && (r.When == u.Reference.When || r.When == "") // one in every row leaves room for no other
			})
			if u.Reference.As != merge.Plain && !slices.Contains(a.keptAgain, u.Reference.From[0]) {
				continue
			}
			p.Keys = slices.DeleteFunc(p.Keys, func(k merge.KeyPlan) bool { // a key that may be another's has no numbers of its own to decide about
				from := u.Reference.From
				turned := u.Reference.As == merge.Plain && a.spaces[from[0]] != nil && slices.Contains(u.Reference.To, k.Key) // it may be the other way round
				return !a.spaces[k.Key].byPlan && (slices.Contains(from, k.Key) || turned && a.mostlyOf(k.Key, from[0]))
			})
		}
	}
}

// why is a reference's evidence: how it was found, or, of one that the plan names, how many rows lead somewhere.
func (r *reference) why(shards []merge.Shard) string {
	if !r.byPlan {
		return r.evidence
	}
	var words []string
	for i, c := range r.counts {
		if c != nil && c.Rows > 0 {
			words = append(words, fmt.Sprintf("%d of %d rows in %s", c.Alive, c.Rows, shards[i].Source().Name))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, " and ") + " lead to a row of " + r.To[0].Table
}

func (a *auditor) tableLine(t *table) {
	line := TableLine{Table: t.Name, Rows: t.rows, Policy: t.policy()}
	if len(t.PrimaryKey) == 1 {
		if s := a.spaces[merge.Col{Table: t.Name, Name: t.PrimaryKey[0]}]; s != nil {
			line.Conflicts, line.Rule = s.moves(), s.plan.New
		}
	}
	for _, r := range a.refs {
		if r.As == merge.Plain && r.table() == t.Name {
			line.Orphans += r.dead()
		}
	}
	a.res.Tables = append(a.res.Tables, line)
}

// Measured on two cores with SQLite: see scripts/bench.
const (
	rowsPerSecond = 270_000 // of a whole merge: audit, rewrite, indexes, proof
	growth        = 1.15    // of the output over the inputs
)

func (a *auditor) verdict() {
	v := &a.res.Verdict
	v.Shards, v.Decisions = len(a.shards), len(a.res.Undecided)
	for _, f := range a.res.Findings {
		if f.Severity == merge.Block {
			v.Blocks++
		}
	}
	for _, t := range a.tables {
		v.Rows += t.total()
	}
	for _, s := range a.order {
		v.Conflicts += s.moves()
		var keys int64
		for _, k := range s.alive {
			if low, ok := k.Min(); ok {
				high, _ := k.Max()
				keys = max(keys, min(high-low+1, 8*k.Len()))
			}
		}
		v.MemoryPeak = max(v.MemoryPeak, 2*keys)
	}
	v.MemoryPeak += 256 << 20
	captured := map[*space]int64{}
	for _, r := range a.plain() {
		for i, c := range r.counts {
			if c == nil {
				continue
			}
			v.WrongRows += c.Moving
			for _, d := range c.Dead {
				if text, ok := d.Value[0].(string); ok && a.tombs(r) && a.burials[a.keyOf(r)].holds(i, text) {
					v.WrongRows += d.Rows
				}
				if k, ok := d.Value[0].(int64); ok && len(d.Value) == 1 && r.spaces[0] != nil && r.spaces[0].result != nil {
					if _, moved := r.spaces[0].result.Maps[i].Lookup(k); moved {
						captured[r.spaces[0]] += d.Rows
					}
				}
			}
		}
	}
	for _, n := range captured {
		v.WrongRows += n
	}
	for _, s := range a.raw {
		v.Bytes += int64(float64(s.Bytes()) * growth)
	}
	v.Seconds = max(float64(v.Rows)/rowsPerSecond, time.Since(a.began).Seconds()) // a rewrite makes this audit again
}
