package sqlite

/*
#include <stdint.h>
#include <string.h>
#include "driver.h"

// The finalizer of MurmurHash3 (https://github.com/aappleby/smhasher, public domain): every bit of x changes half of the result's.
static uint64_t gameid_mix(uint64_t x) {
	x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
	x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
	return x ^ x >> 33;
}

static void gameid_sum_step(sqlite3_context *c, int argc, sqlite3_value **args) {
	uint64_t *sum = sqlite3_aggregate_context(c, sizeof *sum);
	if (!sum)
		return;
	uint64_t row = 0;
	for (int i = 0; i < argc; i++) {
		int type = sqlite3_value_type(args[i]);
		uint64_t word = 0;
		const unsigned char *bytes = NULL;
		int n = 0;
		switch (type) {
		case 1: // SQLITE_INTEGER
			word = (uint64_t)sqlite3_value_int64(args[i]);
			break;
		case 2: { // SQLITE_FLOAT
			double d = sqlite3_value_double(args[i]);
			memcpy(&word, &d, sizeof word);
			break;
		}
		case 3: // SQLITE_TEXT
			bytes = sqlite3_value_text(args[i]);
			n = sqlite3_value_bytes(args[i]);
			break;
		case 4: // SQLITE_BLOB
			bytes = sqlite3_value_blob(args[i]);
			n = sqlite3_value_bytes(args[i]);
			break;
		}
		row += (uint64_t)type * 0x9e3779b97f4a7c15ULL + (uint64_t)n;
		for (; bytes && n > 8; bytes += 8, n -= 8) {
			memcpy(&word, bytes, 8);
			row = gameid_mix(row ^ word);
		}
		if (bytes) {
			word = 0;
			memcpy(&word, bytes, n);
		}
		row = gameid_mix(row ^ word);
	}
	*sum += row;
}

static void gameid_sum_final(sqlite3_context *c) {
	uint64_t *sum = sqlite3_aggregate_context(c, 0);
	sqlite3_result_int64(c, sum ? (int64_t)*sum : 0);
}

// Gives a connection the aggregate gameid_sum.
static int gameid_register_sum(void *db) {
	const int flags = 1 | 0x800 | 0x80000; // as in lookups.go
	return sqlite3_create_function_v2 && sqlite3_create_function_v2(db, "gameid_sum", -1, flags, NULL, NULL, gameid_sum_step, gameid_sum_final, NULL) == 0;
}
*/
import "C"

import (
	"database/sql"
	"unsafe"
)

// registerSum gives a connection the aggregate gameid_sum(x, ...): the sum over all rows of a hash of each row's values with their storage classes, whatever the
// order of the rows. A merge records a digest of such sums, so the formula must not change.
func registerSum(conn *sql.Conn) error {
	return register(conn, func(db unsafe.Pointer) bool { return C.gameid_register_sum(db) != 0 })
}
