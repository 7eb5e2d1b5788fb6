package audit_test

import (
	"fmt"
	"strings"
	"testing"
)

// heroes are two servers' players, a fifth of them with names that both have, and a table whose rows hold what held returns for the n-th row of a server.
func heroes(column string, held func(server, n int) string) (scripts []string) {
	for server := range 2 {
		var b strings.Builder
		fmt.Fprintf(&b, "BEGIN; CREATE TABLE players(id INTEGER PRIMARY KEY, nick TEXT UNIQUE, lvl INT); CREATE TABLE guilds(gname TEXT PRIMARY KEY, motd TEXT); CREATE TABLE mail(id INTEGER PRIMARY KEY, %s, note TEXT);", column)
		for n := range 100 {
			fmt.Fprintf(&b, "INSERT INTO players VALUES(%d, '%s', %d);", server*1000+n+1, hero(server, n), n%60)
		}
		for n := range 40 {
			fmt.Fprintf(&b, "INSERT INTO guilds VALUES('%s', '');", guild(server, n))
		}
		for n := range 200 {
			fmt.Fprintf(&b, "INSERT INTO mail VALUES(%d, '%s', 'note %c%c');", server*1000+n+1, held(server, n), 'a'+n%26, 'a'+n/26)
		}
		scripts = append(scripts, b.String()+"COMMIT;")
	}
	return scripts
}

func hero(server, n int) string {
	if n < 20 {
		server = 2
	}
	return fmt.Sprintf("%c%c-%s", 'A'+n%26, 'a'+n/26, []string{"ash", "elm", "oak"}[server])
}

// guild is a name that the other server never has.
func guild(server, n int) string {
	return fmt.Sprintf("%c%c %s", 'K'+n%13, 'k'+n/13, []string{"Clan", "Order"}[server])
}

// Names that are not all somebody's are asked about: of the deleted, between other texts, under any name and in any type, where chance cannot explain them.
func TestNamesAmongOtherTexts(t *testing.T) {
	gone := func(each int) func(server, n int) string {
		return func(server, n int) string {
			if n%10 < each {
				return fmt.Sprintf("Gone%c%c", 'a'+n%26, 'a'+n/26)
			}
			return hero(server, n*7%100)
		}
	}
	const nick = "{from: mail.%s, to: players.nick, as: copy%s}: does mail.%[1]s repeat players.nick, so that it follows when that is renamed?"
	const twice = ", orphans: tombstone"
	for what, c := range map[string]struct {
		column string
		held   func(server, n int) string
		want   string // "" when nothing is asked
	}{
		"a third deleted":              {"sender TEXT", gone(3), fmt.Sprintf(nick, "sender", twice)},
		"most deleted":                 {"sender TEXT", gone(8), fmt.Sprintf(nick, "sender", twice)},
		"a third deleted, unnamed":     {"x7 TEXT", gone(3), fmt.Sprintf(nick, "x7", twice)},
		"no type":                      {"sender", gone(3), fmt.Sprintf(nick, "sender", twice)},
		"a type that SQLite calls one": {"sender STRING", gone(0), fmt.Sprintf(nick, "sender", "")},
		"monsters between them": {"killed TEXT", func(server, n int) string {
			if n%2 == 0 {
				return fmt.Sprintf("dragon %d", n)
			}
			return hero(server, n*7%100)
		}, fmt.Sprintf(nick, "killed", twice)},
		"two kinds of names": {"who TEXT", func(server, n int) string {
			if n%3 == 0 {
				return guild(server, n%40)
			}
			return hero(server, n*7%100)
		}, fmt.Sprintf(nick, "who", "")},
		"both servers' names by chance": {"pet TEXT", func(_, n int) string { return hero(n%2, n%100) }, ""},
		"a word that is a name":         {"note2 TEXT", func(_, n int) string { return []string{hero(0, 1), "hello", "bye", "yes", "no"}[n%5] }, ""},
	} {
		scripts := heroes(c.column, c.held)
		got := said(check(t, "tables: [{table: '*', rows: merge}]\nuniques: [{unique: players.nick, on_conflict: rename, template: '{shard}.{value}'}]", scripts...))
		name := strings.Fields(c.column)[0]
		if c.want == "" && strings.Contains(got, "does mail."+name) || c.want != "" && !strings.Contains(got, c.want) {
			t.Errorf("%s: got\n%s\nwant %q", what, got, c.want)
		}
	}
}

