package audit

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/gameid/gameid/merge"
)

// nameWords are the last words of columns by which players know each other or log in. A game often keeps them unique in its own code alone.
var nameWords = []string{"name", "username", "login", "nick", "nickname", "charname", "playername", "loginname", "account", "名", "名字", "角色名", "玩家名", "昵称", "账号", "帐号", "用户名"}

// bearerWords are, besides, the last words of columns that may say what the table's own rows are called or known by.
var bearerWords = []string{"userid", "user", "uname", "title", "tag", "character", "char", "player", "clan", "guild", "handle", "alias", "label"}

// platformWords are the last words of columns that hold what a platform calls somebody, on every server the same.
var platformWords = []string{"uuid", "guid", "steamid", "xuid", "openid", "unionid"}

// called tells whether a column is named like a name or like somebody.
func (a *auditor) called(c merge.Col) bool { return named(c.Name) || a.somebody[c] }

func named(column string) bool {
	return slices.Contains(nameWords, lastWord(column))
}

// bearer tells whether a column is named like what a table's own rows are called or known by.
func bearer(column string) bool {
	last := lastWord(column)
	return slices.Contains(nameWords, last) || slices.Contains(bearerWords, last) || strings.HasSuffix(last, "name") || platform(column)
}

// platform tells whether a column is named like a platform's name for somebody.
func platform(column string) bool { return slices.Contains(platformWords, lastWord(column)) }

// secretWords are last words of columns whose long texts tell nobody apart: two persons may have one password.
var secretWords = []string{"password", "pass", "passwd", "pwd", "hash", "salt", "token", "secret"}

// secret tells whether a column is named like one that holds what only its owner knows.
func secret(column string) bool { return slices.Contains(secretWords, lastWord(column)) }

// mailForm matches mail addresses.
var mailForm = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s.]+$`)

// mails tells whether a column's texts are mail addresses.
func (u *unexplained) mails() bool {
	return u.hasTexts() && !slices.ContainsFunc(u.samples, func(one *merge.Sample) bool {
		return slices.ContainsFunc(one.Texts, func(text string) bool { return !mailForm.MatchString(text) })
	})
}

// namedBy tells whether another column of the same table names its rows, too, as a player's name beside an address.
func (n *bearing) namedBy(o *bearing) bool {
	return o.table == n.table && o.col != n.col && o.unique && !o.once && !o.mail
}

// lastWord is the last word of a name, in small letters; "" where it has no letters.
func lastWord(name string) string {
	words := wordsOf(name)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// wordsOf are the words of a name, in small letters.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(camel(name)), func(r rune) bool { return !unicode.IsLetter(r) })
}

// camel puts an underscore before every capital that follows a small letter.
func camel(s string) string {
	var b strings.Builder
	small := false
	for _, r := range s {
		if small && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}

// ownNames tells whether a column holds what its table's own rows are called: hardly any share one, and it is named after them, or a name and nothing else. Of a vocabulary of
// names other tables have some, too.
func (a *auditor) ownNames(ctx context.Context, u *unexplained) (bool, error) {
	if !a.calledAlone(u.col) {
		return false, nil
	}
	_, unique, err := a.tellsApart(ctx, u.table, u.col)
	if err == nil && !unique {
		return a.mostlyDiffers(ctx, u.table, u.col)
	}
	return unique, err
}

// calledAlone tells whether a column is named after the rows of its table, or a name and nothing else.
func (a *auditor) calledAlone(c merge.Col) bool {
	words, of := wordsOf(c.Name), wordsOf(c.Table)
	after := func(w string) bool {
		return slices.Contains(nameWords, w) || slices.ContainsFunc(of, func(t string) bool { return strings.HasPrefix(t, w) })
	}
	return bearer(c.Name) && len(a.schema.Table(c.Table).PrimaryKey) == 1 && !slices.ContainsFunc(words, func(w string) bool { return !after(w) && len(words) > 1 }) && !keepsNames(c.Table)
}

// keptWords are words of tables that keep names of others, also of those who are gone.
var keptWords = []string{"ban", "bans", "banned", "blacklist", "history", "histories", "log", "logs", "rename", "renames", "deleted", "archive", "reserved", "whitelist", "mute", "mutes", "kick", "kicks"}

// keepsNames tells whether a table is named like one that keeps names of others, also of those who are gone.
func keepsNames(table string) bool {
	return slices.ContainsFunc(wordsOf(table), func(w string) bool { return slices.Contains(keptWords, w) })
}
