package gameid_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gameid/gameid/gameid"
)

var (
	_ encoding.TextAppender      = gameid.ID{}
	_ encoding.TextMarshaler     = gameid.ID{}
	_ encoding.TextUnmarshaler   = (*gameid.ID)(nil)
	_ encoding.BinaryAppender    = gameid.ID{}
	_ encoding.BinaryMarshaler   = gameid.ID{}
	_ encoding.BinaryUnmarshaler = (*gameid.ID)(nil)
	_ json.Marshaler             = gameid.ID{}
	_ json.Unmarshaler           = (*gameid.ID)(nil)
	_ json.Marshaler             = gameid.NullID{}
	_ json.Unmarshaler           = (*gameid.NullID)(nil)
	_ flag.Value                 = (*gameid.ID)(nil)
	_ fmt.Stringer               = gameid.ID{}
	_ driver.Valuer              = gameid.ID{}
	_ sql.Scanner                = (*gameid.ID)(nil)
)

// extremes are the IDs at which the usual numbers end, and those around zero.
func extremes(t testing.TB) map[string]gameid.ID {
	t.Helper()
	extremes := map[string]gameid.ID{}
	for name, digits := range map[string]string{
		"0": "0", "1": "1", "2^53-1": "9007199254740991", "2^53+1": "9007199254740993", "2^63-1": "9223372036854775807",
		"2^63": "9223372036854775808", "2^64-1": "18446744073709551615", "2^64": "18446744073709551616",
		"2^73-1": "9444732965739290427391", "2^80-1": "1208925819614629174706175",
	} {
		id, err := gameid.ParseDecimal(digits)
		if err != nil || id.String() != digits {
			t.Fatalf("ParseDecimal(%s) = %v, %v", digits, id, err)
		}
		extremes[name] = id
	}
	return extremes
}

// Writing a form into a buffer and reading it from one allocates nothing.
func TestFormsWithoutAllocation(t *testing.T) {
	buf := make([]byte, 0, 64)
	for name, id := range extremes(t) {
		uuid, raw := id.UUID(), id[:]
		decimal, base32, hex, uuidText := id.String(), id.Base32(), id.Hex(), string(id.AppendUUID(nil))
		var got gameid.ID
		var err error
		var wrapped gameid.Base32
		var number gameid.Decimal
		read := func(parse func(string) (gameid.ID, error), text string) func() {
			return func() { got, err = parse(text) }
		}
		for form, run := range map[string]func(){
			"AppendDecimal":   func() { buf = id.AppendDecimal(buf[:0]) },
			"AppendBase32":    func() { buf = id.AppendBase32(buf[:0]) },
			"AppendHex":       func() { buf = id.AppendHex(buf[:0]) },
			"AppendUUID":      func() { buf = id.AppendUUID(buf[:0]) },
			"AppendText":      func() { buf, err = id.AppendText(buf[:0]) },
			"AppendBinary":    func() { buf, err = id.AppendBinary(buf[:0]) },
			"UUID":            func() { uuid = id.UUID() },
			"ParseDecimal":    read(gameid.ParseDecimal, decimal),
			"ParseBase32":     read(gameid.ParseBase32, base32),
			"ParseHex":        read(gameid.ParseHex, hex),
			"ParseUUID":       read(gameid.ParseUUID, uuidText),
			"Parse decimal":   read(gameid.Parse, decimal),
			"Parse 0x":        read(gameid.Parse, "0x"+hex),
			"Parse UUID":      read(gameid.Parse, uuidText),
			"FromUUID":        func() { got, err = gameid.FromUUID(uuid) },
			"FromBytes":       func() { got, err = gameid.FromBytes(raw) },
			"Scan bytes":      func() { err = got.Scan(raw) },
			"Scan base32":     func() { err = wrapped.Scan([]byte(base32)); got = wrapped.ID },
			"Scan decimal":    func() { err = number.Scan([]byte(decimal)); got = number.ID },
			"UnmarshalText":   func() { err = got.UnmarshalText([]byte(decimal)) },
			"UnmarshalBinary": func() { err = got.UnmarshalBinary(raw) },
		} {
			got, err = id, nil
			// The boxes of Scan's arguments are the driver's.
			want := 0.0
			if strings.HasPrefix(form, "Scan") {
				want = 2
			}
			if allocs := testing.AllocsPerRun(100, run); allocs > want {
				t.Errorf("%s of %s: got %v allocations, want at most %v", form, name, allocs, want)
			}
			if err != nil || got != id {
				t.Errorf("%s of %s: got %v, %v, want %v", form, name, got, err, id)
			}
		}
	}
	// Texts with letters, which Parse tells from digits by trying.
	letters := gameid.ID{0xff, 1}
	for _, text := range []string{letters.Base32(), letters.Hex()} {
		if allocs := testing.AllocsPerRun(100, func() { _, _ = gameid.Parse(text) }); allocs != 0 {
			t.Errorf("Parse(%s): got %v allocations, want 0", text, allocs)
		}
	}
}

