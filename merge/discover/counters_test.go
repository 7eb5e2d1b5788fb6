package discover_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// counted are the columns in which the game seems to count, with their conditions.
func counted(r *discover.Result) (list []string) {
	for _, c := range r.Counters {
		list = append(list, c.Column.String()+" "+c.Where)
	}
	return list
}

// Where one player of many stands meets the end of some small table's keys by chance: that is no counter, whatever the column is called. A table of settings, whose rows
// have the same names on every server, counts also where no name says what.
func TestPlayersAreNoCounters(t *testing.T) {
	const ddl = `CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT UNIQUE, last_x INT); CREATE TABLE letters (id INTEGER PRIMARY KEY, player_id INT);
		CREATE TABLE state (name TEXT UNIQUE, current_value INT)`
	for _, tt := range []struct {
		name   string
		shared int // players' names that both servers have
	}{{"a name or two", 2}, {"servers with one past", 40}} {
		shards := realms(t, 2, ddl, func(server int, r *rand.Rand, exec func(string, ...any)) {
			letters := 300 + 20*server
			for i := range letters {
				exec("INSERT INTO letters VALUES (?, ?)", i+1, r.IntN(60)+1)
			}
			for i := range 60 {
				name, x := string(rune('a'+i)), 2+r.IntN(40)
				if i >= tt.shared {
					name += string(rune('a' + server))
				}
				if i == 0 {
					x = letters + 2
				}
				exec("INSERT INTO players VALUES (?, ?, ?)", i+1, "p"+name, x)
			}
			exec("INSERT INTO state VALUES ('mm', ?), ('season', 4), ('era', ?)", letters+1, 2+server)
		})
		if got, want := counted(run(t, shards, discover.Options{})), []string{"state.current_value name = 'mm'"}; !slices.Equal(got, want) {
			t.Errorf("%s: counters: got %v, want %v", tt.name, got, want)
		}
	}
}

// A row of a table of counters that bears a table's name counts its few rows; one that stands as low and bears no table's name does not.
func TestCountersOfFewRows(t *testing.T) {
	shards := realm(t, `CREATE TABLE t_role (role_id INTEGER PRIMARY KEY, label TEXT); CREATE TABLE t_union (union_id INTEGER PRIMARY KEY, label TEXT);
		CREATE TABLE t_idgen (kind TEXT PRIMARY KEY, next_id INT)`, func(r *rand.Rand, exec func(string, ...any)) {
		roles, unions := 60+r.IntN(9), 4+r.IntN(4)
		for k := range roles {
			exec("INSERT INTO t_role VALUES (?, hex(randomblob(6)))", k+1)
		}
		for k := range unions {
			exec("INSERT INTO t_union VALUES (?, hex(randomblob(6)))", k+1)
		}
		exec("INSERT INTO t_idgen VALUES ('role', ?), ('union', ?), ('season', ?)", roles+1, unions+1, unions+1)
	})
	var got []string
	for _, c := range run(t, shards, discover.Options{}).Counters {
		got = append(got, c.Where+": "+c.Key.String())
	}
	if want := []string{"kind = 'role': t_role.role_id", "kind = 'union': t_union.union_id"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Where rows under numbers count two keys, a third one at the very next number of a few rows counts those; one that stands beside it does not.
func TestCountersBesideOthers(t *testing.T) {
	shards := realms(t, 2, `CREATE TABLE role (role_id INTEGER PRIMARY KEY, label TEXT); CREATE TABLE mail (mail_id INTEGER PRIMARY KEY, label TEXT);
		CREATE TABLE guild (guild_id INTEGER PRIMARY KEY, label TEXT); CREATE TABLE id_gen (type INTEGER PRIMARY KEY, next_id INT)`, func(server int, r *rand.Rand, exec func(string, ...any)) {
		rows := map[string]int{"role": 60 + r.IntN(9), "mail": 140 + r.IntN(9), "guild": 4 + server}
		for table, n := range rows {
			for k := range n {
				exec("INSERT INTO "+table+" VALUES (?, hex(randomblob(6)))", k+1)
			}
		}
		exec("INSERT INTO id_gen VALUES (1, ?), (2, ?), (3, ?), (4, ?)", rows["role"]+1, rows["mail"]+1, rows["guild"]+1, rows["guild"]+7)
	})
	got := map[string]string{}
	for _, c := range run(t, shards, discover.Options{}).Counters {
		got[c.Where] = c.Key.String()
	}
	if want := map[string]string{"type = 1": "role.role_id", "type = 2": "mail.mail_id", "type = 3": "guild.guild_id"}; !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A row that bears the very name of a key counts it, also where it stands at the same number on every server and where that is low. One that bears no key's name does not.
func TestCountersCalledLikeKeys(t *testing.T) {
	shards := realms(t, 2, `CREATE TABLE wanjia (wjid INTEGER PRIMARY KEY, label TEXT); CREATE TABLE meng (mid INTEGER PRIMARY KEY, label TEXT); CREATE TABLE zhandou (zid INTEGER PRIMARY KEY, label TEXT);
		CREATE TABLE jishu (mingcheng TEXT PRIMARY KEY, zhi INT)`, func(server int, _ *rand.Rand, exec func(string, ...any)) {
		rows := map[string]int{"wanjia": 110 + 20*server, "meng": 9, "zhandou": 200}
		for table, n := range rows {
			for k := range n {
				exec("INSERT INTO "+table+" VALUES (?, hex(randomblob(6)))", k+1)
			}
		}
		exec("INSERT INTO jishu VALUES ('wjid', ?), ('mid', 10), ('zid', 201), ('dengji', 10)", rows["wanjia"]+1)
	})
	got := map[string]string{}
	for _, c := range run(t, shards, discover.Options{}).Counters {
		got[c.Where] = c.Key.String()
	}
	if want := map[string]string{"mingcheng = 'wjid'": "wanjia.wjid", "mingcheng = 'mid'": "meng.mid", "mingcheng = 'zid'": "zhandou.zid"}; !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
