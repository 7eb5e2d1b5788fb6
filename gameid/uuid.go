package gameid

import (
	"encoding/binary"
	"encoding/hex"
)

// UUIDLen is the number of characters of the UUID form.
const UUIDLen = 36

// uuidMark is what the last five bytes of every UUID of ours hold: "gamid".
const uuidMark = 0x67616d6964

// UUID returns id as a UUID of version 8 (RFC 9562, section 5.8), for columns of
// type uuid. The 80 bits come first, around the digits 8, for the version, and 9,
// for the variant, so UUIDs sort as the IDs do; the last five bytes are a mark by
// which FromUUID knows them. ID 000dddde6b4000070000 is
//
//	000dddde-6b40-8000-9700-0067616d6964
//
// Its variant is never written as 80: MariaDB's type takes a UUID of version 8 for
// broken when that byte is exactly 0x80 (ascii_to_fbt in plugin/type_uuid).
func (id ID) UUID() (uuid [16]byte) {
	hi, lo := id.split()
	binary.BigEndian.PutUint64(uuid[0:], hi<<48|lo>>16&^0xffff|0x8000|lo>>20&0xfff)
	binary.BigEndian.PutUint64(uuid[8:], 9<<60|(lo&0xfffff)<<40|uuidMark)
	return uuid
}

// FromUUID returns the ID that UUID made uuid of. Any other UUID gives a
// *SyntaxError: an ID cannot be made of it without losing bits.
func FromUUID(uuid [16]byte) (ID, error) {
	a, b := binary.BigEndian.Uint64(uuid[0:]), binary.BigEndian.Uint64(uuid[8:])
	id := compose(a>>48, a>>16<<32|(a&0xfff)<<20|b>>40&0xfffff)
	if id.UUID() != uuid {
		return ID{}, syntax(formUUID, string(appendUUID(nil, uuid)), "it is a UUID that was not made from an ID")
	}
	return id, nil
}

// AppendUUID appends the UUID of id with hyphens and in lower case.
func (id ID) AppendUUID(b []byte) []byte { return appendUUID(b, id.UUID()) }

// ParseUUID reads the text of a UUID of ours, with hyphens (36 characters) or
// without (32), in either case.
func ParseUUID(text string) (ID, error) {
	digits := text
	if len(text) == UUIDLen {
		if text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
			return ID{}, syntax(formUUID, text, "the hyphens are not where a UUID has them")
		}
		digits = text[0:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	}
	var uuid [16]byte
	if len(digits) != 32 {
		return ID{}, syntax(formUUID, text, "a UUID has 32 digits, with four hyphens or none")
	}
	if _, err := hex.Decode(uuid[:], []byte(digits)); err != nil {
		return ID{}, syntax(formUUID, text, "a character is no hexadecimal digit")
	}
	return FromUUID(uuid)
}

func appendUUID(b []byte, uuid [16]byte) []byte {
	for i, part := range [][]byte{uuid[0:4], uuid[4:6], uuid[6:8], uuid[8:10], uuid[10:16]} {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, part)
	}
	return b
}
