package gameid

import "fmt"

const (
	// Base32Len is the number of characters of the base32 form.
	Base32Len = 16

	// alphabet is Douglas Crockford's base 32 (https://www.crockford.com/base32.html):
	// no I, L, O or U, so that nobody mistakes one character for another.
	alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// AppendBase32 appends id as 16 characters of Crockford's base32. The width is
// fixed, so texts sort as the IDs do, under binary and case-insensitive
// collations alike.
func (id ID) AppendBase32(b []byte) []byte {
	at := len(b)
	b = append(b, make([]byte, Base32Len)...)
	id.putBase32((*[Base32Len]byte)(b[at:]))
	return b
}

// Base32 returns id as AppendBase32 writes it.
func (id ID) Base32() string {
	var text [Base32Len]byte
	id.putBase32(&text)
	return string(text[:])
}

// putBase32 writes where the text shall stand: copying what was just written byte
// by byte costs as much as writing it.
func (id ID) putBase32(text *[Base32Len]byte) {
	hi, lo := id.split()
	a, b := hi<<24|lo>>40, lo
	text[0], text[8] = alphabet[a>>35&31], alphabet[b>>35&31]
	text[1], text[9] = alphabet[a>>30&31], alphabet[b>>30&31]
	text[2], text[10] = alphabet[a>>25&31], alphabet[b>>25&31]
	text[3], text[11] = alphabet[a>>20&31], alphabet[b>>20&31]
	text[4], text[12] = alphabet[a>>15&31], alphabet[b>>15&31]
	text[5], text[13] = alphabet[a>>10&31], alphabet[b>>10&31]
	text[6], text[14] = alphabet[a>>5&31], alphabet[b>>5&31]
	text[7], text[15] = alphabet[a&31], alphabet[b&31]
}

// ParseBase32 reads 16 characters in either case. As the alphabet's author asks,
// I and L are read as 1 and O as 0. Anything else is a *SyntaxError.
func ParseBase32(text string) (id ID, err error) {
	if len(text) != Base32Len {
		return ID{}, syntax(formBase32, text, fmt.Sprintf("%d characters, 16 are needed", len(text)))
	}
	var a, b uint64
	var bad byte
	for i := range Base32Len / 2 {
		x, y := values[text[i]], values[text[i+8]]
		bad |= x | y
		a, b = a<<5|uint64(x), b<<5|uint64(y)
	}
	if bad > 31 {
		return ID{}, syntax(formBase32, text, "a character is not in Crockford's alphabet")
	}
	return compose(a>>24, a<<40|b), nil
}

// values maps a character to its value, or to 0xff.
const values = "" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\xff\xff\xff\xff\xff\xff" +
	"\xff\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x01\x12\x13\x01\x14\x15\x00" +
	"\x16\x17\x18\x19\x1a\xff\x1b\x1c\x1d\x1e\x1f\xff\xff\xff\xff\xff" +
	"\xff\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x01\x12\x13\x01\x14\x15\x00" +
	"\x16\x17\x18\x19\x1a\xff\x1b\x1c\x1d\x1e\x1f\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
