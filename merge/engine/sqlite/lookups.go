package sqlite

/*
#include <stdint.h>
#include <stdlib.h>
#include "driver.h"

// A piece is a span of old keys, both ends included. Bit i of bits tells whether lo+i changes; without bits, all do. The image of k is base + (k - lo), and
// where server is not negative, the ID at that cursor with the server's bits.
typedef struct { int64_t lo, hi, base, server; uint64_t bits; } gameid_piece; // bits: 1 + offset into the map's bytes; 0 for none

// A map holds two ordered lists of pieces that do not overlap: those with bits, through whose holes the others may go, and the others.
typedef struct { int64_t n[2]; gameid_piece *pieces[2]; uint8_t *bits; } gameid_map;

typedef struct { int64_t n; gameid_map **maps; int64_t asked, first, both; } gameid_maps; // what gameid_misses counted

static const gameid_piece *gameid_find(const gameid_map *m, int64_t k) {
	for (int list = 0; list < 2; list++) {
		const gameid_piece *p = m->pieces[list];
		int64_t from = 0, to = m->n[list];
		while (from < to) { // the first piece above k
			int64_t mid = from + (to - from) / 2;
			if (p[mid].lo <= k) from = mid + 1; else to = mid;
		}
		if (from == 0 || k > p[from - 1].hi)
			continue;
		p += from - 1;
		uint64_t i = (uint64_t)k - (uint64_t)p->lo;
		if (p->bits == 0 || m->bits[p->bits - 1 + (i >> 3)] >> (i & 7) & 1)
			return p;
	}
	return NULL;
}

// The arguments of gameid_image and gameid_holds: the number of a map, and any value.
static const gameid_piece *gameid_ask(sqlite3_context *c, sqlite3_value **args) {
	const gameid_maps *all = sqlite3_user_data(c);
	int64_t n = sqlite3_value_int64(args[0]);
	if (n < 0 || n >= all->n || all->maps[n] == NULL) {
		sqlite3_result_error(c, "no such key map", -1);
		return NULL;
	}
	return sqlite3_value_type(args[1]) == 1 ? gameid_find(all->maps[n], sqlite3_value_int64(args[1])) : NULL; // 1: SQLITE_INTEGER
}

static void gameid_image(sqlite3_context *c, int argc, sqlite3_value **args) {
	sqlite3_result_value(c, args[1]);
	const gameid_piece *p = gameid_ask(c, args);
	if (p == NULL)
		return;
	uint64_t at = (uint64_t)p->base + ((uint64_t)sqlite3_value_int64(args[1]) - (uint64_t)p->lo);
	if (p->server >= 0)
		at = at >> 8 << 26 | (uint64_t)p->server << 8 | (at & 255); // game63: 37 bits of time, 18 of server, 8 of sequence
	sqlite3_result_int64(c, (int64_t)at);
}

static void gameid_holds(sqlite3_context *c, int argc, sqlite3_value **args) {
	sqlite3_result_int(c, 0);
	if (gameid_ask(c, args) != NULL)
		sqlite3_result_int(c, 1);
}

// The arguments of gameid_misses: the numbers of two maps, of which the second may be negative, and any value. It tells whether the value is no key of the first, and
// counts the values, the keys of the first, and those of both.
static void gameid_misses(sqlite3_context *c, int argc, sqlite3_value **args) {
	gameid_maps *all = sqlite3_user_data(c);
	sqlite3_value *first[] = {args[0], args[2]}, *second[] = {args[1], args[2]};
	all->asked++;
	sqlite3_result_int(c, 1);
	if (gameid_ask(c, first) == NULL)
		return;
	all->first++;
	sqlite3_result_int(c, 0);
	if (sqlite3_value_int64(args[1]) >= 0 && gameid_ask(c, second) != NULL)
		all->both++;
}

static void gameid_free(gameid_map *m) {
	if (m == NULL)
		return;
	free(m->pieces[0]);
	free(m->pieces[1]);
	free(m->bits);
	free(m);
}

static void gameid_forget(void *user) {
	gameid_maps *all = user;
	for (int64_t i = 0; i < all->n; i++)
		gameid_free(all->maps[i]);
	free(all->maps);
	free(all);
}

// Gives a connection the functions gameid_image, gameid_holds and gameid_misses. SQLite frees the maps with the connection.
static gameid_maps *gameid_register(void *db) {
	gameid_maps *all = calloc(1, sizeof *all);
	const int flags = 1 | 0x800 | 0x80000; // UTF8, DETERMINISTIC, DIRECTONLY: no schema may call them
	if (!sqlite3_create_function_v2 || !all)
		return NULL;
	if (sqlite3_create_function_v2(db, "gameid_image", 2, flags, all, gameid_image, NULL, NULL, gameid_forget) != 0)
		return NULL; // SQLite has freed it
	if (sqlite3_create_function_v2(db, "gameid_holds", 2, flags, all, gameid_holds, NULL, NULL, NULL) != 0)
		return NULL;
	if (sqlite3_create_function_v2(db, "gameid_misses", 3, flags & ~0x800, all, gameid_misses, NULL, NULL, NULL) != 0)
		return NULL;
	return all;
}

// Puts a map in the place n, at most one behind the last.
static int gameid_put(gameid_maps *all, int64_t n, gameid_map *m) {
	if (n == all->n) {
		gameid_map **more = realloc(all->maps, (n + 1) * sizeof *more);
		if (!more)
			return -1;
		all->maps = more;
		all->maps[all->n++] = NULL;
	}
	gameid_free(all->maps[n]);
	all->maps[n] = m;
	return 0;
}

static gameid_map *gameid_new(int64_t among, int64_t whole, size_t bytes) {
	gameid_map *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->n[0] = among;
	m->n[1] = whole;
	m->pieces[0] = malloc((among + 1) * sizeof(gameid_piece));
	m->pieces[1] = malloc((whole + 1) * sizeof(gameid_piece));
	m->bits = malloc(bytes + 1);
	if (!m->pieces[0] || !m->pieces[1] || !m->bits) {
		gameid_free(m);
		return NULL;
	}
	return m;
}
*/
import "C"

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/gameid/gameid/merge"
)

