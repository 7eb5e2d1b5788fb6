package discover

import "slices"

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
		apart := slices.DeleteFunc(slices.Clone(list), func(k *key) bool {
			return slices.ContainsFunc(list, func(o *key) bool { return o != k && (!s.apart(k, o) || !s.apart(o, k)) })
		})
		if len(apart) < namesakesLeast {
			continue
		}
		s.common[whole], s.words.generic[whole], s.words.everyones[whole] = true, true, true
		for _, k := range apart {
			k.Generic = true
		}
	}
}

// bearsOnlyAName tells whether a key is a whole primary one whose name is no word for a row of some table, nor for somebody.
func (s *search) bearsOnlyAName(k *key) bool {
	return k.sole && !k.Undeclared && !k.Generic && !k.own && !s.words.tables[k.name.stem] &&
		!k.name.has(s.words.roles) && !k.name.has(s.words.characters) && !k.name.has(s.words.accounts) && !k.name.has(s.words.self) && !k.name.has(s.words.things)
}

// apart tells whether a key plainly has nothing to do with another of its name: it counts from one without a gap, and not as far as the other, or does not care
// which numbers that one leaves out.
func (s *search) apart(k, o *key) bool {
	if k.name.whole != o.name.whole || !s.bearsOnlyAName(k) && !s.common[k.name.whole] {
		return false
	}
	found, known := s.parted[[2]*key{k, o}]
	if !known {
		f := measure(k.spread(), o)
		found = !twins(k, o) && (f.verdict == against || f.verdict == mute && (k.gapless() || f.holes.chance >= namesakesChance && f.avoids > lentChance))
		s.parted[[2]*key{k, o}] = found
	}
	return found
}

// gapless tells whether every shard's keys are all numbers from one up.
func (k *key) gapless() bool {
	for i := range k.Columns {
		if n := k.set(i).Len(); n > 0 && (k.low[i] < 0 || k.low[i] > 1 || k.high[i]-k.low[i]+1 != n) {
			return false
		}
	}
	return true
}
