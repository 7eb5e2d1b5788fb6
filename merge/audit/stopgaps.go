package audit

import "github.com/gameid/gameid/merge"

// stopgap is the text that a game writes where a row has no name of its own, as 'none', of every shard's texts, those of most rows first: on one server many more rows hold it than any
// other, and every server has it. "" when there is none.
func stopgap(shards [][]merge.ValueCount) string {
	for _, list := range shards {
		if text := mostHeld(list); text != "" && heldEverywhere(text, shards) {
			return text
		}
	}
	return ""
}

// mostHeld is the text that many more rows of one shard hold than any other; "" when there is none.
func mostHeld(list []merge.ValueCount) string {
	if len(list) == 0 || list[0].Rows < fillersLeast || float64(list[0].Rows) < fillerShare*float64(rowsOf(list)) || len(list) > 1 && list[0].Rows < frequentTimes*list[1].Rows {
		return ""
	}
	text, _ := list[0].Value[0].(string)
	return text
}

// heldEverywhere tells whether every shard of more than a few texts holds one.
func heldEverywhere(text string, shards [][]merge.ValueCount) bool {
	for _, list := range shards {
		if rowsOf(list) >= fewNames && rowsWith(list, text) == 0 {
			return false
		}
	}
	return true
}

// rowsOf counts the rows of values.
func rowsOf(list []merge.ValueCount) (rows int64) {
	for _, v := range list {
		rows += v.Rows
	}
	return rows
}

// rowsWith counts those that hold a text.
func rowsWith(list []merge.ValueCount, text string) (rows int64) {
	for _, v := range list {
		if v.Value[0] == any(text) {
			rows += v.Rows
		}
	}
	return rows
}

// seenOften are the texts that a sample saw in more rows than one, those of most rows first.
func seenOften(one *merge.Sample) []merge.ValueCount {
	list := make([]merge.ValueCount, len(one.Frequent))
	for i, text := range one.Frequent {
		list[i] = merge.ValueCount{Value: []any{text}, Rows: one.FrequentRows[i]}
	}
	return list
}

// stopgap is that of a column, as far as samples show it.
func (u *unexplained) stopgap() string {
	lists := make([][]merge.ValueCount, len(u.samples))
	for i, one := range u.samples {
		lists[i] = seenOften(one)
	}
	for i, one := range u.samples {
		if text := mostHeld(lists[i]); text != "" && float64(one.FrequentRows[0]) >= fillerShare*float64(one.Other) && heldEverywhere(text, lists) {
			return text
		}
	}
	return ""
}
