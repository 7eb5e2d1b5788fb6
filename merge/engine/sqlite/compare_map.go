package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// The image of a key, as SQL made for the proof alone: nothing here is shared with the code that wrote the output.

const (
	maxArms  = 4         // runs that are compared one by one
	maxLines = 6         // formulas that the bytes of a blob choose from; rarer ones are looked up
	maxBlob  = 500 << 20 // bytes of one blob; SQLite's own limit is 10^9
	lookUp   = 255       // the byte of a key whose run stands in the run table
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
	loose := m.Runs()
	if len(loose) <= maxArms {
		direct := true
		for _, r := range loose {
			_, ok := proofLineOf(r)
			direct = direct && ok
		}
		if direct {
			k.arms = loose
			return k, nil
		}
	} else {
		loose = k.pack(im, loose)
	}
	if len(loose) == 0 {
		return k, nil
	}
	k.table = im.tempName("runs")
	k.from, k.to = loose[0].Old, loose[len(loose)-1].Old+loose[len(loose)-1].Count-1
	return k, im.fill(ctx, "CREATE TEMP TABLE "+k.table+"(gameid_old INTEGER PRIMARY KEY, gameid_last, gameid_new, gameid_server)",
		"INSERT INTO temp."+k.table+" VALUES(?, ?, ?, ?)", func(insert func(...any) error) error {
			for _, r := range loose {
				start, server := r.New, any(nil)
				if r.Rule == merge.GameID {
					start, server = merge.IDCursor(r.New), merge.IDServer(r.New)
				}
				if err := insert(r.Old, r.Old+(r.Count-1), start, server); err != nil {
					return err
				}
			}
			return nil
		})
}

// pack writes the most frequent formulas into a blob, one byte a key, and returns the runs that the blob says nothing about.
func (k *keyImage) pack(im *image, runs []merge.Run) (loose []merge.Run) {
	weight := map[proofLine]int64{}
	for _, r := range runs {
		if l, ok := proofLineOf(r); ok {
			weight[l] += r.Count
		}
	}
	for l := range weight {
		k.lines = append(k.lines, l)
	}
	slices.SortFunc(k.lines, func(a, b proofLine) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a.offset, b.offset), cmp.Compare(a.server, b.server))
	})
	k.lines = k.lines[:min(len(k.lines), maxLines)]
	var keys int64
	first := true
	for _, r := range runs {
		if l, ok := proofLineOf(r); !ok || !slices.Contains(k.lines, l) {
			continue
		}
		if last := r.Old + (r.Count - 1); first {
			k.lo, k.hi, first = r.Old, last, false
		} else {
			k.hi = max(k.hi, last)
		}
		keys += r.Count
	}
	span := uint64(k.hi) - uint64(k.lo)
	if first || span >= maxBlob || span > uint64(16*keys+1<<16) {
		k.lines = nil
		return runs
	}
	blob := make([]byte, span+1)
	for _, r := range runs {
		code := byte(lookUp)
		if l, ok := proofLineOf(r); ok && slices.Contains(k.lines, l) {
			code = byte(1 + slices.Index(k.lines, l))
		} else {
			loose = append(loose, r)
		}
		from, to := max(r.Old, k.lo), min(r.Old+(r.Count-1), k.hi)
		for v := from; v <= to; v++ {
			blob[v-k.lo] = code
			if v == math.MaxInt64 {
				break
			}
		}
	}
	im.args = append(im.args, blob)
	k.param = fmt.Sprintf("?%d", len(im.args))
	return loose
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