// A column of two kinds of names says so, where both are renamed.
func TestNamesOfTwoKinds(t *testing.T) {
	scripts := heroes("who TEXT", func(server, n int) string {
		if n%3 == 0 {
			return guild(0, n%40)
		}
		return hero(server, n*7%100)
	})
	scripts[1] = strings.ReplaceAll(scripts[1], " Order'", " Clan'")
	got := said(check(t, "tables: [{table: '*', rows: merge}]\nuniques: [{unique: players.nick, on_conflict: rename, template: '{shard}.{value}'}, {unique: guilds.gname, on_conflict: rename, template: '{shard}.{value}'}]", scripts...))
	if want := "when that is renamed? Or guilds.gname (134 rows)? Where it holds both, one line for each, with when:"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %q", got, want)
	}
}

// A text key of which no value clashes is asked about where a dead name of one server is alive on the other, and only there.
func TestDeadNamesOfKeysThatStay(t *testing.T) {
	for what, c := range map[string]struct {
		dead func(server int) string
		want string
	}{
		"dead nowhere else alive": {func(int) string { return "Lost Clan" }, ""},
		"alive on the other": {
			func(server int) string { return guild(1-server, 4) },
			"ask {from: mail.guild, to: guilds.gname, orphans: tombstone}: does mail.guild hold guilds.gname, so that what is dead stays dead?",
		},
	} {
		got := said(check(t, "tables: [{table: '*', rows: merge}]\nuniques: [{unique: players.nick, on_conflict: rename, template: '{shard}.{value}'}]", heroes("guild TEXT", func(server, n int) string {
			if n%10 == 0 {
				return c.dead(server)
			}
			return guild(server, n%40)
		})...))
		if c.want == "" && strings.Contains(got, "mail.guild") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got\n%s\nwant %q", what, got, c.want)
		}
	}
}

// Keys of two tables that are the same names belong together, though a third of the one table's are of players who are gone.
func TestKeysThatRepeatKeys(t *testing.T) {
	for what, c := range map[string]struct {
		held func(server, n int) string
		want bool
	}{
		"a third gone": {func(server, n int) string {
			if n%3 == 0 {
				return fmt.Sprintf("Gone%c%c%d", 'a'+n%26, 'a'+n/26, server)
			}
			return hero(server, n)
		}, true},
		"names of both servers": {func(_, n int) string { return hero(n%2, n) }, false},
	} {
		var scripts []string
		for server, script := range heroes("x TEXT", func(_, _ int) string { return "x" }) {
			script = strings.Replace(script, "COMMIT;", "CREATE TABLE money(name TEXT PRIMARY KEY, gold INT);", 1)
			for n := range 60 {
				script += fmt.Sprintf("INSERT INTO money VALUES('%s', 7);", c.held(server, n))
			}
			scripts = append(scripts, script+"COMMIT;")
		}
		got := said(check(t, "tables: [{table: '*', rows: merge}]", scripts...))
		want := "ask {from: money.name, to: players.nick, orphans: tombstone}: does money.name hold players.nick, so that the rows belong together and follow when that is renamed?"
		if strings.Contains(got, "does money.name hold") != c.want || c.want && !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant asked %v, %q", what, got, c.want, want)
		}
	}
}

// A row or two of texts are enough to ask where all of them are names of their own server and of no other, or where the column is called as the names are.
func TestNamesInARowOrTwo(t *testing.T) {
	for what, c := range map[string]struct {
		column string
		first  int // the hero of the first row: those below 20 both servers have
		rows   int
		asked  bool
	}{
		"one row, whatever it is called":    {"capital", 30, 1, true},
		"two rows, of which one is both's":  {"capital", 19, 2, true},
		"both servers', called as the name": {"nick", 3, 1, true},
		"both servers', called otherwise":   {"capital", 3, 1, false},
	} {
		scripts := heroes("sender TEXT", hero)
		for server := range scripts {
			scripts[server] += fmt.Sprintf("CREATE TABLE nations(id INTEGER PRIMARY KEY, %s TEXT);", c.column)
			for n := range c.rows {
				scripts[server] += fmt.Sprintf("INSERT INTO nations VALUES(%d, '%s');", server*10+n+1, hero(server, c.first+n))
			}
		}
		asked := strings.Contains(said(check(t, "", scripts...)), "does nations."+c.column+" repeat players.nick")
		if asked != c.asked {
			t.Errorf("%s: asked: %v, want %v", what, asked, c.asked)
		}
	}
}
