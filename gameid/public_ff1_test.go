package gameid_test

import (
	"crypto/aes"
	"encoding/binary"
	"math/big"
	"strings"
	"testing"
)

// ff1 is FF1.Encrypt of NIST SP 800-38G step by step, for any radix, tweak and
// length: written after the publication, to compare with. The steps are its numbers.
func ff1(key []byte, radix int, tweak []byte, x []int) []int {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	n, t := len(x), len(tweak)
	u := n / 2           // 1
	v := n - u           //
	a, b := x[:u], x[u:] // 2
	power := new(big.Int).Exp(big.NewInt(int64(radix)), big.NewInt(int64(v)), nil)
	size := (new(big.Int).Sub(power, big.NewInt(1)).BitLen() + 7) / 8 // 3
	d := 4*((size+3)/4) + 4                                           // 4
	p := []byte{1, 2, 1, byte(radix >> 16), byte(radix >> 8), byte(radix), 10, byte(u)}
	p = binary.BigEndian.AppendUint32(p, uint32(n))
	p = binary.BigEndian.AppendUint32(p, uint32(t)) // 5
	for i := range 10 {                             // 6
		q := append([]byte{}, tweak...)
		for (len(q)+1+size)%16 != 0 {
			q = append(q, 0)
		}
		q = append(q, byte(i))
		q = append(q, numberOf(b, radix).FillBytes(make([]byte, size))...) // i
		r := make([]byte, 16)
		for text := append(append([]byte{}, p...), q...); len(text) > 0; text = text[16:] { // ii
			for at := range r {
				r[at] ^= text[at]
			}
			block.Encrypt(r, r)
		}
		s := append([]byte{}, r...)
		for j := byte(1); len(s) < d; j++ { // iii
			next := append([]byte{}, r...)
			next[15] ^= j
			block.Encrypt(next, next)
			s = append(s, next...)
		}
		y := new(big.Int).SetBytes(s[:d]) // iv
		m := u                            // v
		if i%2 == 1 {
			m = v
		}
		c := y.Add(y, numberOf(a, radix)) // vi
		c.Mod(c, new(big.Int).Exp(big.NewInt(int64(radix)), big.NewInt(int64(m)), nil))
		a, b = b, digitsOf(c, radix, m) // vii, viii, ix
	}
	return append(append([]int{}, a...), b...) // 7
}

// numberOf is NUM of the publication, digitsOf its STR.
func numberOf(digits []int, radix int) *big.Int {
	n := new(big.Int)
	for _, d := range digits {
		n.Mul(n, big.NewInt(int64(radix)))
		n.Add(n, big.NewInt(int64(d)))
	}
	return n
}

func digitsOf(n *big.Int, radix, length int) []int {
	digits, rest, digit := make([]int, length), new(big.Int).Set(n), new(big.Int)
	for i := length - 1; i >= 0; i-- {
		rest.DivMod(rest, big.NewInt(int64(radix)), digit)
		digits[i] = int(digit.Int64())
	}
	return digits
}

// The samples that NIST publishes for FF1, so that what is compared with is FF1.
func TestFF1Samples(t *testing.T) {
	const key = "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94"
	const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
	for _, sample := range []struct {
		bytes             int
		radix             int
		tweak, text, want string
	}{
		{16, 10, "", "0123456789", "2433477484"},
		{16, 10, "39383736353433323130", "0123456789", "6124200773"},
		{16, 36, "3737373770717273373737", "0123456789abcdefghi", "a9tv40mll9kdu509eum"},
		{24, 10, "", "0123456789", "2830668132"},
		{32, 10, "", "0123456789", "6657667009"},
	} {
		digits := make([]int, len(sample.text))
		for i, c := range sample.text {
			digits[i] = strings.IndexRune(alphabet, c)
		}
		var got strings.Builder
		for _, d := range ff1(unhex(t, key)[:sample.bytes], sample.radix, unhex(t, sample.tweak), digits) {
			got.WriteByte(alphabet[d])
		}
		if got.String() != sample.want {
			t.Errorf("AES-%d, radix %d, tweak %q: %s, want %s", 8*sample.bytes, sample.radix, sample.tweak, got.String(), sample.want)
		}
	}
}
