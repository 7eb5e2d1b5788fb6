package audit

import (
	"strconv"

	"github.com/gameid/gameid/merge"
)

// template is the proposed new name: with the server's number where every shard that could lose a name has one.
func (a *auditor) template() string {
	for _, s := range a.shards[min(1, len(a.shards)):] {
		if s.Source().Server == nil {
			return "{shard}.{value}"
		}
	}
	return "S{server}.{value}"
}

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
