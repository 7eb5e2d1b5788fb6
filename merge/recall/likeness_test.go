package recall

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"github.com/gameid/gameid/merge"
)

// being is a row of a world, known by what it says and by what it leads to, whatever its number is.
type being struct {
	shard int // 0 in a merged world
	row   map[string]any
	base  uint64 // of what it says itself
	now   uint64 // of that and of what the rows say to which it leads, one step further in every round
}

// beings are the rows of a world, by table.
type beings struct {
	g      *guessing
	tables map[string][]*being
	found  map[string]map[string]*being // by the column of a key, and shard and value
	groups map[string]uint64            // by the column of a group's number, and shard and value
}

// steps is how far a row is followed to tell it from others.
const steps = 3

// digest is a number of words.
func digest(words ...string) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		_, _ = h.Write([]byte(w + "\x00"))
	}
	return h.Sum64()
}

// wanted are the rows that a merged world has to have.
func (g *guessing) wanted() *beings {
	b := &beings{g: g, tables: map[string][]*being{}}
	for _, x := range g.tables {
		seen := map[string]bool{}
		for s := range servers {
			for i := range x.columns[0].values[s] {
				one := &being{shard: s, row: map[string]any{}}
				for _, c := range x.columns {
					one.row[c.col.Name] = c.values[s][i]
				}
				if x.same && s > 0 {
					continue
				}
				if x.folds != "" {
					if seen[x.foldedBy(one)] {
						b.tables[x.name+" folded"] = append(b.tables[x.name+" folded"], one)
						continue
					}
					seen[x.foldedBy(one)] = true
				}
				b.tables[x.name] = append(b.tables[x.name], one)
			}
		}
	}
	return b
}

// foldedOver are the columns whose values make two servers' rows one.
func (x *gameTable) foldedOver() []string {
	if x.folds == "fold" {
		return strings.Split(x.key, ", ")
	}
	return []string{x.folds}
}

// foldedBy is what makes a row one with another server's.
func (x *gameTable) foldedBy(one *being) string {
	var b strings.Builder
	for _, by := range x.foldedOver() {
		fmt.Fprint(&b, one.row[by], "|")
	}
	return b.String()
}

