package sqlite

/*
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "driver.h"

enum { gameid_most = 2 << 20, gameid_probes = 1 << 10 }; // bytes of a tally, and places that are looked at for a row

typedef struct { uint64_t hash; int64_t rows; uint32_t at, len; } gameid_slot;

// A tally is a table of slots, half empty, found by a hash of the values, which lie one after the other in bytes.
typedef struct { gameid_slot *slots; uint8_t *bytes; uint32_t room, used, n, cap; int full; } gameid_tally;

static void gameid_append(gameid_tally *t, const void *from, uint32_t n) {
	if (t->full || !n)
		return;
	if (n > gameid_most - t->n) {
		t->full = 1;
		return;
	}
	if (t->n + n > t->cap) {
		uint32_t cap = t->cap ? t->cap : 1 << 10;
		while (cap < t->n + n)
			cap *= 2;
		uint8_t *more = realloc(t->bytes, cap);
		if (!more) {
			t->full = 1;
			return;
		}
		t->bytes = more;
		t->cap = cap;
	}
	memcpy(t->bytes + t->n, from, n);
	t->n += n;
}

// The slot of the values of a hash, or the empty one that they go into; NULL where too many stand in the way.
static gameid_slot *gameid_place(gameid_tally *t, uint64_t hash, const uint8_t *values, uint32_t len) {
	for (uint64_t i = hash, n = 0; n < gameid_probes; i++, n++) {
		gameid_slot *s = &t->slots[i & (t->room - 1)];
		if (s->rows == 0 || s->hash == hash && s->len == len && values && memcmp(t->bytes + s->at, values, len) == 0)
			return s;
	}
	return NULL;
}

static void gameid_widen(gameid_tally *t) {
	gameid_tally wide = *t;
	wide.room = t->room ? 2 * t->room : 64;
	wide.slots = (uint64_t)wide.room * sizeof *wide.slots > gameid_most ? NULL : calloc(wide.room, sizeof *wide.slots);
	t->full = wide.slots == NULL;
	for (uint32_t i = 0; i < t->room && !t->full; i++) {
		if (t->slots[i].rows == 0)
			continue;
		gameid_slot *s = gameid_place(&wide, t->slots[i].hash, NULL, 0);
		if (s)
			*s = t->slots[i];
		else
			t->full = 1;
	}
	if (t->full) {
		free(wide.slots);
		return;
	}
	free(t->slots);
	*t = wide;
}

static void gameid_tally_step(sqlite3_context *c, int argc, sqlite3_value **args) {
	gameid_tally *t = sqlite3_aggregate_context(c, sizeof *t);
	if (!t || t->full)
		return;
	uint32_t at = t->n;
	for (int i = 0; i < argc; i++) {
		uint8_t type = sqlite3_value_type(args[i]);
		gameid_append(t, &type, 1);
		if (type == 1) { // SQLITE_INTEGER
			int64_t n = sqlite3_value_int64(args[i]);
			gameid_append(t, &n, sizeof n);
		} else if (type == 2) { // SQLITE_FLOAT
			double d = sqlite3_value_double(args[i]) + 0.0; // -0.0 is the same value
			gameid_append(t, &d, sizeof d);
		} else if (type == 3 || type == 4) { // SQLITE_TEXT, SQLITE_BLOB
			const void *bytes = type == 3 ? (const void *)sqlite3_value_text(args[i]) : sqlite3_value_blob(args[i]);
			uint32_t n = sqlite3_value_bytes(args[i]);
			gameid_append(t, &n, sizeof n);
			gameid_append(t, bytes, n);
		}
	}
	if (!t->full && 2 * (uint64_t)t->used >= t->room)
		gameid_widen(t);
	if (!t->full) {
		uint32_t len = t->n - at;
		uint64_t hash = len;
		for (uint32_t i = 0; i < len; i += 8) { // the finalizer of MurmurHash3, as in sums.go
			uint64_t word = 0;
			memcpy(&word, t->bytes + at + i, len - i < 8 ? len - i : 8);
			hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
			hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53ULL;
			hash ^= hash >> 33;
		}
		gameid_slot *s = gameid_place(t, hash, t->bytes + at, len);
		t->full = s == NULL;
		if (s && s->rows++ == 0) {
			s->hash = hash;
			s->at = at;
			s->len = len;
			t->used++;
		} else {
			t->n = at;
		}
	}
	if (t->full)
		sqlite3_result_error_toobig(c);
}

static void gameid_tally_final(sqlite3_context *c) {
	gameid_tally *t = sqlite3_aggregate_context(c, 0);
	if (!t)
		return;
	uint64_t n = t->n + 8 * (uint64_t)t->used;
	uint8_t *out = t->full ? NULL : malloc(n + 1), *to = out;
	for (uint32_t i = 0; out && i < t->room; i++) {
		const gameid_slot *s = &t->slots[i];
		if (s->rows == 0)
			continue;
		memcpy(to, &s->rows, 8);
		memcpy(to + 8, t->bytes + s->at, s->len);
		to += 8 + s->len;
	}
	free(t->slots);
	free(t->bytes);
	memset(t, 0, sizeof *t);
	if (out)
		sqlite3_result_blob64(c, out, n, free);
	else
		sqlite3_result_error_toobig(c);
}

// Gives a connection the aggregate gameid_tally.
static int gameid_register_tally(void *db) {
	const int flags = 1 | 0x800 | 0x80000; // as in lookups.go
	return sqlite3_create_function_v2 && sqlite3_create_function_v2(db, "gameid_tally", -1, flags, NULL, NULL, gameid_tally_step, gameid_tally_final, NULL) == 0;
}
*/
import "C"

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"github.com/gameid/gameid/merge"
)

