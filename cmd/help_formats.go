package cmd

import "github.com/spf13/cobra"

// newFormatsTopic is "gameid help formats".
func newFormatsTopic() *cobra.Command {
	return &cobra.Command{Use: "formats", Short: "What --format promises: table, tsv, csv, json, ndjson", Long: formatsHelp}
}

const formatsHelp = `How answers made of rows are written: --format table, tsv, csv, json or ndjson.
The default is table on a terminal and tsv elsewhere.

  table   For people; it may change. Control characters, characters that are not
          seen or turn the text around, and bytes that are no UTF-8 are shown as
          escapes: \x1b, \u202e.
  tsv     For programs. A heading, then one line for each row. As in PostgreSQL's
          COPY, \\ \t \n \r stand for backslash, tab, newline and carriage return,
          and \x1b for the byte 1b of other control characters and of what is no
          UTF-8: every byte of a name comes back.
  json    For programs: an array of objects. ndjson: one object for each line.
          IDs and keys are strings, since numbers lose digits above 2^53. A byte
          that is no UTF-8, which JSON cannot hold, is U+FFFD.
  csv     For people with a spreadsheet, so that it changes no ID and runs no
          formula: UTF-8 with a byte order mark, and
            ="0042"   around text that it would turn into a number or a date:
                      digits that begin with 0 or are more than 15, 12E5, 1-2
            '=1+1     an apostrophe before text that begins with = + - @ '
                      or their full-width forms, a tab or a line break; a whole
                      number of at most 15 digits stays one, also below 0: -1
          Other control characters are shown as escapes. Programs take tsv.`
