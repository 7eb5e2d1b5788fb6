package discover_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

// Chinese names are divided into words: the table's, and those for a role, whatever stands before them; an amount stays one.
func TestChineseNames(t *testing.T) {
	for column, key := range map[string]string{
		"防守武将": "武将.编号", "防守武将id": "武将.编号", "先锋武将": "武将.编号", "武将编号": "武将.编号", "目标玩家": "玩家.玩家id", "玩家编号": "玩家.玩家id", "发件人": "玩家.玩家id", "盟主": "玩家.玩家id", "积分": "", "武将等级": "", "战力": "",
	} {
		shards := realm(t, fmt.Sprintf(`CREATE TABLE 玩家 (玩家id INTEGER PRIMARY KEY, 昵称 TEXT);
			CREATE TABLE 武将 (编号 INTEGER PRIMARY KEY, 主人 INT, 名称 TEXT);
			CREATE TABLE 战报 (编号 INTEGER PRIMARY KEY, %s INT)`, column), func(r *rand.Rand, exec func(string, ...any)) {
			players, _ := living(r, 300, 0.15)
			heroes, dead := living(r, 900, 0.15)
			for _, k := range players {
				exec("INSERT INTO 玩家 VALUES (?, hex(randomblob(6)))", k)
			}
			for _, k := range heroes {
				exec("INSERT INTO 武将 VALUES (?, ?, hex(randomblob(6)))", k, players[r.IntN(len(players))])
			}
			for range 600 {
				v := heroes[r.IntN(len(heroes))]
				switch {
				case key == "":
					v = r.Int64N(900) + 1
				case key == "玩家.玩家id":
					v = players[r.IntN(len(players))]
				case r.Float64() < 0.15:
					v = dead[r.IntN(len(dead))]
				}
				exec("INSERT INTO 战报 VALUES (NULL, ?)", v)
			}
		})
		got := ""
		if p := find(run(t, shards, discover.Options{}), "战报."+column); p != nil {
			got = p.To[0].String()
		}
		if got != key {
			t.Errorf("战报.%s: found %q, want %q", column, got, key)
		}
	}
}

// Chinese in Latin letters is shortened to the first letter of each syllable: a part of a key that is called so is asked about, however few the rows it links are.
func TestNamesShortenedToTheirSyllables(t *testing.T) {
	const ddl = `CREATE TABLE t_juese (juese_id INTEGER PRIMARY KEY, mingzi TEXT);
		CREATE TABLE t_lianmeng (id INTEGER PRIMARY KEY, mingzi TEXT);
		CREATE TABLE t_zhuangbei (id INTEGER PRIMARY KEY, mingzi TEXT);
		CREATE TABLE t_shenqing (lm INT, js INT, dj INT, PRIMARY KEY (lm, js));
		CREATE TABLE t_chuandai (js INT, xh INT, zb INT, PRIMARY KEY (js, xh))`
	r := run(t, realm(t, ddl, func(r *rand.Rand, exec func(string, ...any)) {
		keys := map[string][]int64{}
		for i, table := range []string{"juese", "lianmeng", "zhuangbei"} {
			keys[table], _ = living(r, []int64{90, 9, 200}[i], 0.1)
			for _, k := range keys[table] {
				exec("INSERT INTO t_"+table+" VALUES (?, hex(randomblob(6)))", k)
			}
		}
		one := func(table string) int64 { return keys[table][r.IntN(len(keys[table]))] }
		for range 18 {
			exec("INSERT OR IGNORE INTO t_shenqing VALUES (?, ?, ?)", one("lianmeng"), one("juese"), r.IntN(60)+1)
			exec("INSERT OR IGNORE INTO t_chuandai VALUES (?, ?, ?)", one("juese"), r.IntN(5)+1, one("zhuangbei"))
		}
	}), discover.Options{})
	for column, key := range map[string]string{
		"t_shenqing.lm": "t_lianmeng.id", "t_shenqing.js": "t_juese.juese_id", "t_chuandai.js": "t_juese.juese_id", "t_chuandai.zb": "t_zhuangbei.id", "t_shenqing.dj": "", "t_chuandai.xh": "",
	} {
		got := ""
		if p := find(r, column); p != nil {
			got = p.To[0].String()
		}
		if got != key {
			t.Errorf("%s: found %q, want %q", column, got, key)
		}
	}
}
