package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// The image of a key, as SQL made for the proof alone: nothing here is shared with the code that wrote the output.

const (
	maxArms   = 4         // runs that are compared one by one
	maxLines  = 6         // formulas that the bytes of a blob choose from; rarer ones are looked up
	maxBlob   = 500 << 20 // bytes of one blob; SQLite's own limit is 10^9
	cheapBlob = 16 << 20  // a blob of so many bytes may be as sparse as it likes
	lookUp    = 255       // the byte of a key whose run stands in the run table
)

// proofLine is a formula that several runs share: old + offset, or the ID at cursor old + offset of a server.
type proofLine struct {
	offset int64
	server int64 // -1: no ID
}

func proofLineOf(r merge.Run) (proofLine, bool) {
	start, server := r.New, int64(-1)
	if r.Rule == merge.GameID {
		start, server = merge.IDCursor(r.New), merge.IDServer(r.New)
	}
	offset := start - r.Old
	fits := (start >= r.Old) == (offset >= 0) // the difference did not wrap
	return proofLine{offset, server}, fits
}

// sql is the formula for a value.
func (l proofLine) sql(v string) string {
	at := fmt.Sprintf("(%s + (%s))", v, literal(l.offset))
	if l.server < 0 {
		return at
	}
	return proofID(at, literal(l.server))
}

// proofID is the game63 ID at a cursor: 37 bits of time, 18 of server, 8 of sequence.
func proofID(cursor, server string) string {
	return fmt.Sprintf("(((%s >> 8) << 26) | (%s << 8) | (%s & 255))", cursor, server, cursor)
}

// keyImage is a key map as an SQL expression.
type keyImage struct {
	arms   []merge.Run // compared one by one
	lines  []proofLine
	lo, hi int64  // what the blob covers
	param  string // of the blob, "" when there is none
	table  string // of the runs that neither covers, "" when there are none
	from   int64  // the lowest and the highest value of the run table
	to     int64
}

// keyImageOf prepares a map on the connection: a blob among the image's arguments and a table of runs, where it needs them.
func (im *image) keyImageOf(ctx context.Context, m *merge.KeyMap) (*keyImage, error) {
	if k, ok := im.maps[m]; ok {
		return k, nil
	}
	k := &keyImage{}
	im.maps[m] = k
	if k.direct(m) {
		return k, nil
	}
	loose := k.pack(im, m)
	if len(loose) == 0 {
		return k, nil
	}
	k.table = im.tempName("runs")
	k.from, k.to = loose[0].Old, loose[len(loose)-1].Last()
	return k, im.fill(ctx, "CREATE TEMP TABLE "+k.table+"(gameid_old INTEGER PRIMARY KEY, gameid_last, gameid_new, gameid_server)",
		"temp."+k.table, "", func(insert func(...any) error) error {
			for _, r := range loose {
				start, server := r.New, any(nil)
				if r.Rule == merge.GameID {
					start, server = merge.IDCursor(r.New), merge.IDServer(r.New)
				}
				if err := insert(r.Old, r.Last(), start, server); err != nil {
					return err
				}
			}
			return nil
		})
}

// direct takes a map of few runs without holes as it is.
func (k *keyImage) direct(m *merge.KeyMap) bool {
	if len(m.Runs()) > maxArms {
		return false
	}
	for _, r := range m.Runs() {
		if _, ok := proofLineOf(r); !ok || r.Among != nil {
			return false
		}
	}
	k.arms = m.Runs()
	return true
}

