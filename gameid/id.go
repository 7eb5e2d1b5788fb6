package gameid

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ID is a number of up to 80 bits, big endian: comparing bytes compares numbers,
// and in a time-ordered layout it compares times. The zero ID is valid and marks
// "none" by convention: no generator whose epoch lies in the past issues it.
// IDs are comparable and make good map keys.
type ID [Size]byte

const (
	// Size is the length of an ID in bytes.
	Size = 10
	// MaxBits is the width of an ID in bits.
	MaxBits = 8 * Size
)

// ErrRange is in every error about a number that does not fit where it should
// go: text above 2^80-1, a negative number, or an ID above 2^63-1 as an int64.
var ErrRange = errors.New("number out of range")

// FromUint64 returns the ID with the value of v.
func FromUint64(v uint64) ID { return compose(0, v) }

// FromInt64 returns the ID with the value of v, the form of BIGINT columns.
// A negative v gives an error that is ErrRange.
func FromInt64(v int64) (ID, error) {
	if v < 0 {
		return ID{}, fmt.Errorf("%d is negative, and IDs run from 0 to 2^80-1: %w", v, ErrRange)
	}
	return FromUint64(uint64(v)), nil
}

// FromBytes returns the ID in b, which must be Size bytes long, else the error
// is a *SyntaxError.
func FromBytes(b []byte) (ID, error) {
	if len(b) != Size {
		return ID{}, syntax(formRaw, fmt.Sprintf("%x", b[:min(len(b), 32)]), fmt.Sprintf("%d bytes long, an ID has %d", len(b), Size))
	}
	return ID(b), nil
}

// Int64 returns the ID for a BIGINT column. It fits when the layout has at most
// 63 bits; otherwise the error is ErrRange.
func (id ID) Int64() (int64, error) {
	hi, lo := id.split()
	if hi != 0 || lo > math.MaxInt64 {
		return 0, fmt.Errorf("%s needs %d bits and a BIGINT has 63; use BINARY(10), CHAR(16) or DECIMAL, or a layout that fits such as game63: %w", id, id.Bits(), ErrRange)
	}
	return int64(lo), nil
}

// Bits returns the number of bits that id needs: 0 for the zero ID, at most 80.
func (id ID) Bits() int {
	for i, b := range id {
		for bit := 7; b != 0; bit-- {
			if b>>bit != 0 {
				return 8*(Size-1-i) + bit + 1
			}
		}
	}
	return 0
}

// Compare returns -1, 0 or 1 as id is less than, equal to or greater than other.
func (id ID) Compare(other ID) int { return bytes.Compare(id[:], other[:]) }

// IsZero reports whether id is the zero ID.
func (id ID) IsZero() bool { return id == ID{} }

// split returns the 16 most significant bits of id and the 64 below them.
func (id ID) split() (hi, lo uint64) {
	top := binary.BigEndian.Uint64(id[:8])
	return top >> 48, top<<16 | uint64(binary.BigEndian.Uint16(id[8:]))
}

// compose is the inverse of split. It writes eight bytes and then two because that
// is how an ID is copied: a processor waits when it reads across two fresh writes.
func compose(hi, lo uint64) (id ID) {
	binary.BigEndian.PutUint64(id[:8], hi<<48|lo>>16)
	binary.BigEndian.PutUint16(id[8:], uint16(lo))
	return id
}

// shift returns v << by as 128 bits. In Go a shift by 64 or more gives 0, also
// by the huge number that a negative difference wraps to.
func shift(v uint64, by uint) (hi, lo uint64) {
	return v>>(64-by) | v<<(by-64), v << by
}

// unshift returns the low 64 bits of hi:lo >> by.
func unshift(hi, lo uint64, by uint) uint64 {
	return lo>>by | hi<<(64-by) | hi>>(by-64)
}
