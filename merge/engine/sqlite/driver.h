// The functions of SQLite that this package's C calls. The driver carries SQLite and defines them; they are weak for the reason that defend.go gives.
#ifndef GAMEID_DRIVER_H
#define GAMEID_DRIVER_H

#include <stdint.h>

typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_value sqlite3_value;

extern int sqlite3_create_function_v2(void *db, const char *name, int args, int flags, void *user,
	void (*call)(sqlite3_context *, int, sqlite3_value **), void (*step)(sqlite3_context *, int, sqlite3_value **),
	void (*final)(sqlite3_context *), void (*destroy)(void *)) __attribute__((weak));
extern void *sqlite3_aggregate_context(sqlite3_context *, int) __attribute__((weak));
extern void *sqlite3_user_data(sqlite3_context *) __attribute__((weak));
extern const unsigned char *sqlite3_value_text(sqlite3_value *) __attribute__((weak));
extern const void *sqlite3_value_blob(sqlite3_value *) __attribute__((weak));
extern double sqlite3_value_double(sqlite3_value *) __attribute__((weak));
extern int sqlite3_value_bytes(sqlite3_value *) __attribute__((weak));
extern int sqlite3_value_type(sqlite3_value *) __attribute__((weak));
extern int64_t sqlite3_value_int64(sqlite3_value *) __attribute__((weak));
extern void sqlite3_result_blob64(sqlite3_context *, const void *, uint64_t, void (*)(void *)) __attribute__((weak));
extern void sqlite3_result_error(sqlite3_context *, const char *, int) __attribute__((weak));
extern void sqlite3_result_error_toobig(sqlite3_context *) __attribute__((weak));
extern void sqlite3_result_int(sqlite3_context *, int) __attribute__((weak));
extern void sqlite3_result_int64(sqlite3_context *, int64_t) __attribute__((weak));
extern void sqlite3_result_value(sqlite3_context *, sqlite3_value *) __attribute__((weak));

#endif
