package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// image is what a job expects a shard's rows to become: a SELECT over the shard, which is the connection's main database, so that the plan's
// conditions mean what they meant to the shard.
type image struct {
	conn    *sql.Conn
	shard   *shard
	job     *merge.TableJob
	table   *merge.Table // the shard's
	out     []*merge.Column
	exprs   []string // by column of out
	drop    string   // true for rows that are left out; "" when none is
	maps    *proofMaps
	sets    map[any]string // tables of values by what they hold
	renames map[*merge.Rename]string
	temps   []string
}

// newImage compiles a job of a shard that has the table.
func newImage(ctx context.Context, conn *sql.Conn, s *shard, job *merge.TableJob) (*image, error) {
	im := &image{conn: conn, shard: s, job: job, table: s.schema.Table(job.Table.Name), sets: map[any]string{}, renames: map[*merge.Rename]string{}}
	var err error
	if im.maps, err = newProofMaps(conn); err != nil {
		return nil, err
	}
	for _, out := range job.Table.Columns {
		if out.Generated {
			continue
		}
		col := jobOf(job, out.Name)
		if col == nil {
			return nil, fmt.Errorf("nothing says what column %s becomes", merge.Col{Table: job.Table.Name, Name: out.Name})
		}
		expr, err := im.column(ctx, out, col)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", merge.Col{Table: job.Table.Name, Name: out.Name}, err)
		}
		im.out, im.exprs = append(im.out, out), append(im.exprs, expr)
	}
	var drops []string
	for _, d := range job.Drop {
		cond, err := im.dropped(ctx, d)
		if err != nil {
			return nil, err
		}
		drops = append(drops, cond)
	}
	im.drop = some(drops)
	return im, nil
}

func jobOf(job *merge.TableJob, name string) *merge.ColumnJob {
	for i := range job.Columns {
		if merge.FoldASCII(job.Columns[i].Name) == merge.FoldASCII(name) {
			return &job.Columns[i]
		}
	}
	return nil
}

// expected is the i-th expected column in the subquery that rows makes.
func expected(i int) string { return fmt.Sprintf("gameid_%d", i) }

// rows is the SELECT of the expected rows; more columns may be added.
func (im *image) rows(more ...string) string {
	var list []string
	for i, e := range im.exprs {
		list = append(list, e+" AS "+expected(i))
	}
	s := "SELECT " + strings.Join(append(list, more...), ", ") + " FROM main." + ident(im.table.Name) + " NOT INDEXED"
	if im.drop != "" {
		s += " WHERE NOT coalesce(" + im.drop + ", 0)"
	}
	return s
}

// count is how many rows are expected.
func (im *image) count(ctx context.Context) (n int64, err error) {
	if im.drop == "" {
		return number(ctx, im.conn, "SELECT count(*) FROM main."+ident(im.table.Name))
	}
	return number(ctx, im.conn, "SELECT count(*) FROM ("+im.rows()+")")
}

// source names one of the shard's columns.
func (im *image) source(name string) string { return ident(im.table.Name) + "." + ident(name) }

// column is the expected value of one column.
func (im *image) column(ctx context.Context, out *merge.Column, col *merge.ColumnJob) (string, error) {
	value, affinity := "NULL", merge.Blob
	if col.Source != "" {
		src := im.table.Column(col.Source, true)
		if src == nil {
			return "", fmt.Errorf("shard %s lacks %s", im.shard.src.Name, merge.Col{Table: im.table.Name, Name: col.Source})
		}
		value, affinity = im.source(src.Name), src.Affinity
	} else if col.Missing != "" {
		value = bracketed(col.Missing)
	}
	expr, err := im.cases(ctx, value, affinity, col.Cases)
	if err != nil {
		return "", err
	}
	for i := range col.Buried {
		if expr, err = im.buried(ctx, expr, value, &col.Buried[i]); err != nil {
			return "", err
		}
	}
	for i := range col.Copies {
		if expr, err = im.copied(ctx, expr, value, &col.Copies[i]); err != nil {
			return "", err
		}
	}
	for i := range im.job.Renames {
		if expr, err = im.renamed(ctx, expr, col, im.job.Renames[i].Rename); err != nil {
			return "", err
		}
	}
	if expr == value && col.Source != "" && affinity != out.Affinity {
		expr = "+" + expr // as a value without affinity: the output's column coerces it as an insert does
	}
	return expr, nil
}

