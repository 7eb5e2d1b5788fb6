//go:build unix

package dbtest_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gameid/gameid/gameid"
	"github.com/go-sql-driver/mysql"
)

func parse(t *testing.T, digits string) gameid.ID {
	t.Helper()
	id, err := gameid.ParseDecimal(digits)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// refused expects a query's value to be refused for the reason.
func refused(t *testing.T, row *sql.Row, into sql.Scanner, reason string) {
	t.Helper()
	if err := row.Scan(into); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("%T read %v, %v, want it refused: %s", into, into, err, reason)
	}
}

func text(t *testing.T, db *sql.DB, query string, args ...any) (got string) {
	t.Helper()
	if err := db.QueryRow(query, args...).Scan(&got); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return got
}

const lossy = "a floating-point number, which may have lost digits; store IDs as BLOB or CHAR(16) in SQLite"

// A column of doubles has lost 2^53+1 before anybody can see it, so even what looks
// whole is refused.
func TestG23DoublesAreRefusedSQLite(t *testing.T) { refuseDoubles(t, openSQLite(t), question, "REAL") }

func TestG23DoublesAreRefusedMariaDB(t *testing.T) {
	refuseDoubles(t, openMariaDB(t, ""), question, "DOUBLE")
}

func TestG23DoublesAreRefusedPostgres(t *testing.T) {
	refuseDoubles(t, openPostgres(t, ""), dollar, "float8")
}

func refuseDoubles(t *testing.T, db *sql.DB, bind func(int) string, declared string) {
	exec(t, db, "CREATE TABLE doubles (id "+declared+")")
	exec(t, db, "INSERT INTO doubles VALUES ("+bind(1)+")", gameid.Decimal{ID: parse(t, "9007199254740993")})
	for _, into := range []sql.Scanner{new(gameid.ID), new(gameid.NullID), new(gameid.Base32), new(gameid.Decimal), new(gameid.Int), new(gameid.UUID)} {
		refused(t, db.QueryRow("SELECT id FROM doubles"), into, lossy)
	}
}

// SQLite has no decimals: a column that is declared NUMERIC, DECIMAL or anything else
// that it does not know has the affinity NUMERIC, and stores digits above 2^63-1 as a
// double. Below they are integers, so the loss begins one day, with no error.
func TestG23NumericAffinitySQLite(t *testing.T) {
	db := openSQLite(t)
	for _, declared := range []string{"NUMERIC(22)", "DECIMAL(22)", "BIGINT", "STRING"} {
		exec(t, db, "DROP TABLE IF EXISTS numbers")
		exec(t, db, "CREATE TABLE numbers (n INTEGER PRIMARY KEY, id "+declared+")")
		for n, test := range []struct{ digits, stored string }{{"9223372036854775807", "integer"}, {"9223372036854775808", "real"}, {"9444732965739290427391", "real"}} {
			id := parse(t, test.digits)
			exec(t, db, "INSERT INTO numbers VALUES (?, ?)", n, gameid.Decimal{ID: id})
			if got := text(t, db, "SELECT typeof(id) FROM numbers WHERE n = ?", n); got != test.stored {
				t.Errorf("%s in a %s column: SQLite stored %s, want %s", test.digits, declared, got, test.stored)
			}
			row := db.QueryRow("SELECT id FROM numbers WHERE n = ?", n)
			if test.stored == "real" {
				refused(t, row, new(gameid.Decimal), lossy)
				continue
			}
			var got gameid.Decimal
			if err := row.Scan(&got); err != nil || got.ID != id {
				t.Errorf("%s in a %s column: got %v, %v", test.digits, declared, got, err)
			}
		}
	}
	// Base32 that looks like a number becomes one, also where the column sounds like text.
	base32, err := gameid.ParseBase32("0000080000000001")
	if err != nil {
		t.Fatal(err)
	}
	exec(t, db, "INSERT INTO numbers VALUES (10, ?)", gameid.Base32{ID: base32})
	refused(t, db.QueryRow("SELECT id FROM numbers WHERE n = 10"), new(gameid.Base32), "the column gave an integer")
}

// A NUMERIC column of SQLite keeps the ten bytes, which are no text.
func TestBytesInNumericColumnsSQLite(t *testing.T) {
	db := openSQLite(t)
	exec(t, db, "CREATE TABLE numbers (id NUMERIC(22))")
	id := parse(t, "9444732965739290427391")
	exec(t, db, "INSERT INTO numbers VALUES (?)", id)
	var got gameid.ID
	if err := db.QueryRow("SELECT id FROM numbers").Scan(&got); err != nil || got != id {
		t.Errorf("got %v, %v, want %v", got, err, id)
	}
}

