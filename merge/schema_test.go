package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gameid/gameid/merge"
)

// TestSchemaFindsTables compares what a schema finds with a look at every table, while its list grows, shrinks and is replaced.
func TestSchemaFindsTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &merge.Schema{Fold: rapid.Bool().Draw(t, "fold")}
		next := 0
		for range 40 {
			switch at := rapid.IntRange(0, 9).Draw(t, "what"); {
			case at < 3:
				s.Tables = append(s.Tables, &merge.Table{Name: fmt.Sprintf("Table_%d", next)})
				next++
			case at == 3 && len(s.Tables) > 0:
				gone := rapid.IntRange(0, len(s.Tables)-1).Draw(t, "gone")
				s.Tables = append(append([]*merge.Table{}, s.Tables[:gone]...), s.Tables[gone+1:]...)
			case at == 4 && len(s.Tables) > 0:
				s.Tables = append([]*merge.Table{}, s.Tables...)
				s.Tables[rapid.IntRange(0, len(s.Tables)-1).Draw(t, "other")] = &merge.Table{Name: fmt.Sprintf("Table_%d", next)}
				next++
			case at == 5:
				s = s.Copy()
			}
			name := fmt.Sprintf("Table_%d", rapid.IntRange(0, next).Draw(t, "name"))
			if rapid.Bool().Draw(t, "small") {
				name = strings.ToLower(name)
			}
			var want *merge.Table
			for _, table := range s.Tables {
				if table.Name == name || s.Fold && strings.EqualFold(table.Name, name) {
					want = table
				}
			}
			if got := s.Table(name); got != want {
				t.Fatalf("Table(%s) = %v, want %v of %d", name, got, want, len(s.Tables))
			}
		}
	})
}
