package audit

import (
	"strconv"

	"github.com/gameid/gameid/merge"
)

// nobodies are the integers that mean nobody in some reference to the space: a row that got one of them as its key would be given what belongs to nobody.
func (s *space) nobodies() *merge.KeySet {
	set := merge.NewKeySet()
	for _, r := range s.users {
		for _, v := range r.None {
			switch v := v.(type) {
			case int64:
				set.Add(v)
			case string:
				if n, err := strconv.ParseInt(v, 10, 64); err == nil {
					set.Add(n)
				}
			}
		}
	}
	return set
}
