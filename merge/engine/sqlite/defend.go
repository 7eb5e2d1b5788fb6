package sqlite

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup

// The driver carries SQLite and defines this. Weak, because the driver's object is not there yet when this package is linked on its own.
extern int sqlite3_db_config(void *db, int option, ...) __attribute__((weak));

static int gameid_configure(void *db, int option, int value) {
	int is = -1;
	if (!sqlite3_db_config || sqlite3_db_config(db, option, value, &is) != 0)
		return -1;
	return is;
}
*/
import "C"

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/mattn/go-sqlite3"
)

// Options of sqlite3_db_config (https://sqlite.org/c3ref/c_dbconfig_defensive.html).
const (
	enableTrigger = 1003
	defensive     = 1010
	quotedTexts   = 1013 // SQLITE_DBCONFIG_DQS_DML
)

// maxInstructions bounds a prepared statement, in instructions of SQLite's virtual machine. A statement over a table of 2,000 columns, the most that
// SQLite allows, takes some 100,000; views that multiply each other take any number.
const maxInstructions = 5_000_000

// maxStatement bounds a statement's text in bytes, also one that a schema holds.
const maxStatement = 16 << 20

// harden is run on every connection: nothing that a schema contains may run code of its own, and broken pages are errors.
const harden = `PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF`

// setUp prepares a new connection for databases that strangers made. Values may stay as long as SQLite's own limit of 10^9 bytes: a key set is bound as one,
// and a longer value than its file SQLite calls damage.
func setUp(c *sqlite3.SQLiteConn) error {
	if _, err := c.Exec(harden, nil); err != nil {
		return err
	}
	c.SetLimit(sqlite3.SQLITE_LIMIT_VDBE_OP, maxInstructions)
	c.SetLimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, maxStatement)
	return errors.Join(configure(c, enableTrigger, 0), configure(c, defensive, 1))
}

// configure sets an option for which the driver has no call of its own.
func configure(c *sqlite3.SQLiteConn, name, value int) error {
	if is := option(c, name, value); is != value {
		return fmt.Errorf("this gameid was built with a SQLite that it does not know: option %d cannot be set to %d", name, value)
	}
	return nil
}

// option sets an option, unless the value is negative, and returns what it is; -1 when the driver hides its connection or SQLite does not know the option.
func option(c *sqlite3.SQLiteConn, name, value int) int {
	db := handle(c)
	if db == nil {
		return -1
	}
	return int(C.gameid_configure(db, C.int(name), C.int(value)))
}

// handle is the connection as SQLite's own functions take it; nil when the driver hides it.
func handle(c *sqlite3.SQLiteConn) unsafe.Pointer {
	db := reflect.ValueOf(c).Elem().FieldByName("db")
	if db.Kind() != reflect.Pointer || db.IsNil() {
		return nil
	}
	return db.UnsafePointer()
}

// register gives a connection functions of this package by what SQLite's own take, which tells whether it took them.
func register(conn *sql.Conn, take func(db unsafe.Pointer) bool) error {
	return conn.Raw(func(c any) error {
		db := handle(c.(*connection).SQLiteConn)
		if db == nil {
			return errors.New("the driver hides its connection")
		}
		if !take(db) {
			return errors.New("SQLite takes no functions")
		}
		return nil
	})
}

// tune runs settings that SQLite ignores on a defended connection, such as journal_mode = OFF, which lets a database break when its program does.
// They are for databases that are thrown away then.
func tune(ctx context.Context, conn *sql.Conn, pragmas string) error {
	return conn.Raw(func(c any) (err error) {
		mine := c.(*connection).SQLiteConn
		if err := configure(mine, defensive, 0); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, configure(mine, defensive, 1)) }()
		_, err = mine.ExecContext(ctx, pragmas, nil)
		return err
	})
}
