package audit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// counted is a number before the words for one or for several: "1 value stands", "3 values stand".
func counted[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + many
}

// inTwo says how many values of something stand in more than one shard.
func inTwo(n int, of string) string {
	return counted(n, "value of "+of+" stands", "values of "+of+" stand") + " in two shards"
}

// tableName writes a table as a plan does.
func tableName(name string) string { return merge.Col{Table: "t", Name: name}.String()[len("t."):] }

// Lines of a plan, as a message says that one should be written.

func refersLine(from, to []merge.Col) string {
	return planfile.ReferenceLine(&merge.Reference{From: from, To: to})
}

func keepLine(from ...merge.Col) string {
	return planfile.ReferenceLine(&merge.Reference{From: from, As: merge.Keep})
}

func shiftLine(key merge.Col) string {
	return planfile.KeyLine(&merge.KeyPlan{Key: key, New: merge.Shift})
}

func rowsLine(table string, rows merge.Rows) string {
	return planfile.TableLine(&merge.TablePlan{Table: table, Rows: rows})
}

// oneServersLine takes the rows of one shard.
func oneServersLine(table, shard string) string {
	return planfile.TableLine(&merge.TablePlan{Table: table, Rows: merge.FromRows, From: shard})
}

// columnsOf are the columns of a unique key that have names.
func columnsOf(u *merge.Unique) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(u.Columns), func(name string) bool { return name == "" }), ", ")
}

// keyName is what a unique key is called: its columns, where they are all of it.
func keyName(u *merge.Unique) string {
	if u.Name != "" && !u.Plain() {
		return u.Name + " on " + u.Table
	}
	return merge.JoinCols(u.Cols())
}

// partsOf are the columns of a unique key in words, also those that have none.
func partsOf(u *merge.Unique) string {
	words := make([]string, len(u.Columns))
	for i, name := range u.Columns {
		words[i] = cmp.Or(name, "an expression")
	}
	return strings.Join(words, ", ")
}
