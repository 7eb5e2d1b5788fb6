package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// merged are the rows of a game's merged tables, those with tags by them.
type merged struct {
	tagged map[string]map[float64]map[string]any
	others map[string][]map[string]any
}

// readMerged reads a game's merged tables.
func (g *guessing) readMerged(t *testing.T, path string) merged {
	t.Helper()
	db, err := sqlx.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	m := merged{map[string]map[float64]map[string]any{}, map[string][]map[string]any{}}
	for _, x := range g.tables {
		m.tagged[x.name] = map[float64]map[string]any{}
		if err := m.read(db, x); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// read reads a table.
func (m *merged) read(db *sqlx.DB, x *gameTable) error {
	rows, err := db.Queryx("SELECT * FROM " + x.name)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		row := map[string]any{}
		if err := rows.MapScan(row); err != nil {
			return err
		}
		if x.tagged {
			m.tagged[x.name][row["pos"].(float64)] = row
		} else {
			m.others[x.name] = append(m.others[x.name], row)
		}
	}
	return rows.Err()
}

// compare lists what a merged game has that is not true of it.
func (g *guessing) compare(m merged) (wrong []string) {
	for _, x := range g.tables {
		want := map[float64]bool{}
		for s := range servers {
			for i := range x.columns[0].values[s] {
				if want[x.tag(s, i)] = true; x.tagged && m.tagged[x.name][x.tag(s, i)] == nil {
					wrong = append(wrong, fmt.Sprintf("%s: row %d of s%d is lost", x.name, i, s+1))
				}
			}
		}
		if n := len(m.tagged[x.name]) + len(m.others[x.name]); n != len(want) {
			wrong = append(wrong, fmt.Sprintf("%s has %d rows for %d", x.name, n, len(want)))
		}
	}
	if len(wrong) > 0 {
		return wrong
	}
	groups := map[merge.Col]map[any]string{} // whose numbers they are
	for _, x := range g.tables {
		if !x.tagged {
			wrong = append(wrong, g.compareAll(m, x)...)
			continue
		}
		for _, c := range x.columns {
			for _, one := range append([]*truth{c}, c.others...) {
				v := &view{g: g, m: m, x: x, c: one, owners: groups}
				if v.look(); v.wrong > 0 {
					wrong = append(wrong, fmt.Sprintf("%s, %s of %s: %d rows, such as %s", c.col, one.what, one.key, v.wrong, v.first))
				}
			}
		}
	}
	return wrong
}

// compareAll compares the rows of a table without tags, all of them together.
func (g *guessing) compareAll(m merged, x *gameTable) (wrong []string) {
	rows := map[string]int{}
	for s := range servers {
		for i := range x.columns[0].values[s] {
			rows[g.row(x, func(c *truth) string {
				for _, one := range append([]*truth{c}, c.others...) {
					v := &view{g: g, m: m, x: x, c: one}
					if target := g.find(one, s, i); target >= 0 {
						return fmt.Sprint(v.shaped(m.tagged[one.key.Table][v.tagOf(s, target)][one.key.Name]))
					} else if one.refers() && one.speaks(s, i) && !nobody(c.values[s][i]) {
						return "dead"
					}
				}
				return fmt.Sprint(c.values[s][i])
			})]++
		}
	}
	for _, row := range m.others[x.name] {
		rows[g.row(x, func(c *truth) string {
			for _, one := range append([]*truth{c}, c.others...) {
				if !one.refers() || nobody(row[c.col.Name]) || one.when != "" && !one.holds(row) {
					continue
				}
				v := &view{g: g, m: m, x: x, c: one}
				if !v.living()[row[c.col.Name]] {
					return "dead"
				}
			}
			return fmt.Sprint(row[c.col.Name])
		})]--
	}
	for row, n := range rows {
		if n > 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %d rows %s are missing", x.name, n, row))
		} else if n < 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %d rows %s are too many", x.name, -n, row))
		}
	}
	slices.Sort(wrong)
	return wrong[:min(len(wrong), 6)]
}

// holds tells whether the condition under which a column speaks, of another column's value, holds in a merged row.
func (c *truth) holds(row map[string]any) bool {
	column, value, _ := strings.Cut(c.when, " = ")
	return fmt.Sprint(row[column]) == strings.Trim(value, "'")
}

// row is a row of a table without its own number.
func (g *guessing) row(x *gameTable, value func(c *truth) string) string {
	var list []string
	for _, c := range x.columns {
		if c.what == itsNumbers || c.what == aGroup || c.what == aName {
			list = append(list, "#")
		} else {
			list = append(list, value(c))
		}
	}
	return strings.Join(list, "|")
}

// living are the keys that a column may hold, as it writes them.
func (v *view) living() map[any]bool {
	list := map[any]bool{}
	for _, row := range v.m.tagged[v.c.key.Table] {
		list[v.shaped(row[v.c.key.Name])] = true
	}
	return list
}

