package cmd

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// idLines says what idsOf reads, for whoever gave it something else.
const idLines = "give one ID per line, or the rows of gen, decode or public as tsv, csv, json or ndjson"

// eachID gives do the IDs of standard input, each with the number of its line: lines of one ID, or rows as this tool writes them, of which column holds the
// ID. Blank lines and byte order marks are left out. A line that is none of these is given as it is, for do to refuse. What is done is flushed as soon as no more
// input is at hand.
func eachID(ctx context.Context, in io.Reader, column string, do func(text, where string) error, flush func() error) error {
	const longest = 4096 // bytes; no form comes near it
	reader := bufio.NewReaderSize(in, 64<<10)
	rows := idRows{column: column}
	for number := 1; ; number++ {
		line, err := reader.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("standard input: %w", err)
		}
		line = strings.TrimPrefix(strings.TrimRight(line, "\r\n"), byteOrderMark)
		if text, ok := rows.id(line); ok {
			if doErr := do(text[:min(len(text), longest)], fmt.Sprintf("line %d", number)); doErr != nil {
				return doErr
			}
		}
		if reader.Buffered() == 0 {
			if flushErr := flush(); flushErr != nil {
				return flushErr
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return rows.end()
		}
	}
}

// idRows finds the IDs in rows, line by line: this tool writes each row, and each object of JSON, on a line of its own.
type idRows struct {
	column  string
	begun   bool   // a line that is not blank was read
	heading string // of rows of TSV and CSV
	at, of  int    // where the column stands
	array   bool   // inside an array of JSON
	closed  bool   // behind one
}

// id is the ID of a line; ok is false where a line is there for the form alone.
func (r *idRows) id(line string) (text string, ok bool) {
	text = strings.TrimSpace(line)
	first := !r.begun && text != ""
	r.begun = r.begun || first
	switch {
	case text == "":
		return "", false
	case (first || r.closed) && (text == "[" || text == "[]"), r.array && text == "]":
		r.array, r.closed = text == "[", text != "["
		return "", false
	case first:
		if cells := rowCells(text, text); slices.Contains(cells, "id") {
			if at := slices.Index(cells, r.column); at >= 0 && !slices.Contains(cells[at+1:], r.column) {
				r.heading, r.at, r.of = text, at, len(cells)
			}
		}
	}
	switch {
	case r.heading == text: // also that of a second list behind the first
		return "", false
	case r.heading != "":
		if cells := rowCells(line, r.heading); len(cells) == r.of {
			return strings.TrimSpace(cells[r.at]), true
		}
	case strings.HasPrefix(text, `{"`):
		var row map[string]any
		if err := json.Unmarshal([]byte(strings.TrimSuffix(text, ",")), &row); err == nil {
			if id, is := row[r.column].(string); is { // a number may have lost digits already
				return id, true
			}
		}
	}
	return text, true
}

// end refuses an array that was cut off.
func (r *idRows) end() error {
	if r.array {
		return trouble(errors.New("standard input ends inside an array of JSON: its last rows may be missing"), idLines)
	}
	return nil
}

// rowCells are the cells of a line, as its heading divides them; nil where it is no row.
func rowCells(line, heading string) []string {
	if strings.Contains(heading, "\t") {
		return strings.Split(line, "\t")
	}
	cells, err := csv.NewReader(strings.NewReader(line)).Read()
	if err != nil {
		return nil
	}
	return texts(cells, sheetValue)
}
