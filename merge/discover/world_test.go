package discover_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// world is an invented game: tables whose columns say what they hold, so that the truth about them needs no second list.
type world struct {
	name   string
	tables []tbl
	holes  float64 // share of the keys deleted
	shards int     // 2 when 0
	grow   float64 // every further server's rows are so many times the one's before; 1 when 0
	start  int64   // first key, beside 1
	sparse bool    // keys are scattered over 62 bits
	unique bool    // primary keys that no engine counts are declared UNIQUE instead
	opt    func(*truth)
}

type tbl struct {
	name   string
	rows   int
	static bool // the same rows everywhere
	cols   []col
}

type col struct {
	name, kind, to string
	lo, hi         int64
	empty          float64           // share of rows that refer to nobody
	part           float64           // share of the keys that are used, from the lowest; 1 when 0
	when           map[string]string // kind to target
	before, after  string            // of a textref: what stands around the key
}

func auto(n string) col                  { return col{name: n, kind: "auto"} }
func pk(n string) col                    { return col{name: n, kind: "pk"} }
func natural(n string) col               { return col{name: n, kind: "natural"} }
func ref(n, to string) col               { return col{name: n, kind: "ref", to: to} }
func maybe(n, to string, e float64) col  { return col{name: n, kind: "ref", to: to, empty: e} }
func low(n, to string, part float64) col { return col{name: n, kind: "ref", to: to, part: part} }
func fk(n, to string) col                { return col{name: n, kind: "fk", to: to} }
func same1(n, to string) col             { return col{name: n, kind: "pkref", to: to} }
func textref(n, to string) col           { return col{name: n, kind: "textref", to: to} }
func realref(n, to string) col           { return col{name: n, kind: "realref", to: to} }
func prefixed(n, to string) col {
	return col{name: n, kind: "textref", to: to, before: "unit:"}
}

func listed(n, to string) col {
	return col{name: n, kind: "textref", to: to, before: "7 0 ", after: " 3"}
}
func cat(n string, lo, hi int64) col { return col{name: n, kind: "cat", lo: lo, hi: hi} }
func num(n string, lo, hi int64) col { return col{name: n, kind: "num", lo: lo, hi: hi} }
func word(n string) col              { return col{name: n, kind: "word"} }
func seq(n string) col               { return col{name: n, kind: "seq"} }
func fixed(n string, v int64) col    { return col{name: n, kind: "num", lo: v, hi: v} }
func split(n, by string, w map[string]string) col {
	return col{name: n, kind: "split", to: by, when: w}
}

