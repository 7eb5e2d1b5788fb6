package planfile

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/gameid/gameid/merge"
)

// key reads an entry of the section keys.
func (r *reader) key(e *mapping) *merge.KeyPlan {
	k := &merge.KeyPlan{}
	ok := false
	if n := e.must("key"); n != nil {
		k.Key, ok = r.col(n, "key", nil)
	}
	k.New = merge.Rule(e.word("new", string(merge.Shift), string(merge.Dense), string(merge.GameID), string(merge.Static)))
	if k.New == merge.Static {
		e.refuse("for a static key, which never changes", "change", "range", "none")
	}
	change := e.word("change", "conflicts", "all")
	k.All, k.Conflicts = change == "all", change == "conflicts"
	if n := e.take("range"); n != nil {
		if items := r.list(n, "range"); len(items) == 2 {
			lo, ok1 := r.integer(items[0], "range")
			hi, ok2 := r.integer(items[1], "range")
			if ok1 && ok2 && lo > hi {
				r.fail(n, fmt.Sprintf("range: %d is above %d", lo, hi), "write [lowest, highest]")
			}
			k.Range = &[2]int64{lo, hi}
		} else if items != nil {
			r.fail(n, fmt.Sprintf("range: want two numbers, got %d", len(items)), "write [lowest, highest]")
		}
	}
	if n := e.take("widen"); n != nil {
		k.Widen = r.boolean(n, "widen")
	}
	k.Sequence = e.str("sequence")
	if n := e.take("none"); n != nil {
		k.None = r.integers(n, "none")
	}
	k.Role = e.word("role", "character", "account")
	if len(e.fields) == 1 && ok {
		r.fail(e.node, "keys: "+k.Key.String()+" is named and nothing is said about it", "say new: shift, dense, gameid or static, or remove the entry")
	}
	if !ok {
		return nil
	}
	return k
}

// integers reads a list of whole numbers, each of which stands once; it is empty and not nil where nothing stands in it.
func (r *reader) integers(n ast.Node, key string) []int64 {
	list := []int64{}
	for _, item := range r.list(n, key) {
		v, ok := r.integer(item, key)
		if ok && slices.Contains(list, v) {
			r.fail(item, key+": the value stands twice", "keep one of them")
		} else if ok {
			list = append(list, v)
		}
	}
	return list
}

// counter reads an entry of the section counters.
func (r *reader) counter(e *mapping) *merge.Counter {
	c := &merge.Counter{}
	ok1, ok2 := false, false
	if n := e.must("column"); n != nil {
		c.Column, ok1 = r.col(n, "column", nil)
	}
	c.Where = e.str("where")
	if n := e.must("key"); n != nil {
		c.Key, ok2 = r.col(n, "key", nil)
	}
	if n := e.take("margin"); n != nil {
		margin, ok := r.integer(n, "margin")
		if ok && margin < 0 {
			r.fail(n, fmt.Sprintf("margin: %d is negative", margin), "0 is the highest key itself, 1 the next free one")
		}
		c.Margin = margin
	}
	if !ok1 || !ok2 {
		return nil
	}
	return c
}
