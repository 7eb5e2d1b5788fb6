package cmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/merge/report"
)

// decoded is one ID under one layout.
type decoded struct {
	text   string
	layout string
	time   *time.Time // nil when it carries none
	id     *gameid.ID // nil when it is not one of ours
	parts  *gameid.Parts
	fields string
	why    string // with --layout auto: what speaks for the layout
}

// columns are those of decode's rows.
func (d *decoder) columns() []string {
	columns := []string{"id", "layout", "time"}
	if d.zone != nil {
		columns = append(columns, "local_time")
	}
	columns = append(columns, "server", "sequence", "tick", "fields", "int64", "base32", "hex", "uuid")
	if d.auto {
		columns = append(columns, "why")
	}
	return columns
}

// row has a value for each of columns.
func (d *decoder) row(r decoded) []any {
	row := []any{r.text, r.layout, nil}
	if r.time != nil {
		row[2] = *r.time
	}
	if d.zone != nil {
		row = append(row, nil)
		if r.time != nil {
			row[3] = r.time.In(d.zone)
		}
	}
	if r.id == nil {
		row = append(row, nil, nil, nil, orNil(r.fields), nil, nil, nil, nil)
	} else {
		row = append(row, r.parts.Server, r.parts.Sequence, r.parts.Tick, r.fields)
		if v, err := r.id.Int64(); err == nil {
			row = append(row, fmt.Sprint(v))
		} else {
			row = append(row, nil)
		}
		row = append(row, r.id.Base32(), r.id.Hex(), string(r.id.AppendUUID(nil)))
	}
	if d.auto {
		row = append(row, orNil(r.why))
	}
	return row
}

// orNil makes "nothing to say" of an empty text.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// block writes a row for a person, one field per line.
func (d *decoder) block(row []any) error {
	if d.total > 1 {
		if _, err := fmt.Fprintln(d.app.Out); err != nil {
			return err
		}
	}
	for i, column := range d.columns() {
		if row[i] == nil {
			continue
		}
		if _, err := fmt.Fprintf(d.app.Out, "%-10s  %s\n", column, report.Visible(cellText(row[i]))); err != nil {
			return err
		}
	}
	return nil
}

// fieldsText shows every field in the order of its bits: "time=5 datacenter=3".
func fieldsText(l *gameid.Layout, id gameid.ID) string {
	fields := l.Fields()
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = fmt.Sprintf("%s=%d", f.Label(), l.Part(id, i))
	}
	return strings.Join(texts, " ")
}
