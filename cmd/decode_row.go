package cmd

import (
	"encoding/hex"
	"fmt"
	"slices"
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
}

// columns are those of decode's rows.
func (d *decoder) columns() []string {
	columns := []string{"id", "layout", "time"}
	if d.zone != nil {
		columns = append(columns, "local_time")
	}
	return append(columns, "server", "sequence", "tick", "fields", "int64", "base32", "hex", "uuid")
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
		return append(row, slices.Repeat([]any{nil}, 8)...)
	}
	row = append(row, r.parts.Server, r.parts.Sequence, r.parts.Tick, r.fields)
	if v, err := r.id.Int64(); err == nil {
		row = append(row, fmt.Sprint(v))
	} else {
		row = append(row, nil)
	}
	return append(row, r.id.Base32(), r.id.Hex(), string(r.id.AppendUUID(nil)))
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

// foreign is an ID of a well-known kind that is not ours.
type foreign struct {
	kind string
	time *time.Time
}

// parseForeign recognises MongoDB's ObjectId (4 bytes of seconds first,
// https://www.mongodb.com/docs/manual/reference/bson-types/#objectid) and UUIDs
// (RFC 9562), of which versions 1, 6 and 7 carry a time.
func parseForeign(text string) (foreign, bool) {
	digits := strings.ReplaceAll(text, "-", "")
	b, err := hex.DecodeString(digits)
	if err != nil {
		return foreign{}, false
	}
	switch {
	case len(b) == 12 && len(text) == 24:
		t := time.Unix(int64(bigEndian(b[:4])), 0).UTC()
		return foreign{"objectid", &t}, true
	case len(b) == 16 && (len(text) == 32 || len(text) == gameid.UUIDLen):
		return foreign{fmt.Sprintf("uuid v%d", b[6]>>4), uuidTime(b)}, true
	}
	return foreign{}, false
}

// uuidTime is the time in a UUID, or nil. Versions 1 and 6 count 100 ns since the
// start of the Gregorian calendar, 1582-10-15; version 7 milliseconds since 1970.
func uuidTime(b []byte) *time.Time {
	const gregorian = 122192928000000000 // 100 ns between 1582-10-15 and 1970
	var ticks uint64
	switch b[6] >> 4 {
	case 1:
		ticks = bigEndian(b[6:8])&0xfff<<48 | bigEndian(b[4:6])<<32 | bigEndian(b[:4])
	case 6:
		ticks = bigEndian(b[:6])<<12 | bigEndian(b[6:8])&0xfff
	case 7:
		t := time.UnixMilli(int64(bigEndian(b[:6]))).UTC()
		return &t
	default:
		return nil
	}
	since := int64(ticks) - gregorian
	t := time.Unix(since/1e7, since%1e7*100).UTC()
	return &t
}

func bigEndian(b []byte) (v uint64) {
	for _, x := range b {
		v = v<<8 | uint64(x)
	}
	return v
}
