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

// textChars is the declared length of a text type; 0 when none is declared.
func textChars(declared string, a merge.Affinity) int {
	if a != merge.Text {
		return 0
	}
	_, rest, found := strings.Cut(declared, "(")
	if !found {
		return 0
	}
	digits, _, _ := strings.Cut(rest, ")")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
