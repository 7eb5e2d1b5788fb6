package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// connector opens connections to one file without a registered driver name, so the package keeps no state.
type connector struct {
	dsn    string
	driver *sqlite3.SQLiteDriver
}

// Connect opens a connection of its own to the file, whose long statements end with the context.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.driver.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return watch(ctx, conn.(*sqlite3.SQLiteConn)), nil
}

// Driver is mattn's driver.
func (c connector) Driver() driver.Driver { return c.driver }

// busyMillis is how long a statement waits for somebody else's lock.
const busyMillis = "2000"

// open makes one connection to a file. mode is SQLite's URI mode: ro, rw, rwc or memory. Closing the returned DB closes the connection.
func open(ctx context.Context, file, mode string) (*sql.DB, *sql.Conn, error) {
	db := newDB(fileURI(file, mode) + "&_busy_timeout=" + busyMillis)
	conn, err := db.Conn(ctx)
	if err != nil {
		_ = db.Close()
		return nil, nil, err
	}
	return db, conn, nil
}

// newDB makes a database of one connection. An empty DSN is a nameless file that SQLite deletes.
func newDB(dsn string) *sql.DB {
	db := sql.OpenDB(connector{dsn, &sqlite3.SQLiteDriver{ConnectHook: setUp}})
	db.SetMaxOpenConns(1)
	return db
}

// fileURI names a file for open and for ATTACH, whatever characters its path holds.
func fileURI(file, mode string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	return (&url.URL{Scheme: "file", Path: file, RawQuery: "mode=" + mode}).String()
}

// ident quotes a name.
func ident(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// idents quotes names and joins them with commas.
func idents(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = ident(n)
	}
	return strings.Join(quoted, ", ")
}

// quoted is the SQL for a value as a literal, as literal writes it: SQLite's own quote ends a text at its first zero.
func quoted(x string) string {
	return fmt.Sprintf("(CASE WHEN typeof(%[1]s) = 'text' AND instr(%[1]s, char(0)) THEN 'CAST(' || quote(CAST(%[1]s AS BLOB)) || ' AS TEXT)' ELSE quote(%[1]s) END)", x)
}

// literal writes a value as SQL, keeping its storage class.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case int64:
		if v == math.MinInt64 { // the parser reads the digits as a float
			return "(-9223372036854775807 - 1)"
		}
		return strconv.FormatInt(v, 10)
	case float64:
		if math.IsInf(v, 0) {
			return map[bool]string{true: "9e999", false: "-9e999"}[v > 0]
		}
		s := strconv.FormatFloat(v, 'g', 17, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return s
	case string:
		if strings.ContainsRune(v, 0) {
			return "CAST(x'" + hex.EncodeToString([]byte(v)) + "' AS TEXT)"
		}
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case []byte:
		return "x'" + hex.EncodeToString(v) + "'"
	}
	panic(fmt.Sprintf("sqlite: no literal for %T", v))
}

// Quote writes a name as SQL.
func (*Engine) Quote(name string) string { return ident(name) }

// Literal writes a value as SQL: nil, int64, float64, string or []byte.
func (*Engine) Literal(v any) string { return literal(v) }

// FoldCollation is the collation under which texts that differ only in ASCII case are equal.
func (*Engine) FoldCollation() string { return "NOCASE" }

// TrimCollation is the collation under which texts that differ only in spaces at their end are equal.
func (*Engine) TrimCollation() string { return "RTRIM" }
