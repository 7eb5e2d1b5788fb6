package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/assign"
)

// Rows of two servers that have one name under one number are one player's or one thing, as those of accounts that one place gives out, and of a server beside its backup.

// manyThings is how many shared values under the same numbers no two servers have got by chance, or from one script that filled both.
const manyThings = 30

// sameNumbers is how far the values of a key that shards share stand under one number on every server.
type sameNumbers struct {
	key     *merge.Unique
	number  merge.Col
	values  int           // that shards share
	one     int           // of these, stand under one number
	telling int           // of these, do not repeat their number, as "guest17" does
	others  []string      // some that stand under several
	shared  int64         // numbers that shards share
	taken   *merge.KeySet // of these, the numbers of other rows
	twice   bool          // rows of one shard share a value
	open    bool          // whether the rows are the same everywhere is asked
}

// sameNumbers looks under which numbers the rows of a table stand that share values of a key; nil where no number is known, or the key is that number.
func (a *auditor) sameNumbers(t *table, u *merge.Unique, list []merge.Clash) *sameNumbers {
	number := a.numberOf(t)
	if u.Primary || number == nil || len(t.PrimaryKey) != 1 || len(u.Columns) != 1 || a.textColumn(u, nil) == "" {
		return nil
	}
	n := &sameNumbers{key: u, number: number.key, values: len(list), taken: merge.NewKeySet(), open: a.tableAsked(t.Name)}
	same := merge.NewKeySet()
	for _, c := range list {
		switch one := n.oneRow(c, same); {
		case !one && len(n.others) < listed:
			n.others = append(n.others, tupleText(c.Rows[0].Values))
		case one:
			n.one++
			if !strings.Contains(valueText(c.Rows[0].Values[0]), valueText(c.Rows[0].Key[0])) {
				n.telling++
			}
		}
	}
	n.taken.Union(assign.Moving(number.alive, nil, false)...)
	n.shared = n.taken.Len()
	n.taken = n.taken.Without(same)
	return n
}

// oneRow tells whether every row of a value stands under a number under which another shard has it, too, and adds such numbers to the same.
func (n *sameNumbers) oneRow(c merge.Clash, same *merge.KeySet) bool {
	rows, shards := map[int64]int{}, map[int]bool{}
	one := true
	for _, r := range c.Rows {
		if len(r.Key) != 1 {
			return false
		}
		k, ok := r.Key[0].(int64)
		if rows[k]++; rows[k] == 2 {
			same.Add(k)
		}
		n.twice, one = n.twice || shards[r.Shard], one && ok
		shards[r.Shard] = true
	}
	for _, times := range rows {
		one = one && times > 1
	}
	return one
}

// nameNumbers looks under which numbers the rows of names stand that no schema holds unique.
func (a *auditor) nameNumbers(ctx context.Context, n *bearing) (*sameNumbers, error) {
	u := &merge.Unique{Table: n.col.Table, Columns: []string{n.col.Name}, Collations: []string{a.schema.Column(n.col).Collation}}
	list, _, err := a.engine.Clashes(ctx, a.raw, *u, n.collate, "", a.opt.ClashLimit)
	return a.sameNumbers(n.table, u, slices.DeleteFunc(list, nameless)), err
}

// nearlyAll tells whether all but a few do, of so many that one script has hardly filled them in on both servers.
func nearlyAll(n, all int) bool { return n >= manyThings && n*10 >= all*9 }

// only tells whether every value stands under one number, and no other number is shared.
func (n *sameNumbers) only() bool { return n.one == n.values && n.taken.Len() == 0 }

// many tells whether nearly all values stand under one number, and nearly all numbers that shards share are theirs: so many are hardly others on every server. Of rows that may be the
// game's own, values that repeat their number say nothing.
func (n *sameNumbers) many() bool {
	return n != nil && nearlyAll(n.one, n.values) && nearlyAll(int(n.shared-n.taken.Len()), int(n.shared)) && (!n.open || nearlyAll(n.telling, n.values))
}

// words says how the values stand, and which are the exceptions.
func (n *sameNumbers) words() string {
	text := "each stands under the same " + n.number.String() + " on both"
	if more := n.values - n.one; more > 0 {
		text = fmt.Sprintf("%d of them under the same %s on both, all but %s", n.one, n.number, andMore(n.others, more))
	}
	if n.taken.Len() == 0 {
		return text + ", and these are all the numbers that two servers share"
	}
	return fmt.Sprintf("%s, and %s that two servers share %s", text, counted(n.taken.Len(), "other number", "other numbers"), n.mean())
}

// mean says of the numbers that are of several rows which they are.
func (n *sameNumbers) mean() string {
	var list []string
	for k := range n.taken.All() {
		if list = append(list, fmt.Sprint(k)); len(list) == listed {
			break
		}
	}
	one := "is another row's on each"
	if n.taken.Len() > 1 {
		one = "are other rows' on each"
	}
	return fmt.Sprintf("%s (%s)", one, andMore(list, int(n.taken.Len())))
}

// andMore are some of so many, and how many are left out.
func andMore(list []string, all int) string {
	text := strings.Join(list, ", ")
	if more := all - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// orOneEach says what makes one row of each two: their number, where it means one row everywhere, or else the value.
func (a *auditor) orOneEach(t *table, n *sameNumbers) string {
	union := rowsLine(t.Name, merge.UnionRows) + " makes one row of each two, with a rule for every column that differs; rows: first keeps the first shard's"
	if n.only() {
		return union
	}
	another := func(o *merge.Unique) bool { return !o.Primary && !slices.Equal(o.Columns, n.key.Columns) }
	if line := a.byValueLine(n.key, t); line != "" && !n.twice && !slices.ContainsFunc(t.Uniques, another) {
		also := ""
		if n.one < n.values {
			also = ", also of those under two numbers"
		}
		return line + " makes one row of each two" + also + ", leads what refers to the later one to it, and gives other rows of a number new ones"
	}
	return union + "; both fold other rows under one number, too, so give those of one shard numbers that are free in a copy of it first"
}

// butOneNumber adds to the question about a rename that the values stand under one number; "" where some do not.
func (a *auditor) butOneNumber(t *table, n *sameNumbers) string {
	if n == nil || n.values < fewThings || n.one < n.values || n.telling < n.values && !n.only() {
		return ""
	}
	return fmt.Sprintf(" But %s: where that is one player's account, or one thing, %s", n.words(), a.orOneEach(t, n))
}
