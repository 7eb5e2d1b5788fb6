package audit

import "slices"

// recordedNames are the texts that earlier merges gave out in a shard, in small letters: the new names of rows, and those of the dead.
func (a *auditor) recordedNames(shard int) map[string]bool {
	m := a.memory[shard]
	if m == nil || m.Broken != "" {
		return nil
	}
	if a.newTexts[shard] == nil {
		known := make(map[string]bool, len(m.Renames)+len(m.Buried))
		for _, r := range m.Renames {
			known[folded(r.New)] = true
		}
		for _, b := range m.Buried {
			known[folded(b.New)] = true
		}
		a.newTexts[shard] = known
	}
	return a.newTexts[shard]
}

// withoutRecorded leaves the texts out that an earlier merge gave out: they are whole names, and what it put before or behind an older one is no frame of the game's.
func (a *auditor) withoutRecorded(u *unexplained) *unexplained {
	rest := &unexplained{u.table, u.col, slices.Clone(u.samples)}
	for i, one := range u.samples {
		known := a.recordedNames(i)
		if len(known) == 0 || one == nil {
			continue
		}
		some := *one
		some.Texts = slices.DeleteFunc(slices.Clone(one.Texts), func(text string) bool { return known[folded(text)] })
		some.Frequent, some.FrequentRows = nil, nil
		for k, text := range one.Frequent {
			if known[folded(text)] {
				some.Other -= one.FrequentRows[k]
				continue
			}
			some.Frequent, some.FrequentRows = append(some.Frequent, text), append(some.FrequentRows, one.FrequentRows[k])
		}
		rest.samples[i] = &some
	}
	return rest
}
