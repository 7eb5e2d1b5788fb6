package audit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// apart tells whether new keys keep the rows of two shards apart: a column holds keys of a space in which no two shards share one, in every row.
func (a *auditor) apart(u *merge.Unique) bool {
	for _, c := range u.Cols() {
		if s := a.spaces[c]; s != nil && s.parts() && s.other == 0 && len(s.plan.None) == 0 {
			return true
		}
		for _, r := range a.plain() {
			if len(r.None) == 0 && a.separates(r, c) {
				return true
			}
		}
	}
	return false
}

// separates tells whether a reference gives the rows of two shards different values in a column, but for those that mean nobody.
func (a *auditor) separates(r *reference, c merge.Col) bool {
	return len(r.From) == 1 && r.From[0] == c && r.When == "" && r.spaces[0] != nil && r.spaces[0].parts() && !r.hasOther() &&
		(r.Orphans != merge.ByClear || a.schema.TakesNull(c))
}

// among narrows a search for clashes: where a column of the key is a reference, or a key that many rows share, only rows in which it means nobody can clash.
func (a *auditor) among(u *merge.Unique) string {
	for _, c := range u.Cols() {
		if s := a.spaces[c]; s != nil && len(s.plan.None) > 0 && s.other == 0 {
			return a.engine.Quote(c.Name) + " IN (" + wholeNumbers(s.plan.None) + ")"
		}
		for _, r := range a.plain() {
			if len(r.None) == 0 || !a.separates(r, c) {
				continue
			}
			var words []string
			for _, v := range r.None {
				words = append(words, a.engine.Literal(v))
				if n, ok := v.(int64); ok { // nobody may stand as text, too
					words = append(words, a.engine.Literal(strconv.FormatInt(n, 10)))
				}
			}
			return a.engine.Quote(c.Name) + " IN (" + strings.Join(words, ", ") + ")"
		}
	}
	return ""
}

func (r *reference) hasOther() bool {
	return slices.ContainsFunc(r.counts, func(c *merge.RefCount) bool { return c != nil && (len(c.Other) > 0 || c.Named > 0) })
}

// imageKey tells rows of one clash apart by the images of those columns that hold keys.
func (a *auditor) imageKey(u *merge.Unique, row merge.ClashRow) string {
	words := make([]string, len(u.Columns))
	for i := range words {
		words[i] = a.imageAt(u, i, row)
	}
	return strings.Join(words, ",")
}

// imageAt is what a row's value in a column of a unique key becomes; "" where nothing is known to change it.
func (a *auditor) imageAt(u *merge.Unique, i int, row merge.ClashRow) string {
	if u.Columns[i] == "" || i >= len(row.Values) {
		return ""
	}
	c := merge.Col{Table: u.Table, Name: u.Columns[i]}
	switch v := row.Values[i].(type) {
	case string:
		if len(u.Columns) > 1 && a.nameLost(c, row, v) { // by the name alone
			return "\x01" + strconv.Itoa(row.Shard) + strconv.Quote(v)
		}
		if now := a.followed(c, row.Shard, v); now != "" {
			return strconv.Quote(now)
		}
	case int64:
		if s := a.ledInto(c, u); s != nil && s.result != nil && !a.nobody(c, v) {
			image, _ := s.result.Maps[row.Shard].Lookup(v)
			return strconv.FormatInt(image, 10)
		}
	}
	return ""
}

// followed is the new name of what a text refers to or repeats in a shard, or a word for its tombstone; "" when that keeps its name, or the column holds no such text.
func (a *auditor) followed(c merge.Col, shard int, text string) string {
	for _, r := range a.refs {
		if r.When == "" && a.tombs(r) && r.From[0] == c && a.burials[a.keyOf(r)].holds(shard, text) {
			return "\x00" + strconv.Itoa(shard) + text
		}
	}
	for _, to := range a.sources(c) {
		for _, r := range a.rename {
			if r.Unique.Table == to.Table && r.Column == to.Name {
				return a.newName(r, shard, text)
			}
		}
	}
	return ""
}

// copied tells whether a reference says that a column repeats another one's texts as they are, in every row, and no key in the row tells whose.
func copied(r *reference, c merge.Col) bool {
	return r.As == merge.Copy && r.When == "" && r.By == nil && r.Via == "" && slices.Equal(r.From, []merge.Col{c})
}

// sources are the columns whose texts a column holds in every row: what it refers to, what that refers to in turn, and what it repeats.
func (a *auditor) sources(c merge.Col) (list []merge.Col) {
	for _, r := range a.refs {
		if copied(r, c) {
			list = append(list, r.To[0])
		}
	}
	for {
		to, ok := a.parent(c)
		if !ok || slices.Contains(list, to) {
			return list
		}
		list, c = append(list, to), to
	}
}

// newName is what a shard's text becomes by a rename; "" when it stays.
func (a *auditor) newName(r *merge.Rename, shard int, text string) string {
	collate := r.Collate
	if i := slices.Index(r.Unique.Columns, r.Column); collate == "" && i < len(r.Unique.Collations) {
		collate = r.Unique.Collations[i]
	}
	if a.newNames[r] == nil {
		a.newNames[r] = map[string]string{}
		for i, list := range r.Shards {
			for _, row := range list {
				a.newNames[r][strconv.Itoa(i)+merge.Collated(row.Old, collate)] = row.New
			}
		}
	}
	return a.newNames[r][strconv.Itoa(shard)+merge.Collated(text, collate)]
}

// spaceOf is the key space under which a column's values change in every row; nil when there is none.
func (a *auditor) spaceOf(c merge.Col) *space {
	if s := a.spaces[c]; s != nil {
		return s
	}
	for _, r := range a.plain() {
		if len(r.From) == 1 && r.From[0] == c && r.When == "" {
			return r.spaces[0]
		}
	}
	return nil
}

// ledInto is the key space under which a column of a unique key changes in every row that may clash; nil when there is none.
func (a *auditor) ledInto(c merge.Col, u *merge.Unique) *space {
	if s := a.spaceOf(c); s != nil {
		return s
	}
	return a.partOf(c, u)
}

// partOf is the key space under which a column's values change as a part of one composite reference, all of whose columns stand in a unique key and so are not
// null where values clash; nil when there is none, or when another reference has a say.
func (a *auditor) partOf(c merge.Col, u *merge.Unique) *space {
	var s *space
	for _, r := range a.plain() {
		at := slices.Index(r.From, c)
		if at < 0 {
			continue
		}
		outside := slices.ContainsFunc(r.From, func(f merge.Col) bool { return !slices.Contains(u.Cols(), f) })
		if len(r.From) == 1 || outside || r.When != "" || len(r.None) > 0 || s != nil && s != r.spaces[at] {
			return nil
		}
		s = r.spaces[at]
	}
	return s
}

func (a *auditor) partOfComposite(u *merge.Unique) bool {
	return u.Plain() && slices.ContainsFunc(u.Cols(), func(c merge.Col) bool { return a.spaceOf(c) == nil && a.partOf(c, u) != nil })
}

func (a *auditor) nobody(c merge.Col, v int64) bool { return slices.Contains(a.nobodys(c), any(v)) }

// nobodys are the values that mean nobody in a column.
func (a *auditor) nobodys(c merge.Col) (list []any) {
	for _, r := range a.refs {
		if len(r.From) == 1 && r.From[0] == c {
			list = append(list, r.None...)
		}
	}
	return list
}
