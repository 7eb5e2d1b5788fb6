package discover

import (
	"math"
	"slices"
)

// namesakesLeast is how many keys that number their own rows make the name that all of them bear one that says nothing.
const namesakesLeast = 3

// namesakesChance is how many values between another key's are expected by chance from which their presence says that two keys have nothing in common but the name.
const namesakesChance = 3

// commonNames finds the names that a game gives to the key of every table, as others say id: whatever the word is, it does not say what is identified.
func (s *search) commonNames() {
	bearers := map[string][]*key{}
	for _, k := range s.keys {
		if s.bearsOnlyAName(k) {
			bearers[k.name.whole] = append(bearers[k.name.whole], k)
		}
	}
	for whole, list := range bearers {
		own, living := 0, 0
		for _, k := range list {
			if !slices.ContainsFunc(list, func(o *key) bool { return o != k && !s.apart(k, o) }) {
				own, living = own+1, living+int(1-yes(k.same))
			}
		}
		if own < namesakesLeast {
			continue
		}
		s.common[whole], s.words.generic[whole], s.words.everyones[whole] = true, true, true
		if living >= namesakesLeast {
			s.counted[whole] = true
			clear(s.parted)
		}
		for _, k := range list {
			k.Generic = !slices.ContainsFunc(list, func(o *key) bool { return o != k && (!s.apart(k, o) || !s.apart(o, k)) })
		}
	}
}

// bearsOnlyAName tells whether a key is a whole primary one whose name is no word for a row of some table, nor for somebody.
func (s *search) bearsOnlyAName(k *key) bool {
	return k.sole && !k.Undeclared && !k.Generic && !k.own && !s.words.tables[k.name.stem] &&
		!k.name.has(s.words.roles) && !k.name.has(s.words.characters) && !k.name.has(s.words.accounts) && !k.name.has(s.words.self) && (!k.name.has(s.words.things) || s.words.anything[k.name.stem])
}

// apart tells whether a key plainly has nothing to do with another of its name: many of its values are none of that one's, or it counts from one up without a gap, as many
// tables of the game do by this name with few gaps and not as far as the other, or it does not care which numbers that one leaves out.
func (s *search) apart(k, o *key) bool {
	if k.name.whole != o.name.whole || !s.bearsOnlyAName(k) && !s.common[k.name.whole] {
		return false
	}
	found, known := s.parted[[2]*key{k, o}]
	if !known {
		f := measure(k.spread(), o)
		counts := k.gapless() || s.counted[k.name.whole] && s.numbersUp(k, o) && (f.inclusion < includes || k.short(o) <= shortChance)
		found = !twins(k, o) && (f.inclusion < repeatsLeast || f.verdict == against || f.verdict == mute && (counts || f.holes.chance >= namesakesChance && f.avoids > lentChance))
		s.parted[[2]*key{k, o}] = found
	}
	return found
}

// short is the chance that as many of another key's values, taken anywhere among them, would end as early as the key does.
func (k *key) short(o *key) float64 {
	chance := 1.0
	for i := range k.Columns {
		if n, all := k.set(i).Len(), o.set(i).Len(); n > 0 && all > 0 {
			chance *= math.Pow(float64(o.set(i).Rank(k.high[i]))/float64(all), float64(n))
		}
	}
	return chance
}

// shortChance is the chance of ending so early from which a key counts its own rows.
const shortChance = 1e-3

// gapless tells whether every shard's keys are all numbers from one up.
func (k *key) gapless() bool {
	for i := range k.Columns {
		if n := k.set(i).Len(); n > 0 && (k.low[i] < 0 || k.low[i] > 1 || k.high[i]-k.low[i]+1 != n) {
			return false
		}
	}
	return true
}