// cases is the value under the first case that holds.
func (im *image) cases(ctx context.Context, value string, affinity merge.Affinity, cases []merge.Case) (string, error) {
	var arms string
	for i := range cases {
		c := &cases[i]
		mapped, err := im.mapped(ctx, value, affinity, c)
		if err != nil {
			return "", err
		}
		cond := proofWhen(c.When)
		for _, n := range c.NotNull {
			cond = append(cond, im.source(n)+" IS NOT NULL")
		}
		if len(cond) == 0 {
			if arms == "" {
				return mapped, nil
			}
			return "CASE" + arms + " ELSE " + mapped + " END", nil
		}
		arms += " WHEN " + every(cond) + " THEN " + mapped
	}
	if arms == "" {
		return value, nil
	}
	return "CASE" + arms + " ELSE " + value + " END", nil
}

func proofWhen(when string) []string {
	if when == "" {
		return nil
	}
	return []string{bracketed(when)}
}

// mapped is a value under one case.
func (im *image) mapped(ctx context.Context, v string, affinity merge.Affinity, c *merge.Case) (string, error) {
	var s string
	rest := v
	if len(c.None) > 0 {
		s += " WHEN " + proofNobody(v, c.None, c.AsText) + " THEN " + v
	}
	text := c.AsText && (affinity == merge.Text || affinity == merge.Blob) // the others store no canonical decimal text
	if c.Clear.Len() > 0 {
		in, err := im.member(ctx, v, c.Clear, text)
		if err != nil {
			return "", err
		}
		s += " WHEN " + in + " THEN " + literal(c.Cleared)
	}
	if c.Map != nil && len(c.Map.Runs()) > 0 {
		number, err := im.maps.image(c.Map, v)
		if err != nil {
			return "", err
		}
		if text {
			digits, err := im.maps.image(c.Map, "CAST("+v+" AS INTEGER)")
			if err != nil {
				return "", err
			}
			s += " WHEN " + proofDecimal(v) + " THEN CAST(" + digits + " AS TEXT)"
		}
		rest = number
	}
	if s == "" {
		return rest, nil
	}
	return "CASE" + s + " ELSE " + rest + " END", nil
}

// proofDecimal tells whether v is the canonical decimal text of an integer.
func proofDecimal(v string) string {
	return "typeof(" + v + ") = 'text' AND CAST(CAST(" + v + " AS INTEGER) AS TEXT) = " + v + " COLLATE BINARY"
}

// proofNobody tells whether v is one of the values that mean nobody.
func proofNobody(v string, none []any, text bool) string {
	var words []string
	for _, n := range none {
		words = append(words, literal(n))
		if i, ok := n.(int64); ok && text {
			words = append(words, literal(fmt.Sprint(i)))
		}
	}
	return v + " IN (" + strings.Join(words, ", ") + ")"
}

