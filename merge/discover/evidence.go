package discover

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// evidence puts into words why a column is taken for a reference, with every shard's counts.
func (s *search) evidence(p *pick) string {
	c, f := p.column, p.fit
	parts := []string{s.inclusionWords(p)}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if p.grade != merge.Certain {
		parts = append(parts, s.shares(p)...)
	}
	if p.hint.why != "" {
		add("%s", p.hint.why)
	}
	for _, name := range c.table.PrimaryKey {
		if name == c.meta.Name {
			add("part of the key")
		}
	}
	if c.text {
		add("stored as text")
	}
	if c.fraction {
		add("stored as fractions")
	}
	if c.mixed {
		integers, other, such := c.strange()
		share := percentOf(other, integers+other) + " of the rows hold something else than a whole number"
		if text, ok := such.(string); ok {
			share += fmt.Sprintf(", such as %q", text)
		}
		add("%s", share)
	}
	if c.distinct() > 0 {
		if far := int64(f.sister.hits); f.own > 0 || far > 0 {
			add("uses %s that only its own server has and %s that only another has", some(int64(f.own), "key"), count(far))
		}
		if f.holes.chance >= 1 {
			add("%s between the keys, where chance would put %s", some(int64(f.holes.hits), "value"), count(int64(f.holes.chance+0.5)))
		}
		if p.ended == byItself || f.ends <= proChance {
			but := ""
			if n := p.beyond(); n > 0 {
				but = fmt.Sprintf(", but for %s beyond", count(n))
			}
			add("its values end where the keys of each server do%s", but)
		}
		if c.elders && p.key.table == c.table {
			add("each is a row's before its own")
		}
		if f.verdict == against {
			add("it does not avoid numbers that are no keys")
		}
		if f.reach < reaches {
			add("its values reach only %s of the way up the keys, as a catalogue's numbers or amounts do", percent(f.reach))
		}
		if n := c.least(); n < fewValues {
			add("only %s", some(int64(n), "different value"))
		}
	}
	if p.note != "" {
		add("%s", p.note)
	}
	return strings.Join(parts, "; ")
}

// beyond counts the different values behind the last key of their shard.
func (p *pick) beyond() (n int64) {
	for i, v := range p.shards {
		if !p.fit.wiped[i] {
			n += int64(len(v.list) - v.upTo(p.key.high[i]))
		}
	}
	return n
}

// inclusionWords says how many values are keys: "100 % of 1,874 values in s1 and of 1,902 in s2 are players.id".
func (s *search) inclusionWords(p *pick) string {
	var parts []string
	last := ""
	for i, rows := range p.fit.rows {
		if rows == 0 {
			continue
		}
		share := percentOf(p.fit.in[i], rows)
		text := fmt.Sprintf("of %s in %s", count(rows), s.shards[i].Source().Name)
		if share != last {
			text = share + " " + text
			if last == "" {
				text = fmt.Sprintf("%s of %s values in %s", share, count(rows), s.shards[i].Source().Name)
			}
		}
		last = share
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "no values to compare"
	}
	return join(parts, "and") + " are " + p.key.Col.String()
}

// percentOf never rounds up to 100 %.
func percentOf(n, of int64) string {
	if n == of {
		return "100 %"
	}
	share := 100 * float64(n) / float64(of)
	if share >= 99 {
		return strconv.FormatFloat(min(share, 99.9), 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(share, 'f', 0, 64) + " %"
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) + " %" }

// count writes a number with thousands set apart.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// some is a number and a noun.
func some(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return count(n) + " " + noun
}

// join lists words: "a, b and c".
func join(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
