package worlds

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/gameid/gameid/merge"
)

// least is how many of the ordinary seeds' worlds must have a feature.
const least = 3

// census counts the worlds that have each of the features, so that none of them lapses.
type census struct {
	mu     sync.Mutex
	worlds int
	counts map[string]int
}

func (c *census) add(w *world, a *answer) {
	found := map[string]bool{}
	see := func(feature string, has bool) { found[feature] = found[feature] || has }
	w.seeSchema(see)
	w.seeReferences(see)
	for _, x := range w.tables {
		w.seeRows(see, x)
		a.seeOutcome(see, x)
	}
	a.seePlan(see)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.worlds++
	for feature, has := range found {
		if has {
			c.counts[feature]++
		} else {
			c.counts[feature] += 0
		}
	}
}

func (c *census) check(t *testing.T) {
	if os.Getenv("GAMEID_SEEDS") != "" || c.worlds < ordinary {
		return // some worlds alone need not have everything
	}
	var list []string
	for feature, n := range c.counts {
		list = append(list, fmt.Sprintf("%4d %s", n, feature))
		if n < least {
			t.Errorf("%d of %d worlds have %s, want at least %d", n, c.worlds, feature, least)
		}
	}
	slices.Sort(list)
	t.Logf("of %d worlds have\n%s", c.worlds, strings.Join(list, "\n"))
}

func (w *world) seeSchema(see func(string, bool)) {
	all := strings.Join(slices.Concat(w.built, w.objects), "\x00")
	for feature, text := range map[string]string{
		"a quote in a name": `""`, "a keyword as a name": `"select `, "a name that drops a table": `""; DROP TABLE`, "a name in unicode": "玩家", "a backslash in a name": `\`, "a line break in a name": "new\n",
		"an asterisk in a name": "*", "brackets in a name": "it's [", "a parameter's name": `"?`, "a column called rowid": `"rowid"`, "an integer primary key": "INTEGER PRIMARY KEY,", "a counted key": "AUTOINCREMENT",
		"an int primary key": "INT PRIMARY KEY", "a descending key": "PRIMARY KEY DESC", "a table without rowids": "WITHOUT ROWID", "a strict table": " STRICT", "a deferred reference": "INITIALLY DEFERRED",
		"a cascade": "ON DELETE CASCADE", "an expression unique": ", lower(", "a partial unique": ` = 1`, "a virtual column": ") VIRTUAL", "a stored column": ") STORED", "a trigger that aborts": "RAISE(ABORT", "a trigger that writes": "'fired'",
		"a view": "CREATE VIEW", "a key of a narrow type": "smallint unsigned", "a column that compares case away": "COLLATE NOCASE",
	} {
		see(feature, strings.Contains(all, text))
	}
	see("two unique keys of one column", strings.Contains(all, " COLLATE BINARY)"))
	see("names in another case in a shard", slices.Max(w.cased) > 0)
	see("names in another case in the plan", w.loud)
	see("two shards", w.shards == 2)
	see("three shards", w.shards == 3)
	see("four shards", w.shards == 4)
	for _, x := range w.tables {
		see("a composite key", len(x.pk) > 1)
		see("a table without a key", len(x.pk) == 0 && len(x.keys()) == 0)
		see("a table that a shard lacks", x.absent >= 0)
		see("a text key", len(x.pk) == 1 && strings.HasPrefix(x.columns[x.pk[0]].decl, "TEXT"))
		see("columns in another order", len(w.orders[x]) > 1 && w.orders[x][0] != w.orders[x][1])
		for _, c := range x.columns {
			see("a column that a shard lacks", c.lacks >= 0)
		}
	}
}

func (w *world) seeReferences(see func(string, bool)) {
	for _, r := range w.refs {
		goal := r.to.columns[r.at[0]]
		see("a reference of a table to itself", r.table == r.to)
		see("a reference to a key that is not the primary one", goal.role == key && !slices.Contains(r.to.pk, r.at[0]))
		see("two tables that refer to each other", slices.ContainsFunc(w.refs, func(o *reference) bool { return o.table == r.to && o.to == r.table && r.to != r.table }))
		dead := map[int64]int{}
		for s, rows := range r.table.source {
			for _, row := range rows {
				v := row[r.from[0]]
				n, number := integer(v)
				target := find(r, r.to.rowsOf(s), row)
				if len(r.from) > 1 {
					see("a composite reference that is partly null", (v == nil) != (row[r.from[1]] == nil))
					see("a composite orphan", r.speaks(row) && target == nil)
					continue
				}
				if _, text := v.(string); text && goal.role == key && !goal.text {
					see("an id as text", target != nil)
					see("nobody as text", !r.speaks(row))
				}
				see("a conditional target", r.when != "" && target != nil)
				see("a name in another case", goal.role == name && target != nil && target[r.at[0]] != v)
				see("nobody as 0 or -1", v != nil && !r.speaks(row) && (r.holds == nil || r.holds(row)))
				if !number || !r.speaks(row) || target != nil || goal.role == name {
					continue
				}
				see("an orphan below 0", n < 0)
				see("an orphan out of range", n > math.MaxInt32)
				if dead[n] |= 1 << s; dead[n]&(dead[n]-1) != 0 {
					see("an orphan of two shards", true)
				}
				for other := range w.shards {
					see("an orphan that another shard has alive", other != s && find(r, r.to.rowsOf(other), row) != nil)
				}
			}
		}
	}
}

