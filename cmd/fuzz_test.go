package cmd_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// FuzzM44Shards names shards in every way: whatever a command says, the secret of a connection string is not in it.
func FuzzM44Shards(f *testing.F) {
	const secret = "s3cr3tZQ"
	for _, seed := range []string{
		"mysql://root:SECRET@host:3306/db", "x=postgres://u:SECRET@[::1]/d?sslmode=off", "root:SECRET@tcp(host:3306)/db?parseTime=true", "host=h user=u password=SECRET dbname=d",
		"sqlite:///none.db?_auth_pass=SECRET", "file:none.db?key=SECRET", "postgres://h/d?password=SECRET", "MYSQL://SECRET@h", "s=Password=SECRET;Server=h", "u:SECRET@mysql://h", "=", "a=b=c", "x=",
		"sqlserver://u:SECRET%20x@h", "mongodb+srv://u:SECRET@h/?x=y", "pwd=SECRET", "user=u pass='SECRET'", "PGPASSWORD=SECRET", "h=h;userPwd=SECRET", "AkeY=SECRET", "sqlite:\x00", "none\n.db",
	} {
		f.Add(seed, "s1=1")
	}
	f.Fuzz(func(t *testing.T, arg, server string) {
		arg = strings.ReplaceAll(arg, "SECRET", secret)
		if !strings.ContainsAny(arg, ":=") || exposed(arg, secret) || strings.HasPrefix(arg, "-") {
			return // a plain path holds no secret
		}
		none := filepath.Join(t.TempDir(), "none.db")
		for _, args := range [][]string{{"merge-check", arg, none}, {"merge-check", none, arg, "--server", server}, {"merge-map", arg, "1"}, {"merge-verify", none, arg, "--merged", arg}, {"merge-verify", none, none, "--merged", arg}, {"merge-rewrite", none, "-o", arg}} {
			code, stdout, stderr := run(t, append(args, "-q")...)
			if code == 0 || strings.Contains(stdout+stderr, secret) {
				t.Errorf("%q: exit code %d, and it said %s%s", args, code, stdout, stderr)
			}
			if !strings.Contains(stderr, "next: ") {
				t.Errorf("%q: no next step in %q", args, stderr)
			}
		}
	})
}

// exposed tells whether a secret stands where no connection string has it: not between ':' and '@', nor right after a word for a secret and '='. A short such
// word at the end of a longer one is none: a shard may be called monkey.
func exposed(arg, secret string) bool {
	before, after, ok := strings.Cut(arg, secret)
	if !ok {
		return false
	}
	if strings.ContainsRune(before, ':') && strings.ContainsRune(after, '@') {
		return strings.Contains(after, secret)
	}
	if secretWord.MatchString(before) {
		return strings.Contains(after, secret)
	}
	return true
}

var secretWord = regexp.MustCompile(`(?i)(password|pwd|(^|[^a-z])(pass|key))=$`)
