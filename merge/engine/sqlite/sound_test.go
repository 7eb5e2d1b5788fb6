package sqlite_test

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge/engine/sqlite"
)

func sqlInt(v int64) string { return strconv.FormatInt(v, 10) }

func TestSoundCountsForeignKeyViolations(t *testing.T) {
	e := sqlite.New()
	s := openDB(t, e, "a", writeDB(t, "a", `CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(id INTEGER PRIMARY KEY, p INT REFERENCES p(id));
		INSERT INTO p VALUES(1); INSERT INTO c VALUES(1,1),(2,7),(3,8),(4,NULL)`))
	damage, violations, err := e.Sound(context.Background(), s)
	if err != nil || len(damage) > 0 || len(violations) != 1 || violations["c"] != 2 {
		t.Errorf("got %v %v %v, want no damage and 2 violations of c", damage, violations, err)
	}
}

func TestSoundSeesAnIndexThatMissesRows(t *testing.T) {
	e := sqlite.New()
	s := openDB(t, e, "a", writeDB(t, "a", `CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE u(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1,1),(2,2);
		CREATE INDEX i ON t(v); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET tbl_name = 'u', sql = 'CREATE INDEX i ON u(v)' WHERE name = 'i'; PRAGMA writable_schema = OFF`))
	damage, _, err := e.Sound(context.Background(), s)
	if err != nil || len(damage) == 0 {
		t.Errorf("got %v %v, want damage", damage, err)
	}
}

func TestSoundCountsAPartialIndexAgainstItsCondition(t *testing.T) {
	const tables = `CREATE TABLE t(id INTEGER PRIMARY KEY, v, w); CREATE TABLE u(id INTEGER PRIMARY KEY, v, w);
		INSERT INTO t VALUES(1,1,1),(2,2,NULL),(3,3,3); INSERT INTO u SELECT * FROM t; INSERT INTO u VALUES(4,4,4);
		CREATE INDEX i ON t(v) WHERE w IS NOT NULL; CREATE INDEX "j j" ON u(w) WHERE v > 1 AND w > 2;
		CREATE INDEX k ON t(id) WHERE v = 1 OR w IN (2, 3); CREATE INDEX l ON t(v, w) WHERE v BETWEEN 1 AND 2 AND w IS NOT 7;`
	e := sqlite.New()
	good := openDB(t, e, "a", writeDB(t, "a", tables))
	if damage, _, err := e.Sound(context.Background(), good); err != nil || len(damage) > 0 {
		t.Errorf("got %v %v, want no damage", damage, err)
	}
	bad := openDB(t, e, "b", writeDB(t, "b", tables+`PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET tbl_name = 'u', sql = 'CREATE INDEX i ON u(v) WHERE w IS NOT NULL' WHERE name = 'i'; PRAGMA writable_schema = OFF`))
	if damage, _, err := e.Sound(context.Background(), bad); err != nil || len(damage) == 0 {
		t.Errorf("got %v %v, want damage", damage, err)
	}
}

func TestSoundChecksTheIndexesOfTheRecord(t *testing.T) {
	e := sqlite.New()
	s := openDB(t, e, "a", writeDB(t, "a", `CREATE TABLE gameid_keys(v PRIMARY KEY, w) WITHOUT ROWID; CREATE TABLE u(v PRIMARY KEY, w) WITHOUT ROWID; INSERT INTO gameid_keys VALUES(1,1),(2,2);
		INSERT INTO u VALUES(1,1),(2,3); CREATE INDEX gameid_keys_new ON u(w); PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET tbl_name = 'gameid_keys', sql = 'CREATE INDEX gameid_keys_new ON gameid_keys(w)' WHERE name = 'gameid_keys_new'; PRAGMA writable_schema = OFF`))
	damage, _, err := e.Sound(context.Background(), s)
	if err != nil || len(damage) == 0 {
		t.Errorf("got %v %v, want damage", damage, err)
	}
}

func TestSoundReportsAnIndexThatCannotBeRead(t *testing.T) {
	e := sqlite.New()
	path := writeDB(t, "a", `CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX i ON t(v); INSERT INTO t VALUES(6,'needle6'),(7,'needle7'),(8,'needle8')`)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	entry := []byte("\x03\x1b\x01needle7\x07") // three bytes of header: a text of seven, a rowid of one
	if bytes.Count(text, entry) != 1 {
		t.Fatal("the entry of the index does not stand where it should")
	}
	text[bytes.Index(text, entry)] = 0x7f
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		damage, _, err := e.Sound(context.Background(), openDB(t, e, "a", path))
		if err != nil || len(damage) == 0 || !strings.Contains(damage[0], "index of table t") {
			t.Errorf("got %v %v, want damage of an index", damage, err)
		}
	}
}
