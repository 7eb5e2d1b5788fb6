package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// wholeTable is up to how many rows a sample reads a table from end to end.
const wholeTable = 20_000

// How many texts a sample keeps, how many of those that several rows hold, and how many characters of each.
const (
	someTexts     = 200
	frequentTexts = 1000
	textLength    = 200
)

// spread names one choice of a table's rows.
type spread struct {
	table *merge.Table
	limit int
}

// Sample takes up to limit distinct integer values of a column, spread over the table. The same database gives the same sample.
func (s *shard) Sample(ctx context.Context, c merge.Col, limit int) (*merge.Sample, error) {
	t, col, err := s.column(c)
	if err != nil {
		return nil, err
	}
	from, whole, err := s.rowsOf(ctx, t, limit)
	if err != nil {
		return nil, s.failed(err, "sample %s", c)
	}
	of := sampled{column: merge.Col{Table: t.Name, Name: col.Name}}
	if !whole {
		of.rows = limit
	}
	all := s.seen.samples[of]
	if all == nil {
		if all, err = s.sampleOf(ctx, "t."+ident(col.Name), from); err != nil {
			return nil, s.failed(err, "sample %s", c)
		}
		s.keepSample(of, all)
	}
	out := thinned(*all, limit)
	out.Complete = whole && len(all.Values) <= limit
	out.Rows, err = s.Rows(ctx, t.Name)
	return out, err
}

// keepSample keeps what was read of a column while that is little.
func (s *shard) keepSample(of sampled, all *merge.Sample) {
	size := 16*(len(all.Values)+len(all.Texts)) + 24*len(all.Frequent)
	for _, text := range all.Texts {
		size += len(text)
	}
	if s.seen.sampled+size > keptSamples {
		return
	}
	s.seen.sampled += size
	s.seen.samples = kept(s.seen.samples, of, all)
}

// rowsOf is the SQL for rows t of a table: the whole of a small one, and otherwise about limit of them, spread over it.
func (s *shard) rowsOf(ctx context.Context, t *merge.Table, limit int) (from string, whole bool, err error) {
	rows, err := s.Rows(ctx, t.Name)
	if err != nil {
		return "", false, err
	}
	table := "main." + ident(t.Name)
	if rows <= wholeTable || rows <= int64(limit) {
		return table + " AS t", true, nil
	}
	if rowid := s.facts[t].rowid; rowid != "" {
		var lo, hi int64
		err := s.conn.QueryRowContext(ctx, fmt.Sprintf("SELECT (SELECT min(%[1]s) FROM %[2]s), (SELECT max(%[1]s) FROM %[2]s)", ident(rowid), table)).Scan(&lo, &hi)
		if err != nil {
			return "", false, err
		}
		if span := uint64(hi) - uint64(lo); span/4 <= uint64(rows) { // rows lie evenly enough for steps
			return fmt.Sprintf("(WITH RECURSIVE gameid_p(gameid_i) AS (SELECT 0 UNION ALL SELECT gameid_i + 1 FROM gameid_p WHERE gameid_i + 1 < %d)"+
				" SELECT gameid_i FROM gameid_p) AS p CROSS JOIN %[2]s AS t ON t.%[3]s = (SELECT u.%[3]s FROM %[2]s AS u WHERE u.%[3]s >= %[4]s + p.gameid_i * %[5]d ORDER BY u.%[3]s LIMIT 1)",
				limit, table, ident(rowid), literal(lo), max(1, span/uint64(limit))), false, nil //nolint:gosec // positive
		}
	}
	from, err = s.spread(ctx, t, limit)
	return from, false, err
}