// maxHole is how wide a hole between keys may be before a piece ends: as many bits as the next piece's description would take.
const maxHole = 512

// lookups are the key maps and key sets that the SQL of one connection may ask, through functions in C: gameid_image(n, x) is what the value x became
// under map n, which is x itself unless x is an integer that changed, gameid_holds(n, x) tells whether it changed, and gameid_misses counts besides. Functions in C over bits
// take half the time of looking the state of a key up in a blob with substr, and an eighth of the memory.
type lookups struct {
	maps *C.gameid_maps // the connection's; gone when it is closed
	at   map[any]int
}

// newLookups gives a connection its functions.
func newLookups(conn *sql.Conn) (*lookups, error) {
	l := &lookups{at: map[any]int{}}
	err := register(conn, func(db unsafe.Pointer) bool {
		l.maps = C.gameid_register(db)
		return l.maps != nil
	})
	return l, err
}

// image is the SQL for what the value x became.
func (l *lookups) image(m *merge.KeyMap, x string) (string, error) {
	n, err := l.number(m, func() (*merge.KeyMap, error) { return m, nil })
	return fmt.Sprintf("gameid_image(%d, %s)", n, x), err
}

// holds is the SQL for whether the value x is an integer of the set.
func (l *lookups) holds(set *merge.KeySet, x string) (string, error) {
	n, err := l.number(set, func() (*merge.KeyMap, error) { return staying(set) })
	return fmt.Sprintf("gameid_holds(%d, %s)", n, x), err
}

// misses is the SQL for whether the value x is no integer of the set. It counts the values of which it is asked, those of the set, and those of another one as well,
// which may be nil; counted reads the counts and begins anew.
func (l *lookups) misses(set, other *merge.KeySet, x string) (string, error) {
	first, err := l.number(set, func() (*merge.KeyMap, error) { return staying(set) })
	second := -1
	if err == nil && other != nil {
		second, err = l.number(other, func() (*merge.KeyMap, error) { return staying(other) })
	}
	l.counted()
	return fmt.Sprintf("gameid_misses(%d, %d, %s)", first, second, x), err
}

