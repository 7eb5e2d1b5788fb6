//go:build unix

package dbtest_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/gameid"
)

// column is a type of column with the form in which it takes IDs.
type column struct {
	declared string
	bits     int    // of the widest ID that it takes
	order    string // by what it sorts as the numbers do; its own value when empty
	wrap     func(gameid.ID) any
	read     func(scan func(...any) error) (id gameid.ID, valid bool, err error)
	bare     any // where a value that is NULL must be refused
}

// form returns a column that takes IDs as T.
func form[T any](declared string, bits int, wrap func(gameid.ID) T, unwrap func(T) gameid.ID) column {
	return column{
		declared: declared,
		bits:     bits,
		wrap:     func(id gameid.ID) any { return sql.Null[T]{V: wrap(id), Valid: true} },
		read: func(scan func(...any) error) (gameid.ID, bool, error) {
			var null sql.Null[T]
			err := scan(&null)
			return unwrap(null.V), null.Valid, err
		},
		bare: new(T),
	}
}

func raw(declared string) column {
	c := form(declared, 80, func(id gameid.ID) gameid.ID { return id }, func(id gameid.ID) gameid.ID { return id })
	c.wrap = func(id gameid.ID) any { return gameid.NullID{ID: id, Valid: true} }
	c.read = func(scan func(...any) error) (gameid.ID, bool, error) {
		var null gameid.NullID
		err := scan(&null)
		return null.ID, null.Valid, err
	}
	return c
}

func base32(declared string) column {
	return form(declared, 80, func(id gameid.ID) gameid.Base32 { return gameid.Base32{ID: id} }, func(t gameid.Base32) gameid.ID { return t.ID })
}

func decimal(declared string, bits int) column {
	return form(declared, bits, func(id gameid.ID) gameid.Decimal { return gameid.Decimal{ID: id} }, func(d gameid.Decimal) gameid.ID { return d.ID })
}

// digits is a text column of decimal digits.
func digits(declared string) column {
	c := decimal(declared, 80)
	c.order = "length(id), id"
	return c
}

func bigint(declared string) column {
	return form(declared, 63, func(id gameid.ID) gameid.Int { return gameid.Int{ID: id} }, func(i gameid.Int) gameid.ID { return i.ID })
}

func uuid(declared string) column {
	return form(declared, 80, func(id gameid.ID) gameid.UUID { return gameid.UUID{ID: id} }, func(u gameid.UUID) gameid.ID { return u.ID })
}