// spread is the SQL for about limit rows t, spread over a table that is too scattered for steps. They are counted off in one reading of the table, whose
// result, the keys of those rows, serves every column.
func (s *shard) spread(ctx context.Context, t *merge.Table, limit int) (string, error) {
	table, rowid := "main."+ident(t.Name), s.facts[t].rowid
	keys := t.PrimaryKey
	if rowid != "" {
		keys = []string{rowid}
	}
	rows, err := s.Rows(ctx, t.Name)
	if err != nil {
		return "", err
	}
	every := max(1, rows/int64(limit))
	if rowid == "" && !s.facts[t].withoutRowid { // columns hide every name of its rowid
		return fmt.Sprintf("(SELECT *, row_number() OVER () AS gameid_n FROM %s NOT INDEXED) AS t WHERE gameid_n %% %d = 0", table, every), nil
	}
	var names, on []string
	for i, k := range keys {
		names = append(names, fmt.Sprintf("+%s AS gameid_%d", ident(k), i))
		on = append(on, fmt.Sprintf("t.%s = s.gameid_%d", ident(k), i))
	}
	of := spread{t, limit}
	if s.seen.spreads[of] == "" {
		list := "gameid_spread_" + itoa(len(s.seen.spreads))
		if _, err := s.gathering(); err != nil {
			return "", err
		}
		_, err := s.conn.ExecContext(ctx, fmt.Sprintf("CREATE TEMP TABLE %s AS SELECT %s FROM %s NOT INDEXED WHERE gameid_nth(%d)", list, strings.Join(names, ", "), table, every))
		if err != nil {
			return "", err
		}
		if s.seen.spreads == nil {
			s.seen.spreads = map[spread]string{}
		}
		s.seen.spreads[of] = list
	}
	return "temp." + s.seen.spreads[of] + " AS s CROSS JOIN " + table + " AS t ON " + strings.Join(on, " AND "), nil
}

// sampleOf counts the values of a column in some rows. The type of a column is known without reading its value, so a large blob is not read; the limit keeps SQLite
// from sorting the values themselves.
func (s *shard) sampleOf(ctx context.Context, column, from string) (*merge.Sample, error) {
	out := &merge.Sample{}
	short := fmt.Sprintf("SELECT CASE typeof(%[1]s) WHEN 'text' THEN substr(%[1]s, 1, %[2]d) WHEN 'blob' THEN x'' ELSE +%[1]s END AS v FROM %[3]s LIMIT -1", column, textLength, from)
	list, err := counts(ctx, s.conn, "SELECT v, count(*) FROM ("+short+") GROUP BY typeof(v), v COLLATE BINARY ORDER BY v", 1)
	var frequent []merge.ValueCount
	for _, v := range list {
		switch k := v.Value[0].(type) {
		case nil:
		case int64:
			out.Values, out.Weights = append(out.Values, k), append(out.Weights, v.Rows)
		case string:
			if _, err := strconv.ParseInt(k, 10, 64); err == nil {
				out.Stored += v.Rows
			}
			out.Others++
			if out.Other += v.Rows; k != "" {
				out.Texts = append(out.Texts, k)
				if v.Rows > 1 {
					frequent = append(frequent, v)
				}
			}
		case float64:
			if k == math.Trunc(k) {
				out.Stored += v.Rows
			}
			out.Others++
			out.Other += v.Rows
		default:
			out.Others++
			out.Other += v.Rows
		}
	}
	slices.SortStableFunc(frequent, func(x, y merge.ValueCount) int { return cmp.Compare(y.Rows, x.Rows) })
	for _, v := range frequent[:min(len(frequent), frequentTexts)] {
		out.Frequent, out.FrequentRows = append(out.Frequent, v.Value[0].(string)), append(out.FrequentRows, v.Rows)
	}
	return out, err
}

// thinned is a sample of at most limit values, evenly, and some texts. The other one keeps its lists.
func thinned(all merge.Sample, limit int) *merge.Sample {
	all.Values, all.Weights, all.Texts = evenly(all.Values, limit), evenly(all.Weights, limit), evenly(all.Texts, someTexts)
	return &all
}

// evenly takes so many of a list at most, spread over it.
func evenly[T any](list []T, most int) []T {
	n := len(list)
	if n <= most {
		return list[:n:n] // so that appending leaves the other list as it is
	}
	some := make([]T, most)
	for i := range some {
		some[i] = list[i*n/most]
	}
	return some
}