// tallying gives the shard's own connection the aggregate gameid_tally(x, ...): the distinct rows of values, by their storage classes and bytes, and how many there are
// of each. A hash table takes a fifth of the time that SQLite takes to sort them; where it would grow beyond its bounds, which
// is sqlite3.ErrTooBig, SQLite has to, on disk. False where SQLite's order of texts is not that of their bytes in UTF-8.
func (s *shard) tallying() (bool, error) {
	if s.encoding != "UTF-8" || s.tallies {
		return s.tallies, nil
	}
	err := register(s.conn, func(db unsafe.Pointer) bool { return C.gameid_register_tally(db) != 0 })
	s.tallies = err == nil
	return s.tallies, err
}

// tallied is a row of a tally: its values, as gameid_tally lays them out, and how many rows have them.
type tallied struct {
	rows   int64
	values []byte
}

// untally lists what a tally of rows of some values holds, the most frequent first, then in SQLite's order. A limit below 1 is none.
func untally(tally []byte, parts, limit int) []merge.ValueCount {
	var list []tallied
	cut := false
	for len(tally) > 0 {
		end := 8
		for range parts {
			end += width(tally[end:])
		}
		one := tallied{int64(binary.NativeEndian.Uint64(tally)), tally[8:end]} //nolint:gosec // a count of rows
		if tally = tally[end:]; cut && one.compare(list[limit-1]) > 0 {
			continue
		}
		if list = append(list, one); limit > 0 && len(list) >= 4*limit {
			slices.SortFunc(list, tallied.compare)
			list, cut = list[:limit], true
		}
	}
	slices.SortFunc(list, tallied.compare)
	if limit > 0 {
		list = list[:min(len(list), limit)]
	}
	out := make([]merge.ValueCount, len(list))
	for i, one := range list {
		out[i] = merge.ValueCount{Value: make([]any, parts), Rows: one.rows}
		for p := range parts {
			n := width(one.values)
			out[i].Value[p], one.values = value(one.values[:n]), one.values[n:]
		}
	}
	return out
}

// compare orders rows of a tally.
func (t tallied) compare(o tallied) int {
	d := cmp.Compare(o.rows, t.rows)
	for x, y := t.values, o.values; d == 0 && len(x) > 0; {
		m, n := width(x), width(y)
		d = order(x[:m], y[:n])
		x, y = x[m:], y[n:]
	}
	return d
}

// SQLite's storage classes, as gameid_tally writes them.
const (
	tallyInteger = 1 + iota
	tallyReal
	tallyText
	tallyBlob
	tallyNull
)

// width is how many bytes the first value takes.
func width(b []byte) int {
	switch b[0] {
	case tallyInteger, tallyReal:
		return 9
	case tallyText, tallyBlob:
		return 5 + int(binary.NativeEndian.Uint32(b[1:]))
	}
	return 1
}

// value is what the driver would give.
func value(b []byte) any {
	switch b[0] {
	case tallyInteger:
		return integer(b)
	case tallyReal:
		return fraction(b)
	case tallyText:
		return string(b[5:])
	case tallyBlob:
		return slices.Clone(b[5:])
	}
	return nil
}

func integer(b []byte) int64 { return int64(binary.NativeEndian.Uint64(b[1:])) } //nolint:gosec // two's complement

func fraction(b []byte) float64 { return math.Float64frombits(binary.NativeEndian.Uint64(b[1:])) }

// order is SQLite's order of values without a collation: null, numbers, texts, blobs. An integer stands before the fraction that is equal to it.
func order(x, y []byte) int {
	a, b := x[0], y[0]
	switch {
	case a == tallyInteger && b == tallyInteger:
		return cmp.Compare(integer(x), integer(y))
	case a == tallyReal && b == tallyReal:
		return cmp.Compare(fraction(x), fraction(y))
	case a == tallyInteger && b == tallyReal:
		return cmp.Or(wholeAgainst(integer(x), fraction(y)), -1)
	case a == tallyReal && b == tallyInteger:
		return -order(y, x)
	case a == b && a != tallyNull:
		return bytes.Compare(x[5:], y[5:])
	}
	return cmp.Compare(a%tallyNull, b%tallyNull)
}

// wholeAgainst compares an integer with a fraction, neither of which the other's type may hold.
func wholeAgainst(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	return cmp.Or(cmp.Compare(i, int64(f)), cmp.Compare(0, f-math.Trunc(f)))
}
