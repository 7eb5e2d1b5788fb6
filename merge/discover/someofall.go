package discover

import (
	"fmt"
	"math"
	"slices"

	"github.com/gameid/gameid/merge"
)

// Each server may have a row for some of a map's places alone: from how many rows, and up to what share of the numbers between the first and the last, which lie alike on every server.
const (
	someLeast = 20
	someMost  = 0.6
)

// someOfAll says why a key's numbers seem to be some of those that a game's map or client has, of which each server has others: they are a part of one range, evenly, which begins and ends alike everywhere, where what
// servers count up for themselves ends anywhere, and nothing tells that the rows were added one by one; "" when nothing says so.
func (s *search) someOfAll(k *key) (string, error) {
	t := k.table
	if k.auto && t.Counted || k.text || s.calledAsPeople(k) || !k.endAlike() || !k.beginAlike() || !k.spans(func(n, span float64) bool { return n >= someLeast && n <= someMost*span }) || !k.even() || s.referred(k) && !t.places() {
		return "", nil
	}
	for i := range k.Columns {
		if k.set(i).Len() == 0 || i > 0 && k.set(i).Equal(k.set(0)) {
			return "", nil
		}
	}
	if added, err := s.added(t); err != nil || added || s.together(k.column()) != nil || slices.ContainsFunc(s.keys, func(o *key) bool { return o.table != t && o.Root && !o.text && merge.OneSequence(o.Sets(), k.Sets()) }) {
		return "", err // or they are numbers of other tables, or of one sequence with these
	}
	return fmt.Sprintf("every shard has some of the numbers from about %s to about %s, as of what a map or the game itself numbers, and nothing tells that their rows were added one by one, neither names nor times", count(k.low[0]), count(k.high[0])), nil
}

// beginAlike tells whether every shard's lowest key lies near that of all, for how far they reach.
func (k *key) beginAlike() bool {
	return !slices.ContainsFunc(k.low, func(low int64) bool { return math.Abs(float64(low-k.low[0])) > sameEnd*float64(k.high[0]-k.low[0]) })
}

// even tells whether both halves of every shard's range hold about as many keys: of what was counted up, more of the old ones are gone.
func (k *key) even() bool {
	for i := range k.Columns {
		n := float64(k.set(i).Len())
		low := float64(k.set(i).Rank(k.low[i] + (k.high[i]-k.low[i])/2))
		if (low-n/2)*(low-n/2) > n {
			return false // two standard deviations
		}
	}
	return true
}

// calledAsPeople tells whether a key bears the name by which the players are numbered, unless that is the id of any table.
func (s *search) calledAsPeople(k *key) bool {
	return k.name.whole != "id" && slices.ContainsFunc(s.keys, func(o *key) bool { return o != k && o.name.whole == k.name.whole && s.person(o.table) })
}