// mergedBeings reads a merged world.
func (g *guessing) mergedBeings(t *testing.T, path string) *beings {
	t.Helper()
	db, err := sqlx.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	b := &beings{g: g, tables: map[string][]*being{}}
	for _, x := range g.tables {
		if b.tables[x.name], err = beingsIn(db, x.name); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// beingsIn are the rows of a table.
func beingsIn(db *sqlx.DB, table string) (list []*being, err error) {
	rows, err := db.Queryx("SELECT * FROM " + quoted(table))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		one := &being{row: map[string]any{}}
		if err := rows.MapScan(one.row); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

// at is where a value of a key stands.
func (b *beings) at(key merge.Col, shard int, v any) string {
	if i := slices.IndexFunc(b.g.tables, func(x *gameTable) bool { return x.name == key.Table }); i >= 0 && b.g.tables[i].same {
		shard = 0
	}
	return fmt.Sprint(shard, " ", v)
}

// settle lists the keys that columns hold, and takes the first look at every row.
func (b *beings) settle() {
	b.found = map[string]map[string]*being{}
	held := map[merge.Col]bool{}
	for _, c := range b.g.columns {
		for _, one := range append([]*truth{c}, c.others...) {
			held[one.key] = held[one.key] || one.refers()
		}
	}
	for _, x := range b.g.tables {
		for _, one := range b.tables[x.name] {
			said := []string{x.name}
			for _, c := range x.columns {
				if b.says(x, c) {
					said = append(said, fmt.Sprint(c.worn(one.row[c.col.Name])))
				}
			}
			one.base = digest(said...)
			one.now = one.base
		}
		for _, c := range x.columns {
			if !held[c.col] {
				continue
			}
			b.found[c.col.String()] = map[string]*being{}
			same := map[string]*being{}
			for _, one := range b.tables[x.name] {
				b.found[c.col.String()][b.at(c.col, one.shard, one.row[c.col.Name])] = one
				same[x.foldedBy(one)] = one
			}
			for _, one := range b.tables[x.name+" folded"] {
				b.found[c.col.String()][b.at(c.col, one.shard, one.row[c.col.Name])] = same[x.foldedBy(one)]
			}
		}
	}
}

// says tells whether a column says something of its row by itself.
func (b *beings) says(x *gameTable, c *truth) bool {
	switch {
	case x.folds != "":
		return slices.Contains(x.foldedOver(), c.col.Name)
	case x.same:
		return c.stays()
	}
	return c.what == plainColumn || c.what == someWords || c.what == aName
}

// worn is a name without what a merge put before it because another server's player has it too.
func (c *truth) worn(v any) any {
	if text, ok := v.(string); ok && c.what == aName {
		return strings.TrimPrefix(strings.TrimPrefix(text, "s1."), "s2.")
	}
	return v
}

// token is what a column says of a row.
func (b *beings) token(x *gameTable, c *truth, one *being) string {
	v := one.row[c.col.Name]
	if x.folds != "" {
		if slices.Contains(x.foldedOver(), c.col.Name) {
			return fmt.Sprint(v)
		}
		return ""
	}
	for _, t := range append([]*truth{c}, c.others...) {
		if t.when != "" && !t.holds(one.row) {
			continue
		}
		switch {
		case t.what == itsNumbers && t.band > 0:
			return fmt.Sprint(v.(int64) >= t.band)
		case t.what == itsNumbers && !x.same, t.what == aCounter:
			return ""
		case t.what == aGroup:
			return fmt.Sprintf("group %x", b.groups[b.member(t.key, one.shard, v)])
		case !t.refers(), t.fixed:
			return fmt.Sprint(c.worn(v))
		case nobody(v):
			return fmt.Sprint("nobody ", v)
		}
		if to := b.lookup(t, one.shard, v); to != nil {
			return fmt.Sprintf("%s %x", t.key, to.now)
		}
		return "dead"
	}
	return fmt.Sprint(v)
}

// member is where a number of a group stands.
func (b *beings) member(key merge.Col, shard int, v any) string {
	return fmt.Sprint(key, " ", shard, " ", v)
}

// lookup finds the row to which a value leads; nil when that is none.
func (b *beings) lookup(t *truth, shard int, v any) *being {
	keys := b.found[t.key.String()]
	if t.what == smallLetters {
		for at, one := range keys {
			if strings.ToLower(at) == b.at(t.key, shard, v) {
				return one
			}
		}
		return nil
	}
	return keys[b.at(t.key, shard, v)]
}

// step looks one step further from every row.
func (b *beings) step() {
	b.groups = map[string]uint64{}
	for _, x := range b.g.tables {
		for _, c := range x.columns {
			if c.what == aGroup {
				for _, one := range b.tables[x.name] {
					b.groups[b.member(c.key, one.shard, one.row[c.col.Name])] += one.now | 1
				}
			}
		}
	}
	next := map[*being]uint64{}
	for _, x := range b.g.tables {
		for _, one := range b.tables[x.name] {
			said := []string{fmt.Sprint(one.base)}
			for _, c := range x.columns {
				said = append(said, b.token(x, c, one))
			}
			next[one] = digest(said...)
		}
	}
	for one, now := range next {
		one.now = now
	}
}

// unlike lists the columns and tables in which a merged world is not as it has to be.
func (g *guessing) unlike(merged *beings) (wrong []string) {
	want := g.wanted()
	want.settle()
	merged.settle()
	for _, x := range g.tables {
		if n, m := len(want.tables[x.name]), len(merged.tables[x.name]); n != m {
			wrong = append(wrong, fmt.Sprintf("%s: %d rows for %d", x.name, m, n))
		}
	}
	for range steps {
		for _, x := range g.tables {
			for _, c := range x.columns {
				count := map[uint64]int{}
				for sign, b := range []*beings{merged, want} {
					for _, one := range b.tables[x.name] {
						count[digest(fmt.Sprint(one.base), b.token(x, c, one))] += 2*sign - 1
					}
				}
				if n := lacking(count); n > 0 {
					wrong = append(wrong, fmt.Sprintf("%s, %s of %s: %d rows", c.col, c.what, c.key, n))
				}
			}
		}
		if len(wrong) > 0 {
			return wrong
		}
		want.step()
		merged.step()
	}
	for _, x := range g.tables {
		count := map[uint64]int{}
		for sign, b := range []*beings{merged, want} {
			for _, one := range b.tables[x.name] {
				count[one.now] += 2*sign - 1
			}
		}
		if n := lacking(count); n > 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %d rows are others", x.name, n))
		}
	}
	return append(wrong, g.counted0(merged)...)
}

// lacking is how many of the wanted are not there.
func lacking(count map[uint64]int) (n int) {
	for _, k := range slices.Sorted(maps.Keys(count)) {
		n += max(0, count[k])
	}
	return n
}

// counted0 lists the counters that stand below a key.
func (g *guessing) counted0(merged *beings) (wrong []string) {
	for _, x := range g.tables {
		for _, c := range x.columns {
			for _, one := range append([]*truth{c}, c.others...) {
				if one.what != aCounter || one.key.Table == "" {
					continue
				}
				for _, row := range merged.tables[x.name] {
					for _, k := range merged.tables[one.key.Table] {
						at, ok := row.row[c.col.Name].(int64)
						if v, is := k.row[one.key.Name].(int64); ok && is && (one.when == "" || one.holds(row.row)) && v > at {
							wrong = append(wrong, fmt.Sprintf("%s stands at %d below %s %d", c.col, at, one.key, v))
							break
						}
					}
				}
			}
		}
	}
	return wrong
}
