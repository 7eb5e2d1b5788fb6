package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// A row may hold one name twice: as the player wrote it, and in small letters, by which a login finds it. Renamed apart, the two would name two players.

// rowShape is a shape in which a column may repeat another one of its row.
type rowShape struct {
	via     string
	collate string // by which names are equal that this shape makes equal; "" for the column's own
}

// rowShapes are tried in this order.
var rowShapes = []rowShape{
	{"", ""},
	{"lower", "NOCASE"},
	{"upper", "NOCASE"},
	{"trim({})", "RTRIM"},
	{"replace(lower({}), ' ', '_')", "NOCASE"},
	{"replace({}, ' ', '_')", ""},
	{"replace(lower({}), ' ', '')", "NOCASE"},
	{"replace({}, ' ', '')", ""},
}

// sameRow is the name that a column repeats.
type sameRow struct {
	rowShape
	beside   merge.Col // the column of the same row that holds it
	of       merge.Col // where that one has it from, or the same
	evidence string    // "" where the plan or a question says so already
}

// repeatsInRow is the name that a column of names repeats because another one of its row does, or as the plan says of a name that it does not rename; nil when there is none.
func (a *auditor) repeatsInRow(ctx context.Context, t *table, col merge.Col) (same *sameRow, err error) {
	if a.decided(col) || a.askedAs(col) >= 0 {
		a.knownOrAsked(func(r *merge.Reference) bool {
			if wholeCopy(r, col) && (r.To[0].Table == col.Table || r.Via != "") && a.uniquePlanOf(r.To[0]) == nil {
				same = &sameRow{of: a.nameOrigin(r.To[0])}
				if i := slices.IndexFunc(rowShapes, func(s rowShape) bool { return s.via == r.Via }); i >= 0 {
					same.rowShape = rowShapes[i]
				}
			}
			return same != nil
		})
		return same, nil
	}
	for _, c := range t.Columns {
		beside := merge.Col{Table: t.Name, Name: c.Name}
		of := a.nameOrigin(beside)
		if of == col || c.Generated || a.schema.Holds(beside) != merge.Text || of == beside && (a.decided(beside) || a.askedAs(beside) >= 0) {
			continue
		}
		if same, err = a.shapeInRow(ctx, t, col, beside); err != nil {
			return nil, err
		}
		if same == nil {
			continue
		}
		if same.of = of; of == beside {
			same.of, err = a.nameElsewhere(ctx, beside)
		}
		if same.of == col {
			same.of = beside
		}
		return same, err
	}
	return nil, nil
}

// wholeCopy tells whether a reference says that a column repeats a name in every row, in any shape.
func wholeCopy(r *merge.Reference, col merge.Col) bool {
	return r.As == merge.Copy && r.When == "" && r.By == nil && slices.Equal(r.From, []merge.Col{col})
}

// uniquePlanOf is what the plan says of equal values of a column; nil when it says nothing.
func (a *auditor) uniquePlanOf(c merge.Col) *merge.UniquePlan {
	return a.uniquePlan(&merge.Unique{Table: c.Table, Columns: []string{c.Name}})
}

// repeatsName tells whether a column is known or asked to repeat a name.
func (a *auditor) repeatsName(col merge.Col) bool {
	return a.knownOrAsked(func(r *merge.Reference) bool { return wholeCopy(r, col) })
}

// nameOrigin is the column whose texts a column holds or repeats as they are by what is known or asked, through any number of others.
func (a *auditor) nameOrigin(col merge.Col) merge.Col {
	for seen := []merge.Col{col}; ; seen = append(seen, col) {
		if !a.knownOrAsked(func(r *merge.Reference) bool {
			next := r.When == "" && len(r.From) == 1 && r.From[0] == col && (r.As == merge.Plain || wholeCopy(r, col) && r.Via == "") && !slices.Contains(seen, r.To[0])
			if next {
				col = r.To[0]
			}
			return next
		}) {
			return col
		}
	}
}

