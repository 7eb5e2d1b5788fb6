package discover

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// ofRows is what the numbers at one place of a table's texts are to their own rows.
type ofRows struct {
	has, own, elder, later int // texts that have some; those where one is their own row's; where all are of rows before it; where some would be of rows behind
	ids                    []int64
	numbers                [][]int64
	heads                  map[string]bool // what the texts begin with, up to their first number
}

// rowPlaces is what the numbers at the places of a column's texts are to their own rows, in all shards and in each.
type rowPlaces struct {
	texts int
	all   map[place]*ofRows
	each  []map[place]*ofRows
}

// rowsInside compares the numbers in a column's texts with a key of their own rows. Zeros before a number that stands beside a word belong to it in codes alone.
func (s *search) rowsInside(col merge.Col, k *key, coded bool) (*rowPlaces, error) {
	at := &rowPlaces{all: map[place]*ofRows{}, each: make([]map[place]*ofRows, len(s.shards))}
	for i, shard := range s.shards {
		at.each[i] = map[place]*ofRows{}
		c, ok := shard.Schema().Resolve(col)
		by, there := shard.Schema().Resolve(k.Col)
		if !ok || !there {
			continue
		}
		list, err := shard.Tuples(s.ctx, []merge.Col{by, c}, s.quote(c.Name)+" IS NOT NULL", insideTexts)
		if err != nil {
			return nil, err
		}
		at.texts += len(list)
		for _, row := range list {
			number, is := integer(row.Value[0])
			if !is {
				continue // a key of bytes
			}
			text, _ := row.Value[1].(string)
			there := map[place][]int64{}
			for _, w := range s.placesIn(col, text) {
				p, digits := w.place, w.digits
				if p.alone && !coded {
					digits = strings.TrimLeft(digits, "0")
				}
				if n, ok := integer(digits); ok {
					there[p] = append(there[p], n)
				}
			}
			for p, numbers := range there {
				for _, m := range []map[place]*ofRows{at.all, at.each[i]} {
					if m[p] == nil {
						m[p] = &ofRows{heads: map[string]bool{}}
					}
					if at := strings.IndexAny(text, "0123456789"); at >= 0 { // there are none in base 16
						m[p].heads[text[:at]] = true
					}
					m[p].add(number, numbers, k.set(i))
				}
			}
		}
	}
	return at, nil
}

// called tells whether the numbers at a place are those of their own rows nearly everywhere, or were on some server: a later merge gives new numbers to rows that keep such names.
func (at *rowPlaces) called(p place) bool {
	own := func(m map[place]*ofRows, least int) bool {
		o := m[p]
		return o != nil && o.has >= least && float64(o.own) >= includes*float64(o.has)
	}
	return own(at.all, 1) || slices.ContainsFunc(at.each, func(m map[place]*ofRows) bool { return own(m, insideLeast) })
}

// slugHeads is of how many words the texts must be in which the number of their own row stands behind a sign.
const slugHeads = 3

// signed tells whether the only number at a place stands behind a sign: <@17> says more than Orc 3, as the third of some may be called.
func (p place) signed() bool {
	before := []rune(p.hint)
	return p.alone && len(before) > 0 && !unicode.IsLetter(before[len(before)-1]) && !unicode.IsSpace(before[len(before)-1])
}

// slug tells whether the texts are of several words, each with its own row's number behind a sign, as in help-me-122: a guest's name, guest-122, is of one.
func (p place) slug(o *ofRows) bool {
	return p.rest && p.sign && len(o.heads) >= slugHeads && float64(o.own) >= includesSure*float64(o.has)
}

// idSigns are signs right before a number that say that it is an id: nobody is called /home/122 or control:id(122), though guest-122 and Orc 3 are names.
const idSigns = "(#/:=@["

// labelled tells whether the only number of the texts stands behind such a sign and is their own row's.
func (p place) labelled(o *ofRows) bool {
	heads := o.heads
	if !p.rest {
		heads = map[string]bool{p.hint: true}
	}
	for head := range heads {
		if head == "" || !strings.ContainsRune(idSigns, rune(head[len(head)-1])) {
			return false
		}
	}
	return len(heads) > 0 && float64(o.own) >= includesSure*float64(o.has)
}

// ownInside looks for the number of their own row at some place of a column's texts, or of rows before it alone: 1/5/12 in row 12 of a tree, or 1/5 above it.
func (s *search) ownInside(col merge.Col, samples []string) (*Embedded, error) {
	for _, k := range s.tables[col.Table].keys {
		if !k.Root || k.text || s.alike[k.table.Name] {
			continue
		}
		at, err := s.rowsInside(col, k, true)
		if err != nil {
			return nil, err
		}
		var best *place
		for p, o := range at.all {
			if p.alone && !p.slug(o) && !p.labelled(o) || o.has < insideLeast || float64(o.has) < embeddedShare*float64(at.texts) || float64(o.own) < includesSure*float64(o.has) && !o.elders() {
				continue
			}
			if best == nil || cmp.Or(cmp.Compare(yes(p.rest), yes(best.rest)), cmp.Compare(yes(p.any), yes(best.any)), cmp.Compare(at.all[*best].own, o.own), cmp.Compare(at.all[*best].elder, o.elder), cmp.Compare(p.match, best.match)) < 0 {
				best = &p
			}
		}
		if best != nil {
			o, what := at.all[*best], "the %s of their own row"
			n := o.own
			if float64(n) < includesSure*float64(o.has) {
				n, what = o.elder, "the %s of rows before their own alone"
			}
			return &Embedded{
				Col: col, What: "words with numbers", Samples: samples, Match: best.match, To: k.Col, Grade: merge.Likely,
				Evidence: fmt.Sprintf("%s: %s of %s texts that have some hold "+what, best.words, count(int64(n)), count(int64(o.has)), k.Col),
			}, nil
		}
	}
	return nil, nil
}

// add counts one text's numbers.
func (o *ofRows) add(row int64, numbers []int64, keys *merge.KeySet) {
	o.has++
	o.own += int(yes(slices.Contains(numbers, row)))
	o.later += int(yes(slices.Max(numbers) >= row))
	o.elder += int(yes(!slices.ContainsFunc(numbers, func(n int64) bool { return n >= row || !keys.Has(n) })))
	o.ids, o.numbers = append(o.ids, row), append(o.numbers, numbers)
}

// elders tells whether all texts hold numbers of rows before their own alone, but for those that are gone, as they hardly would if the same numbers stood in other texts.
func (o *ofRows) elders() bool {
	if o.later > 0 || float64(o.elder) < includes*float64(o.has) {
		return false
	}
	pool := slices.Sorted(slices.Values(slices.Concat(o.numbers...)))
	chance := 0.0
	for i, row := range o.ids {
		below, _ := slices.BinarySearch(pool, row)
		chance += float64(len(o.numbers[i])) * math.Log(max(float64(below), 0.5)/float64(len(pool)))
	}
	return chance <= math.Log(bareChance)
}