// Base 62 tells texts apart by case alone, which MariaDB's collations do not. Base 32
// never does.
func TestG23CollationsMariaDB(t *testing.T) {
	db := openMariaDB(t, "")
	for _, collation := range []string{"utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_bin", "latin1_swedish_ci", "ascii_bin"} {
		set, _, _ := strings.Cut(collation, "_")
		declared := "CHAR(16) CHARACTER SET " + set + " COLLATE " + collation
		exec(t, db, "DROP TABLE IF EXISTS texts")
		exec(t, db, "CREATE TABLE texts (id "+declared+" PRIMARY KEY)")
		exec(t, db, "INSERT INTO texts VALUES ('4fKq'), ('4fkr')") // base 62
		_, err := db.Exec("INSERT INTO texts VALUES ('4fkq')")
		var engine *mysql.MySQLError
		if clash := errors.As(err, &engine) && engine.Number == 1062; clash == strings.HasSuffix(collation, "_bin") {
			t.Errorf("4fKq and 4fkq under %s: got clash = %v, %v", collation, clash, err)
		}
		exec(t, db, "DELETE FROM texts")
		c, ids := base32(declared), samples(t, 80)
		for _, id := range ids {
			exec(t, db, "INSERT INTO texts VALUES (?)", c.wrap(id))
		}
		checkOrder(t, db, c, "texts", ids)
	}
}

// A text compared with a number is compared as a double: bind what the column holds.
func TestG23TextsMeetNumbersMariaDB(t *testing.T) {
	db := openMariaDB(t, "")
	id, other := parse(t, "9444732965739290427391"), parse(t, "9444732965739290427390")
	exec(t, db, "CREATE TABLE texts (id VARCHAR(25), b CHAR(16))")
	exec(t, db, "INSERT INTO texts VALUES (?, ?)", gameid.Decimal{ID: id}, gameid.Base32{ID: parse(t, "31")})
	for query, want := range map[string]string{
		"SELECT count(*) FROM texts WHERE id = 9444732965739290427390":   "1", // another ID
		"SELECT count(*) FROM texts WHERE id = '9444732965739290427390'": "0",
		"SELECT count(*) FROM texts WHERE b = 0":                         "1", // 000000000000000Z
		"SELECT count(*) FROM texts WHERE b = '0'":                       "0",
	} {
		if got := text(t, db, query); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
	for wanted, want := range map[gameid.ID]string{id: "1", other: "0"} {
		if got := text(t, db, "SELECT count(*) FROM texts WHERE id = ?", gameid.Decimal{ID: wanted}); got != want {
			t.Errorf("looking for the Decimal %v: got %s rows, want %s", wanted, got, want)
		}
	}
}

// Without strict mode MariaDB cuts what does not fit to the highest number, so that
// two IDs become one. An Int refuses before.
func TestG23LenientModeMariaDB(t *testing.T) {
	db := openMariaDB(t, "?sql_mode=''")
	exec(t, db, "CREATE TABLE numbers (id BIGINT)")
	id := parse(t, "9223372036854775808")
	exec(t, db, "INSERT INTO numbers VALUES (?)", gameid.Decimal{ID: id})
	if got := text(t, db, "SELECT id FROM numbers"); got != "9223372036854775807" {
		t.Errorf("2^63 in a BIGINT without strict mode: got %s, want it cut to 2^63-1", got)
	}
	if _, err := db.Exec("INSERT INTO numbers VALUES (?)", gameid.Int{ID: id}); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("2^63 as an Int: got %v, want ErrRange", err)
	}
}

// BINARY(n) fills up with zero bytes behind: an ID in a wider column is not the
// number that it was, and is refused.
func TestG23WiderBinaryMariaDB(t *testing.T) {
	db := openMariaDB(t, "")
	exec(t, db, "CREATE TABLE wide (id BINARY(12), u BINARY(16))")
	id := parse(t, "255801515648243335168")
	exec(t, db, "INSERT INTO wide VALUES (?, ?)", id, id)
	refused(t, db.QueryRow("SELECT id FROM wide"), new(gameid.ID), "12 bytes long, an ID has 10")
	refused(t, db.QueryRow("SELECT u FROM wide"), new(gameid.ID), "not made from an ID")
	uuid := id.UUID()
	exec(t, db, "UPDATE wide SET u = ?", uuid[:])
	var got gameid.ID
	if err := db.QueryRow("SELECT u FROM wide").Scan(&got); err != nil || got != id {
		t.Errorf("the 16 bytes of its UUID: got %v, %v, want %v", got, err, id)
	}
}

