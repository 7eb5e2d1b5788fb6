package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gameid/gameid/merge/engine/sqlite"
)

// What is said of one server given twice.
const (
	sameFile    = "are the same file"
	sameContent = "hold the same bytes"
)

// brokenInput is a row of "gameid help input".
type brokenInput struct {
	wrong  string // what is wrong with the file
	reason error  // what gameid says, and by which the exit code is chosen; nil for the next field
	says   string
	next   string // the next step, or how it begins
}

// brokenInputs are the inputs that every merge command refuses, in the order in which they are noticed.
var brokenInputs = []brokenInput{
	{"no such file", sqlite.ErrMissing, "", "check the path"},
	{"a -wal file alone", sqlite.ErrLoneWAL, "", "find the database that belongs to it: without its log it lacks the last changes"},
	{"hard links, and no log here", sqlite.ErrNames, "", "give the name under which its server opens it; when no server does, give a copy"},
	{"a log beside a link to it", sqlite.ErrNames, "", "move it there if it belongs to the database; if it does not, remove it"},
	{"a log that is not reached", sqlite.ErrUnreached, "", "mount the disk that it leads to; remove the link only if no log belongs to the database"},
	{"a damaged log", sqlite.ErrLog, "", "restore the log from the backup; or, where a power cut explains it and what the game shows is right, read the database once with sqlite3, which drops them, and run again"},
	{"a damaged journal", sqlite.ErrJournal, "", "restore the database and its journal from the backup; or, where a power cut explains it and what the game shows is right, read the database once with sqlite3, which ends the journal, and run again"},
	{"a journal without its super-journal", sqlite.ErrSuper, "", "read the database once with sqlite3 on the machine where its server ran, which ends the journal, and copy it again; or copy the super-journal to where the journal names it; where neither is left, restore a backup"},
	{"a folder or a device", sqlite.ErrNotFile, "", "give the database file itself"},
	{"a pipe as its log", sqlite.ErrNotFile, "", "find out what it is, and remove it: SQLite takes it for a part of the database"},
	{"cannot be read", sqlite.ErrUnreadable, "", "check its permissions and the disk"},
	{"one file under two names", nil, sameFile, "name each server's own database once"},
	{"an empty file", sqlite.ErrEmpty, "", "give the database file itself"},
	{"not SQLite, or encrypted", sqlite.ErrNotDatabase, "", "give the unencrypted SQLite file; dump other formats into one"},
	{"a newer file format", sqlite.ErrNewer, "", "use a gameid built with a newer SQLite"},
	{"cut short", sqlite.ErrTruncated, "", "copy the file again, completely"},
	{"a log that cannot be copied", sqlite.ErrCopy, "", "check the disk, the permissions and the space in"},
	{"replaced while it is read", sqlite.ErrChanged, "", "run it again when nobody copies to the file or renames it any more, or give a copy"},
	{"a server writes to it", sqlite.ErrInUse, "", "stop the server that uses it, or give a backup"},
	{"a damaged catalogue", sqlite.ErrCatalog, "", "restore it from a backup, or drop what the message names with the sqlite3 shell (PRAGMA writable_schema = ON)"},
	{"an unknown function or collation", sqlite.ErrSchema, "", "remove what its declaration needs, such as a custom function or collation"},
	{"a generated column fails", sqlite.ErrSchema, "", "remove what its declarations need, or the rows for which its generated columns fail"},
	{"a view or trigger on main.players", sqlite.ErrAlone, "", "in a copy of the file, make that view or trigger name its tables without a database in front, players instead of main.players"},
	{"a value beyond SQLite's limit", sqlite.ErrTooBig, "", "look for the longest values and for generated columns, and shorten them"},
	{"damaged pages", sqlite.ErrDamaged, "", "restore it from a backup, or rebuild it with the sqlite3 shell's .recover"},
	{"an index that belies its table", sqlite.ErrIndexes, "", "rebuild the indexes in a copy (REINDEX in the sqlite3 shell) and give that; where it refuses, restore a backup"},
	{"a copy of another shard", nil, sameContent, "a copy of a server is no second server: name each server's own database once"},
	{"UTF-16 beside UTF-8", sqlite.ErrEncoding, "", "convert one of them"},
}

// code is the exit code of a command that is given the input.
func (b brokenInput) code() int {
	if b.reason == nil {
		return exitRefused
	}
	return sourceCode(&sqlite.SourceError{Reason: b.reason})
}

// message is what gameid says beside the shard and the path.
func (b brokenInput) message() string {
	if b.reason == nil {
		return b.says
	}
	return b.reason.Error()
}

const inputHead = `What the merge commands say of a file that they cannot use, their exit code, and
what to do. They read every input in one snapshot, run nothing that its schema
contains, write to none, and leave no output behind.

`

const inputFoot = `
Exit code 2 is trouble with the file system; 3 refuses what could be read. A
message names the shard and the file, and the table or index where it can.

A database with a -wal or a journal is read from a private copy of all of it; a
folder that cannot be written needs --work-dir then. Virtual tables (full text,
R-tree) and their shadow tables are findings, not refusals: their rows are not
merged as rows. Triggers and views are copied as they are, and none is run.`

// inputHelp is the table of broken inputs.
func inputHelp() string {
	const left, width = 36, 80
	var b strings.Builder
	b.WriteString(inputHead)
	fmt.Fprintf(&b, "%-*s%s\n%s\n", left, "what is wrong", "exit  gameid says; next:", strings.Repeat("-", width-1))
	indent := strings.Repeat(" ", left+6)
	for _, row := range brokenInputs {
		b.WriteString(wrapText(row.message(), fmt.Sprintf("%-*s%4d  ", left, row.wrong, row.code()), indent, width))
		b.WriteString(wrapText("next: "+row.next, indent, indent, width))
	}
	b.WriteString(inputFoot)
	return b.String()
}

// newInputTopic is a topic of the help, not a command.
func newInputTopic() *cobra.Command {
	return &cobra.Command{Use: "input", Short: "What gameid says of broken databases, and what to do", Long: inputHelp()}
}