// shapeInRow tells in which shape a column repeats another one of its row; nil when it is none. Of two that are equal, the one that a key holds unique is repeated, or else the
// first.
func (a *auditor) shapeInRow(ctx context.Context, t *table, col, of merge.Col) (*sameRow, error) {
	name, other := a.engine.Quote(col.Name), a.engine.Quote(of.Name)
	filled, err := a.countAll(ctx, t, col, of, name+" <> ''")
	if err != nil || filled < namesLeast {
		return nil, err
	}
	enough := func(condition string) (n int64, ok bool, err error) {
		n, err = a.countAll(ctx, t, col, of, name+" <> '' AND "+condition)
		return n, float64(n) >= copyShare*float64(filled), err
	}
	best, most := rowShape{}, int64(0)
	if _, ok, err := enough(fmt.Sprintf("lower(trim(%s)) = lower(trim(%s))", name, other)); err != nil {
		return nil, err
	} else if ok {
		for _, shape := range rowShapes {
			n, ok, err := enough(name + " = " + fmt.Sprintf(foldOf(shape.via), other) + a.collateBy("BINARY"))
			if err != nil {
				return nil, err
			}
			if ok && n > most {
				best, most = shape, n
			}
		}
	}
	if most < filled {
		shape, err := a.leavingOut(ctx, t, col, of)
		if err != nil {
			return nil, err
		}
		if shape != nil {
			n, ok, err := enough(name + " = " + fmt.Sprintf(foldOf(shape.via), other) + a.collateBy("BINARY"))
			if err != nil {
				return nil, err
			}
			if ok && n > most {
				best, most = *shape, n
			}
		}
	}
	if most == 0 || best.via == "" && !a.repeatedFirst(t, of, col) {
		return nil, nil
	}
	return &sameRow{rowShape: best, beside: of, evidence: fmt.Sprintf("%d of %s", most, counted(filled, "row holds it", "rows hold it"))}, nil
}

// repeatedFirst tells which of two equal columns of a row is the one that the other repeats.
func (a *auditor) repeatedFirst(t *table, of, col merge.Col) bool {
	if x, y := a.uniqueAlone(of), a.uniqueAlone(col); x != y {
		return x
	}
	at := func(c merge.Col) int { return slices.Index(t.Columns, t.Column(c.Name, a.schema.Fold)) }
	return at(of) < at(col)
}

// countAll counts the rows of all shards that have two columns under a condition.
func (a *auditor) countAll(ctx context.Context, t *table, col, other merge.Col, condition string) (n int64, err error) {
	for i, s := range a.shards {
		if t.rows[i] == 0 || s.Schema().Column(col) == nil || s.Schema().Column(other) == nil || !t.takes(a.name(i)) {
			continue
		}
		rows, err := s.Count(ctx, t.Name, condition)
		if err != nil {
			return 0, err
		}
		n += rows
	}
	return n, nil
}

// nameElsewhere is the column from which another one has its texts though nothing says so yet: one that tells another table's rows apart, to which the names belong. It is
// the column itself where there is none.
func (a *auditor) nameElsewhere(ctx context.Context, col merge.Col) (merge.Col, error) {
	samples, err := a.keySamples(ctx, col)
	if err != nil {
		return col, err
	}
	keys, inFact, err := a.textTargets(ctx)
	if err != nil {
		return col, err
	}
	best := col
	for _, to := range slices.Concat(keys, inFact) {
		if to.Table == col.Table || !a.issues(to, best) {
			continue
		}
		found, _, err := a.inside(ctx, samples, col, to)
		if err != nil {
			return col, err
		}
		if found != nil {
			best = a.nameOrigin(to)
		}
	}
	return best, nil
}

// askSameRow asks whether a column repeats another one of its row, and what becomes of equal names: those of the other are renamed, as the shape calls them equal.
func (a *auditor) askSameRow(ctx context.Context, f merge.Finding, u *merge.Unique, t *table, same *sameRow, list []merge.Clash) error {
	col := u.Cols()[0]
	if err := a.askRepeated(ctx, t, col, same); err != nil {
		return err
	}
	question := fmt.Sprintf("%s, and %s repeats %s: rename the later shards' rows by the latter?", inTwo(len(list), col.String()), col, same.of)
	if u.Primary {
		question += " " + orSameKeys(t, laterRows(list))
	}
	if a.uniquePlanOf(same.of) == nil {
		a.askRename(f, question, same.rename(a))
		return nil
	}
	f.Next = "answer that first"
	a.find(f)
	return nil
}

