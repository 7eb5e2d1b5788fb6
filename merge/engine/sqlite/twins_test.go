package sqlite_test

import (
	"slices"
	"testing"

	"github.com/gameid/gameid/merge/engine/sqlite"
)

// TestEqualNames asks for texts that SQLite calls equal, also where it looks at nothing behind NUL.
func TestEqualNames(t *testing.T) {
	for collation, want := range map[string][]int{"": {5}, "NOCASE": {1, 3, 5}, "RTRIM": {4, 5}} {
		got, err := sqlite.New().Twins(t.Context(), []string{"Bob", "BOB", "a\x00b", "a\x00c", "Bob ", "Bob", "Ä", "ä"}, collation)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %v, %v, want %v", collation, got, err, want)
		}
	}
}
