package gameid_test

import (
	"bytes"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/gameid/gameid/gameid"
	"pgregory.net/rapid"
)

func TestSQL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := ids().Draw(t, "id")
		uuid := id.UUID()
		var raw, viaUUID gameid.ID
		var null gameid.NullID
		var base32 gameid.Base32
		var decimal gameid.Decimal
		var asUUID gameid.UUID
		for _, step := range []struct {
			dst sql.Scanner
			src any
		}{
			{&raw, id[:]},
			{&viaUUID, uuid[:]},
			{&null, id[:]},
			{&base32, strings.ToLower(id.Base32())},
			{&decimal, []byte(id.String())},
			{&asUUID, string(id.AppendUUID(nil))},
		} {
			if err := step.dst.Scan(step.src); err != nil {
				t.Fatalf("%T.Scan(%v): %v", step.dst, step.src, err)
			}
		}
		if raw != id || viaUUID != id || null != (gameid.NullID{ID: id, Valid: true}) || base32.ID != id || decimal.ID != id || asUUID.ID != id {
			t.Errorf("scanned %v %v %v %v %v %v, want %v", raw, viaUUID, null, base32, decimal, asUUID, id)
		}
		if v, err := id.Value(); err != nil || !bytes.Equal(v.([]byte), id[:]) {
			t.Errorf("Value = %v, %v, want its ten bytes", v, err)
		}
		v, err := gameid.Int{ID: id}.Value()
		if fits := id.Bits() <= 63; (err == nil) != fits {
			t.Errorf("Int.Value = %v, %v, want fits = %v", v, err, fits)
		} else if fits {
			var back gameid.Int
			if err := back.Scan(v); err != nil || back.ID != id {
				t.Errorf("Int.Scan(%v) = %v, %v, want %v", v, back, err, id)
			}
		}
	})
}

// Digits alone are base32 in a column of base32, and decimal in one of numbers.
func TestWrappersKnowTheirForm(t *testing.T) {
	const digits = "0000000000000010"
	var base32 gameid.Base32
	var decimal gameid.Decimal
	if err := errors.Join(base32.Scan(digits), decimal.Scan(digits)); err != nil {
		t.Fatal(err)
	}
	if base32.ID != gameid.FromUint64(32) || decimal.ID != gameid.FromUint64(10) {
		t.Errorf("%s as base32 and decimal: got %v and %v, want 32 and 10", digits, base32, decimal)
	}
}

// refusal scans into a copy of keep, and says whether that changed.
func refusal[T comparable, P interface {
	*T
	sql.Scanner
}](keep T) func(src any) (changed bool, err error) {
	return func(src any) (bool, error) {
		into := keep
		err := P(&into).Scan(src)
		return into != keep, err
	}
}

func TestG23ScanRefuses(t *testing.T) {
	keep := gameid.ID{7}
	scans := map[string]func(any) (bool, error){
		"ID":      refusal[gameid.ID](keep),
		"NullID":  refusal[gameid.NullID](gameid.NullID{ID: keep, Valid: true}),
		"Base32":  refusal[gameid.Base32](gameid.Base32{ID: keep}),
		"Decimal": refusal[gameid.Decimal](gameid.Decimal{ID: keep}),
		"Int":     refusal[gameid.Int](gameid.Int{ID: keep}),
		"UUID":    refusal[gameid.UUID](gameid.UUID{ID: keep}),
	}
	lossy := float64(1<<53 + 1) // what is left of 2^53+1 in a double
	for _, test := range []struct {
		into string
		src  any
		want string
	}{
		{"ID", nil, "NullID"},
		{"ID", "1", "scan it into a Base32"},
		{"ID", []byte("1"), "1 bytes long, an ID has 10; a column of text"},
		{"ID", []byte("1234567890"), "ten digits of text and not the ten bytes of an ID; a column of text or digits needs a Base32, Decimal"},
		{"ID", make([]byte, 16), "not made from an ID"},
		{"ID", lossy, "lost digits; store IDs as"},
		{"ID", int64(-1), "negative"},
		{"ID", true, "cannot scan a bool"},
		{"NullID", lossy, "lost digits; store IDs as"},
		{"NullID", "1", "scan it into a Base32"},
		{"Base32", nil, "sql.Null"},
		{"Base32", lossy, "lost digits; store IDs as"},
		{"Base32", int64(80000000001), "gave an integer"},
		{"Base32", "9007199254740993 ", "17 characters, 16 are needed"},
		{"Base32", "01ffffffffffffffffff", "20 characters, 16 are needed"},
		{"Decimal", nil, "sql.Null"},
		{"Decimal", lossy, "lost digits; store IDs as"},
		{"Decimal", float32(1), "lost digits; store IDs as"},
		{"Decimal", "9.4447329657392904e+21", "may have lost digits"},
		{"Decimal", []byte("12.00"), "may have lost digits"},
		{"Decimal", "000000000000000Z", "no digit"},
		{"Decimal", "-1", "negative"},
		{"Decimal", int64(-1), "negative"},
		{"Int", nil, "sql.Null"},
		{"Int", lossy, "lost digits; store IDs as"},
		{"Int", int64(-1), "negative"},
		{"Int", []byte("9223372036854775808"), "needs 64 bits and a BIGINT has 63"},
		{"Int", uint64(1 << 63), "needs 64 bits and a BIGINT has 63"},
		{"UUID", nil, "sql.Null"},
		{"UUID", "9007199254740993", "32 digits"},
		{"UUID", int64(1), "gave an integer"},
		{"UUID", "00000000-0000-4000-8000-0067616d6964", "not made from an ID"},
	} {
		if changed, err := scans[test.into](test.src); changed || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s.Scan(%T %v): got changed = %v, %v, want no change and %q", test.into, test.src, test.src, changed, err, test.want)
		}
	}
	if _, err := (gameid.Int{ID: gameid.ID{1}}).Value(); !errors.Is(err, gameid.ErrRange) {
		t.Errorf("Int.Value of 2^72: got %v, want ErrRange", err)
	}
}

func TestScanNull(t *testing.T) {
	id := gameid.NullID{ID: gameid.ID{7}, Valid: true}
	if err := id.Scan(nil); err != nil || id != (gameid.NullID{}) {
		t.Errorf("NullID.Scan(nil) = %v, %v, want NULL", id, err)
	}
	if v, err := id.Value(); v != nil || err != nil {
		t.Errorf("Value of NULL = %v, %v, want nil", v, err)
	}
	var base32 sql.Null[gameid.Base32]
	if err := base32.Scan(nil); err != nil || base32.Valid {
		t.Errorf("sql.Null[Base32].Scan(nil) = %v, %v, want NULL", base32, err)
	}
}