// samples returns IDs of at most so many bits, in no order: the extremes, IDs that
// end in zero bytes or look like another form, and random ones of every width.
func samples(t *testing.T, bits int) []gameid.ID {
	t.Helper()
	known := map[gameid.ID]bool{}
	for _, digits := range []string{
		"0", "1", "9007199254740991", "9007199254740992", "9007199254740993", // 2^53-1, 2^53, 2^53+1
		"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", // 2^63-1, 2^63, 2^64-1, 2^64
		"9444732965739290427391", "9444732965739290427392", "1208925819614629174706175", // 2^73-1, 2^73, 2^80-1
		"255801515648243335168", "255801515648243335169", "255801515648243335170",
	} {
		id, err := gameid.ParseDecimal(digits)
		if err != nil {
			t.Fatal(err)
		}
		known[id] = true
	}
	for _, text := range []string{"0000000000000010", "000000000000010E", "00000000000001E5", "0000000000002020", "0007000000000000"} {
		id, err := gameid.ParseBase32(text)
		if err != nil {
			t.Fatal(err)
		}
		known[id] = true
	}
	random := rand.New(rand.NewPCG(1, uint64(bits)))
	for width := range bits + 1 {
		for range 2 {
			var id gameid.ID
			for bit := range width {
				if bit == width-1 || random.IntN(2) == 1 {
					id[gameid.Size-1-bit/8] |= 1 << (bit % 8)
				}
			}
			known[id] = true
		}
	}
	var ids []gameid.ID
	for id := range known {
		if id.Bits() <= bits {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, gameid.ID.Compare)
	random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids
}

// storeAndRead holds every column to the same: what goes in comes out, in order, is
// found, and nothing else goes in.
func storeAndRead(t *testing.T, db *sql.DB, bind func(int) string, columns ...column) {
	for i, c := range columns {
		table := fmt.Sprintf("ids_%d", i)
		t.Run(strings.ReplaceAll(c.declared, " ", "_"), func(t *testing.T) {
			exec(t, db, "CREATE TABLE "+table+" (n INTEGER NOT NULL PRIMARY KEY, id "+c.declared+" NULL)")
			insert := "INSERT INTO " + table + " (n, id) VALUES (" + bind(1) + ", " + bind(2) + ")"
			ids := samples(t, c.bits)
			tx, err := db.Begin()
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback() // or a failure here keeps the next test waiting
			for n, id := range ids {
				if _, err := tx.Exec(insert, n, c.wrap(id)); err != nil {
					t.Fatalf("storing %v: %v", id, err)
				}
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			checkOrder(t, db, c, table, ids)
			checkFound(t, db, c, table, bind, ids)
			checkNull(t, db, c, table, insert)
			if c.bits < gameid.MaxBits {
				over := gameid.ID{}
				over[gameid.Size-1-c.bits/8] = 1 << (c.bits % 8)
				if c.bits == 73 {
					over, _ = gameid.ParseDecimal("10000000000000000000000") // one digit more than DECIMAL(22) has
				}
				if _, err := db.Exec(insert, -2, c.wrap(over)); err == nil {
					t.Errorf("%v was stored, want an error: it has %d bits", over, over.Bits())
				}
			}
		})
	}
}

// checkOrder reads without arguments, which some drivers do in another protocol.
func checkOrder(t *testing.T, db *sql.DB, c column, table string, ids []gameid.ID) {
	t.Helper()
	rows, err := db.Query("SELECT id FROM " + table + " ORDER BY " + cmp.Or(c.order, "id"))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []gameid.ID
	for rows.Next() {
		id, valid, err := c.read(rows.Scan)
		if err != nil || !valid {
			t.Fatalf("row %d: got valid = %v, %v", len(got), valid, err)
		}
		got = append(got, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	want := slices.SortedFunc(slices.Values(ids), gameid.ID.Compare)
	if len(got) != len(want) {
		t.Fatalf("got %d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("row %d in the order of the database: got %v (%s), want %v (%s)", i, got[i], got[i].Hex(), want[i], want[i].Hex())
		}
	}
}

func checkFound(t *testing.T, db *sql.DB, c column, table string, bind func(int) string, ids []gameid.ID) {
	t.Helper()
	for n, id := range ids {
		var at int
		row := db.QueryRow("SELECT n FROM "+table+" WHERE id = "+bind(1), c.wrap(id))
		if err := row.Scan(&at); err != nil || at != n {
			t.Errorf("looking for %v: got row %d, %v, want %d", id, at, err, n)
		}
		got, valid, err := c.read(db.QueryRow("SELECT id FROM "+table+" WHERE n = "+bind(1), n).Scan)
		if err != nil || !valid || got != id {
			t.Errorf("row %d: got %v, %v, %v, want %v", n, got, valid, err, id)
		}
	}
	if c.order != "" {
		return
	}
	low, high := ids[0], ids[1]
	if low.Compare(high) > 0 {
		low, high = high, low
	}
	want := 0
	for _, id := range ids {
		if id.Compare(low) >= 0 && id.Compare(high) <= 0 {
			want++
		}
	}
	var got int
	row := db.QueryRow("SELECT count(*) FROM "+table+" WHERE id BETWEEN "+bind(1)+" AND "+bind(2), c.wrap(low), c.wrap(high))
	if err := row.Scan(&got); err != nil || got != want {
		t.Errorf("IDs between %v and %v: got %d, %v, want %d", low, high, got, err, want)
	}
}

func checkNull(t *testing.T, db *sql.DB, c column, table, insert string) {
	t.Helper()
	exec(t, db, insert, -1, sql.Null[gameid.ID]{})
	query := "SELECT id FROM " + table + " WHERE id IS NULL"
	if id, valid, err := c.read(db.QueryRow(query).Scan); err != nil || valid || !id.IsZero() {
		t.Errorf("NULL: got %v, valid = %v, %v, want NULL", id, valid, err)
	}
	if err := db.QueryRow(query).Scan(c.bare); err == nil || !strings.Contains(err.Error(), "NULL is no ID: scan") {
		t.Errorf("NULL into a %T: got %v, want the error to name what takes NULL", c.bare, err)
	}
}

func question(int) string { return "?" }

func dollar(n int) string { return fmt.Sprintf("$%d", n) }

func TestSQLiteColumns(t *testing.T) {
	storeAndRead(t, openSQLite(t), question,
		raw("BLOB"), raw("BINARY(10)"), base32("CHAR(16)"), base32("TEXT"), bigint("BIGINT"), bigint("INTEGER"), uuid("UUID"), uuid("TEXT"), digits("TEXT"))
}

func TestMariaDBColumns(t *testing.T) {
	for name, options := range map[string]string{"prepared": "", "interpolated": "?interpolateParams=true"} {
		t.Run(name, func(t *testing.T) {
			storeAndRead(t, openMariaDB(t, options), question,
				raw("BINARY(10)"), raw("VARBINARY(10)"), raw("BLOB"), base32("CHAR(16)"), base32("CHAR(16) CHARACTER SET ascii"), base32("TEXT"),
				decimal("DECIMAL(22)", 73), decimal("NUMERIC(25)", 80), bigint("BIGINT"), bigint("BIGINT UNSIGNED"), decimal("BIGINT UNSIGNED", 64), uuid("UUID"), uuid("CHAR(36)"), digits("VARCHAR(25)"))
		})
	}
}

func TestPostgresColumns(t *testing.T) {
	for name, options := range map[string]string{"prepared": "", "simple": " default_query_exec_mode=simple_protocol"} {
		t.Run(name, func(t *testing.T) {
			storeAndRead(t, openPostgres(t, options), dollar,
				raw("bytea"), base32("CHAR(16)"), base32("TEXT"), decimal("NUMERIC(22)", 73), decimal("DECIMAL(25)", 80), bigint("BIGINT"), uuid("uuid"), digits("TEXT"))
		})
	}
}
