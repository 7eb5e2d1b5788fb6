package suite

// worlds are written in the SQL that SQLite, MySQL and PostgreSQL share. Rows carry a tag that no merge changes, so that conditions find them again.
var worlds = []world{
	{
		name: "keys, references, orphans, nobody",
		schema: `CREATE TABLE players(id BIGINT NOT NULL PRIMARY KEY, guild_id BIGINT, tag VARCHAR(20) NOT NULL);
CREATE TABLE guilds(id BIGINT NOT NULL PRIMARY KEY, leader_id BIGINT, tag VARCHAR(20) NOT NULL);
CREATE TABLE items(id BIGINT NOT NULL PRIMARY KEY, owner_id BIGINT NOT NULL, tag VARCHAR(20) NOT NULL);
CREATE TABLE stats(player_id BIGINT NOT NULL PRIMARY KEY, tag VARCHAR(20) NOT NULL);
`,
		shards: []string{
			`INSERT INTO guilds VALUES(1, 1, 'g1'); INSERT INTO players VALUES(1, 1, 'p1'), (2, NULL, 'p2'), (3, 1, 'p3');
INSERT INTO items VALUES(1, 1, 'i1'), (2, 0, 'i2'), (3, 9, 'i3'), (4, 3, 'i4'); INSERT INTO stats VALUES(1, 't1'), (3, 't3');`,
			`INSERT INTO guilds VALUES(1, 2, 'G1'); INSERT INTO players VALUES(1, 1, 'P1'), (2, 1, 'P2'), (9, NULL, 'P9');
INSERT INTO items VALUES(1, 9, 'I1'), (2, 0, 'I2'), (5, 2, 'I5'); INSERT INTO stats VALUES(1, 'T1'), (9, 'T9');`,
		},
		plan: `keys: [{key: players.id, new: shift}, {key: guilds.id, new: gameid}, {key: items.id, new: dense}]
uniques: [{unique: players.tag, on_conflict: keep}, {unique: items.tag, on_conflict: keep}]
references:
  - {from: players.guild_id, to: guilds.id}
  - {from: guilds.leader_id, to: players.id}
  - {from: items.owner_id, to: players.id, none: [0], orphans: tombstone}
  - {from: stats.player_id, to: players.id}
tables: [{table: players, rows: merge}, {table: guilds, rows: merge}, {table: items, rows: merge}, {table: stats, rows: merge}]
`,
		want: []count{
			{"players", "tag = 'P1' AND id > 9", 1},
			{"players", "tag = 'P9' AND id = 9", 1},
			{"items", "tag = 'i1' AND owner_id = (SELECT id FROM players WHERE tag = 'p1')", 1},
			{"items", "tag = 'I1' AND owner_id = (SELECT id FROM players WHERE tag = 'P9')", 1},
			{"items", "tag = 'I5' AND owner_id = (SELECT id FROM players WHERE tag = 'P2')", 1},
			{"items", "tag = 'i3' AND owner_id <> 9 AND owner_id NOT IN (SELECT id FROM players)", 1}, // the first shard's dead 9 is the second's player
			{"items", "owner_id = 0", 2},
			{"guilds", "tag = 'G1' AND leader_id = (SELECT id FROM players WHERE tag = 'P2')", 1},
			{"players", "tag = 'P2' AND guild_id = (SELECT id FROM guilds WHERE tag = 'G1')", 1},
			{"stats", "tag = 'T1' AND player_id = (SELECT id FROM players WHERE tag = 'P1')", 1},
			{"stats", "tag = 'T9' AND player_id = 9", 1},
		},
		damage: []string{
			"UPDATE items SET owner_id = 1 WHERE tag = 'I1'",
			"UPDATE items SET owner_id = 9 WHERE tag = 'i3'",
			"DELETE FROM stats WHERE tag = 'T1'",
			"INSERT INTO items VALUES(777, 1, 'i1')",
			"UPDATE players SET tag = 'P1' WHERE tag = 'p1'",
		},
	},
	{
		name: "policies, composite keys, kinds, names",
		schema: `CREATE TABLE players(id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(12) NOT NULL UNIQUE, tag VARCHAR(20) NOT NULL);
CREATE TABLE friends(a BIGINT NOT NULL, b BIGINT NOT NULL, tag VARCHAR(20) NOT NULL, PRIMARY KEY(a, b));
CREATE TABLE maps(id BIGINT NOT NULL PRIMARY KEY, tag VARCHAR(20) NOT NULL);
CREATE TABLE houses(id BIGINT NOT NULL PRIMARY KEY, map_id BIGINT NOT NULL, coins BIGINT NOT NULL, lvl BIGINT NOT NULL);
CREATE TABLE log(kind BIGINT NOT NULL, target BIGINT, tag VARCHAR(20) NOT NULL);
CREATE TABLE ranks(pos BIGINT NOT NULL PRIMARY KEY, player_id BIGINT NOT NULL);
`,
		shards: []string{
			`INSERT INTO players VALUES(1, 'bob', 'p1'), (2, 'eve', 'p2'); INSERT INTO friends VALUES(1, 2, 'f1'); INSERT INTO maps VALUES(1, 'm'), (2, 'n');
INSERT INTO houses VALUES(7, 1, 70, 1); INSERT INTO log VALUES(1, 1, 'l1'), (2, 1, 'l2'), (3, 1, 'l3'); INSERT INTO ranks VALUES(1, 2);`,
			`INSERT INTO players VALUES(1, 'bob', 'P1'), (2, 'ann', 'P2'); INSERT INTO friends VALUES(1, 2, 'F1'), (2, 1, 'F2'); INSERT INTO maps VALUES(1, 'm'), (2, 'n');
INSERT INTO houses VALUES(7, 1, 50, 3), (8, 2, 1, 1); INSERT INTO log VALUES(1, 1, 'L1'), (2, 1, 'L2'), (3, 1, 'L3'); INSERT INTO ranks VALUES(1, 1);`,
		},
		plan: `keys: [{key: players.id, new: shift}, {key: maps.id, new: static}]
references:
  - {from: friends.a, to: players.id}
  - {from: friends.b, to: players.id}
  - {from: houses.map_id, to: maps.id}
  - {from: log.target, to: players.id, when: "kind = 1"}
  - {from: log.target, to: maps.id, when: "kind = 2"}
  - {from: log.target, as: keep, when: "kind = 3"}
  - {from: ranks.player_id, to: players.id}
tables:
  - {table: maps, rows: first}
  - {table: houses, rows: union, columns: {coins: {sum: 100}, lvl: max}}
  - {table: ranks, rows: empty}
  - {table: log, rows: merge}
uniques: [{unique: players.name, on_conflict: rename, template: "S{server}.{value}"}]
`,
		want: []count{
			{"players", "name = 'bob' AND tag = 'p1'", 1},
			{"players", "name = 'S2.bob' AND tag = 'P1'", 1},
			{"friends", "tag = 'F2' AND a = (SELECT id FROM players WHERE tag = 'P2') AND b = (SELECT id FROM players WHERE tag = 'P1')", 1},
			{"maps", "tag IN ('m', 'n')", 2},
			{"houses", "id = 7 AND coins = 100 AND lvl = 3", 1},
			{"houses", "id = 8 AND coins = 1", 1},
			{"log", "tag = 'L1' AND target = (SELECT id FROM players WHERE tag = 'P1')", 1},
			{"log", "tag IN ('L2', 'L3') AND target = 1", 2},
			{"ranks", "pos IS NOT NULL", 0},
		},
		damage: []string{
			"UPDATE players SET name = 'S2.bobby' WHERE tag = 'P1'",
			"UPDATE houses SET coins = 99 WHERE id = 7",
			"UPDATE log SET target = 1 WHERE tag = 'L1'",
			"INSERT INTO ranks VALUES(1, 1)",
		},
	},
}
