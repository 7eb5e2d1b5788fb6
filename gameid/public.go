package gameid

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrKey is returned by NewPermutation for a key of another length than 16, 24 or
// 32 bytes.
var ErrKey = errors.New("gameid: a key has 16, 24 or 32 bytes")

// Permutation turns an ID into a public ID of the same width and back: one that a
// player may see without learning when the row was made, by which server, or how
// many rows there are. Under one key and width every number has exactly one public
// number. Goroutines may share a Permutation.
//
// It is FF1 of NIST SP 800-38G with radix 2, an empty tweak and the key as it is:
// ten rounds of an unbalanced Feistel network (Luby and Rackoff, 1988) whose round
// function is one block of AES, since the input of every round fits into one. Any
// implementation of FF1 gives the same numbers; testdata/public.tsv has some. FF1
// itself asks for a width of at least 20 bits: what is narrower can be written down
// whole by who sees enough of it.
//
// It hides order and number, no more. Every number of the width is the public ID of
// some ID, so a guessed or altered one is not noticed: look whether the row exists
// and whether the caller may see it. Who has the key can read everything, and with
// another key every public ID that was given out means another row.
type Permutation struct {
	block  cipher.Block
	first  [aes.BlockSize]byte // FF1's block P after AES; the chain of every round begins with it
	high   uint                // FF1's u, the bits of the left half
	low    uint                // FF1's v, those of the right one: as many or one more
	number int                 // where the right half begins in FF1's block Q
	end    int                 // FF1's d, the bytes of AES that are added
}

const feistelRounds = 10 // of FF1

// NewPermutation returns the permutation of the numbers of width bits under a key
// of 16, 24 or 32 random bytes, for AES-128, AES-192 or AES-256. Another length is
// ErrKey, a width outside 2 to 80 ErrRange. For the IDs of a layout the width is
// its Bits. The key is not kept and may be overwritten.
func NewPermutation(key []byte, width int) (*Permutation, error) {
	if width < 2 || width > MaxBits {
		return nil, fmt.Errorf("a permutation of numbers of %d bits; 2 to %d are possible: %w", width, MaxBits, ErrRange)
	}
	if n := len(key); n != 16 && n != 24 && n != 32 {
		return nil, fmt.Errorf("%w, not %d", ErrKey, n)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, ErrKey
	}
	high := uint(width) / 2
	low := uint(width) - high
	bytes := int(low+7) / 8 // FF1's b
	p := &Permutation{block: block, high: high, low: low, number: aes.BlockSize - bytes, end: 4*((bytes+3)/4) + 4}
	// Version 1, method 2, addition 1, radix 2, ten rounds; the tweak has no bytes.
	p.first = [aes.BlockSize]byte{1, 2, 1, 0, 0, 2, feistelRounds, byte(high)}
	binary.BigEndian.PutUint32(p.first[8:], uint32(width))
	block.Encrypt(p.first[:], p.first[:])
	return p, nil
}

// Width is the number of bits of the IDs that p takes and gives.
func (p *Permutation) Width() int { return int(p.high + p.low) }

// Encode returns the public ID of id, or ErrRange when id has more bits than p.
func (p *Permutation) Encode(id ID) (ID, error) {
	a, b, err := p.split(id)
	if err != nil {
		return ID{}, err
	}
	var buf [aes.BlockSize]byte
	for i := byte(0); i < feistelRounds; i += 2 {
		a = (a + p.round(&buf, i, b)) & (1<<p.high - 1)
		b = (b + p.round(&buf, i+1, a)) & (1<<p.low - 1)
	}
	return p.join(a, b), nil
}

// Decode returns the ID whose public ID is given, or ErrRange when that has more
// bits than p. Every other number is the public ID of some ID.
func (p *Permutation) Decode(public ID) (ID, error) {
	a, b, err := p.split(public)
	if err != nil {
		return ID{}, err
	}
	var buf [aes.BlockSize]byte
	for i := byte(feistelRounds); i > 0; i -= 2 {
		b = (b - p.round(&buf, i-1, a)) & (1<<p.low - 1)
		a = (a - p.round(&buf, i-2, b)) & (1<<p.high - 1)
	}
	return p.join(a, b), nil
}

// round is FF1's y in round i, at least its low 40 bits; no half has more.
func (p *Permutation) round(buf *[aes.BlockSize]byte, i byte, half uint64) uint64 {
	*buf = p.first
	buf[p.number-1] ^= i
	for at := aes.BlockSize - 1; at >= p.number; at-- {
		buf[at] ^= byte(half)
		half >>= 8
	}
	p.block.Encrypt(buf[:], buf[:])
	return binary.BigEndian.Uint64(buf[p.end-8 : p.end])
}

// split gives the halves of a number.
func (p *Permutation) split(id ID) (a, b uint64, err error) {
	if n := id.Bits(); n > p.Width() {
		return 0, 0, fmt.Errorf("%s has %d bits and the permutation %d; give it the width of the layout that made the ID: %w", id, n, p.Width(), ErrRange)
	}
	hi, lo := id.split()
	return unshift(hi, lo, p.low), lo & (1<<p.low - 1), nil
}

func (p *Permutation) join(a, b uint64) ID {
	hi, lo := shift(a, p.low)
	return compose(hi, lo|b)
}

// Format writes the width alone, whatever the verb: keys have no place in a log.
func (p Permutation) Format(s fmt.State, _ rune) {
	_, _ = fmt.Fprintf(s, "gameid.Permutation of %d bits", p.Width())
}