// build writes one server's database.
func (w world) build(t testing.TB, seed uint64, server int) merge.Shard {
	t.Helper()
	file := filepath.Join(t.TempDir(), "w.db")
	db, err := sql.Open("sqlite3", "file:"+file)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer func() { _ = db.Close() }()
	exec := func(q string, args ...any) {
		if _, err := db.Exec(q, args...); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	keys, rows := map[string][]int64{}, map[string]int{}
	for _, tb := range w.tables {
		r := rand.New(rand.NewPCG(seed, uint64(server)*1000+salt(tb.name)))
		n := tb.rows
		if !tb.static {
			for i := 1; i < server && w.grow > 0; i++ {
				n = int(float64(n) * w.grow)
			}
			n += r.IntN(n/20 + 1)
		} else {
			r = rand.New(rand.NewPCG(seed, 7+salt(tb.name)))
		}
		rows[tb.name] = n
		if tb.cols[0].kind == "auto" || tb.cols[0].kind == "pk" || tb.cols[0].kind == "natural" {
			k := w.start
			for len(keys[tb.name]) < n {
				if w.sparse && !tb.static {
					k = r.Int64N(1 << 62)
				} else if k++; !tb.static && r.Float64() < w.holes {
					continue
				}
				keys[tb.name] = append(keys[tb.name], k)
			}
			slices.Sort(keys[tb.name])
		}
	}
	exec("BEGIN")
	for _, tb := range w.tables {
		exec(w.ddl(tb))
		r := rand.New(rand.NewPCG(seed+99, uint64(server)*1000+salt(tb.name)))
		if tb.static {
			r = rand.New(rand.NewPCG(seed, 5+salt(tb.name)))
		}
		w.fill(tb, r, rows[tb.name], keys, exec)
	}
	exec("COMMIT")
	return openShard(t, fmt.Sprintf("s%d", server), file)
}

// salt keeps the tables of one server apart: with one stream their holes would be the same.
func salt(name string) (n uint64) {
	for _, c := range name {
		n = n*31 + uint64(c)
	}
	return n * 1e6
}

func (w world) ddl(tb tbl) string {
	var parts []string
	for _, c := range tb.cols {
		kind := map[string]string{
			"auto": "INTEGER PRIMARY KEY AUTOINCREMENT", "pk": "INTEGER PRIMARY KEY", "natural": "BIGINT PRIMARY KEY NOT NULL",
			"pkref": "BIGINT PRIMARY KEY NOT NULL", "word": "VARCHAR(40)", "textref": "VARCHAR(20)", "realref": "DOUBLE", "seq": "INTEGER",
		}[c.kind]
		if kind == "" {
			kind = "INTEGER"
		}
		if w.unique && (c.kind == "pk" || c.kind == "natural" || c.kind == "pkref") {
			kind = "BIGINT NOT NULL UNIQUE"
		}
		if c.kind == "kind" && c.to != "" {
			kind = "TEXT"
		}
		if c.kind == "fk" {
			table, column, _ := strings.Cut(c.to, ".")
			kind += " REFERENCES " + ident(table) + "(" + ident(column) + ")"
		}
		parts = append(parts, ident(c.name)+" "+kind)
	}
	return "CREATE TABLE " + ident(tb.name) + " (" + strings.Join(parts, ", ") + ")"
}

func (w world) fill(tb tbl, r *rand.Rand, n int, keys map[string][]int64, exec func(string, ...any)) {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(tb.cols)), ", ")
	pick := func(to string, part float64) any {
		table, _, _ := strings.Cut(to, ".")
		list := keys[table]
		if part > 0 {
			list = list[:max(1, int(float64(len(list))*part))]
		}
		if w.holes > 0 && r.Float64() < 0.004 { // dead before the merge
			return 1 + w.start + r.Int64N(list[len(list)-1]-w.start)
		}
		return list[r.IntN(len(list))]
	}
	order := map[string][]int{}
	for i := range n {
		row := map[string]any{}
		args := make([]any, len(tb.cols))
		for j, c := range tb.cols {
			var v any
			switch c.kind {
			case "auto", "pk", "natural":
				v = keys[tb.name][i]
			case "ref", "fk":
				if v = any(int64(0)); r.Float64() >= c.empty {
					v = pick(c.to, c.part)
				}
			case "pkref":
				table, _, _ := strings.Cut(c.to, ".")
				if order[c.name] == nil {
					order[c.name] = r.Perm(len(keys[table]))
				}
				if i >= len(keys[table]) {
					return
				}
				v = keys[table][order[c.name][i]]
			case "textref":
				v = c.before + fmt.Sprint(pick(c.to, c.part)) + c.after
			case "realref":
				v = float64(pick(c.to, c.part).(int64))
			case "cat": // every third number of a catalogue
				v = c.lo + 3*r.Int64N((c.hi-c.lo)/3)
			case "num":
				v = c.lo + r.Int64N(c.hi-c.lo+1)
			case "seq":
				v = int64(i + 1)
			case "word":
				v = fmt.Sprintf("w%x", r.Int64N(1<<30))
			case "split":
				v = any(r.Int64N(500) + 1)
				if to := c.when[fmt.Sprint(row[c.to])]; to != "" {
					v = pick(to, 0)
				}
			case "kind":
				v = any(r.Int64N(max(1, c.hi)) + 1)
				if c.to != "" {
					words := strings.Fields(c.to)
					v = words[r.IntN(len(words))]
				}
			}
			row[c.name], args[j] = v, v
		}
		exec("INSERT INTO "+ident(tb.name)+" VALUES ("+marks+")", args...)
	}
}

// truth is what the world's own description says.
func (w world) truth() truth {
	want := truth{refs: map[string][]string{}, nots: map[string]string{}, quiet: map[string]bool{}}
	for _, tb := range w.tables {
		if tb.static {
			want.static = append(want.static, tb.name)
		}
		for _, c := range tb.cols {
			from := strings.ToLower(merge.Col{Table: tb.name, Name: c.name}.String())
			switch c.kind {
			case "ref", "pkref", "textref", "realref":
				if c.before != "" {
					continue
				}
				want.refs[from] = []string{strings.ToLower(c.to)}
			case "split":
				for kind, to := range c.when {
					if to != "" {
						if strings.Trim(kind, "0123456789") != "" {
							kind = "'" + kind + "'"
						}
						want.refs[from+"|"+strings.ToLower(c.to)+" = "+kind] = []string{strings.ToLower(to)}
					}
				}
			case "num", "seq", "kind", "cat":
				want.nots[from] = c.kind
			}
		}
	}
	if w.opt != nil {
		w.opt(&want)
	}
	return want
}