func (w *world) seeRows(see func(string, bool), x *table) {
	first := map[string]int{}
	for s, rows := range x.source {
		for _, row := range rows {
			var words []string
			for i, v := range row {
				words = append(words, show(v))
				text, isText := v.(string)
				f, isFloat := v.(float64)
				see("NUL in a text", isText && strings.Contains(text, "\x00"))
				see("bytes that are no UTF-8", isText && !utf8.ValidString(text))
				see("an empty text", isText && text == "")
				see("a null", v == nil)
				see("a number as text", isText && text == "007")
				see("negative zero", isFloat && f == 0 && math.Signbit(f))
				see("infinity", isFloat && math.IsInf(f, 0))
				see("2^53+1", v == int64(1)<<53+1)
				if x.columns[i].role == key && !x.columns[i].text {
					n, number := v.(int64)
					see("a null key", v == nil)
					see("a text as an integer's key", isText)
					see("a negative key", number && n < 0)
					see("a key at the end of the range", number && n >= math.MaxInt64-2)
					see("a key at the start of the range", number && n <= math.MinInt64+1)
				}
			}
			line := strings.Join(words, "|")
			if shard, known := first[line]; known {
				see("equal rows in two shards", shard != s && x.find(key) >= 0)
				see("equal rows in one shard", shard == s)
			}
			first[line] = s
		}
	}
}

// seeOutcome looks at what the rules did to a table.
func (a *answer) seeOutcome(see func(string, bool), x *table) {
	for _, rows := range []merge.Rows{merge.FirstRows, merge.UnionRows, merge.FromRows, merge.EmptyRows} {
		see("rows: "+string(rows), x.rows == rows && len(slices.Concat(x.source...)) > 0)
	}
	n := x.find(name)
	for s, rows := range x.source {
		for i, row := range rows {
			see("a dropped row", a.left[x][s][i])
			if n >= 0 && a.loser[x][s][i] {
				c := x.columns[n]
				see("a renamed row", true)
				see("a renamed row in the first shard", s == 0)
				see("a renamed row that is marked", c.mark >= 0)
				see("a renamed primary key", slices.Contains(x.pk, n))
				see("a renamed part of a unique key", c.beside >= 0)
				see("a renamed row without a key", len(x.pk) == 0 || row[x.pk[0]] == nil)
			}
			if x.find(tag) < 0 {
				continue
			}
			m := a.image(x, row)
			if m == nil {
				continue
			}
			for _, k := range x.keys() {
				c := x.columns[k]
				rule := c.rule
				if rule == "" {
					rule = "default"
				}
				see("a new key by "+string(rule), m[k] != row[k] || rule == merge.Static)
				see("a new key of a range", m[k] != row[k] && c.span != nil)
				see("a new key of a widened column", m[k] != row[k] && c.widen)
				see("a new key without need", m[k] != row[k] && c.all && s == 0)
				see("a new key beside one at the end of the range", m[k] != row[k] && c.edge)
			}
			for _, r := range a.w.refs {
				if r.table == x && len(r.from) == 1 && r.speaks(row) && find(r, r.to.rowsOf(s), row) == nil {
					see("a cleared value", r.orphans == merge.ByClear && m[r.from[0]] == nil)
					see("a value cleared to nobody", r.orphans == merge.ByClear && m[r.from[0]] == int64(0))
					see("a tombstone", r.orphans == merge.ByTombstone && m[r.from[0]] != row[r.from[0]])
					see("an orphan that stays", r.orphans == merge.ByTombstone && m[r.from[0]] == row[r.from[0]])
				}
			}
		}
	}
}

func (a *answer) seePlan(see func(string, bool)) {
	for _, k := range a.w.copies {
		for s, rows := range k.table.source {
			for _, row := range rows {
				how := "a copied name by " + k.via
				if k.by == nil {
					how = "a copied name by any row"
				}
				see(how, row[k.column] != nil && a.copy(k, s, row) != row[k.column])
			}
		}
	}
	for _, r := range a.w.refs {
		see("orphans: fail", r.orphans == merge.ByFail)
	}
	for _, c := range a.w.counters {
		see("a game's counter", len(a.merged[c.table]) > 0)
	}
}
