package discover_test

import (
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/discover"
)

// worlds are games in the habits that real schemas have, each with its own traps.
func worlds() []world {
	return []world{
		{name: "guid everywhere", holes: 0.1, tables: []tbl{
			{"characters", 900, false, []col{natural("guid"), num("account", 1, 5000), word("name"), num("level", 1, 80), num("money", 0, 90000), num("totaltime", 1, 900000), num("zone", 1, 400)}},
			{"character_stats", 850, false, []col{same1("guid", "characters.guid"), num("maxhealth", 100, 9000), num("strength", 1, 90)}},
			{"character_aura", 1500, false, []col{ref("guid", "characters.guid"), num("spell", 1, 9000), num("remaintime", 0, 90000)}},
			{"character_pet", 500, false, []col{natural("id"), num("entry", 1, 3000), ref("owner", "characters.guid"), num("slot", 0, 5)}},
			{"character_inventory", 2500, false, []col{ref("guid", "characters.guid"), num("slot", 0, 38), ref("item", "item_instance.guid"), ref("item_template", "item_template.entry")}},
			{"item_instance", 3000, false, []col{natural("guid"), ref("owner_guid", "characters.guid"), num("itemcount", 1, 20), num("durability", 0, 100)}},
			{"item_template", 300, true, []col{natural("entry"), word("name"), num("quality", 0, 6), num("buyprice", 1, 300)}},
			{"guild", 60, false, []col{natural("guildid"), word("name"), ref("leaderguid", "characters.guid"), num("emblemstyle", 1, 40)}},
			{"guild_member", 700, false, []col{ref("guildid", "guild.guildid"), ref("guid", "characters.guid"), num("rank", 1, 9)}},
			{"groups", 80, false, []col{natural("guid"), ref("leader_guid", "characters.guid"), num("loot_method", 0, 4)}},
			{"group_member", 300, false, []col{ref("guid", "groups.guid"), ref("member_guid", "characters.guid"), num("subgroup", 0, 7)}},
			{"mail", 800, false, []col{natural("id"), ref("sender", "characters.guid"), ref("receiver", "characters.guid"), num("cod", 0, 1000), word("subject")}},
			{"mail_items", 500, false, []col{ref("mail_id", "mail.id"), ref("item_guid", "item_instance.guid"), ref("receiver", "characters.guid")}},
			{"auctionhouse", 200, false, []col{natural("id"), ref("itemguid", "item_instance.guid"), ref("itemowner", "characters.guid"), maybe("buyguid", "characters.guid", 0.5), num("startbid", 1, 3000)}},
		}},
		{name: "camel case", holes: 0.08, tables: []tbl{
			{"Accounts", 700, false, []col{pk("AccountId"), word("Login"), num("Status", 0, 3)}},
			{"Players", 900, false, []col{pk("PlayerId"), ref("AccountId", "Accounts.AccountId"), maybe("GuildId", "Guilds.GuildId", 0.4), num("Level", 1, 100), num("Gold", 0, 900), num("TitleId", 1, 60)}},
			{"Guilds", 50, false, []col{pk("GuildId"), ref("LeaderPlayerId", "Players.PlayerId"), word("Name")}},
			{"InventoryItems", 2500, false, []col{pk("InventoryItemId"), ref("OwnerPlayerId", "Players.PlayerId"), ref("ItemTemplateId", "ItemTemplates.ItemTemplateId"), num("StackCount", 1, 99)}},
			{"ItemTemplates", 200, true, []col{pk("ItemTemplateId"), word("Name"), num("MaxStack", 1, 99)}},
			{"PlayerFriends", 900, false, []col{ref("PlayerId", "Players.PlayerId"), ref("FriendPlayerId", "Players.PlayerId")}},
			{"Marriages", 120, false, []col{auto("Id"), ref("HusbandId", "Players.PlayerId"), ref("WifeId", "Players.PlayerId")}},
			{"PlayerStats", 800, false, []col{same1("PlayerId", "Players.PlayerId"), num("Kills", 0, 900), num("Deaths", 0, 900)}},
		}},
		{name: "abbreviations, prefix", holes: 0.1, tables: []tbl{
			{"t_role", 900, false, []col{pk("id"), num("lv", 1, 99), num("exp", 0, 1000), word("nick"), maybe("gang_id", "t_gang.id", 0.3)}},
			{"t_gang", 60, false, []col{pk("id"), word("name"), ref("chief_id", "t_role.id")}},
			{"t_gang_mem", 700, false, []col{auto("id"), ref("gang_id", "t_gang.id"), ref("role_id", "t_role.id"), num("pos", 1, 5)}},
			{"t_equipment", 2200, false, []col{pk("id"), ref("role_id", "t_role.id"), num("base_id", 1, 5000), num("star", 0, 9)}},
			{"t_equip_gem", 900, false, []col{auto("id"), ref("equip_id", "t_equipment.id"), num("gem_id", 1, 3000)}},
			{"t_mail", 800, false, []col{auto("id"), ref("from_role", "t_role.id"), ref("to_role", "t_role.id"), num("attach_num", 0, 900)}},
			{"t_arena", 600, false, []col{same1("role_id", "t_role.id"), seq("rank"), num("win", 0, 700)}},
			{"t_config", 40, true, []col{pk("id"), word("v")}},
		}},
		{name: "hub without its name", holes: 0.1, tables: []tbl{
			{"people", 900, false, []col{auto("id"), word("name"), num("level", 1, 99), num("gold", 0, 900)}},
			{"things", 2500, false, []col{auto("id"), ref("owner", "people.id"), num("kind", 1, 40), num("price", 1, 2500)}},
			{"trades", 700, false, []col{auto("id"), ref("buyer", "people.id"), ref("seller", "people.id"), ref("thing_id", "things.id"), num("price", 1, 900)}},
			{"letters", 800, false, []col{auto("id"), ref("sender", "people.id"), ref("recipient", "people.id")}},
			{"kills", 900, false, []col{auto("id"), ref("killer", "people.id"), ref("victim", "people.id"), num("damage", 1, 900)}},
		}},
		{name: "declared keys", holes: 0.05, tables: []tbl{
			{"users", 500, false, []col{auto("id"), word("email")}},
			{"chars", 900, false, []col{auto("id"), fk("user_id", "users.id"), num("gold", 0, 900)}},
			{"bags", 850, false, []col{auto("id"), fk("char_id", "chars.id"), num("size", 1, 40)}},
			{"items", 2000, false, []col{auto("id"), fk("bag_id", "bags.id"), ref("maker_char_id", "chars.id"), num("proto_id", 1, 1800)}},
			{"fights", 700, false, []col{auto("id"), ref("attacker_id", "chars.id"), ref("defender_id", "chars.id"), num("rounds", 1, 30)}},
			{"bans", 80, false, []col{auto("id"), ref("user_id", "users.id"), ref("by_user_id", "users.id")}},
		}},
		{name: "dense, no holes", holes: 0, tables: []tbl{
			{"players", 1000, false, []col{auto("id"), num("level", 1, 100), num("gold", 1, 1000), num("score", 1, 1000), num("class_id", 1, 9), num("title_id", 1, 900)}},
			{"items", 1000, false, []col{auto("id"), ref("player_id", "players.id"), num("template_id", 1, 900), num("power", 1, 1000)}},
			{"shop_log", 900, false, []col{auto("id"), ref("player_id", "players.id"), num("item_id", 1, 990), num("price", 1, 1000)}},
			{"quests_done", 950, false, []col{auto("id"), ref("player_id", "players.id"), num("quest_id", 1, 950), num("npc_id", 1, 950)}},
			{"guilds", 100, false, []col{auto("id"), ref("leader_id", "players.id"), num("level", 1, 100)}},
			{"guild_members", 500, false, []col{auto("id"), ref("guild_id", "guilds.id"), ref("player_id", "players.id"), num("contribution", 1, 1000)}},
		}},
		{name: "catalogue named like items", holes: 0.02, tables: []tbl{
			{"players", 1000, false, []col{auto("id"), num("gold", 1, 1000)}},
			{"items", 1500, false, []col{auto("id"), ref("player_id", "players.id"), num("durability", 1, 100)}},
			{"drops", 900, false, []col{auto("id"), num("item_id", 1, 1450), num("monster_id", 1, 900)}},
			{"kills", 900, false, []col{auto("id"), ref("player_id", "players.id"), num("item_id", 1, 1500)}},
			{"market", 600, false, []col{auto("id"), ref("item_id", "items.id"), ref("seller_id", "players.id"), num("price", 1, 1500)}},
			{"spawn", 200, true, []col{pk("id"), num("item_id", 1, 1400), num("x", 1, 900), word("place")}},
		}},
		{name: "mud", holes: 0.1, tables: []tbl{
			{"accounts", 800, false, []col{pk("id"), word("email")}},
			{"players", 900, false, []col{pk("id"), ref("account_id", "accounts.id"), num("hp", 1, 900), num("room", 1, 800)}},
			{"clans", 40, false, []col{pk("id"), word("name"), ref("leader", "players.id")}},
			{"clan_members", 400, false, []col{pk("id"), ref("clan_id", "clans.id"), ref("char_id", "players.id")}},
			{"objects", 2000, false, []col{pk("id"), maybe("char_id", "players.id", 0.1), num("vnum", 1, 2000)}},
			{"player_skills", 3000, false, []col{ref("player_id", "players.id"), num("skill_id", 1, 200), num("learned", 1, 100)}},
			{"boards", 300, false, []col{pk("id"), ref("author_id", "players.id"), maybe("reply_id", "boards.id", 0.5)}},
			{"friends", 700, false, []col{pk("id"), ref("char_id", "players.id"), ref("friend_id", "players.id")}},
		}},
		{name: "same sizes", holes: 0.08, tables: []tbl{
			{"account", 800, false, []col{auto("id"), word("login")}},
			{"hero", 800, false, []col{auto("id"), ref("account_id", "account.id"), num("gold", 1, 860)}},
			{"pet", 800, false, []col{auto("id"), ref("hero_id", "hero.id"), num("hunger", 1, 860)}},
			{"house", 800, false, []col{auto("id"), ref("owner_id", "hero.id"), num("rent", 1, 860), num("x", 1, 860)}},
			{"party", 800, false, []col{auto("id"), ref("leader_id", "account.id"), ref("captain_hero", "hero.id")}},
			{"duel", 800, false, []col{auto("id"), ref("challenger", "hero.id"), ref("opponent", "hero.id"), ref("winner_pet", "pet.id")}},
		}},
		{name: "large scattered keys", holes: 0, sparse: true, tables: []tbl{
			{"player", 700, false, []col{natural("uid"), word("name"), num("level", 1, 99)}},
			{"item", 1500, false, []col{natural("uid"), ref("pid", "player.uid"), num("cfg", 1, 999)}},
			{"guild", 50, false, []col{natural("uid"), ref("master", "player.uid")}},
			{"member", 500, false, []col{ref("guild_uid", "guild.uid"), ref("player_uid", "player.uid"), num("rank", 1, 5)}},
			{"log", 900, false, []col{ref("a", "player.uid"), ref("b", "item.uid"), num("t", 1700000000, 1800000000)}},
		}},
		{name: "ids in text", holes: 0.1, tables: []tbl{
			{"players", 900, false, []col{auto("id"), word("name")}},
			{"vault", 700, false, []col{auto("id"), textref("player_id", "players.id"), word("note")}},
			{"claims", 300, false, []col{auto("id"), textref("owner_id", "players.id"), num("radius", 1, 60)}},
		}},
		{name: "nameless text and fractions", holes: 0.1, tables: []tbl{
			{"pilots", 900, false, []col{auto("id"), word("callsign")}},
			{"hangars", 700, false, []col{auto("id"), textref("f3", "pilots.id"), word("note")}},
			{"wrecks", 600, false, []col{auto("id"), textref("guid", "pilots.id"), realref("f7", "pilots.id"), num("depth", 1, 900)}},
			{"patrols", 500, false, []col{auto("id"), realref("pilot_id", "pilots.id"), textref("pilot_no", "pilots.id")}},
		}},
		{name: "glued words", holes: 0.1, tables: []tbl{
			{"pilots", 900, false, []col{auto("id"), num("flightrank", 1, 40), ref("squadronid", "squadrons.id"), num("squadronrank", 1, 9)}},
			{"squadrons", 120, false, []col{auto("id"), ref("leaderpilot", "pilots.id"), word("name")}},
			{"bounties", 700, false, []col{auto("id"), ref("killersquadron", "squadrons.id"), ref("targetsquadron", "squadrons.id"), ref("cargoowner", "pilots.id"), num("fuelcount", 1, 900)}},
		}},
		{name: "letter and id", holes: 0.1, tables: []tbl{
			{"hero", 900, false, []col{auto("id"), word("name")}},
			{"realm", 3, false, []col{auto("id"), word("name")}},
			{"deeds", 900, false, []col{auto("id"), ref("hid", "hero.id"), ref("rid", "realm.id"), num("fame", 1, 900)}},
		}},
		{name: "a key that another table's name ends in", holes: 0.1, tables: []tbl{
			{"pilots", 900, false, []col{auto("id"), word("callsign")}},
			{"grounded_pilots", 200, false, []col{same1("pilot_id", "pilots.id"), num("days", 1, 30)}},
			{"medals", 500, false, []col{auto("id"), ref("pilot_id", "pilots.id")}},
		}},
		{name: "mixed by a place", holes: 0.1, tables: []tbl{
			{"pilots", 900, false, []col{auto("id"), word("callsign")}},
			{"squadrons", 80, false, []col{auto("id"), word("motto")}},
			{"cargo", 3000, false, []col{auto("id"), {name: "held", kind: "kind", to: "ship bank depot"}, split("owner_id", "held", map[string]string{"ship": "pilots.id", "bank": "pilots.id", "depot": "squadrons.id"}), num("tons", 1, 99)}},
			{"notices", 1200, false, []col{auto("id"), {name: "form", kind: "kind", hi: 3}, split("sender", "form", map[string]string{"1": "pilots.id", "2": "", "3": "pilots.id"})}},
		}},
		{name: "polymorphic", holes: 0.07, tables: []tbl{
			{"players", 900, false, []col{auto("id"), num("gold", 1, 900)}},
			{"guilds", 80, false, []col{auto("id"), ref("leader_id", "players.id")}},
			{"items", 3000, false, []col{auto("id"), {name: "owner_type", kind: "kind", to: "player guild"}, split("owner_id", "owner_type", map[string]string{"player": "players.id", "guild": "guilds.id"}), num("amount", 1, 99)}},
			{"events", 1500, false, []col{auto("id"), {name: "kind", kind: "kind", hi: 4}, split("target_id", "kind", map[string]string{"1": "players.id", "2": "guilds.id", "3": "items.id", "4": ""}), num("value", 1, 900)}},
		}},
		{name: "two kinds in a row", holes: 0.12, tables: []tbl{
			{"players", 300, false, []col{auto("id"), word("name")}},
			{"guilds", 60, false, []col{auto("id"), ref("owner", "players.id")}},
			{"items", 900, false, []col{auto("id"), num("tpl", 1, 99)}},
			{"events", 1500, false, []col{
				auto("id"),
				{name: "subject", kind: "kind", to: "player guild item system"},
				split("subject_id", "subject", map[string]string{"player": "players.id", "guild": "guilds.id", "item": "items.id", "system": ""}),
				{name: "object", kind: "kind", to: "player guild item zone"},
				split("object_id", "object", map[string]string{"player": "players.id", "guild": "guilds.id", "item": "items.id", "zone": ""}), num("value", 1, 900),
			}},
			{"links", 500, false, []col{
				auto("id"),
				{name: "a_kind", kind: "kind", to: "p g"},
				split("a", "a_kind", map[string]string{"p": "players.id", "g": "guilds.id"}),
				{name: "b_kind", kind: "kind", to: "p g"},
				split("b", "b_kind", map[string]string{"p": "players.id", "g": "guilds.id"}),
			}},
		}},
		{name: "two kinds in a row, few rows", holes: 0.12, tables: []tbl{
			{"players", 100, false, []col{auto("id"), word("name")}},
			{"guilds", 20, false, []col{auto("id"), ref("owner", "players.id")}},
			{"items", 300, false, []col{auto("id"), num("tpl", 1, 99)}},
			{"events", 450, false, []col{
				auto("id"),
				{name: "subject", kind: "kind", to: "player guild item system"},
				split("subject_id", "subject", map[string]string{"player": "players.id", "guild": "guilds.id", "item": "items.id", "system": ""}),
				{name: "object", kind: "kind", to: "player guild item zone"},
				split("object_id", "object", map[string]string{"player": "players.id", "guild": "guilds.id", "item": "items.id", "zone": ""}), num("value", 1, 900),
			}},
			{"links", 150, false, []col{
				auto("id"),
				{name: "a_kind", kind: "kind", to: "p g"},
				split("a", "a_kind", map[string]string{"p": "players.id", "g": "guilds.id"}),
				{name: "b_kind", kind: "kind", to: "p g"},
				split("b", "b_kind", map[string]string{"p": "players.id", "g": "guilds.id"}),
			}},
		}},
		{name: "rows of defaults", holes: 0, tables: []tbl{
			{"players", 300, false, []col{auto("id"), word("name"), num("level", 1, 99)}},
			{"player_settings", 300, true, []col{natural("player_id"), fixed("sound", 1), fixed("chat", 0)}},
			{"castles", 12, true, []col{pk("id"), word("name"), num("size", 1, 9)}},
			{"levels", 60, true, []col{pk("level"), num("exp", 1, 100000)}},
			{"monsters", 150, true, []col{pk("id"), word("name"), num("hp", 1, 900)}},
			{"kills", 700, false, []col{auto("id"), ref("player_id", "players.id"), ref("monster_id", "monsters.id"), num("count", 1, 30)}},
		}, opt: func(w *truth) {
			w.static = []string{"castles", "levels", "monsters"}
			w.refs["player_settings.player_id"] = []string{"players.id"}
		}},
		{name: "unequal servers", holes: 0.1, grow: 0.35, tables: []tbl{
			{"characters", 2500, false, []col{auto("id"), num("level", 1, 80), num("gold", 1, 3000)}},
			{"guilds", 90, false, []col{auto("id"), ref("leader_id", "characters.id"), num("points", 1, 100)}},
			{"items", 4000, false, []col{auto("id"), ref("owner_id", "characters.id"), num("proto_id", 1, 2000)}},
			{"mails", 1500, false, []col{auto("id"), ref("sender_id", "characters.id"), ref("receiver_id", "characters.id"), maybe("item_id", "items.id", 0.6)}},
			{"guild_members", 900, false, []col{ref("guild_id", "guilds.id"), ref("character_id", "characters.id")}},
		}},
		{name: "three servers", holes: 0.06, shards: 3, tables: []tbl{
			{"characters", 800, false, []col{auto("id"), num("level", 1, 80), num("gold", 1, 900)}},
			{"items", 1500, false, []col{auto("id"), ref("character_id", "characters.id"), num("proto", 1, 900)}},
			{"mails", 700, false, []col{auto("id"), ref("sender_id", "characters.id"), ref("receiver_id", "characters.id"), maybe("item_id", "items.id", 0.6)}},
			{"spells", 90, true, []col{pk("id"), word("name")}},
			{"spellbook", 2000, false, []col{ref("character_id", "characters.id"), ref("spell_id", "spells.id")}},
		}},
		{name: "tiny", holes: 0, tables: []tbl{
			{"players", 9, false, []col{pk("id"), word("name"), num("gold", 1, 100)}},
			{"items", 14, false, []col{pk("id"), ref("player_id", "players.id"), num("power", 1, 10)}},
			{"guilds", 3, false, []col{pk("id"), ref("leader_id", "players.id"), word("name")}},
		}},
		{name: "recent keys only", holes: 0.12, start: 0, tables: []tbl{
			{"characters", 1200, false, []col{auto("id"), num("level", 1, 80)}},
			{"veterans", 200, false, []col{auto("id"), low("character_id", "characters.id", 0.2), num("medals", 1, 40)}},
			{"founders", 90, false, []col{auto("id"), low("founder", "characters.id", 0.1)}},
			{"items", 1500, false, []col{auto("id"), ref("character_id", "characters.id")}},
		}},
		{name: "twin tables, bare ids", holes: 0.1, tables: []tbl{
			{"character", 700, false, []col{natural("id"), num("level", 1, 80), word("name"), num("gold", 1, 700)}},
			{"character_skills", 800, false, []col{same1("id", "character.id"), num("fire", 1, 99)}},
			{"character_home", 800, false, []col{same1("id", "character.id"), num("x", 1, 700)}},
			{"pet", 650, false, []col{natural("id"), ref("character_id", "character.id")}},
		}},
	}
}

func TestWorlds(t *testing.T) {
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for _, w := range worlds() {
		t.Run(w.name, func(t *testing.T) {
			for seed := uint64(1); seed <= seeds; seed++ {
				var shards []merge.Shard
				for i := 1; i <= max(2, w.shards); i++ {
					shards = append(shards, w.build(t, seed, i))
				}
				r := run(t, shards, discover.Options{})
				report(t, w.name, r, w.truth())
				if seed == 1 {
					dump(t, r)
				}
			}
		})
	}
}

// Keys that are declared unique, beside no primary key, are found as well as primary ones.
func TestWorldsOfUniqueKeys(t *testing.T) {
	for _, w := range worlds() {
		var shards []merge.Shard
		for i := 1; i <= max(2, w.shards); i++ {
			w.unique = true
			shards = append(shards, w.build(t, 1, i))
		}
		report(t, w.name, run(t, shards, discover.Options{}), w.truth())
	}
}
