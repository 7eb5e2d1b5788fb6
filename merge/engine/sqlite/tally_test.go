package sqlite_test

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

// Values and their counts are what SQLite's own GROUP BY and ORDER BY say, whatever the values are, and however many.
func TestTallies(t *testing.T) {
	for name, fill := range map[string]string{
		"none": "",
		"odd": `INSERT INTO t(a, b, c) VALUES (1, 1, 1), (1.0, 1.0, 1.0), ('1', '1', '1'), (x'31', x'31', x'31'), (NULL, NULL, NULL), ('', '', ''), (x'', x'', x''), (2, 2.5, 'é'),
			(2.5, 3, '～'), (9223372036854775807, 9.3e18, 'a'), (-9223372036854775808, -9e999, 'A'), (9007199254740993, 9007199254740992.0, 'a' || char(0) || 'b'), (9007199254740994.0, 1, 1),
			(9.3e18, 0, 0), (-9.3e18, 0.0, 'a' || char(0)), (0.5, 0.5, '𐀀'), (1, 1, 1), (-1, -0.5, 'b'), (-0.5, 2, 'a' || char(0)), (9e999, 7, '1.0')`,
		"some": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i % 7, i * 7919 % 997, 'x' || i % 5000 FROM n",
		"many": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) INSERT INTO t SELECT i, i % 3, '' FROM n",
		"long": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO t SELECT zeroblob(900000 + i % 39), i % 3, '' FROM n",
	} {
		for _, encoding := range []string{"UTF-8", "UTF-16le"} {
			path := filepath.Join(t.TempDir(), "s.db")
			write(t, path, "PRAGMA encoding = '"+encoding+"'; PRAGMA page_size = 32768; CREATE TABLE t(a, b REAL, c TEXT COLLATE NOCASE); "+fill)
			s, err := sqlite.New().Open(context.Background(), merge.Source{Name: "s1", Source: path}, merge.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			compare := func(c, by string, limit int) {
				ask := func() []merge.ValueCount {
					list, err := s.Values(context.Background(), merge.Col{Table: "t", Name: c}, "", limit)
					if by != "" {
						list, err = s.Tuples(context.Background(), []merge.Col{{Table: "t", Name: by}, {Table: "t", Name: c}}, "b >= 0", limit)
					}
					if err != nil {
						t.Fatal(err)
					}
					return list
				}
				got := ask()
				if tallies := sqlite.Tallies(s); tallies != (encoding == "UTF-8") {
					t.Errorf("%s: tallies = %v", encoding, tallies)
				}
				again := sqlite.Sort(s)
				want := ask()
				again()
				for i, w := range want {
					if i >= len(got) || !reflect.DeepEqual(w, got[i]) {
						t.Fatalf("%s in %s, at most %d of %s %s: value %d of %d is not %v, number %d", name, encoding, limit, c, by, len(got), len(want), w, i)
					}
				}
				if len(got) != len(want) {
					t.Errorf("%s in %s, at most %d of %s %s: %d values, want %d", name, encoding, limit, c, by, len(got), len(want))
				}
			}
			for _, limit := range []int{0, 5, 100} {
				for _, c := range []string{"a", "b", "c"} {
					compare(c, "", limit)
				}
				compare("a", "c", limit)
				compare("c", "b", limit)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