// member tells whether v is in a set.
func (im *image) member(ctx context.Context, v string, set *merge.ValueSet, text bool) (string, error) {
	var terms []string
	if n := set.Integers(); n != nil {
		table, err := im.values(ctx, n, "gameid_key INTEGER PRIMARY KEY", func(insert func(...any) error) error {
			for k := range n.All() {
				if err := insert(k); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return "", err
		}
		terms = append(terms, fmt.Sprintf("(typeof(%[1]s) = 'integer' AND %[1]s IN (SELECT gameid_key FROM temp.%[2]s))", v, table))
		if text {
			terms = append(terms, fmt.Sprintf("%s AND CAST(%s AS INTEGER) IN (SELECT gameid_key FROM temp.%s)", proofDecimal(v), v, table))
		}
	}
	if list := slices.Collect(set.Others()); len(list) > 0 {
		table, err := im.values(ctx, set, "gameid_key PRIMARY KEY", func(insert func(...any) error) error {
			for _, k := range list {
				if err := insert(k); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return "", err
		}
		terms = append(terms, fmt.Sprintf("EXISTS (SELECT 1 FROM temp.%s WHERE gameid_key = (+%s) COLLATE BINARY AND typeof(gameid_key) = typeof(%[2]s))", table, v))
	}
	return "(" + strings.Join(terms, " OR ") + ")", nil
}

// values is a temporary table of what an owner, a pointer, holds; it is filled once.
func (im *image) values(ctx context.Context, owner any, columns string, rows func(insert func(...any) error) error) (string, error) {
	if table, ok := im.sets[owner]; ok {
		return table, nil
	}
	table := im.tempName("values")
	im.sets[owner] = table
	return table, im.fill(ctx, "CREATE TEMP TABLE "+table+"("+columns+")", "temp."+table, "", rows)
}

// buried is the expected value of a column whose dead texts got tombstones. value is what the shard holds.
func (im *image) buried(ctx context.Context, expr, value string, k *merge.BuryJob) (string, error) {
	texts := k.Burial.Shards[im.job.Shard]
	if len(texts) == 0 {
		return expr, nil
	}
	table, err := im.values(ctx, k.Burial, "gameid_old TEXT PRIMARY KEY, gameid_new", func(insert func(...any) error) error {
		for old, fresh := range texts {
			if err := insert(old, fresh); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	cond := append(proofWhen(k.When), "typeof("+value+") = 'text'")
	if len(k.None) > 0 {
		cond = append(cond, "NOT "+proofNobody(value, k.None, true))
	}
	return "CASE WHEN " + every(cond) + " THEN coalesce((SELECT gameid_new FROM temp." + table + " WHERE gameid_old = (+" + value + ") COLLATE BINARY), " + expr + ") ELSE " + expr + " END", nil
}

// dropped tells whether a drop leaves the row out.
func (im *image) dropped(ctx context.Context, d merge.Drop) (string, error) {
	col := im.table.Column(d.Column, true)
	if col == nil || d.Values.Len() == 0 {
		return "0", nil
	}
	v := im.source(col.Name)
	in, err := im.member(ctx, v, d.Values, col.Affinity == merge.Text || col.Affinity == merge.Blob)
	if err != nil {
		return "", err
	}
	cond := append(proofWhen(d.When), in)
	if len(d.None) > 0 {
		cond = append(cond, "NOT "+proofNobody(v, d.None, true))
	}
	return "(" + every(cond) + ")", nil
}

func (im *image) tempName(kind string) string {
	name := fmt.Sprintf("gameid_proof_%s_%d", kind, len(im.temps)+1)
	im.temps = append(im.temps, name)
	return name
}

// forget leaves the connection as it was before.
func (im *image) forget(ctx context.Context) error {
	im.maps.forget()
	for _, name := range im.temps {
		if _, err := im.conn.ExecContext(ctx, "DROP TABLE temp."+name); err != nil {
			return err
		}
	}
	return nil
}

// fill makes a temporary table and its rows in one transaction. row is what a row's values become, "" for the values as they are.
func (im *image) fill(ctx context.Context, create, into, row string, rows func(insert func(...any) error) error) error {
	if _, err := im.conn.ExecContext(ctx, create); err != nil {
		return err
	}
	if _, err := im.conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	in := bulk{ctx: ctx, conn: im.conn, into: into, row: row}
	err := rows(in.add)
	if err == nil {
		err = in.flush()
	}
	if err = errors.Join(err, in.close()); err != nil {
		_, _ = im.conn.ExecContext(ctx, "ROLLBACK")
		return err
	}
	_, err = im.conn.ExecContext(ctx, "COMMIT")
	return err
}

// number reads a single number.
func number(ctx context.Context, conn *sql.Conn, query string, args ...any) (n int64, err error) {
	err = conn.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}
