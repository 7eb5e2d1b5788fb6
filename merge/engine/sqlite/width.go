package sqlite

import (
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// integerBytes is the width of a declared integer type as MySQL reads it, because the game's code often does; INTEGER is SQLite's own and has 8 bytes.
func integerBytes(declared string, a merge.Affinity) int {
	if a != merge.Integer {
		return 0
	}
	name, _, _ := strings.Cut(merge.FoldASCII(declared), "(")
	var words []string
	for _, w := range strings.Fields(name) {
		if w != "unsigned" && w != "signed" && w != "zerofill" {
			words = append(words, w)
		}
	}
	switch strings.Join(words, "") {
	case "tinyint", "int1":
		return 1
	case "smallint", "int2":
		return 2
	case "mediumint", "middleint", "int3":
		return 3
	case "int", "int4":
		return 4
	}
	return 8
}

// textChars is the declared length of a text type in characters; 0 when none is declared.
func textChars(declared string, a merge.Affinity) int {
	if a != merge.Text {
		return 0
	}
	return length(declared)
}

// textBytes is how many bytes a type holds that counts bytes, as MySQL reads it: varbinary(12), tinytext. 0 for other types.
func textBytes(declared string) int {
	name, _, _ := strings.Cut(merge.FoldASCII(declared), "(")
	switch strings.TrimSpace(name) {
	case "tinytext", "tinyblob":
		return 255
	case "binary", "varbinary":
		return length(declared)
	}
	return 0
}

// length is the number in brackets after a type; 0 when there is none.
func length(declared string) int {
	_, rest, _ := strings.Cut(declared, "(")
	digits, _, _ := strings.Cut(rest, ")")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
