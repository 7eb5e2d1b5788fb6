package gameid_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/gameid/gameid/gameid"
	"pgregory.net/rapid"
)

// ids draws IDs of every width, with the edges of the widths often.
func ids() *rapid.Generator[gameid.ID] {
	return rapid.Custom(func(t *rapid.T) gameid.ID {
		var id gameid.ID
		copy(id[:], rapid.SliceOfN(rapid.Byte(), gameid.Size, gameid.Size).Draw(t, "bytes"))
		zeros := rapid.IntRange(0, gameid.Size).Draw(t, "leading zero bytes")
		clear(id[:zeros])
		return id
	})
}

// forms are the text forms with their writers and readers.
func forms() map[string]struct {
	write func(gameid.ID) string
	read  func(string) (gameid.ID, error)
} {
	type form = struct {
		write func(gameid.ID) string
		read  func(string) (gameid.ID, error)
	}
	return map[string]form{
		"decimal": {gameid.ID.String, gameid.ParseDecimal},
		"base32":  {gameid.ID.Base32, gameid.ParseBase32},
		"hex":     {gameid.ID.Hex, gameid.ParseHex},
		"uuid":    {func(id gameid.ID) string { return string(id.AppendUUID(nil)) }, gameid.ParseUUID},
	}
}

func TestRoundTrip(t *testing.T) {
	for name, form := range forms() {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			id := ids().Draw(t, "id")
			text := form.write(id)
			for _, spelling := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
				if got, err := form.read(spelling); err != nil || got != id {
					t.Fatalf("read(%q) = %v, %v, want %v", spelling, got, err, id)
				}
			}
			// Parse tells the forms apart, but for digits alone, which are decimal. Base32
			// that begins with 0X can be hex: such IDs have more than 74 bits.
			got, err := gameid.Parse(text)
			if strings.Trim(text, "0123456789") == "" {
				return
			}
			var syntax *gameid.SyntaxError
			if ambiguous := name == "base32" && strings.HasPrefix(text, "0X"); (!ambiguous || !errors.As(err, &syntax)) && (err != nil || got != id) {
				t.Fatalf("Parse(%q) = %v, %v, want %v", text, got, err, id)
			}
		}))
	}
}

// Texts of fixed width, bytes and UUIDs sort as the numbers do.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := ids().Draw(t, "a"), ids().Draw(t, "b")
		want := cmp.Or(cmp.Compare(len(a.String()), len(b.String())), cmp.Compare(a.String(), b.String()))
		ua, ub := a.UUID(), b.UUID()
		for name, got := range map[string]int{
			"Compare": a.Compare(b),
			"base32":  cmp.Compare(a.Base32(), b.Base32()),
			"hex":     cmp.Compare(a.Hex(), b.Hex()),
			"bytes":   bytes.Compare(a[:], b[:]),
			"uuid":    bytes.Compare(ua[:], ub[:]),
		} {
			if got != want {
				t.Errorf("%s of %v and %v: got %d, want %d", name, a, b, got, want)
			}
		}
	})
}

