package sqlite

/*
#include <stdint.h>
#include <stdlib.h>
#include "driver.h"

// A line is a formula: old + by, or, where server is not negative, the ID at the cursor old + by of that server. Sums wrap.
typedef struct { uint64_t by; int64_t server; } proof_line;

// Stairs are a key map as the ascending values from which on another line holds, up to the next step; line 0 stays. Below the first step all stay.
typedef struct { size_t steps, lines, last; int64_t *from; uint32_t *line; proof_line *list; } proof_stairs;

typedef struct { int n, room; proof_stairs **stairs; } proof_maps;

static void proof_drop(proof_stairs *s) {
	if (s) {
		free(s->from);
		free(s->line);
		free(s->list);
		free(s);
	}
}

// Makes room for so many steps and lines; NULL when memory is full.
static proof_stairs *proof_new(size_t steps, size_t lines) {
	proof_stairs *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->from = calloc(steps + 1, sizeof *s->from);
	s->line = calloc(steps + 1, sizeof *s->line);
	s->list = calloc(lines + 1, sizeof *s->list);
	if (!s->from || !s->line || !s->list) {
		proof_drop(s);
		return NULL;
	}
	s->steps = steps;
	s->lines = lines;
	return s;
}

// Adds stairs and returns their number, or -1 when memory is full.
static int proof_add(proof_maps *all, proof_stairs *s) {
	if (all->n == all->room) {
		int room = 2 * all->room + 4;
		proof_stairs **more = realloc(all->stairs, (size_t)room * sizeof *more);
		if (!more)
			return -1;
		all->stairs = more;
		all->room = room;
	}
	all->stairs[all->n] = s;
	return all->n++;
}

// Finds how many steps are at or below k. Keys mostly come in order, so the last answer and the one behind it are tried first.
static size_t proof_climb(proof_stairs *s, int64_t k) {
	size_t low = 0, high = s->steps;
	for (size_t near = s->last; near <= s->steps && near <= s->last + 1; near++)
		if ((near == 0 || s->from[near - 1] <= k) && (near == s->steps || k < s->from[near]))
			return s->last = near;
	while (low < high) {
		size_t half = low + (high - low) / 2;
		if (k < s->from[half])
			high = half;
		else
			low = half + 1;
	}
	return s->last = low;
}

// The function gameid_proof_image(n, x): the integer x under stairs n; any other value as it is.
static void proof_image(sqlite3_context *c, int argc, sqlite3_value **args) {
	proof_maps *all = sqlite3_user_data(c);
	int64_t n = sqlite3_value_int64(args[0]);
	if (argc != 2 || n < 0 || n >= all->n) {
		sqlite3_result_error(c, "the proof has no such key map", -1);
		return;
	}
	if (sqlite3_value_type(args[1]) != 1) { // SQLITE_INTEGER
		sqlite3_result_value(c, args[1]);
		return;
	}
	proof_stairs *s = all->stairs[n];
	int64_t k = sqlite3_value_int64(args[1]);
	size_t step = proof_climb(s, k);
	uint32_t line = step == 0 ? 0 : s->line[step - 1];
	if (line == 0 || line > s->lines) {
		sqlite3_result_int64(c, k);
		return;
	}
	const proof_line *l = &s->list[line - 1];
	uint64_t now = (uint64_t)k + l->by;
	if (l->server >= 0) { // 37 bits of time, 18 of server, 8 of sequence
		uint64_t tick = now / 256, sequence = now % 256;
		now = (tick * (1 << 18) + (uint64_t)l->server) * 256 + sequence;
	}
	sqlite3_result_int64(c, (int64_t)now);
}

static void proof_clear(proof_maps *all) {
	for (int i = 0; i < all->n; i++)
		proof_drop(all->stairs[i]);
	all->n = 0;
}

static void proof_forget(void *user) {
	proof_maps *all = user;
	proof_clear(all);
	free(all->stairs);
	free(all);
}

// Gives a connection the function; SQLite frees the maps with the connection, or at once when it fails.
static proof_maps *proof_register(void *db) {
	proof_maps *all = sqlite3_create_function_v2 ? calloc(1, sizeof *all) : NULL;
	const int flags = 1 | 0x800 | 0x80000; // UTF8, DETERMINISTIC, DIRECTONLY: no schema may call it
	if (!all || sqlite3_create_function_v2(db, "gameid_proof_image", 2, flags, all, proof_image, NULL, NULL, proof_forget) != 0)
		return NULL;
	return all;
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

// proofMaps are the key maps that the proof's SQL asks, through a function in C made for the proof alone: nothing here is shared with the code that wrote the
// output. That one looks keys up in bits, this one in the ascending values at which the formula changes.
type proofMaps struct {
	maps *C.proof_maps // the connection's; gone when it is closed or gets others
	at   map[*merge.KeyMap]int
}

func newProofMaps(conn *sql.Conn) (*proofMaps, error) {
	p := &proofMaps{at: map[*merge.KeyMap]int{}}
	err := register(conn, func(db unsafe.Pointer) bool {
		p.maps = C.proof_register(db)
		return p.maps != nil
	})
	return p, err
}

// forget lets the maps go.
func (p *proofMaps) forget() {
	C.proof_clear(p.maps)
	clear(p.at)
}

// image is the SQL for what the value of an expression became; values that are no integers stay.
func (p *proofMaps) image(m *merge.KeyMap, v string) (string, error) {
	n, ok := p.at[m]
	if !ok {
		stairs, err := stairsOf(m)
		if err != nil {
			return "", err
		}
		if n = int(C.proof_add(p.maps, stairs)); n < 0 {
			C.proof_drop(stairs)
			return "", errProofFull
		}
		p.at[m] = n
	}
	return fmt.Sprintf("gameid_proof_image(%d, %s)", n, v), nil
}

var errProofFull = errors.New("not enough memory for the key maps")

// proofLine is a formula that several rows of keys share.
type proofLine struct {
	by     uint64
	server int64 // -1: no ID
}

func proofLineOf(r merge.Run) proofLine {
	start, server := r.New, int64(-1)
	if r.Rule == merge.GameID {
		start, server = merge.IDCursor(r.New), merge.IDServer(r.New)
	}
	return proofLine{uint64(start) - uint64(r.Old), server} //nolint:gosec // wraps, as the sums do
}

// stairsOf goes through a map twice: to count its steps and to write them.
func stairsOf(m *merge.KeyMap) (*C.proof_stairs, error) {
	numbers := map[proofLine]uint32{}
	var lines []proofLine
	steps := 0
	climb := func(step func(from int64, line uint32)) {
		low, high, _ := m.Span()
		next, open := int64(0), false // where the last row of keys ends
		for part, r := range m.Parts(low, high) {
			if open && part.First != next {
				step(next, 0)
			}
			line := proofLineOf(r)
			if numbers[line] == 0 {
				lines = append(lines, line)
				numbers[line] = uint32(len(lines)) //nolint:gosec // fewer than runs
			}
			step(part.First, numbers[line])
			last := part.First + (part.Count - 1)
			next, open = last+1, last != math.MaxInt64
		}
		if open {
			step(next, 0)
		}
	}
	climb(func(int64, uint32) { steps++ })
	s := C.proof_new(C.size_t(steps), C.size_t(len(lines)))
	if s == nil {
		return nil, errProofFull
	}
	from, line, list := unsafe.Slice(s.from, steps), unsafe.Slice(s.line, steps), unsafe.Slice(s.list, len(lines))
	steps = 0
	climb(func(at int64, n uint32) {
		from[steps], line[steps] = C.int64_t(at), C.uint32_t(n)
		steps++
	})
	for i, l := range lines {
		list[i] = C.proof_line{by: C.uint64_t(l.by), server: C.int64_t(l.server)}
	}
	return s, nil
}
