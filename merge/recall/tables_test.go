package recall

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// gameTable is a table of such a game.
type gameTable struct {
	name    string
	key     string // its columns
	columns []*truth
	types   []string
	tagged  bool     // its rows have tags
	same    bool     // on every server
	auto    bool     // the engine numbers its rows
	folds   string   // "fold" when its keys are things by themselves, the column when rows of one value are one
	clauses []string // of its declaration
}

// tag is the number that tells a row of a shard from all others of its table: a place on the map, which no key can be.
func (x *gameTable) tag(shard, row int) float64 {
	if x.same {
		shard = 0
	}
	return float64(row) + 0.25 + 0.5*float64(shard)
}

// quoted writes names as SQL does.
func quoted(names ...string) string {
	return `"` + strings.Join(names, `", "`) + `"`
}

// sql is what makes a table and fills it on a shard.
func (x *gameTable) sql(shard int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s(", quoted(x.name))
	for i, c := range x.columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quoted(c.col.Name) + " " + x.types[i])
		if c.col.Name == x.key {
			b.WriteString(" PRIMARY KEY")
			if x.auto {
				b.WriteString(" AUTOINCREMENT")
			}
		}
	}
	if x.tagged {
		b.WriteString(", pos REAL")
	}
	if strings.Contains(x.key, ",") {
		b.WriteString(", PRIMARY KEY(" + quoted(strings.Split(x.key, ", ")...) + ")")
	}
	for _, c := range x.clauses {
		b.WriteString(", " + c)
	}
	b.WriteString(");\n")
	for i := range x.columns[0].values[shard] {
		var values []string
		for _, c := range x.columns {
			switch v := c.values[shard][i].(type) {
			case nil:
				values = append(values, "NULL")
			case string:
				values = append(values, "'"+v+"'")
			default:
				values = append(values, fmt.Sprint(v))
			}
		}
		if x.tagged {
			values = append(values, fmt.Sprint(x.tag(shard, i)))
		}
		if i%400 == 0 {
			fmt.Fprintf(&b, ";\nINSERT INTO %s VALUES\n(", quoted(x.name))
		} else {
			b.WriteString(",\n(")
		}
		b.WriteString(strings.Join(values, ", ") + ")")
	}
	b.WriteString(";\n")
	return b.String()
}

// build writes a game's two databases.
func (g *guessing) build(t *testing.T, dir string) (list []merge.Source) {
	for s := range servers {
		path := filepath.Join(dir, fmt.Sprintf("s%d.db", s+1))
		db, err := sql.Open("sqlite3", path)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, x := range g.tables {
			b.WriteString(x.sql(s))
		}
		if _, err := db.Exec("BEGIN;" + b.String() + "COMMIT;"); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		list = append(list, merge.Source{Name: fmt.Sprintf("s%d", s+1), Source: path})
	}
	return list
}