func TestKnownTexts(t *testing.T) {
	for _, test := range []struct{ decimal, base32, hex, uuid string }{
		{"0", "0000000000000000", "00000000000000000000", "00000000-0000-8000-9000-0067616d6964"},
		{"31", "000000000000000Z", "0000000000000000001f", "00000000-0000-8000-9000-1f67616d6964"},
		{"9007199254740993", "0000080000000001", "00000020000000000001", "00000020-0000-8000-9000-0167616d6964"},
		{"9223372036854775807", "0007ZZZZZZZZZZZZ", "00007fffffffffffffff", "00007fff-ffff-8fff-9fff-ff67616d6964"},
		{"9444732965739290427391", "07ZZZZZZZZZZZZZZ", "01ffffffffffffffffff", "01ffffff-ffff-8fff-9fff-ff67616d6964"},
		{"1208925819614629174706175", "ZZZZZZZZZZZZZZZZ", "ffffffffffffffffffff", "ffffffff-ffff-8fff-9fff-ff67616d6964"},
	} {
		id, err := gameid.Parse(test.decimal)
		if err != nil {
			t.Errorf("Parse(%s): %v", test.decimal, err)
			continue
		}
		if id.Base32() != test.base32 || id.Hex() != test.hex || string(id.AppendUUID(nil)) != test.uuid {
			t.Errorf("%s: got %s, %s, %s, want %+v", test.decimal, id.Base32(), id.Hex(), id.AppendUUID(nil), test)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "0x1f000000000000", " 1", "1 ", "-1", "+1", "1.0", "1e3", "0x", "0xg", "0x112233445566778899aabb", "abc",
		"000000000000000U", "0000000000000000Z", "zzzzzzzzzzzzzzz\x00", "１２",
		"0000000000000010", "01200000000000100005", // base32 and hex of digits alone
		"00000000-0000-4000-8000-0067616d6964", "00000000-0000-8000-8000-006761636964", "00000000-0000-8000-8000-0067616d6964", "00000000-0000-8000-a000-0067616d6964",
		"00000000000-080008000-0067616d6964-0", "zz000000-0000-8000-8000-0067616d6964",
	} {
		var syntax *gameid.SyntaxError
		if id, err := gameid.Parse(text); !errors.As(err, &syntax) {
			t.Errorf("Parse(%q) = %v, %v, want a *SyntaxError", text, id, err)
		}
	}
	for _, text := range []string{"1208925819614629174706176", "99999999999999999999999999", strings.Repeat("9", 1000)} {
		if id, err := gameid.Parse(text); !errors.Is(err, gameid.ErrRange) {
			t.Errorf("Parse(%q) = %v, %v, want ErrRange", text, id, err)
		}
	}
	// Digits alone are decimal even where another form has the same length.
	if id, err := gameid.Parse("1000000000000010"); err != nil || id != gameid.FromUint64(1000000000000010) {
		t.Errorf("Parse of 16 digits = %v, %v, want decimal", id, err)
	}
	if id, err := gameid.ParseBase32("ILO0000000000001"); err != nil || id.Base32() != "1100000000000001" {
		t.Errorf("ParseBase32 of I, L and O = %v, %v, want them read as 1, 1 and 0", id.Base32(), err)
	}
}

func TestG23Int64(t *testing.T) {
	top, err := gameid.FromInt64(math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := top.Int64(); err != nil || got != math.MaxInt64 {
		t.Errorf("Int64 = %d, %v, want 2^63-1", got, err)
	}
	for _, id := range []gameid.ID{gameid.FromUint64(1 << 63), {1}} {
		if got, err := id.Int64(); !errors.Is(err, gameid.ErrRange) {
			t.Errorf("Int64 of %v = %d, %v, want ErrRange", id, got, err)
		}
	}
	if _, err := gameid.FromInt64(-1); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("FromInt64(-1): got %v, want ErrRange", err)
	}
	if got := gameid.FromUint64(1 << 62).Bits(); got != 63 {
		t.Errorf("Bits of 2^62: got %d, want 63", got)
	}
}

// The numbers at which doubles, BIGINT and the default layout end keep every digit
// in every form, and are text in JSON.
func TestG23BigNumbersKeepTheirDigits(t *testing.T) {
	for _, digits := range []string{"9007199254740993", "9223372036854775807", "9223372036854775808", "9444732965739290427391"} { // 2^53+1, 2^63-1, 2^63, 2^73-1
		id, err := gameid.Parse(digits)
		if err != nil || id.String() != digits {
			t.Errorf("Parse(%s) = %v, %v", digits, id, err)
			continue
		}
		for form, again := range map[string]func() (gameid.ID, error){
			"base32": func() (gameid.ID, error) { return gameid.ParseBase32(id.Base32()) },
			"JSON": func() (back gameid.ID, err error) {
				text, err := json.Marshal(id)
				if want := `"` + digits + `"`; err == nil && string(text) != want {
					t.Errorf("JSON of %s = %s, want %s", digits, text, want)
				}
				return back, errors.Join(err, json.Unmarshal(text, &back))
			},
		} {
			if back, err := again(); err != nil || back != id {
				t.Errorf("%s through %s = %v, %v", digits, form, back, err)
			}
		}
		wide := len(digits) > 19 || digits > "9223372036854775807" && len(digits) == 19
		if v, err := id.Int64(); wide != errors.Is(err, gameid.ErrRange) || !wide && strconv.FormatInt(v, 10) != digits {
			t.Errorf("Int64 of %s = %d, %v", digits, v, err)
		}
		var scanned gameid.ID
		if err := scanned.Scan(9007199254740992.0); err == nil {
			t.Errorf("Scan of a double = %v, want an error", scanned)
		}
	}
}

func TestG23JSON(t *testing.T) {
	type row struct {
		ID  gameid.ID
		Map map[gameid.ID]int
	}
	big, _ := gameid.Parse("9444732965739290427391")
	text, err := json.Marshal(row{big, map[gameid.ID]int{big: 1}})
	want := `{"ID":"9444732965739290427391","Map":{"9444732965739290427391":1}}`
	if err != nil || string(text) != want {
		t.Fatalf("Marshal = %s, %v, want %s", text, err, want)
	}
	for _, text := range []string{want, `{"ID":9444732965739290427391}`, `{"ID":"` + big.Base32() + `"}`, `{"ID":"0x01ffffffffffffffffff"}`} {
		var got row
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.ID != big {
			t.Errorf("Unmarshal(%s) = %v, %v, want %v", text, got.ID, err, big)
		}
	}
	for _, text := range []string{`{"ID":9.0}`, `{"ID":9e3}`, `{"ID":-9}`, `{"ID":true}`, `{"ID":{}}`, `{"ID":""}`, `{"ID":"9.0"}`} {
		got := row{ID: big}
		if err := json.Unmarshal([]byte(text), &got); err == nil || got.ID != big {
			t.Errorf("Unmarshal(%s) = %v, %v, want an error and no change", text, got.ID, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"1", "0x1f", "ZZZZZZZZZZZZZZZZ", "ffffffffffffffffffff", "00000000-0000-8000-9000-1f67616d6964"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := gameid.Parse(text)
		if err != nil {
			return
		}
		if again, err := gameid.Parse(id.String()); err != nil || again != id {
			t.Errorf("Parse(%q) = %v, which parses to %v, %v", text, id, again, err)
		}
	})
}

// Each reader alone: what it accepts is what its writer writes, but for case, the
// aliases of base32, leading zeros and the 0x of hex.
func FuzzForms(f *testing.F) {
	f.Add("00000000000000000001")
	f.Add("il0000000000000o")
	f.Fuzz(func(t *testing.T, text string) {
		for name, form := range forms() {
			id, err := form.read(text)
			if err != nil {
				continue
			}
			if again, err := form.read(form.write(id)); err != nil || again != id {
				t.Errorf("%s: %q reads as %v, which reads as %v, %v", name, text, id, again, err)
			}
		}
	})
}

func FuzzUnmarshalJSON(f *testing.F) {
	f.Add([]byte(`"12"`))
	f.Add([]byte(`12e3`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var id gameid.ID
		if json.Unmarshal(text, &id) != nil {
			return
		}
		var number json.Number
		if json.Unmarshal(text, &number) == nil && number != "" && strings.ContainsAny(number.String(), ".eE-") && text[0] != '"' {
			t.Errorf("%s was read as %v", text, id)
		}
	})
}
