package gameid

import (
	"encoding/hex"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// The forms by name, as SyntaxError has them.
const (
	formDecimal = "decimal"
	formBase32  = "base32"
	formHex     = "hex"
	formUUID    = "uuid"
	formRaw     = "raw"
	formAny     = "any"
)

// SyntaxError says why a text, or bytes, are no ID.
type SyntaxError struct {
	Form   string // the form that was expected: "decimal", "base32", "hex", "uuid", "raw", or "any"
	Text   string // what was read, cut to 64 bytes
	Reason string // what is wrong with it
}

func (e *SyntaxError) Error() string {
	if e.Form == formAny {
		return fmt.Sprintf("%q is no ID: %s", e.Text, e.Reason)
	}
	return fmt.Sprintf("%q is no ID in %s form: %s", e.Text, e.Form, e.Reason)
}

// syntax keeps a copy of the text: readers whose argument never escapes need no
// allocation for one that was made of bytes.
func syntax(form, text, reason string) error {
	return &SyntaxError{Form: form, Text: short(text), Reason: reason}
}

func short(text string) string { return strings.Clone(text[:min(len(text), 64)]) }

// parseForm reads a text in the form of that name.
func parseForm(text, form string) (ID, error) {
	switch form {
	case formDecimal:
		return ParseDecimal(text)
	case formBase32:
		return ParseBase32(text)
	case formUUID:
		return ParseUUID(text)
	}
	return Parse(text)
}

// Parse reads an ID in any of its text forms, told apart by their shape: digits
// alone are decimal, always; 16 characters are base32; 20 characters, or 0x and
// up to 20, are hex; 32 or 36 are a UUID of ours. A text that can be two of these
// is refused, and so are 16 or 20 digits with a zero in front. Where the form is known, call its own function: base32 and hex can
// happen to have digits alone. Errors are *SyntaxError or, above 2^80-1, ErrRange.
func Parse(text string) (ID, error) {
	digits := text != ""
	for i := 0; i < len(text); i++ {
		digits = digits && text[i]-'0' <= 9
	}
	switch {
	case digits && text[0] == '0' && (len(text) == Base32Len || len(text) == hexLen):
		other := formBase32
		if len(text) == hexLen {
			other = formHex
		}
		return ID{}, syntax(formAny, text, "it can be "+other+" as well as decimal; say which form it is, or write a decimal without the zeros in front")
	case digits:
		return ParseDecimal(text)
	case len(text) == Base32Len:
		if hasHexPrefix(text) {
			if _, err := ParseHex(text); err == nil {
				return ID{}, syntax(formAny, text, "it can be base32 and hexadecimal; say which, or write it without 0x")
			}
		}
		return ParseBase32(text)
	case hasHexPrefix(text):
		return ParseHex(text)
	case len(text) == hexLen:
		return ParseHex(text)
	case len(text) == 32, len(text) == UUIDLen:
		return ParseUUID(text)
	}
	return ID{}, syntax(formAny, text, "it is neither all digits, nor 16 characters of base32, nor 20 of hex, nor a UUID")
}

// String returns id in decimal, without leading zeros.
func (id ID) String() string {
	var buf [25]byte
	return string(id.AppendDecimal(buf[:0]))
}

// AppendDecimal appends id in decimal: 1 to 25 digits.
func (id ID) AppendDecimal(b []byte) []byte {
	const chunk = 1e19 // the largest power of ten in 64 bits
	hi, lo := id.split()
	if hi == 0 {
		return strconv.AppendUint(b, lo, 10)
	}
	head, tail := bits.Div64(hi, lo, chunk) // hi < 2^16 < chunk, so it fits
	if head == 0 {
		return strconv.AppendUint(b, tail, 10)
	}
	b = strconv.AppendUint(b, head, 10)
	from := len(b)
	b = append(b, "0000000000000000000"...)
	for i := len(b) - 1; i >= from; i-- {
		b[i] = byte('0' + tail%10)
		tail /= 10
	}
	return b
}

// ParseDecimal reads digits alone, with leading zeros or without. Signs, spaces,
// points and exponents give a *SyntaxError, numbers above 2^80-1 ErrRange.
func ParseDecimal(text string) (ID, error) {
	if text == "" {
		return ID{}, syntax(formDecimal, text, "it is empty")
	}
	var hi, lo uint64
	for i := 0; i < len(text); i++ {
		d := uint64(text[i] - '0')
		if d > 9 {
			return ID{}, syntax(formDecimal, text, notDecimal(text, i))
		}
		over, low := bits.Mul64(lo, 10)
		low, carry := bits.Add64(low, d, 0)
		hi, lo = hi*10+over+carry, low
		if hi > 1<<16-1 {
			return ID{}, fmt.Errorf("%q is above 2^80-1, the highest ID: %w", short(text), ErrRange)
		}
	}
	return compose(hi, lo), nil
}

// notDecimal says what the character at i of a number makes of it.
func notDecimal(text string, i int) string {
	switch c := text[i]; {
	case i == 0 && c == '-':
		return "it is negative, and IDs run from 0 to 2^80-1"
	case i > 0 && (c == '.' || c|0x20 == 'e'):
		return "it is a fraction or a floating-point number, which may have lost digits; send all digits of the ID, best as a string"
	default:
		return fmt.Sprintf("%q is no digit", c)
	}
}

const hexLen = 2 * Size

// AppendHex appends id as 20 lower-case hexadecimal digits.
func (id ID) AppendHex(b []byte) []byte { return hex.AppendEncode(b, id[:]) }

// Hex returns id as 20 lower-case hexadecimal digits.
func (id ID) Hex() string { return string(id.AppendHex(make([]byte, 0, hexLen))) }

func hasHexPrefix(text string) bool {
	return len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x'
}

// ParseHex reads 20 hexadecimal digits in either case, or 1 to 20 after "0x".
func ParseHex(text string) (id ID, err error) {
	digits := text
	if hasHexPrefix(text) {
		digits = text[2:]
		if len(digits) > hexLen {
			return ID{}, syntax(formHex, text, "more than 20 digits")
		}
	} else if len(text) != hexLen {
		return ID{}, syntax(formHex, text, fmt.Sprintf("%d characters, 20 are needed (fewer only after 0x)", len(text)))
	}
	var padded [hexLen]byte
	copy(padded[:], "00000000000000000000")
	copy(padded[hexLen-len(digits):], digits)
	if _, err := hex.Decode(id[:], padded[:]); err != nil {
		return ID{}, syntax(formHex, text, "a character is no hexadecimal digit")
	}
	return id, nil
}
