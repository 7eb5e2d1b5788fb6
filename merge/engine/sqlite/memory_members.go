package sqlite

import (
	"encoding/binary"
	"errors"

	"github.com/gameid/gameid/merge"
)

// maxRunRows is how many rows a stretch of keys with holes may take in the record. Rows can be read with plain SQL, but a long-lived game's keys have so
// many holes that a row for each of them would cost more than the game's own rows.
const maxRunRows = 1 << 14

var errMembers = errors.New("the members of a run do not fit its keys")

// packMembers writes which keys of a run's stretch changed: how many do, how many then do not, and so on. rows counts the first kind.
func packMembers(r merge.Run) (members []byte, rows int) {
	next := r.Old
	for first, count := range r.Parts(r.Old, r.Last()) {
		if rows > 0 {
			members = binary.AppendUvarint(members, uint64(first)-uint64(next)) //nolint:gosec // the difference of two's complements
		}
		members = binary.AppendUvarint(members, uint64(count)) //nolint:gosec // counted
		next = first + count
		rows++
	}
	return members, rows
}

// unpackMembers reads what packMembers wrote for a run of the same first key and count.
func unpackMembers(r merge.Run, members []byte) (*merge.KeySet, error) {
	if r.Count < 1 || r.Last() < r.Old {
		return nil, errMembers
	}
	set := merge.NewKeySet()
	left := uint64(r.Count)
	bad := false
	set.AddRuns(func(yield func(int64, int64) bool) {
		for stay := false; len(members) > 0; stay = !stay {
			n, size := binary.Uvarint(members)
			if bad = size <= 0 || n == 0 || n > left || !stay && n > maxRunKeys; bad {
				return
			}
			first := r.Last() - int64(left-1)     //nolint:gosec // at most the run's count
			if !stay && !yield(first, int64(n)) { //nolint:gosec // as above
				return
			}
			members, left = members[size:], left-n
		}
	})
	if high, ok := set.Max(); bad || left > 0 || !ok || high != r.Last() {
		return nil, errMembers
	}
	return set, nil
}