// pack writes the most frequent formulas into a blob, one byte a key, and returns the runs that stand in the run table. The blob covers those, too, as
// far as it reaches, so that the many values that stay are not looked up.
func (k *keyImage) pack(im *image, m *merge.KeyMap) (loose []merge.Run) {
	weight := map[proofLine]int64{}
	for _, r := range m.Runs() {
		if l, ok := proofLineOf(r); ok {
			weight[l] += r.Keys()
		}
	}
	for l := range weight {
		k.lines = append(k.lines, l)
	}
	slices.SortFunc(k.lines, func(a, b proofLine) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a.offset, b.offset), cmp.Compare(a.server, b.server))
	})
	k.lines = k.lines[:min(len(k.lines), maxLines)]
	covers := k.window(m, uint64(min(max(16*m.Len(), cheapBlob), maxBlob))) //nolint:gosec // positive
	var blob []byte
	if covers {
		blob = make([]byte, uint64(k.hi)-uint64(k.lo)+1)
	} else {
		k.lines = nil
	}
	low, high, _ := m.Span()
	for p, r := range m.Parts(low, high) {
		last := p.First + (p.Count - 1)
		code := byte(lookUp)
		if l, ok := proofLineOf(r); ok && slices.Contains(k.lines, l) {
			code = byte(1 + slices.Index(k.lines, l))
		}
		inside := covers && p.First >= k.lo && last <= k.hi
		if code == lookUp || !inside {
			loose = append(loose, merge.Run{Old: p.First, Count: p.Count, New: r.At(p.First - r.Old), Rule: r.Rule})
		}
		if inside {
			part := blob[p.First-k.lo : p.First-k.lo+p.Count]
			for i := range part {
				part[i] = code
			}
		}
	}
	if covers {
		im.args = append(im.args, blob)
		k.param = fmt.Sprintf("?%d", len(im.args))
	}
	return loose
}

// window finds the span of at most limit integers that holds the most keys of whole rows of keys; false when every row is longer.
func (k *keyImage) window(m *merge.KeyMap, limit uint64) bool {
	low, high, _ := m.Span()
	if uint64(high)-uint64(low) < limit { //nolint:gosec // the difference of two's complements
		k.lo, k.hi = low, high
		return true
	}
	var rows []merge.Part
	for p := range m.Parts(low, high) {
		rows = append(rows, p)
	}
	var best, keys int64
	at := 0
	for i, p := range rows {
		keys += p.Count
		for at <= i && uint64(p.First+(p.Count-1))-uint64(rows[at].First) >= limit { //nolint:gosec // the difference of two's complements
			keys -= rows[at].Count
			at++
		}
		if keys > best {
			best, k.lo, k.hi = keys, rows[at].First, p.First+(p.Count-1)
		}
	}
	return best > 0
}

// sql is the image of v, an SQL expression that is known to be an integer.
func (k *keyImage) sql(v string) string {
	if len(k.arms) == 0 && k.param == "" && k.table == "" {
		return v
	}
	s := "CASE"
	for _, r := range k.arms {
		l, _ := proofLineOf(r)
		s += fmt.Sprintf(" WHEN %s BETWEEN %s AND %s THEN %s", v, literal(r.Old), literal(r.Old+(r.Count-1)), l.sql(v))
	}
	found := v
	if k.table != "" {
		found = fmt.Sprintf("coalesce((SELECT CASE WHEN %[1]s > gameid_last THEN %[1]s WHEN gameid_server IS NULL THEN %[2]s ELSE %[3]s END FROM temp.%[4]s WHERE gameid_old <= %[1]s ORDER BY gameid_old DESC LIMIT 1), %[1]s)",
			v, "(gameid_new + ("+v+" - gameid_old))", proofID("(gameid_new + ("+v+" - gameid_old))", "gameid_server"), k.table)
	}
	if k.param != "" {
		s += fmt.Sprintf(" WHEN %s BETWEEN %s AND %s THEN CASE substr(%s, %s - (%s) + 1, 1) WHEN x'00' THEN %s", v, literal(k.lo), literal(k.hi), k.param, v, literal(k.lo), v)
		for i, l := range k.lines {
			s += fmt.Sprintf(" WHEN x'%02x' THEN %s", i+1, l.sql(v))
		}
		s += " ELSE " + found + " END"
	}
	if k.table != "" {
		s += fmt.Sprintf(" WHEN %s BETWEEN %s AND %s THEN %s", v, literal(k.from), literal(k.to), found)
	}
	return s + " ELSE " + v + " END"
}
