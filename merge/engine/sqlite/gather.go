package sqlite

/*
#include <stdint.h>
#include <stdlib.h>
#include "driver.h"

enum { gameid_room = 4096 };

typedef struct { int64_t rows, nulls, other, n, keys[gameid_room]; } gameid_gathered; // of gameid_nth the rows alone

// Takes a value in, and tells whether somebody has to look: the keys have no more room, or it is a fraction.
static void gameid_gather(sqlite3_context *c, int argc, sqlite3_value **args) {
	gameid_gathered *g = sqlite3_user_data(c);
	int look = 0;
	if (g->n == gameid_room) {
		sqlite3_result_error(c, "nobody took the keys", -1);
		return;
	}
	g->rows++;
	switch (sqlite3_value_type(args[0])) {
	case 1: // SQLITE_INTEGER
		g->keys[g->n++] = sqlite3_value_int64(args[0]);
		look = g->n == gameid_room;
		break;
	case 2: // SQLITE_FLOAT
		g->other++;
		look = 1;
		break;
	case 5: // SQLITE_NULL
		g->nulls++;
		break;
	default:
		g->other++;
	}
	sqlite3_result_int(c, look);
}

// Tells of every n-th row that it is one.
static void gameid_nth(sqlite3_context *c, int argc, sqlite3_value **args) {
	gameid_gathered *g = sqlite3_user_data(c);
	int64_t n = sqlite3_value_int64(args[0]);
	sqlite3_result_int(c, n > 0 && ++g->rows % n == 0);
}

// Gives a connection the functions gameid_gather and gameid_nth. SQLite frees what they keep with the connection.
static gameid_gathered *gameid_register_gather(void *db) {
	gameid_gathered *g = calloc(1, sizeof *g);
	const int flags = 1 | 0x80000; // UTF8, DIRECTONLY: no schema may call it
	if (!sqlite3_create_function_v2 || !g)
		return NULL;
	if (sqlite3_create_function_v2(db, "gameid_gather", 1, flags, g, gameid_gather, NULL, NULL, free) != 0)
		return NULL; // SQLite has freed it
	return sqlite3_create_function_v2(db, "gameid_nth", 1, flags, g, gameid_nth, NULL, NULL, NULL) == 0 ? g : NULL;
}
*/
import "C"

import (
	"context"
	"database/sql"
	"unsafe"

	"github.com/gameid/gameid/merge"
)

// gatherer reads the integers of columns on one connection, through a function in C: a row that has to come to Go takes ten times as long as one that need not. The SQL
// gameid_nth(n) counts rows, and holds for every n-th.
type gatherer struct {
	into *C.gameid_gathered // the connection's; gone when it is closed
}

// gathering gives the shard's own connection its gatherer, with nothing in it.
func (s *shard) gathering() (*gatherer, error) {
	if s.gatherer == nil {
		g := &gatherer{}
		err := register(s.conn, func(db unsafe.Pointer) bool {
			g.into = C.gameid_register_gather(db)
			return g.into != nil
		})
		if err != nil {
			return nil, err
		}
		s.gatherer = g
	}
	*s.gatherer.into = C.gameid_gathered{}
	return s.gatherer, nil
}

// gather reads every row of a column.
func (s *shard) gather(ctx context.Context, t *merge.Table, col *merge.Column, k *merge.KeyColumn) error {
	g, err := s.gathering()
	if err != nil {
		return err
	}
	c := ident(col.Name)
	rows, err := s.conn.QueryContext(ctx, "SELECT CASE typeof("+c+") WHEN 'real' THEN +"+c+" END FROM main."+ident(t.Name)+" NOT INDEXED WHERE gameid_gather("+c+")")
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var v sql.NullFloat64
		if err := rows.Scan(&v); err != nil {
			return err
		}
		if g.into.n == C.gameid_room {
			g.take(k.Set)
		}
		if !v.Valid || col.Affinity == merge.Real || !whole(v.Float64) {
			continue
		}
		k.Set.Add(int64(v.Float64))
		if k.Wholes++; len(k.Whole) < keptWholes {
			k.Whole = append(k.Whole, v.Float64)
		}
	}
	g.take(k.Set)
	k.Rows, k.Nulls, k.Other = int64(g.into.rows), int64(g.into.nulls), int64(g.into.other)
	return rows.Err()
}

// take moves the keys that are gathered.
func (g *gatherer) take(set *merge.KeySet) {
	set.Add(unsafe.Slice((*int64)(unsafe.Pointer(&g.into.keys[0])), int(g.into.n))...)
	g.into.n = 0
}