// askRepeated asks whether a column repeats a name because another one of its row does, unless that is known; what was asked to follow the column follows
// the name, in its form where that is what it holds.
func (a *auditor) askRepeated(ctx context.Context, t *table, col merge.Col, same *sameRow) error {
	if same.evidence == "" {
		return nil
	}
	a.withdraw(col, "follows renames")
	as := "the " + same.beside.Name + " of the row"
	if same.via != "" {
		as += " in the form " + same.via
	}
	if same.of != same.beside {
		as += fmt.Sprintf(", which is a %s", same.of)
	}
	a.ask(merge.Undecided{
		Question: fmt.Sprintf("does %s repeat %s, so that it follows when that is renamed?", col, as), Evidence: same.evidence, Rows: t.total(),
		Reference: &merge.Reference{From: []merge.Col{col}, To: []merge.Col{same.of}, As: merge.Copy, Via: same.via},
	})
	for i := range a.res.Undecided {
		u := &a.res.Undecided[i]
		if r := u.Reference; r != nil && slices.Equal(r.To, []merge.Col{col}) && r.Via == "" && (r.As == merge.Plain || r.As == merge.Copy) {
			holder, err := a.sampled(ctx, a.tables[r.Table()], r.From[0])
			if err != nil {
				return err
			}
			shaped, _, err := a.spelledAs(ctx, holder, col)
			if err != nil {
				return err
			}
			plain, texts, err := a.spelledAs(ctx, holder, same.of)
			if err != nil {
				return err
			}
			if plain > shaped {
				u.Question = fmt.Sprintf("does %s repeat %s, so that it follows when that is renamed?", r.From[0], same.of)
				u.Evidence = fmt.Sprintf("%d of %s are one", plain, counted(int64(texts), "sampled value", "sampled values"))
				u.Reference = &merge.Reference{From: r.From, To: []merge.Col{same.of}, When: r.When, As: merge.Copy}
				continue
			}
			u.Question = fmt.Sprintf("does %s hold %s, which repeats %s, so that it follows when that is renamed?", r.From[0], col, same.of)
			u.Reference = &merge.Reference{From: r.From, To: []merge.Col{same.of}, When: r.When, As: merge.Copy, Via: same.via, Orphans: r.Orphans, None: r.None}
		}
	}
	return nil
}

// spelledAs counts the sampled texts of a column that stand in another one of their shard, byte for byte.
func (a *auditor) spelledAs(ctx context.Context, u *unexplained, target merge.Col) (hits, texts int, err error) {
	for i, sample := range u.samples {
		own, ok := a.shards[i].Schema().Resolve(target)
		if !ok {
			continue
		}
		texts += len(sample.Texts)
		for some := range slices.Chunk(sample.Texts, checkBatch) {
			words := make([]string, len(some))
			for i, text := range some {
				words[i] = a.engine.Literal(text)
			}
			found, err := a.shards[i].Values(ctx, own, a.engine.Quote(own.Name)+a.collateBy("BINARY")+" IN ("+strings.Join(words, ", ")+")", 0)
			if err != nil {
				return 0, 0, err
			}
			hits += len(found)
		}
	}
	return hits, texts, nil
}

// rename is the line by which equal names are renamed.
func (s *sameRow) rename(a *auditor) *merge.UniquePlan {
	return &merge.UniquePlan{Unique: []merge.Col{s.of}, OnConflict: "rename", Template: a.template(s.of), Collate: s.collate}
}

// mixedLetters is how many more of a column's texts are a name's in whatever letters than in one form, where it holds both.
const mixedLetters = 0.05

// askShapedCopy asks whether a column repeats a renamed name in the shape in which another column does whose texts it holds, where it holds more of these than of any name.
func (a *auditor) askShapedCopy(ctx context.Context, u *unexplained, renamed []merge.Col) (asked bool, err error) {
	for _, r := range a.shapedCopies(renamed) {
		if r.To[0] == u.col { // the name itself, of which the other is the copy
			continue
		}
		c, err := a.copies(ctx, u, r.From[0])
		if err != nil {
			return false, err
		}
		if c == nil || !c.enough(a.called(u.col) || a.schema.Equal(u.col.Name, c.target.Name), false) {
			continue
		}
		if others := a.askedCopies[u.col]; a.askedAs(u.col) >= 0 && (len(others) == 0 || others[0].share >= c.share) {
			continue
		}
		a.askedCopies[u.col] = []*copying{c}
		via := r.Via
		whole, err := a.lieAmong(ctx, u.samples, r.To[0], a.foldCollation())
		if err != nil {
			return false, err
		}
		if whole.share() > c.share+mixedLetters && !u.writtenSo(via) {
			via, c.evidence = "", append(c.evidence, fmt.Sprintf("%d of %d are one in other letters, too", whole.hits, whole.texts))
		}
		a.askShape(u, r.To[0], via, c.evidence)
		asked = true
	}
	return asked, nil
}

// writtenSo tells whether all of a column's sampled texts are in small letters, or in capitals, as a form says.
func (u *unexplained) writtenSo(via string) bool {
	form := map[string]func(string) string{"lower": strings.ToLower, "upper": strings.ToUpper}[via]
	return form != nil && !slices.ContainsFunc(u.samples, func(one *merge.Sample) bool {
		return slices.ContainsFunc(one.Texts, func(text string) bool { return text != form(text) })
	})
}

// shapedCopies are the references, known or asked, by which a column repeats one of some names in a shape.
func (a *auditor) shapedCopies(of []merge.Col) (list []*merge.Reference) {
	a.knownOrAsked(func(r *merge.Reference) bool {
		if r.Via != "" && wholeCopy(r, r.From[0]) && slices.Contains(of, r.To[0]) {
			list = append(list, r)
		}
		return false
	})
	return list
}
