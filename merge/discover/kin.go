package discover

import (
	"slices"
	"strings"
)

// kin is how many words at the end of a column's name are what the name of a key's table has left without what the name of the column's table begins with, too: one
// of user_id in forum_posts beside forum_users. The key's own name may stand behind it. It is 0 where none are.
func (k *key) kin(t *table, words []string) int {
	for i := range words {
		end := strings.Join(words[i:], "")
		for _, stem := range slices.Concat(k.table.stems, k.wholes) {
			if head, ok := strings.CutSuffix(stem, end); ok && k.table.begins(head) && t.begins(head) {
				return len(words) - i
			}
		}
	}
	return 0
}

// begins tells whether a table's name begins with a word or more, which may be written together with what follows where the whole name is.
func (t *table) begins(head string) bool {
	for _, words := range [][]string{t.name.tokens, t.bare} {
		for i := range words {
			if strings.Join(words[:i+1], "") == head {
				return true
			}
		}
	}
	return len(t.name.tokens) == 1 && len(head) >= kinLeast && strings.HasPrefix(t.name.stem, head)
}

// kinLeast is how long a word is at least that may be written together with the next one in the names of tables.
const kinLeast = 3