// view is a look at a column of a merged game.
type view struct {
	g      *guessing
	m      merged
	x      *gameTable
	c      *truth
	owners map[merge.Col]map[any]string
	wrong  int
	first  string // of the rows in which the column does not say what it did
}

// look compares a column's values with what they were.
func (v *view) look() {
	living, dead := v.living(), [2]map[any]bool{{}, {}}
	for s := range servers {
		for i, was := range v.c.values[s] {
			is := v.m.tagged[v.x.name][v.x.tag(s, i)][v.c.col.Name]
			if n, ok := was.(int); ok {
				was = int64(n)
			}
			tell := func(want string, args ...any) {
				if v.wrong++; v.wrong == 1 {
					v.first = fmt.Sprintf("row %d of s%d, was %v, is %v, ", i, s+1, was, is) + fmt.Sprintf(want, args...)
				}
			}
			if !v.c.speaks(s, i) {
				continue
			}
			switch target := v.g.find(v.c, s, i); {
			case v.c.what == itsNumbers, v.c.what == aName: // whatever it is now, it tells the rows apart
			case v.c.what == aCounter:
				for key := range living {
					if v.c.key.Table != "" && key.(int64) > is.(int64) {
						tell("below %v", key)
						break
					}
				}
			case v.c.what == aGroup:
				if v.owners[v.c.key] == nil {
					v.owners[v.c.key] = map[any]string{}
				}
				whose := fmt.Sprintf("%v of s%d", was, s+1)
				if other := v.owners[v.c.key][is]; other != "" && other != whose {
					tell("which is %s", other)
				} else {
					v.owners[v.c.key][is] = whose
				}
			case !v.c.refers():
				if is != was && !v.rest(s, i) {
					tell("and stays")
				}
			case nobody(was):
				if is != was || living[is] {
					tell("and is nobody")
				}
			case target >= 0:
				if want := v.shaped(v.m.tagged[v.c.key.Table][v.tagOf(s, target)][v.c.key.Name]); is != want {
					tell("and leads to %v", want)
				}
			case living[is]:
				tell("which was dead")
			default:
				if dead[s][is] = true; dead[1-s][is] {
					tell("of both servers' dead")
				}
			}
		}
	}
}

// rest tells whether another truth of the same column speaks in a row.
func (v *view) rest(shard, row int) bool {
	return slices.ContainsFunc(v.c.others, func(o *truth) bool { return o.speaks(shard, row) })
}

// tagOf is the tag of a row of the table that a column leads to.
func (v *view) tagOf(shard, row int) float64 {
	i := slices.IndexFunc(v.g.tables, func(x *gameTable) bool { return x.name == v.c.key.Table })
	return v.g.tables[i].tag(shard, row)
}

// shaped is a key as the column writes it.
func (v *view) shaped(key any) any {
	text, ok := key.(string)
	switch {
	case ok && v.c.what == smallLetters:
		return strings.ToLower(text)
	case v.c.what == aTextID:
		return fmt.Sprint(key)
	}
	return key
}

// find is the row of a column's key to which one of its values leads on its own server; -1 when there is none.
func (g *guessing) find(c *truth, shard, row int) int {
	if !c.refers() || !c.speaks(shard, row) {
		return -1
	}
	for _, k := range g.columns {
		if k.col == c.key {
			return slices.IndexFunc(k.values[shard], func(v any) bool {
				text, ok := v.(string)
				return v == c.values[shard][row] || c.what == aTextID && fmt.Sprint(v) == c.values[shard][row] || ok && c.what == smallLetters && strings.ToLower(text) == c.values[shard][row]
			})
		}
	}
	return -1
}

// TestPlayed merges games that declare nothing as an operator who knows what is true of them would, and compares what comes out with what is true. Whatever is not asked
// about stays as the audit decides. With GAMEID_SEEDS what differs is only told, and the databases of these games copied to the folder GAMEID_KEEP.
func TestPlayed(t *testing.T) {
	tell := t.Errorf
	if os.Getenv("GAMEID_SEEDS") != "" {
		tell = t.Logf
	}
	games, differ, stuck := 0, 0, 0
	for _, seed := range seeds(t) {
		g, dir := game(seed, true), t.TempDir()
		o, out := &operator{g: g}, filepath.Join(dir, "out.db")
		sources := g.build(t, dir)
		games++
		if why := o.play(t, sources, out); why != "" {
			stuck++
			tell("game %d does not merge: %s", seed, why)
		} else if wrong := g.compare(g.readMerged(t, out)); len(wrong) > 0 {
			differ++
			tell("game %d, merged, is not what it was:\n%s", seed, strings.Join(wrong, "\n"))
		} else {
			continue
		}
		if folder := os.Getenv("GAMEID_KEEP"); folder != "" {
			keepGame(t, fmt.Sprintf("game%d", seed), sources, folder)
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("game%d.yaml", seed)), planfile.Format(&o.plan, planfile.Notes{}), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d games merged by somebody who knows them: %d come out true, %d do not, %d do not merge", games, games-differ-stuck, differ, stuck)
}
