package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// ledAlone is the reference by which a unique key of one column holds values of other rows that stay, as a tenant's the house: no line of a plan gives it others. It is nil
// where there is none. What texts repeat in every row may be renamed yet, unless its rows fold.
func (a *auditor) ledAlone(u *merge.Unique) *reference {
	if len(u.Columns) != 1 || !u.Plain() {
		return nil
	}
	c := u.Cols()[0]
	r := a.ledBy(c)
	if r != nil && r.When == "" && a.schema.Holds(c) == merge.Text && (r.To[0].Table == u.Table || !a.tables[r.To[0].Table].folds()) {
		return nil
	}
	return r
}

// metBy says that values of a unique key meet in a column in which different numbers become one; "" where they are equal as they stand there.
func (a *auditor) metBy(u *merge.Unique) string {
	for _, c := range u.Cols() {
		if to, ok := a.parent(c); ok && c.Name != "" && a.meets(c) {
			return fmt.Sprintf("where the numbers in %s are those of one row of %s, whose rows fold by value", c, tableName(to.Table))
		}
	}
	return ""
}

// staysAt says of the key that a reference holds why a value that two shards have stays: the key does, or the value is none of it, as one that means nobody.
func staysAt(r *reference) string {
	if r.When != "" {
		return fmt.Sprintf("%s where %s, and no line of a plan gives other values to what stays", r.To[0], r.When)
	}
	if len(r.spaces) > 0 && r.spaces[0] != nil && r.spaces[0].folds != nil {
		return r.To[0].String() + ", whose rows fold by value"
	}
	if len(r.spaces) > 0 && r.spaces[0] != nil && r.spaces[0].moves() > 0 {
		return r.To[0].String() + ", whose keys change, and such a value is none of them and stays"
	}
	return r.To[0].String() + ", which stays"
}

// oneAtEach is the advice to leave one row at each thing that another key's rows are.
func (a *auditor) oneAtEach(u *merge.Unique, r *reference) string {
	several := "say on_conflict: keep"
	if slices.Contains(a.schema.Table(u.Table).Uniques, u) {
		several = "declare it without UNIQUE in copies of all shards"
	}
	return fmt.Sprintf("in copies of the later shards, remove such rows, with what refers to them, or give them another %s of %s that is free; or, where the game takes several rows of one, %s",
		u.Columns[0], tableName(r.To[0].Table), several)
}

// oneOfTwo is the advice to make one row of each two whose keys differ.
const oneOfTwo = "in copies of the shards, add what the later ones of such rows hold to the first's, and remove them. What refers to them by this number finds the first's where such numbers " +
	"stand under its none; what refers to them by another key has to be led there"

// oneNumber is the advice to give one thing one number on every server, where its rows fold by another key.
func oneNumber(u *merge.Unique, t *table) string {
	return fmt.Sprintf("in copies of the later shards, give such rows the %s that the first's rows of the same %s have, or a free one where it has none, and whatever refers to them by it",
		u.Columns[0], merge.JoinCols(t.KeyCols()))
}

// waysApart says how the clashes of a unique key can be told apart: by a rename, where it can be carried out, or by hand.
func (a *auditor) waysApart(u *merge.Unique, text string) string {
	if len(u.Columns) == 1 {
		return "rename one of the two by hand, or choose on_conflict: rename"
	}
	which := "on_conflict: rename"
	for _, c := range slices.Backward(u.Cols()) {
		refers := a.knownOrAsked(func(r *merge.Reference) bool { return r.As != merge.Keep && slices.Contains(r.From, c) })
		if text == "" && a.schema.Holds(c) == merge.Text && !a.schema.Column(c).Generated && !refers {
			which, text = which+", column: "+c.Name, c.Name
		}
	}
	if text == "" {
		repair := "repair the rows of one shard"
		if !slices.Contains(a.schema.Table(u.Table).Uniques, u) {
			repair += ", or say on_conflict: keep where both may stay"
		}
		switch own := a.ownColumns(u); len(own) {
		case 0:
			return repair
		case 1:
			return fmt.Sprintf("where %s numbers each server's own things, give it new keys (keys: %s), or %s", own[0], shiftLine(merge.Col{Table: u.Table, Name: own[0]}), repair)
		default:
			return fmt.Sprintf("where one of %s numbers each server's own things, or maps that may lie beside each other, give all of that new keys, as by keys: %s, or %s", strings.Join(own, ", "), planfile.KeyLine(&merge.KeyPlan{Key: merge.Col{Table: u.Table, Name: own[0]}, New: merge.Shift, All: true}), repair)
		}
	}
	if a.ledBy(merge.Col{Table: u.Table, Name: text}) != nil {
		return fmt.Sprintf("give such rows of the later shards another %s in copies of these", a.besideIt(u, text))
	}
	way := a.byHand(merge.Col{Table: u.Table, Name: text})
	if a.renameWorks(u) {
		way += ", or choose " + which
	}
	return way
}

// besideIt are the columns of a unique key beside one of them.
func (a *auditor) besideIt(u *merge.Unique, column string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(u.Columns), func(c string) bool { return a.schema.Equal(c, column) }), " or ")
}

// renameWorks tells whether a rename of rows of a unique key can be carried out: one of several columns needs a key by which its rows are found, and nobody who refers to
// them by several.
func (a *auditor) renameWorks(u *merge.Unique) bool {
	return len(u.Columns) == 1 || len(a.schema.Table(u.Table).PrimaryKey) > 0 && !a.knownOrAsked(func(r *merge.Reference) bool {
		return r.As == merge.Plain && len(r.From) > 1 && slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return slices.Contains(r.To, c) })
	})
}
