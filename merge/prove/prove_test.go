package prove_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/prove"
)

// Two tables of which one repeats the names of the other, which an index tells apart without case, or none.
const (
	strangers = `CREATE TABLE heroes(id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE letters(who TEXT);`
	heroes    = strangers + `CREATE UNIQUE INDEX heroes_name ON heroes(lower(name));`
)

// letters records the reference of letters to the names of heroes.
func letters(collate string) func(*merge.Memory, *merge.Plan) {
	return func(m *merge.Memory, p *merge.Plan) {
		r := ref(col("letters", "who"), col("heroes", "name"), "")
		r.As = merge.Copy
		m.References, p.References = append(m.References, merge.MemoryReference{Reference: r}), append(p.References, r)
		p.Keys = append(p.Keys, merge.KeyPlan{Key: col("heroes", "id"), New: merge.Shift})
		if collate != "" {
			p.Uniques = append(p.Uniques, merge.UniquePlan{Unique: r.To, OnConflict: "rename", Template: "{shard}.{value}", Collate: collate})
		}
	}
}

// accounts are heroes whose names are another table's key, which letters name.
const accounts = strangers + `CREATE TABLE accounts(name TEXT PRIMARY KEY);`

// account records that accounts repeat the names of heroes, in a form, and letters those of accounts. Of names that are not renamed a dead one has a tombstone.
func account(via, old, name string) func(*merge.Memory, *merge.Plan) {
	return func(m *merge.Memory, p *merge.Plan) {
		hero, key := col("heroes", "name"), col("accounts", "name")
		copied, named := ref(key, hero, ""), ref(col("letters", "who"), key, "")
		copied.As, copied.Via = merge.Copy, via
		m.References = append(m.References, merge.MemoryReference{Reference: copied}, merge.MemoryReference{Reference: named, Spaces: []merge.Col{{}}})
		p.References = append(p.References, copied, named)
		p.Keys = append(p.Keys, merge.KeyPlan{Key: col("heroes", "id"), New: merge.Shift})
		p.Uniques = append(p.Uniques, merge.UniquePlan{Unique: []merge.Col{hero}, OnConflict: "rename", Template: "{shard}.{value}"})
		if old == "" {
			m.Buried = append(m.Buried, merge.MemoryBuried{Key: hero, Shard: "s2", Old: "zoe", New: "s2.zoe"})
			return
		}
		m.Renames = append(m.Renames, merge.MemoryRename{Unique: []merge.Col{hero}, Column: hero, Shard: "s2", Row: []any{int64(2)}, Old: old, New: name})
	}
}

func TestLettersOfTheLivingAreProven(t *testing.T) {
	r, err := world{
		first: heroes, second: heroes + `INSERT INTO heroes VALUES(1, 'Zoe'); INSERT INTO letters VALUES('zoe'), ('kim')`,
		merged: heroes + `INSERT INTO letters VALUES('zoe'), ('kim'); INSERT INTO heroes VALUES(1, 'Zoe')`, record: letters("NOCASE"),
	}.prove(t)
	if err != nil || !r.OK {
		t.Fatalf("got %v and a failed proof:\n%s", err, failures(r))
	}
}

func TestTheRightMergeIsProven(t *testing.T) {
	r, err := world{}.prove(t)
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK {
		t.Fatalf("got a failed proof of the right merge:\n%s%+v", failures(r), r.Bad)
	}
	for _, name := range []string{prove.CheckMaps, prove.CheckPlan, prove.CheckRows, prove.CheckReferences, prove.CheckRenames, prove.CheckObjects, prove.CheckCounters, prove.CheckIntegrity, prove.CheckForeign} {
		found := false
		for _, c := range r.Checks {
			found = found || c.Name == name
		}
		if !found {
			t.Errorf("got no check named %q", name)
		}
	}
	if !strings.Contains(r.Claim, "outside this proof") {
		t.Errorf("got the claim %q, want its limit stated", r.Claim)
	}
}

