package sqlite

/*
#include <stdlib.h>

// As in defend.go, the driver defines this.
extern void sqlite3_progress_handler(void *db, int instructions, int (*call)(void *), void *arg) __attribute__((weak));

static int gameid_stopped(void *flag) { return __atomic_load_n((int *)flag, __ATOMIC_RELAXED); }

static void gameid_stop(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

static int gameid_watch(void *db, int instructions, int *flag) {
	if (!sqlite3_progress_handler)
		return 0;
	sqlite3_progress_handler(db, instructions, gameid_stopped, flag);
	return 1;
}
*/
import "C"

import (
	"context"
	"unsafe"

	"github.com/mattn/go-sqlite3"
)

// asked is after how many instructions of its virtual machine SQLite asks whether to stop: some microseconds, and more than any statement of a clean-up takes.
const asked = 10_000

// connection is a connection of the driver whose long statements end when the context under which it was opened does. The driver alone interrupts a statement
// once, which is lost when it has not begun its first step yet (https://sqlite.org/c3ref/interrupt.html); the whole statement runs then.
type connection struct {
	*sqlite3.SQLiteConn
	release func() bool
	flag    *C.int
}

// watch makes the statements of a connection stop with a context.
func watch(ctx context.Context, c *sqlite3.SQLiteConn) *connection {
	flag := (*C.int)(C.calloc(1, C.sizeof_int))
	if db := handle(c); db != nil {
		C.gameid_watch(db, asked, flag)
	}
	return &connection{c, context.AfterFunc(ctx, func() { C.gameid_stop(flag) }), flag}
}

// Close ends the watch, and then the connection.
func (c *connection) Close() error {
	if c.flag == nil {
		return c.SQLiteConn.Close()
	}
	stopped := c.release()
	err := c.SQLiteConn.Close()
	if stopped { // else the flag may be about to be written
		C.free(unsafe.Pointer(c.flag))
	}
	c.flag = nil
	return err
}
