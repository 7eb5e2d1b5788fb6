package discover

// The words that names are made of. They are the part of the search that other languages or habits would extend.

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// wordLists are the word lists of one search.
type wordLists struct {
	anything, asks, lists, id, generic, everyones, roles, offices, staff, objects, characters, accounts, machines, draws, self, amounts, seats, things, abroad, past, sorts, natural, outside, migrations, made, groups, ones, kinds, propertyNames, propertyValues, filler, counters, next, issues, hosts, regions, worlds, places, answers, editions, idWords map[string]bool
}

func newWordLists() *wordLists {
	return &wordLists{
		// What every row is that a game's object factory numbers.
		anything: set("object", "obj", "entity", "thing", "instance"),
		// First tokens of a yes or no, or of a number.
		asks: set("is", "has", "can", "was", "no", "not", "num", "max", "min", "total", "count", "per", "avg", "average"),
		// What is numbered from one within something, or of which a game has a fixed few.
		lists: set("slot", "position", "pos", "index", "idx", "page", "tab", "type", "kind", "category", "status", "state", "class", "race", "gender", "sex",
			"language", "lang", "button", "layout", "locale", "difficulty"),
		// A last or first token that says "the number of".
		id: set("id", "ids", "guid", "uid", "gid", "oid", "sn", "dbid", "uuid", "pk", "fk", "serial"),
		// Whole names of keys that say nothing about what they identify.
		generic: set("id", "dbid", "idx", "index", "guid", "uid", "oid", "gid", "rowid", "pk", "key", "no", "sn", "did", "recid", "serial", "seq"),
		// Those among them that every table of a game may call its key.
		everyones: set("id", "dbid", "idx", "index", "rowid", "pk", "key", "no", "recid", "seq"),
		// What a character is to something.
		roles: set("owner", "sender", "receiver", "recipient", "target", "leader", "member", "seller", "buyer", "partner", "creator",
			"killer", "master", "friend", "mentor", "apprentice", "student", "teacher", "bidder", "author", "winner", "loser", "victim", "attacker",
			"defender", "inviter", "invitee", "enemy", "rival", "spouse", "husband", "wife", "mate", "father", "mother", "host", "guest", "founder",
			"chief", "captain", "officer", "lord", "king", "holder", "writer", "reporter", "reported", "giver", "taker", "from", "to", "src", "dst",
			"dest", "source", "by", "who", "whom", "claimer", "claimant", "donor", "challenger", "opponent", "assistant", "vice", "deputy", "crafter",
			"blocker", "blocked", "ignored", "banned", "banner", "issuer", "applicant", "trader", "borrower", "lender", "tenant", "sponsor",
			"reciever", //nolint:misspell // as games spell it
			"mayor", "president", "chairman", "minister", "treasurer", "secretary", "regent", "queen", "emperor", "prince", "princess", "duke", "baron",
			"ruler", "warlord", "bride", "groom",
			"best", "caller", "actor", "initiator", "responder", "requester", "requestor", "contact", "buddy", "ally", "other"),
		// Offices whose numbers may as well be a table's own: worth a question where nothing else tells.
		offices: set("gm", "p", "admin", "marshal", "champion", "judge", "general", "scout", "spy", "pilot", "smith", "guard", "chef", "coach", "medic", "priest", "monk"),
		// Who serves a server's players, where the name says that it is an id: one or a few of them, who came first.
		staff: set("admin", "administrator", "mod", "moderator", "staff", "gm", "gamemaster", "operator", "supporter", "support", "helper", "supervisor", "handler", "assignee", "reviewer", "approver", "editor"),
		// What ends like a word for somebody who does something, and is a thing or a measure.
		objects: set("after", "anchor", "answer", "banner", "barrier", "border", "buffer", "career", "center", "chapter", "cluster", "coffee", "color", "cooler", "copper", "corner",
			"cover", "danger", "degree", "divider", "error", "factor", "favor", "fever", "fiber", "filter", "finger", "flavor", "floor", "flower", "folder",
			"footer", "header", "hunger", "identifier", "indicator", "inner", "layer", "letter", "lower", "major", "matter", "meter", "minor", "mirror", "modifier",
			"motor", "multiplier", "never", "offer", "order", "outer", "paper", "parameter", "poster", "power", "quarter", "river", "sector", "server",
			"shoulder", "silver", "sticker", "summer", "super", "thunder", "timber", "timer", "transfer", "trigger", "under", "upper", "vector", "water",
			"weather", "winter"),
		characters: set("character", "char", "chr", "player", "role", "avatar", "hero", "pc", "toon", "user", "usr", "actor", "person", "mobile", "ply", "member"),
		accounts:   set("account", "acct", "acc", "user", "usr", "login", "passport", "member"),
		// What a row is to another of the same table.
		self: set("parent", "root", "prev", "previous", "next", "ancestor", "child", "base", "original", "reply", "quote", "quoted", "upper", "successor", "predecessor", "mother", "father", "sire", "dam"),
		// A last token of a column that measures, counts or classifies and does not name.
		amounts: set("count", "amount", "num", "number", "level", "lv", "lvl", "exp", "xp", "rank", "slot", "pos", "position", "x", "y", "z", "time", "date",
			"at", "type", "kind", "state", "status", "flag", "gold", "money", "coin", "cash", "price", "cost", "hp", "mp", "sp", "max", "min", "total",
			"point", "score", "size", "age", "year", "month", "day", "hour", "minute", "second", "weight", "width", "height", "length", "rate",
			"ratio", "percent", "power", "attack", "defense", "strength", "agility", "intellect", "kill", "death", "win", "loss", "damage",
			"durability", "duration", "delay", "cooldown", "bid", "buyout", "fee", "tax", "value", "quantity", "qty", "stack", "balance", "bonus",
			"stage", "step", "order", "sort", "direction", "rotation", "angle", "color", "colour", "style", "gender", "sex", "season", "round",
			"turn", "version", "port", "since", "until", "expire", "expiry", "created", "updated", "deleted", "on", "seen", "played", "online",
			"health", "mana", "stamina", "speed", "luck", "honor", "fame", "karma", "reputation", "vip", "crc", "hash", "checksum", "seed",
			"str", "dex", "agi", "vit", "luk", "wis", "maglevel", "hair", "haircolor", "beard", "grade", "mask", "bits", "index", "idx", "page", "tab", "row", "col", "column", "counter", "times", "limit", "capacity", "timestamp", "ts", "class"),
		// Amounts that hold what stands there when several of them are numbered: pos1, slot2.
		seats: set("slot", "pos", "position"),
		// Tables from which a game draws numbers, beside those that are called counters.
		draws: set("pool", "ticket", "number", "num", "gen", "key", "count", "counter", "index"),
		// Who may stand where somebody else would be a player.
		machines: set("bot", "ai", "computer", "cpu", "system", "server"),
		// Nouns that games use both for a thing that somebody has and for the kind of thing in the client's files.
		things: set("item", "object", "npc", "mob", "monster", "creature", "quest", "skill", "spell", "pet", "mount", "house", "card", "hero", "weapon",
			"armor", "equip", "equipment", "good", "prop", "task", "mission", "achievement", "title", "map", "zone", "buff", "effect", "building",
			"unit", "ship", "vehicle", "gem", "rune", "recipe", "drop", "reward", "event", "activity", "dungeon", "instance", "general", "soldier", "troop",
			"partner", "artifact", "relic", "treasure", "wing", "fashion", "horse", "stone", "material", "fragment", "tech", "talent", "perk",
			"ability", "module", "part", "component", "resource", "stage", "chapter", "scene", "room", "area", "region", "castle", "city",
			"tower", "chest", "box", "gift", "shop", "product", "badge", "medal", "skin", "costume", "icon", "frame", "car", "tank", "gun",
			"tool", "plant", "crop", "animal", "fish", "food", "furniture", "decoration", "boss", "servant", "follower", "companion",
			"type", "class", "race", "faction", "level", "key", "tile", "block", "structure", "station", "planet", "star"),
		// Tokens of ids that some other place has issued.
		abroad: set("old", "orig", "origin", "original", "remote", "external", "ext", "global", "legacy", "web", "forum", "steam", "discord",
			"platform", "former", "foreign", "center", "central", "cross", "prev", "previous", "template", "catalog", "proto", "prototype",
			"config", "cfg", "def", "definition", "client"),
		// What rows are that another table had before, and what became of them.
		past: set("archive", "archived", "arch", "deleted", "delete", "deletion", "del", "removed", "removal", "purged", "erased", "wiped", "destroyed", "discarded", "disbanded", "dismissed", "trash", "trashed", "bin",
			"recycle", "recycled", "dead", "died", "death", "deceased", "fallen", "slain", "perished", "buried", "grave", "graveyard", "cemetery", "tomb", "tombstone", "morgue", "obituary", "memorial", "old", "former", "past",
			"retired", "expired", "ended", "finished", "completed", "closed", "history", "historic", "historical", "hist", "backup", "bak", "legacy"),
		// Names that say what kind of number it is, and not of whose rows: a game counts its rooms, its objects and its spawns by them.
		sorts: set("vnum", "vnumber", "vnr", "nr", "num", "number", "nummer", "code", "entry"),
		// A last token of a key that is a thing by itself: another number would be another day, place or step.
		natural: set("ip", "ipv", "addr", "address", "day", "date", "month", "week", "weekday", "hour", "year", "time", "timestamp", "ts", "level", "lv", "lvl", "x", "y",
			"z", "cell", "tile", "slot", "position", "pos", "port", "rank", "season", "hash", "crc", "checksum", "seed", "phone", "qq", "riqi", "dengji"),
		// A token of an account's number that another house issues.
		outside: set("steam", "discord", "facebook", "google", "twitch", "wechat", "weixin", "weibo", "telegram", "tg", "vk", "vkontakte", "xuid", "xbox", "psn", "epic", "gog", "bnet", "battlenet", "qq", "openid", "unionid",
			"twitter", "instagram", "youtube", "patreon", "kakao", "naver", "yandex"),
		// Tables in which frameworks write down the changes of a schema that they made.
		migrations: set("alembic", "changelog", "flyway", "migration"),
		// What players found or write. Their rows may look alike on two servers and are not the same things.
		made: set("party", "group", "guild", "clan", "alliance", "team", "squad", "crew", "gang", "fellowship", "thread", "topic", "post", "message", "mail", "letter",
			"auction", "trade", "room", "lobby", "match", "hand", "war", "battle", "duel", "raid", "tournament", "bout", "fight", "encounter", "skirmish", "siege", "expedition", "voyage",
			"heist", "caravan", "convoy", "shipment", "session", "transaction", "txn", "batch", "league"),
		// Those among them, and others, that are hardly ever a few classes which the game knows.
		groups: set("party", "guild", "clan", "alliance", "squad", "crew", "gang", "fellowship", "family", "tribe", "sect", "dynasty", "household", "legion", "union", "coalition", "syndicate",
			"corp", "corporation", "company", "club", "federation", "thread", "topic", "conversation"),
		// First tokens that pick one out of several: the best season, and not how many seasons.
		ones:           set("best", "worst", "fav", "favorite", "favourite", "first", "last", "latest", "recent", "current", "cur", "active", "next", "prev", "previous", "main", "home", "start", "final", "joined", "chosen", "selected", "picked"),
		propertyNames:  set("key", "keyname", "name", "property", "prop", "attribute", "attr", "var", "variable", "varname", "field", "setting", "param", "parameter", "meta", "entry", "stat", "reg", "option", "opt", "tag"),
		propertyValues: set("value", "val", "v", "data", "num", "int", "integer", "number", "content"),
		kinds:          set("kind", "type", "category", "cat", "mode", "action", "event", "op", "what", "subtype", "typ", "which", "scope", "target", "sort", "reason", "cause"),
		filler:         set("t", "tb", "tbl", "tab", "table", "data", "info", "base", "main", "detail", "record", "list", "db", "game", "gm", "f", "c"),
		counters: set("next", "last", "counter", "count", "seq", "sequence", "auto", "current", "cur", "max", "serial", "value", "val", "id",
			"increment", "generator", "hi", "alloc", "ctr", "idgen"),
		next: set("next", "last", "counter", "seq", "sequence", "serial", "increment"), // of a setting's name
		// What says that the next number of something is issued there, however far below it the highest one lives.
		issues: set("next", "last", "counter", "seq", "sequence", "auto", "serial", "increment", "generator", "alloc", "ctr", "idgen"),
		// Words for a server; those among them that are a part of the map, too.
		hosts:   set("server", "srv", "shard", "realm", "zone", "world"),
		regions: set("zone", "world"),
		// Words for a world of which a database may hold several, each for itself; parts of the map that may be one.
		worlds: set("universe", "universum", "uni", "cosmo", "kosmo", "world", "server", "srv", "shard", "realm", "cluster", "multiverse"),
		places: set("region", "star"),
		// What is true or not of a row, or how good it is.
		answers: set("active", "visible", "hidden", "public", "private", "alive", "valid", "open", "available", "ready", "live", "default", "free", "new", "premium", "allow", "enable", "show", "use", "auto", "main",
			"paid", "done", "read", "sent", "bound", "lock", "ban", "mute", "tradable", "tradeable", "stackable", "sellable", "usable", "tier", "grade", "quality", "rarity", "phase", "theme", "visibility", "privacy", "priority", "layer", "currency", "locale"),
		// What a game is the how manieth of, or in: such a number counts no rows.
		editions: set("version", "ver", "revision", "rev", "build", "release", "patch", "schema", "season", "day", "week", "month", "year"),
		// Words that end in "id" and say nothing of one.
		idWords: set("rowid", "paid", "unpaid", "prepaid", "repaid", "said", "laid", "raid", "maid", "mermaid", "braid", "plaid", "aid", "afraid", "valid", "invalid", "solid", "void", "avoid",
			"grid", "hybrid", "acid", "rapid", "fluid", "liquid", "squid", "druid", "android", "droid", "asteroid", "steroid", "planetoid", "humanoid", "centroid", "ellipsoid", "cuboid",
			"pyramid", "orchid", "stupid", "vivid", "horrid", "arid", "placid", "timid", "candid", "splendid", "humid", "forbid", "outbid", "overbid", "rebid", "underbid", "amid", "madrid",
			"eyelid", "cupid", "morbid", "lucid", "rigid", "frigid", "livid", "torrid", "turbid", "sordid", "squalid", "tepid", "undid", "redid"),
	}
}
