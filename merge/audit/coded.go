package audit

import (
	"context"
	"regexp"
	"slices"
	"strconv"

	"github.com/gameid/gameid/merge"
)

// codeShare is how many of a server's texts are codes, at least, where its rows are of things that it counts.
const codeShare = 0.9

// codeForm is a code by which a game counts things: a word and a number behind it, as M00012, match-12, Team 12 and #12. Longer numbers than nine digits are moments.
var codeForm = regexp.MustCompile(`^([^0-9\s](?:[^\n]{0,22}[^0-9])?)([0-9]{1,9})$`)

// coded tells whether nearly all of a column's texts are codes that count one thing, with several rows for most of them on some server, and up to another number on every one: matches,
// parties, auctions that no table lists. The codes of a game's own things are many words with numbers behind them, or the same everywhere.
func (a *auditor) coded(u *unexplained) bool {
	heads, ends := map[string]bool{}, map[int]bool{}
	shared, servers := false, 0
	for _, one := range u.samples {
		if len(one.Texts) == 0 {
			continue
		}
		shared = shared || 2*len(one.Frequent) >= len(one.Texts)
		codes, end := 0, 0
		for _, text := range slices.Concat(one.Texts, one.Frequent) {
			if m := codeForm.FindStringSubmatch(text); m != nil {
				n, _ := strconv.Atoi(m[2]) // nine digits
				heads[merge.FoldASCII(m[1])], end = true, max(end, n)
				codes++
			}
		}
		if codes < namesLeast || float64(codes) < codeShare*float64(len(one.Texts)+len(one.Frequent)) {
			return false
		}
		servers++
		ends[end] = true
	}
	return shared && len(heads) == 1 && len(ends) == servers
}

// Of texts in so many rows of one server at least, as the members of a group are, another server has most where both take them from the game's words.
const (
	sharedRows  = 3
	sharedWords = 0.8
)

// globalForm is what tells machines and sessions apart everywhere: an address, or a long number in hex.
var globalForm = regexp.MustCompile(`^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f:-]{16,})$`)

// inKeyOrAgain tells whether a column is part of a key of several, as the guild beside its member, or another one repeats it, as the loser of duels the winners: its words name somebody.
// held tells which of the others may hold them.
func (a *auditor) inKeyOrAgain(ctx context.Context, u *unexplained, held *holders) (bool, error) {
	if slices.ContainsFunc(u.table.Uniques, func(k *merge.Unique) bool { return len(k.Columns) > 1 && slices.Contains(k.Columns, u.col.Name) }) {
		return true, nil
	}
	for _, at := range held.near(u.samples) {
		other := held.columns[at]
		if other == u.col {
			continue
		}
		n, err := a.lieAmong(ctx, u.samples, other, a.laxer(u.col, other))
		if err != nil || n.texts >= fewNames && n.share() >= namedCopyShare {
			return err == nil, err
		}
	}
	return false, nil
}

// ownWords tells whether each server has words of its own in a column, of which only a few stand on another.
func (a *auditor) ownWords(ctx context.Context, u *unexplained) (bool, error) {
	held := make([]*merge.Sample, len(u.samples))
	for i, one := range u.samples {
		held[i] = &merge.Sample{}
		for at, text := range one.Frequent {
			if one.FrequentRows[at] >= sharedRows && !globalForm.MatchString(text) && !mailForm.MatchString(text) {
				held[i].Texts = append(held[i].Texts, text)
			}
		}
	}
	texts := 0
	for _, one := range held {
		texts += len(one.Texts)
	}
	if texts < namesLeast {
		return false, nil
	}
	least, err := a.leastShared(ctx, held, u.col)
	return err == nil && least < sharedWords, err
}

// leastShared is which share of one server's sampled texts of a column stands on another one, at least, of any two: with every server more, more stand on some other.
func (a *auditor) leastShared(ctx context.Context, samples []*merge.Sample, col merge.Col) (least float64, err error) {
	least = 1
	for i, one := range samples {
		if len(one.Texts) == 0 {
			continue
		}
		for j := range a.shards {
			if j == i || a.tables[col.Table].rows[j] == 0 {
				continue
			}
			has, err := a.lookUp(ctx, j, col, one.Texts, "")
			if err != nil {
				return 0, err
			}
			shared := 0
			for _, text := range one.Texts {
				shared += oneIf(has[folded(text)])
			}
			least = min(least, float64(shared)/float64(len(one.Texts)))
		}
	}
	return least, nil
}

// example is one of a column's sampled texts, the first in order; "" where there is none.
func (u *unexplained) example() string {
	var texts []string
	for _, one := range u.samples {
		texts = append(texts, one.Texts...)
	}
	if len(texts) == 0 {
		return ""
	}
	return strconv.Quote(slices.Min(texts))
}
