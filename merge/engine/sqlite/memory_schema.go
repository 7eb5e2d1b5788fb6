package sqlite

// Tables in which a merge remembers what it did. No path, DSN or time is stored in them, so that equal inputs make equal bytes.
const (
	shardsTable     = "gameid_shards"
	keysTable       = "gameid_keys"
	tombstonesTable = "gameid_tombstones"
	buriedTable     = "gameid_text_tombstones"
	renamesTable    = "gameid_renames"
	referencesTable = "gameid_references"
	planTable       = "gameid_plan"
	sealsTable      = "gameid_seal"
)

// memoryTables lists them in the order in which they are created.
var memoryTables = [...]string{shardsTable, keysTable, tombstonesTable, buriedTable, renamesTable, referencesTable, planTable, sealsTable}

// memorySchema creates the tables. The column via is "" for this merge and names the inputs that carried an older one here: "m/" for what input m recorded.
//
//   - gameid_shards.contents is the digest of the rows that the shard held, as Contents makes it; "" where they tell it from no other. state is that of all it held.
//   - gameid_keys and gameid_tombstones hold one row for each merge.Run without holes. A run with count 0 says that the space took part in the merge and
//     nothing of it changed. A stretch that would take more than maxRunRows rows is one row, and members tells which of its keys changed: how many do, how
//     many then do not, how many then do, and so on, as unsigned varints of encoding/binary. members is null where every key changed.
//   - gameid_text_tombstones holds one row for each dead text of a reference to a text key, to the byte, that got another one.
//   - gameid_renames.unique_key is the JSON array of [table, column] pairs of the unique key, column_name a JSON pair of the same kind.
//   - row_key is the JSON array of the renamed row's primary key after the merge, as jsonKey writes it.
//   - gameid_references holds a merge.Reference as JSON and the spaces of its columns, a JSON array of [table, column] pairs or nulls.
//   - gameid_plan holds the settled plan in the plan file's own format.
//   - gameid_seal holds the digest of the other tables, as Seal makes it.
const memorySchema = `
CREATE TABLE gameid_shards(via TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, server INTEGER, contents TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY(via, position)) WITHOUT ROWID;
CREATE TABLE gameid_keys(via TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT NOT NULL, shard TEXT NOT NULL, first_old INTEGER NOT NULL, count INTEGER NOT NULL, first_new INTEGER NOT NULL, rule TEXT NOT NULL, members BLOB, PRIMARY KEY(via, table_name, column_name, shard, first_old)) WITHOUT ROWID;
CREATE TABLE gameid_tombstones(via TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT NOT NULL, shard TEXT NOT NULL, first_old INTEGER NOT NULL, count INTEGER NOT NULL, first_new INTEGER NOT NULL, rule TEXT NOT NULL, PRIMARY KEY(via, table_name, column_name, shard, first_old)) WITHOUT ROWID;
CREATE TABLE gameid_text_tombstones(via TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT NOT NULL, shard TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, PRIMARY KEY(via, table_name, column_name, shard, old)) WITHOUT ROWID;
CREATE TABLE gameid_renames(id INTEGER PRIMARY KEY, via TEXT NOT NULL, unique_key TEXT NOT NULL, column_name TEXT NOT NULL, shard TEXT NOT NULL, row_key TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL);
CREATE TABLE gameid_references(id INTEGER PRIMARY KEY, reference TEXT NOT NULL, spaces TEXT NOT NULL);
CREATE TABLE gameid_plan(id INTEGER PRIMARY KEY, via TEXT NOT NULL, plan TEXT NOT NULL);
CREATE TABLE gameid_seal(digest TEXT NOT NULL);
`

// memoryIndexes are made after the rows: they answer a question about one new key or one name.
const memoryIndexes = `
CREATE INDEX ` + keysIndex + ` ON gameid_keys(table_name, column_name, first_new);
CREATE INDEX ` + renamesIndex + ` ON gameid_renames(new);
`

const (
	keysIndex    = "gameid_keys_new"
	renamesIndex = "gameid_renames_new"
)