func (l *lookups) counted() (values, held, both int64) {
	values, held, both = int64(l.maps.asked), int64(l.maps.first), int64(l.maps.both)
	l.maps.asked, l.maps.first, l.maps.both = 0, 0, 0
	return values, held, both
}

// forget lets the maps go.
func (l *lookups) forget() {
	for _, n := range l.at {
		C.gameid_put(l.maps, C.int64_t(n), nil)
	}
	clear(l.at)
}

// number is the place of an owner's map, which is made when it has none.
func (l *lookups) number(owner any, of func() (*merge.KeyMap, error)) (int, error) {
	if n, ok := l.at[owner]; ok {
		return n, nil
	}
	m, err := of()
	if err != nil {
		return 0, err
	}
	packed, err := pack(m)
	if err != nil {
		return 0, err
	}
	n := len(l.at)
	if C.gameid_put(l.maps, C.int64_t(n), packed) != 0 {
		C.gameid_free(packed)
		return 0, errFull
	}
	l.at[owner] = n
	return n, nil
}

var errFull = errors.New("out of memory")

// pack lays a map out for C.
func pack(m *merge.KeyMap) (*C.gameid_map, error) {
	var among, whole []C.gameid_piece
	var bits []byte
	for _, r := range m.Runs() {
		if r.Among == nil {
			whole = append(whole, pieceOf(r, r.Old, r.Last()))
			continue
		}
		at := 0 // of the piece's bits
		for first, count := range r.Among.Runs() {
			last := first + (count - 1)
			n := len(among) - 1
			if n < 0 || int64(among[n].lo) < r.Old || uint64(first)-uint64(among[n].hi) > maxHole { //nolint:gosec // the difference of two's complements
				at, n = len(bits), n+1
				among = append(among, pieceOf(r, first, last))
				among[n].bits = C.uint64_t(at + 1)
			}
			among[n].hi = C.int64_t(last)
			bits = setBits(bits, at, uint64(first)-uint64(among[n].lo), uint64(count)) //nolint:gosec // as above
		}
	}
	packed := C.gameid_new(C.int64_t(len(among)), C.int64_t(len(whole)), C.size_t(len(bits)))
	if packed == nil {
		return nil, errFull
	}
	copy(unsafe.Slice(packed.pieces[0], len(among)), among)
	copy(unsafe.Slice(packed.pieces[1], len(whole)), whole)
	copy(unsafe.Slice((*byte)(packed.bits), len(bits)), bits)
	return packed, nil
}

// pieceOf is a part of a run.
func pieceOf(r merge.Run, first, last int64) C.gameid_piece {
	p := C.gameid_piece{lo: C.int64_t(first), hi: C.int64_t(last), base: C.int64_t(r.New + (first - r.Old)), server: -1}
	if r.Rule == merge.GameID {
		p.base, p.server = C.int64_t(merge.IDCursor(r.New)+(first-r.Old)), C.int64_t(merge.IDServer(r.New))
	}
	return p
}

// setBits sets count bits from the n-th behind the byte at.
func setBits(bits []byte, at int, n, count uint64) []byte {
	for need := at + int((n+count+7)/8); len(bits) < need; { //nolint:gosec // a set in memory
		bits = append(bits, 0)
	}
	part := bits[at:]
	for ; count > 0; n, count = n+1, count-1 {
		if n%8 == 0 && count >= 8 {
			part[n/8] = 0xff
			n, count = n+7, count-7
			continue
		}
		part[n/8] |= 1 << (n % 8)
	}
	return bits
}

// staying is a set as a map that changes nothing.
func staying(set *merge.KeySet) (*merge.KeyMap, error) {
	var runs []merge.Run
	low, _ := set.Min()
	if high, ok := set.Max(); ok && high-low >= 0 && high-low < math.MaxInt64 {
		runs = append(runs, merge.Run{Old: low, Count: high - low + 1, New: low, Rule: merge.Static, Among: set})
	} else {
		for first, count := range set.Runs() {
			runs = append(runs, merge.Run{Old: first, Count: count, New: first, Rule: merge.Static})
		}
	}
	return merge.NewKeyMap(runs)
}