// Every ID's UUID suits MariaDB's type, which refuses some of version 8.
func TestUUIDsOfEveryServerMariaDB(t *testing.T) {
	db := openMariaDB(t, "")
	exec(t, db, "CREATE TABLE uuids (id UUID PRIMARY KEY)")
	base := parse(t, "255801515648243335168")
	for low := range 64 { // the bits beside the variant
		id := base
		id[7], id[8] = id[7]&0xf0|byte(low>>2), byte(low<<6)
		exec(t, db, "INSERT INTO uuids VALUES (?)", gameid.UUID{ID: id})
	}
	if got := text(t, db, "SELECT count(*) FROM uuids"); got != "64" {
		t.Errorf("got %s UUIDs, want 64", got)
	}
}

// CHAR(n) gives its blanks back, and upper and lower case are two values: what others
// wrote in lower case is read, but not found.
func TestG23TextsPostgres(t *testing.T) {
	db := openPostgres(t, "")
	id := parse(t, "9223372036854775807")
	exec(t, db, "CREATE TABLE texts (wide CHAR(20), id CHAR(16) UNIQUE)")
	exec(t, db, "INSERT INTO texts VALUES ($1, $2)", gameid.Base32{ID: id}, strings.ToLower(id.Base32()))
	refused(t, db.QueryRow("SELECT wide FROM texts"), new(gameid.Base32), "20 characters, 16 are needed")
	var got gameid.Base32
	if err := db.QueryRow("SELECT id FROM texts").Scan(&got); err != nil || got.ID != id {
		t.Errorf("lower case: got %v, %v, want %v", got, err, id)
	}
	if got := text(t, db, "SELECT count(*) FROM texts WHERE id = $1", gameid.Base32{ID: id}); got != "0" {
		t.Errorf("looking for lower case with upper case: got %s rows, want 0", got)
	}
	if got := text(t, db, "SELECT count(*) FROM texts WHERE upper(id) = $1", gameid.Base32{ID: id}); got != "1" {
		t.Errorf("looking for it by upper(id): got %s rows, want 1", got)
	}
}

// Base32 sorts as the IDs do under the rules of languages too.
func TestLanguageCollationPostgres(t *testing.T) {
	db := openPostgres(t, "")
	if text(t, db, "SELECT count(*) FROM pg_collation WHERE collname = 'en-x-icu'") == "0" {
		t.Log("this PostgreSQL was built without ICU")
		return
	}
	c, ids := base32(`TEXT COLLATE "en-x-icu"`), samples(t, 80)
	exec(t, db, "CREATE TABLE texts (id "+c.declared+")")
	for _, id := range ids {
		exec(t, db, "INSERT INTO texts VALUES ($1)", c.wrap(id))
	}
	checkOrder(t, db, c, "texts", ids)
}

// The engine's own JSON writes numbers bare: an ID reads them, a double does not.
func TestG23EngineJSONPostgres(t *testing.T) {
	db := openPostgres(t, "")
	exec(t, db, "CREATE TABLE players (id NUMERIC(22))")
	id := parse(t, "9444732965739290427391")
	exec(t, db, "INSERT INTO players VALUES ($1)", gameid.Decimal{ID: id})
	row := []byte(text(t, db, "SELECT row_to_json(players)::text FROM players"))
	if string(row) != `{"id":9444732965739290427391}` {
		t.Fatalf("row_to_json: got %s, want a bare number", row)
	}
	var ours struct{ ID gameid.ID }
	if err := json.Unmarshal(row, &ours); err != nil || ours.ID != id {
		t.Errorf("as an ID: got %v, %v, want %v", ours.ID, err, id)
	}
	var anything map[string]any
	if err := json.Unmarshal(row, &anything); err != nil || anything["id"] == "9444732965739290427391" {
		t.Errorf("as anything: got %v, %v, want a double", anything, err)
	}
	refusedScan := new(gameid.Decimal)
	if err := refusedScan.Scan(anything["id"]); err == nil || !strings.Contains(err.Error(), lossy) {
		t.Errorf("the double as a Decimal: got %v, %v, want it refused", refusedScan, err)
	}
}
