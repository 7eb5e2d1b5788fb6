package discover_test

import (
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// games are three more kinds of game: one of cards and luck whose tables call every player's key by one name, a war of lords and alliances, and a text adventure.
func games() []world {
	return []world{
		{name: "gacha", holes: 0.06, tables: []tbl{
			{"gc_user", 800, false, []col{auto("uid"), word("nick"), num("lv", 1, 90), num("diamond", 0, 9000), maybe("club_id", "gc_club.id", 0.5), num("avatar_id", 1, 40)}},
			{"gc_card", 3000, false, []col{auto("id"), ref("uid", "gc_user.uid"), cat("proto_id", 1000, 1900), num("star", 1, 6), num("exp", 0, 3000)}},
			{"gc_deck", 900, false, []col{auto("id"), ref("uid", "gc_user.uid"), num("pos", 1, 5), ref("card1", "gc_card.id"), ref("card2", "gc_card.id"), maybe("card3", "gc_card.id", 0.3)}},
			{"gc_club", 40, false, []col{auto("id"), word("title"), ref("boss_uid", "gc_user.uid"), num("fund", 0, 800)}},
			{"gc_club_apply", 120, false, []col{auto("id"), ref("club_id", "gc_club.id"), ref("uid", "gc_user.uid"), num("ts", 1600000000, 1700000000)}},
			{"gc_pull_log", 2500, false, []col{auto("id"), ref("uid", "gc_user.uid"), num("pool", 1, 12), cat("proto_id", 1000, 1900)}},
			{"gc_arena", 800, false, []col{same1("uid", "gc_user.uid"), seq("rank"), maybe("last_foe", "gc_user.uid", 0.2)}},
			{"gc_arena_log", 1500, false, []col{auto("id"), ref("atk_uid", "gc_user.uid"), ref("def_uid", "gc_user.uid"), num("won", 0, 1), ref("atk_deck", "gc_deck.id"), ref("def_deck", "gc_deck.id")}},
			{"gc_gift", 600, false, []col{auto("id"), ref("from_uid", "gc_user.uid"), ref("to_uid", "gc_user.uid"), num("amount", 1, 50)}},
			{"gc_pool", 25, true, []col{pk("id"), word("name"), num("weight", 1, 100)}},
			{"gc_raid", 30, false, []col{auto("id"), ref("club_id", "gc_club.id"), ref("starter", "gc_user.uid"), num("hp", 1, 100000)}},
			{"gc_raid_hit", 900, false, []col{auto("id"), ref("raid_id", "gc_raid.id"), ref("uid", "gc_user.uid"), ref("card_id", "gc_card.id"), num("dmg", 1, 9000)}},
		}},
		{name: "slg", holes: 0.12, tables: []tbl{
			{"Lord", 600, false, []col{natural("LordId"), word("Name"), maybe("AllianceId", "Alliance.Id", 0.4), ref("CapitalCityId", "City.Id"), num("Might", 1, 90000)}},
			{"Alliance", 30, false, []col{auto("Id"), word("Tag"), ref("Chief", "Lord.LordId"), ref("Vice1", "Lord.LordId"), ref("Vice2", "Lord.LordId"), num("Flag", 1, 60)}},
			{"City", 900, false, []col{auto("Id"), maybe("OwnerLord", "Lord.LordId", 0.2), num("X", 1, 500), num("Y", 1, 500), num("WallLevel", 1, 30)}},
			{"March", 700, false, []col{auto("Id"), ref("LordId", "Lord.LordId"), ref("FromCity", "City.Id"), ref("ToCity", "City.Id"), num("ArriveAt", 1600000000, 1700000000)}},
			{"MarchTroop", 2000, false, []col{ref("MarchId", "March.Id"), num("UnitType", 1, 20), num("Count", 1, 900)}},
			{"Report", 1500, false, []col{auto("Id"), ref("Attacker", "Lord.LordId"), ref("Defender", "Lord.LordId"), ref("City", "City.Id"), num("Loot", 0, 9000)}},
			{"Treaty", 25, false, []col{auto("Id"), ref("AllianceA", "Alliance.Id"), ref("AllianceB", "Alliance.Id"), num("Kind", 1, 3)}},
			{"Throne", 3, false, []col{pk("Id"), ref("King", "Lord.LordId"), ref("Regent", "Lord.LordId"), ref("HoldingAlliance", "Alliance.Id")}},
			{"Hero", 1800, false, []col{auto("Id"), ref("Lord", "Lord.LordId"), num("TemplateId", 1, 80), maybe("GarrisonCity", "City.Id", 0.6)}},
			{"Chat", 1200, false, []col{auto("Id"), ref("Speaker", "Lord.LordId"), {name: "Scope", kind: "kind", hi: 3}, split("Target", "Scope", map[string]string{"1": "Alliance.Id", "2": "Lord.LordId", "3": ""})}},
			{"Rally", 80, false, []col{auto("Id"), ref("Leader", "Lord.LordId"), ref("TargetCity", "City.Id"), ref("AllianceId", "Alliance.Id")}},
			{"RallyJoin", 300, false, []col{ref("RallyId", "Rally.Id"), ref("LordId", "Lord.LordId"), ref("MarchId", "March.Id")}},
			{"Research", 900, false, []col{auto("Id"), ref("LordId", "Lord.LordId"), num("TechId", 1, 120), num("Level", 1, 20)}},
		}},
		{name: "mud houses", holes: 0.03, opt: func(w *truth) { w.quiet["clans.hall"] = true /* rooms are static */ }, tables: []tbl{
			{"accounts", 300, false, []col{auto("id"), word("email")}},
			{"chars", 500, false, []col{auto("id"), ref("acct", "accounts.id"), word("name"), maybe("clan", "clans.id", 0.5), ref("room", "rooms.vnum"), maybe("mentor", "chars.id", 0.7)}},
			{"clans", 9, false, []col{auto("id"), word("name"), ref("founder", "chars.id"), ref("treasurer", "chars.id"), ref("hall", "rooms.vnum")}},
			{"rooms", 700, true, []col{pk("vnum"), word("title"), num("sector", 1, 9)}},
			{"objs", 1500, false, []col{auto("id"), ref("carried_by", "chars.id"), num("proto", 1, 900), maybe("inside", "objs.id", 0.8)}},
			{"houses", 40, false, []col{auto("id"), ref("owner", "chars.id"), ref("room", "rooms.vnum"), maybe("guest1", "chars.id", 0.5), maybe("guest2", "chars.id", 0.6)}},
			{"notes", 400, false, []col{auto("id"), ref("author", "chars.id"), maybe("reply_to", "notes.id", 0.6)}},
			{"votes", 200, false, []col{ref("clan", "clans.id"), ref("voter", "chars.id"), ref("candidate", "chars.id")}},
			{"duels", 6, false, []col{auto("id"), ref("p1", "chars.id"), ref("p2", "chars.id"), maybe("winner", "chars.id", 0.3)}},
			{"bans", 15, false, []col{auto("id"), ref("acct", "accounts.id"), ref("by_char", "chars.id"), num("until", 1600000000, 1700000000)}},
		}},
	}
}

func TestGames(t *testing.T) {
	least := map[string]int{"gacha": 11, "slg": 18}
	for _, w := range games() {
		for seed := uint64(1); seed <= 3; seed++ {
			if s := report(t, w.name, run(t, pair(t, w, seed), discover.Options{}), w.truth()); s.certain < least[w.name] {
				t.Errorf("%s, seed %d: %d references are certain, want at least %d", w.name, seed, s.certain, least[w.name])
			}
		}
	}
}

// A key that holds another table's keys is not what a column of its name refers to, where that other key has all of the column's values too.
func TestRepeatedKeyLeadsOn(t *testing.T) {
	p := find(run(t, pair(t, games()[0], 2), discover.Options{}), "gc_club_apply.uid")
	if p == nil || p.To[0] != (merge.Col{Table: "gc_user", Name: "uid"}) {
		t.Errorf("gc_club_apply.uid: got %+v, want gc_user.uid, whose keys gc_arena.uid repeats", p)
	}
}