func TestG23RefusalsSayWhatToDo(t *testing.T) {
	for _, test := range []struct{ json, want string }{
		{`9007199254740992.0`, "may have lost digits; send all digits"},
		{`9.0071992547409930e15`, "may have lost digits; send all digits"},
		{`1E3`, "may have lost digits; send all digits"},
		{`-1`, "negative"},
		{`true`, "neither a JSON string nor a number; send the ID as a string"},
		{`["1"]`, "neither a JSON string nor a number; send the ID as a string"},
		{`1208925819614629174706176`, "above 2^80-1"},
		{`"9007199254740992.0"`, "neither all digits"},
	} {
		id := gameid.ID{7}
		err := json.Unmarshal([]byte(test.json), &id)
		if err == nil || !strings.Contains(err.Error(), test.want) || id != (gameid.ID{7}) {
			t.Errorf("Unmarshal(%s) = %v, %v, want no change and %q", test.json, id, err, test.want)
		}
	}
	if _, err := (gameid.ID{1}).Int64(); err == nil || !strings.Contains(err.Error(), "needs 73 bits") || !strings.Contains(err.Error(), "use BINARY(10)") {
		t.Errorf("Int64 of 2^72: got %v, want its bits and columns that fit", err)
	}
}

func TestIDAsFlag(t *testing.T) {
	for name, id := range extremes(t) {
		var got gameid.ID
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		flags.Var(&got, "id", "")
		if err := flags.Parse([]string{"-id", id.String()}); err != nil || got != id || flags.Lookup("id").Value.String() != id.String() {
			t.Errorf("-id %v = %v, %v, want %s", id, got, err, name)
		}
		if err := flags.Parse([]string{"-id", "1e3"}); err == nil || got != id {
			t.Errorf("-id 1e3 = %v, %v, want an error and no change", got, err)
		}
	}
}

func TestNullIDInJSON(t *testing.T) {
	type row struct {
		Guild gameid.NullID
		Left  gameid.NullID `json:",omitzero"`
	}
	id := gameid.ID{1, 2}
	for want, r := range map[string]row{
		`{"Guild":null}`:                  {},
		`{"Guild":"` + id.String() + `"}`: {Guild: gameid.NullID{ID: id, Valid: true}},
		`{"Guild":"0","Left":"0"}`:        {gameid.NullID{Valid: true}, gameid.NullID{Valid: true}},
	} {
		text, err := json.Marshal(r)
		if err != nil || string(text) != want {
			t.Errorf("Marshal(%v) = %s, %v, want %s", r, text, err, want)
		}
		back := row{Guild: gameid.NullID{ID: gameid.ID{9}, Valid: true}}
		if err := json.Unmarshal([]byte(want), &back); err != nil || back != r {
			t.Errorf("Unmarshal(%s) = %v, %v, want %v", want, back, err, r)
		}
	}
	keep := gameid.NullID{ID: id, Valid: true}
	var syntax *gameid.SyntaxError
	if err := json.Unmarshal([]byte("1.5"), &keep); !errors.As(err, &syntax) || keep.ID != id {
		t.Errorf("Unmarshal(1.5) = %v, %v, want a *SyntaxError and no change", keep, err)
	}
}
