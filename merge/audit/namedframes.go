package audit

import (
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// twoFrames is how many frames with names of others show that these are no words of the game.
const twoFrames = 2

// tellAlso tells of frames that have names of others themselves, as the tag of a clan stands before a player's name in "[WA] Rusty": these follow no rename.
func tellAlso(list []framed, col merge.Col, targets *holders) {
	for k, of := range targets.columns {
		var at []int
		var names []string
		for i, f := range list {
			for _, name := range f.names() {
				if of == f.target || of == col || slices.Contains(targets.large, k) || !targets.may(name, k, k+1) {
					continue
				}
				if at = append(at, i); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if len(names) < twoFrames {
			continue
		}
		for _, i := range at[:1] { // told once
			list[i].also += fmt.Sprintf(". What stands beside it is a name, too: %s of %s, which follow no rename there and will be somebody else's; take the two apart in copies of the shards, or let %s stay with on_conflict: keep",
				listOfNames(names), of, of)
		}
	}
}

// names are the words in a frame.
func (f frame) names() (list []string) {
	for _, text := range []string{f.before, f.after} {
		for _, w := range wordsAt(text) {
			list = append(list, text[w[0]:w[1]])
		}
	}
	return list
}

// listOfNames writes some of them.
func listOfNames(names []string) string {
	texts := make([]merge.ValueCount, len(names))
	for i, name := range names {
		texts[i] = merge.ValueCount{Value: []any{name}}
	}
	return sampleValues(texts)
}