func TestEveryPlantedFaultIsNamed(t *testing.T) {
	space := func(table, shard string, change func(*merge.MemorySpace)) func(*merge.Memory, *merge.Plan) {
		return func(m *merge.Memory, _ *merge.Plan) {
			for i := range m.Spaces {
				if m.Spaces[i].Key.Table == table && m.Spaces[i].Shard == shard {
					change(&m.Spaces[i])
				}
			}
		}
	}
	tests := []struct {
		name                 string
		w                    world
		check, table, column string
	}{
		{"unshifted reference", world{merged: `UPDATE items SET owner_id = 1 WHERE id = 11`}, prove.CheckRows, "items", "owner_id"},
		{"captured orphan in the rows", world{merged: `UPDATE items SET owner_id = 5 WHERE id = 12`}, prove.CheckRows, "items", "owner_id"},
		{"captured orphan in rows and record", world{merged: `UPDATE items SET owner_id = 5 WHERE id = 12`, record: space("players", "s2", func(s *merge.MemorySpace) { s.Tombstones = s.Tombstones[1:] })}, prove.CheckReferences, "items", "owner_id"},
		{"reused dead value", world{merged: `UPDATE items SET owner_id = 92 WHERE id = 5`, record: space("players", "s2", func(s *merge.MemorySpace) { s.Tombstones[1].New = 92 })}, prove.CheckMaps, "players", "id"},
		{"reused dead value that stayed", world{merged: `UPDATE items SET owner_id = 44 WHERE id IN (5, 6)`, record: func(m *merge.Memory, _ *merge.Plan) {
			m.Spaces[0].Tombstones, m.Spaces[1].Tombstones = nil, m.Spaces[1].Tombstones[:1]
		}}, prove.CheckReferences, "items", "owner_id"},
		{"tombstone that means nobody", world{merged: `UPDATE items SET owner_id = 0 WHERE id = 5`, record: space("players", "s2", func(s *merge.MemorySpace) { s.Tombstones[1].New = 0 })}, prove.CheckMaps, "players", "id"},
		{"new key that means nobody", world{record: func(m *merge.Memory, p *merge.Plan) {
			m.References[6].Reference.None, p.References[6].None = []any{"101"}, []any{"101"}
		}}, prove.CheckMaps, "players", "id"},
		{"tombstone alive", world{merged: `INSERT INTO players VALUES(90, 'Zed', 0, 1)`}, prove.CheckMaps, "players", "id"},
		{"folded starter rows", world{merged: `DELETE FROM items WHERE id = 11`}, prove.CheckRows, "items", ""},
		{"lost row", world{merged: `DELETE FROM friends WHERE a = 7`}, prove.CheckRows, "friends", ""},
		{"extra row", world{merged: `INSERT INTO friends VALUES(5, 7)`}, prove.CheckRows, "friends", ""},
		{"lost row without a key", world{merged: `DELETE FROM log WHERE rowid = 1`}, prove.CheckRows, "log", ""},
		{"doubled row without a key", world{merged: `INSERT INTO log VALUES(1, 'x')`}, prove.CheckRows, "log", ""},
		{"swapped pair", world{merged: `UPDATE items SET amount = CASE id WHEN 11 THEN 4 ELSE 3 END WHERE id IN (11, 12)`}, prove.CheckRows, "items", "amount"},
		{"float for an integer", world{merged: `UPDATE players SET luck = 5.0 WHERE id = 1`}, prove.CheckRows, "players", "luck"},
		{"text id left", world{merged: `UPDATE log SET who = '1' WHERE who = '101'`}, prove.CheckRows, "log", "who"},
		{"text id became a number", world{merged: `UPDATE log SET who = 101 WHERE who = '101'`}, prove.CheckRows, "log", "who"},
		{"text case under NOCASE", world{merged: `UPDATE players SET name = 'DAN' WHERE id = 101`}, prove.CheckRows, "players", "name"},
		{"text case without a key", world{merged: `UPDATE log SET what = 'X' WHERE rowid = 3`}, prove.CheckRows, "log", "what"},
		{"key changed without need", world{merged: `UPDATE items SET id = 14 WHERE id = 4`, record: space("items", "s2", func(s *merge.MemorySpace) { s.Runs = append(s.Runs, run(4, 1, 14)) })}, prove.CheckMaps, "items", "id"},
		{"stale counter", world{merged: `UPDATE seq SET next = 12`}, prove.CheckRows, "seq", "next"},
		{"stale AUTOINCREMENT", world{merged: `UPDATE sqlite_sequence SET seq = 101 WHERE name = 'players'`}, prove.CheckCounters, "players", "id"},
		{"lost trigger", world{merged: `DROP TRIGGER items_gone`}, prove.CheckObjects, "items", ""},
		{"changed view", world{merged: `DROP VIEW rich; CREATE VIEW rich AS SELECT id, name FROM players`}, prove.CheckObjects, "", ""},
		{"added column", world{merged: `ALTER TABLE items ADD COLUMN g INTEGER REFERENCES players(id) ON DELETE CASCADE`}, prove.CheckObjects, "items", ""},
		{"added column that no insert of the game fills", world{merged: `ALTER TABLE items ADD COLUMN g TEXT NOT NULL DEFAULT 'x'`}, prove.CheckObjects, "items", ""},
		{"added generated column", world{merged: `ALTER TABLE items ADD COLUMN g AS (amount + 1)`}, prove.CheckObjects, "items", ""},
		{"lost index", world{merged: `DROP INDEX items_owner`}, prove.CheckObjects, "items", ""},
		{"reference moved to another player", world{merged: `UPDATE guilds SET leader = 101 WHERE id = 20`}, prove.CheckRows, "guilds", "leader"},
		{"conditional target mapped under the wrong kind", world{merged: `UPDATE targets SET target = 101 WHERE id = 32`}, prove.CheckRows, "targets", "target"},
		{"condition that holds of as many other rows", world{
			second: `UPDATE targets SET target = 2 WHERE id = 1; INSERT INTO targets VALUES(4, 3, 102)`,
			merged: `UPDATE targets SET target = 102 WHERE id = 31; INSERT INTO targets VALUES(4, 3, 102)`,
			record: func(m *merge.Memory, p *merge.Plan) {
				const last = "target = (SELECT max(leader) FROM guilds)"
				m.References[2].Reference.When, p.References[2].When = last, last
			},
		}, prove.CheckReferences, "targets", "target"},
		{"reference recorded under another key", world{merged: `UPDATE guilds SET leader = 2 WHERE id = 20`, record: func(m *merge.Memory, _ *merge.Plan) { m.References[0].Spaces = []merge.Col{col("guilds", "id")} }}, prove.CheckReferences, "guilds", "leader"},
		{"reference of the plan not carried out", world{merged: `UPDATE guilds SET leader = 2 WHERE id = 20`, record: func(m *merge.Memory, _ *merge.Plan) { m.References = m.References[1:] }}, prove.CheckPlan, "guilds", "leader"},
		{"composite key half mapped", world{merged: `UPDATE friends SET b = 2 WHERE a = 101`}, prove.CheckRows, "friends", ""},
		{"hostile names", world{merged: `UPDATE "odd ""t"" x" SET "; DROP" = 'Q' WHERE "a.b" = 2`}, prove.CheckRows, `odd "t" x`, "; DROP"},
		{"null in a key", world{merged: `DELETE FROM notes WHERE rowid = 3`}, prove.CheckRows, "notes", ""},
		{"first, the second one's row", world{merged: `UPDATE templates SET name = 'Bow' WHERE id = 2`}, prove.CheckRows, "templates", "name"},
		{"rename left out", world{merged: `UPDATE players SET name = 'bob2' WHERE id = 102`}, prove.CheckRows, "players", "name"},
		{"rename without its mark", world{merged: `UPDATE players SET renamed = 0 WHERE id = 102`}, prove.CheckRows, "players", "renamed"},
		{"copy left", world{merged: `UPDATE mail SET sender_name = 'bob' WHERE id = 41`}, prove.CheckRows, "mail", "sender_name"},
		{"the winner renamed", world{
			merged: `UPDATE players SET name = 'S1.Bob', renamed = 1 WHERE id = 2; UPDATE players SET name = 'bob', renamed = 0 WHERE id = 102; UPDATE mail SET sender_name = 'bob' WHERE id = 41`,
			record: func(m *merge.Memory, _ *merge.Plan) {
				m.Renames[0].Shard, m.Renames[0].Row, m.Renames[0].Old, m.Renames[0].New = "s1", []any{int64(2)}, "Bob", "S1.Bob"
			},
		}, prove.CheckRenames, "players", "name"},
		{"the winner by the plan's order renamed", world{record: func(_ *merge.Memory, p *merge.Plan) { p.Uniques[0].Winner = "luck DESC" }}, prove.CheckRenames, "players", "name"},
		{"renamed without need", world{
			merged: `UPDATE players SET name = 'S2.Gus', renamed = 1 WHERE id = 7; UPDATE mail SET sender_name = 'S2.Gus' WHERE id = 2`,
			record: func(m *merge.Memory, _ *merge.Plan) {
				more := m.Renames[0]
				more.Row, more.Old, more.New = []any{int64(7)}, "Gus", "S2.Gus"
				m.Renames = append(m.Renames, more)
			},
		}, prove.CheckRenames, "players", "name"},
		{"renamed twice in the record", world{record: func(m *merge.Memory, _ *merge.Plan) {
			more := m.Renames[0]
			more.New = "S2.bob1"
			m.Renames = append(m.Renames, more)
		}}, prove.CheckRenames, "players", "name"},
		{"renamed twice in the record, once by its old key", world{record: func(m *merge.Memory, _ *merge.Plan) {
			more := m.Renames[0]
			more.Row, more.New = []any{int64(2)}, "S2.bob1"
			m.Renames = append(m.Renames, more)
		}}, prove.CheckRenames, "players", "name"},
		{"renamed row recorded under its old key", world{record: func(m *merge.Memory, _ *merge.Plan) { m.Renames[0].Row = []any{int64(2)} }}, prove.CheckRenames, "players", "name"},
		{"renamed player's name in another case since", world{second: `UPDATE players SET name = 'BOB' WHERE id = 2`}, prove.CheckRows, "players", "name"},
		{"renamed player's name gone since", world{second: `UPDATE players SET name = 'Zed' WHERE id = 2`}, prove.CheckRows, "players", "name"},
		{"renamed player gone since", world{second: `DELETE FROM players WHERE id = 2`}, prove.CheckRenames, "players", "name"},
		{"renamed players swapped names since", world{
			first:  `INSERT INTO players VALUES(8, 'Eve', 0, 0)`,
			second: `INSERT INTO players VALUES(9, 'bob?', 0, 0); UPDATE players SET name = 'eve' WHERE id = 2; UPDATE players SET name = 'bob' WHERE id = 9`,
			merged: `INSERT INTO players VALUES(8, 'Eve', 0, 0), (9, 'S2.eve', 1, 0)`,
			record: func(m *merge.Memory, _ *merge.Plan) {
				more := m.Renames[0]
				more.Row, more.Old, more.New = []any{int64(9)}, "eve", "S2.eve"
				m.Renames = append(m.Renames, more)
			},
		}, prove.CheckRows, "players", "name"},
		{"counter at the last number", world{merged: `UPDATE seq SET next = 9223372036854775807`}, prove.CheckRows, "seq", "next"},
		{"counter far above", world{merged: `UPDATE seq SET next = 14`}, prove.CheckRows, "seq", "next"},
		{"counter that went on since", world{second: `UPDATE seq SET next = 5000`, record: func(_ *merge.Memory, p *merge.Plan) {
			p.Tables[1].Rows, p.Tables[1].Columns = merge.UnionRows, map[string]merge.Combine{"next": {How: "max"}}
		}}, prove.CheckRows, "seq", "next"},
		{"old name recorded in another case", world{record: func(m *merge.Memory, _ *merge.Plan) { m.Renames[0].Old, m.Renames[0].New = "BOB", "S2.BOB" }, merged: `UPDATE players SET name = 'S2.BOB' WHERE id = 102; UPDATE mail SET sender_name = 'S2.BOB' WHERE id = 41`}, prove.CheckRows, "players", "name"},
		{"new name taken", world{first: `INSERT INTO players VALUES(6, 's2.BOB', 0, 0)`}, prove.CheckRenames, "players", "name"},
		{"a dead name in other letters, by an index", world{
			first: heroes + `INSERT INTO letters VALUES('zoe')`, second: heroes + `INSERT INTO heroes VALUES(1, 'Zoe')`,
			merged: heroes + `INSERT INTO letters VALUES('zoe'); INSERT INTO heroes VALUES(1, 'Zoe')`, record: letters(""),
		}, prove.CheckReferences, "letters", "who"},
		{"a dead name in other letters, by the plan", world{
			first: strangers + `INSERT INTO letters VALUES('zoe')`, second: strangers + `INSERT INTO heroes VALUES(1, 'Zoe')`,
			merged: strangers + `INSERT INTO letters VALUES('zoe'); INSERT INTO heroes VALUES(1, 'Zoe')`, record: letters("NOCASE"),
		}, prove.CheckReferences, "letters", "who"},
		{"a reference to a key that followed renames", world{
			first: accounts + `INSERT INTO heroes VALUES(1, 'Zoe'); INSERT INTO accounts VALUES('zoe')`, second: accounts + `INSERT INTO heroes VALUES(2, 'Zoe'); INSERT INTO accounts VALUES('zoe'); INSERT INTO letters VALUES('zoe')`,
			merged: accounts + `INSERT INTO heroes VALUES(1, 'Zoe'), (2, 's2.Zoe'); INSERT INTO accounts VALUES('zoe'), ('s2.zoe'); INSERT INTO letters VALUES('zoe')`, record: account("lower", "Zoe", "s2.Zoe"),
		}, prove.CheckReferences, "letters", "who"},
		{"a reference to a key of which dead texts changed", world{
			first: accounts + `INSERT INTO heroes VALUES(1, 'zoe'); INSERT INTO accounts VALUES('zoe')`, second: accounts + `INSERT INTO accounts VALUES('zoe'); INSERT INTO letters VALUES('zoe')`,
			merged: accounts + `INSERT INTO heroes VALUES(1, 'zoe'); INSERT INTO accounts VALUES('zoe'), ('s2.zoe'); INSERT INTO letters VALUES('zoe')`, record: account("", "", ""),
		}, prove.CheckReferences, "letters", "who"},
		{"table not emptied", world{merged: `INSERT INTO sessions VALUES('t1')`}, prove.CheckRows, "sessions", ""},
		{"unknown table", world{merged: `CREATE TABLE extra(x)`}, prove.CheckTables, "extra", ""},
		{"lost table", world{merged: `DROP TABLE notes`}, prove.CheckTables, "notes", ""},
		{"two keys became one", world{record: space("guilds", "s2", func(s *merge.MemorySpace) { s.Runs = nil })}, prove.CheckMaps, "guilds", "id"},
		{"runs overlap", world{record: space("players", "s2", func(s *merge.MemorySpace) { s.Tombstones = append(s.Tombstones, tomb(2, 99)) })}, prove.CheckMaps, "players", "id"},
		{"IDs of another server", world{record: space("mail", "s2", func(s *merge.MemorySpace) {
			s.Runs = []merge.Run{{Old: 1, Count: 1, New: merge.IDAt(1, 1), Rule: merge.GameID}}
		})}, prove.CheckMaps, "mail", "id"},
		{"foreign key broken anew", world{merged: `PRAGMA foreign_keys = OFF; UPDATE guilds SET leader = 999 WHERE id = 20`}, prove.CheckForeign, "guilds", ""},
		{"unique constraint lost", world{merged: `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'luck)', 'luck INT)') WHERE name = 'players'; PRAGMA writable_schema = OFF`}, prove.CheckObjects, "players", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := tt.w.prove(t)
			if err != nil {
				t.Fatal(err)
			}
			if r.OK {
				t.Fatal("got a proof, want none")
			}
			for _, c := range r.Checks {
				if !c.OK && c.Name == tt.check && c.Table == tt.table && (tt.column == "" || c.Column == tt.column) {
					return
				}
			}
			t.Errorf("want check %q of %s.%s to fail, got:\n%s", tt.check, tt.table, tt.column, failures(r))
		})
	}
}

func TestTheInputsMustBeTheRecordedOnes(t *testing.T) {
	for _, rec := range []func(*merge.Memory, *merge.Plan){
		func(m *merge.Memory, _ *merge.Plan) { m.Shards[0].Name = "other" },
		func(m *merge.Memory, _ *merge.Plan) { m.Shards[0], m.Shards[1] = m.Shards[1], m.Shards[0] },
		func(m *merge.Memory, _ *merge.Plan) { m.Shards = append(m.Shards, merge.Source{Name: "s3"}) },
	} {
		_, err := world{record: rec}.prove(t)
		var wrong *prove.InputError
		if !errors.As(err, &wrong) {
			t.Errorf("got %v, want an *InputError", err)
		}
	}
}
