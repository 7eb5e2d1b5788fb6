package cmd

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// format is how an answer made of rows is written. Its zero value is a table on
// a terminal and tab-separated values elsewhere.
type format string

// The formats of --format. TSV, CSV and both JSON forms are promised in the
// documentation; the table is for people and may change.
const (
	formatAuto   format = ""
	formatTable  format = "table"
	formatTSV    format = "tsv"
	formatCSV    format = "csv"
	formatJSON   format = "json"
	formatNDJSON format = "ndjson"
)

// String and Type make format a flag value.
func (f *format) String() string { return string(*f) }

// Type is what --help shows for the value.
func (f *format) Type() string { return "FORMAT" }

// Set takes the name of a format.
func (f *format) Set(name string) error {
	switch got := format(name); got {
	case formatTable, formatTSV, formatCSV, formatJSON, formatNDJSON:
		*f = got
		return nil
	}
	return fmt.Errorf("%q is none of %s", name, strings.Join(formatNames(), ", "))
}

func formatNames() []string { return []string{"table", "tsv", "csv", "json", "ndjson"} }

// outFormat is the format that --format or, without it, the terminal decides.
func (a *app) outFormat() format {
	switch {
	case a.format != formatAuto:
		return a.format
	case a.outIsTerminal():
		return formatTable
	default:
		return formatTSV
	}
}

// printRows writes a whole answer to Out in the format of --format. Every row
// has one value per column, as rowWriter.Write takes them.
func (a *app) printRows(columns []string, rows [][]any) error {
	w := a.newRowWriter(columns)
	for _, row := range rows {
		if err := w.Write(row...); err != nil {
			return err
		}
	}
	return w.Close()
}

// newRowWriter starts an answer on Out in the format of --format. The table
// is held until Close, since its widths depend on every row; the other formats
// are written as they come.
func (a *app) newRowWriter(columns []string) *rowWriter {
	return newRowWriter(a.Out, a.outFormat(), columns)
}

// rowWriter writes one answer made of rows. A cell is a string, a number, a
// bool, a time.Time (written as RFC 3339 in its own zone), a fmt.Stringer, or nil
// for "nothing to say here" (empty, null in JSON). IDs and database keys are
// passed as strings or Stringers and so are strings in JSON, where a number
// would lose digits above 2^53.
type rowWriter struct {
	out     *bufio.Writer
	format  format
	columns []string
	csv     *csv.Writer
	table   [][]string
	count   int
	err     error
}

func newRowWriter(w io.Writer, f format, columns []string) *rowWriter {
	r := &rowWriter{out: bufio.NewWriterSize(w, 64<<10), format: f, columns: columns}
	switch f {
	case formatTSV:
		r.tsv(columns)
	case formatCSV:
		r.raw(byteOrderMark)
		r.csv = csv.NewWriter(r.out)
		r.keep(r.csv.Write(texts(columns, spreadsheetText)))
	}
	return r
}

// Write adds one row; it panics when the row has not one value per column. The
// first error of the stream is returned from then on.
func (r *rowWriter) Write(row ...any) error {
	if len(row) != len(r.columns) {
		panic(fmt.Sprintf("%d values for the columns %v", len(row), r.columns))
	}
	switch r.format {
	case formatJSON:
		r.raw(map[bool]string{true: "[\n  ", false: ",\n  "}[r.count == 0])
		r.json(row)
	case formatNDJSON:
		r.json(row)
		r.raw("\n")
	case formatCSV:
		r.keep(r.csv.Write(texts(row, spreadsheetCell)))
	case formatTSV:
		r.tsv(texts(row, cellText))
	default:
		r.table = append(r.table, texts(row, cellText))
	}
	r.count++
	return r.err
}

// Flush writes what is buffered, so that a reader at the other end of a pipe
// sees every row so far. A table stays held.
func (r *rowWriter) Flush() error {
	if r.csv != nil {
		r.csv.Flush()
		r.keep(r.csv.Error())
	}
	r.keep(r.out.Flush())
	return r.err
}

// Close ends the answer. It returns the first error that the stream had.
func (r *rowWriter) Close() error {
	switch r.format {
	case formatJSON:
		r.raw(map[bool]string{true: "[]\n", false: "\n]\n"}[r.count == 0])
	case formatTable:
		r.keep(drawTable(r.out, r.columns, r.table))
	}
	return r.Flush()
}

func (r *rowWriter) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *rowWriter) raw(text string) {
	_, err := r.out.WriteString(text)
	r.keep(err)
}

// tsv writes one line. As in PostgreSQL's COPY text format, backslash, tab,
// newline and carriage return inside a value are written \\, \t, \n and \r, and a
// byte of any other control character, or one that is no UTF-8, is \x and two hex
// digits: every byte comes back, and none drives a terminal.
func (r *rowWriter) tsv(cells []string) {
	for i, cell := range cells {
		if i > 0 {
			r.raw("\t")
		}
		r.raw(tsvText(cell))
	}
	r.raw("\n")
}

func tsvText(s string) string {
	special := func(c rune) bool { return c == '\\' || unicode.IsControl(c) }
	if utf8.ValidString(s) && strings.IndexFunc(s, special) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		if i := strings.IndexByte("\\\t\n\r", s[0]); i >= 0 {
			b.WriteString(`\` + `\tnr`[i:i+1])
		} else if special(c) || c == utf8.RuneError && n == 1 {
			for _, x := range []byte(s[:n]) {
				fmt.Fprintf(&b, `\x%02x`, x)
			}
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// json writes one object with its members in the order of the columns.
func (r *rowWriter) json(row []any) {
	r.raw("{")
	for i, value := range row {
		if i > 0 {
			r.raw(", ")
		}
		r.raw(r.jsonText(r.columns[i]) + ": " + r.jsonText(jsonValue(value)))
	}
	r.raw("}")
}

func (r *rowWriter) jsonText(value any) string {
	var b strings.Builder
	r.keep(writeJSON(&b, value, ""))
	return strings.TrimSuffix(b.String(), "\n")
}

// writeJSON writes a value and a newline. What would drive a terminal is written as
// an escape of JSON, and is the same text to whoever parses it. A byte that is no
// UTF-8, which JSON cannot hold, becomes U+FFFD.
func writeJSON(w io.Writer, value any, indent string) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(value); err != nil {
		return err
	}
	var text strings.Builder
	for _, c := range b.String() { // control characters below U+007F are escapes already
		if c >= 0x7f && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			fmt.Fprintf(&text, `\u%04x`, c)
		} else {
			text.WriteRune(c)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// jsonValue keeps what JSON has and turns the rest into its text.
func jsonValue(value any) any {
	switch v := value.(type) {
	case nil, bool, int, int32, int64, uint32, uint64, float64, []string:
		return v
	default:
		return cellText(v)
	}
}

// texts writes every value of a row.
func texts[V any](row []V, text func(V) string) []string {
	list := make([]string, len(row))
	for i, value := range row {
		list[i] = text(value)
	}
	return list
}

// cellText is a value as table, TSV and CSV show it.
func cellText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case []string:
		return strings.Join(v, ", ")
	default:
		return fmt.Sprint(v)
	}
}
