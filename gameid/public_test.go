package gameid_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gameid/gameid/gameid"
	"pgregory.net/rapid"
)

func permutation(t testing.TB, key []byte, width int) *gameid.Permutation {
	t.Helper()
	p, err := gameid.NewPermutation(key, width)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// bigOf and idOf turn IDs into big numbers and back.
func bigOf(id gameid.ID) *big.Int { return new(big.Int).SetBytes(id[:]) }

func idOf(n *big.Int) (id gameid.ID) {
	n.FillBytes(id[:])
	return id
}

// Every number of a small width has one public number, and Decode finds it again.
func TestPermutationIsOneToOne(t *testing.T) {
	for width := 2; width <= 16; width++ {
		p := permutation(t, bytes.Repeat([]byte{byte(width)}, 16), width)
		seen := make([]bool, 1<<width)
		for v := range uint64(1) << width {
			public, err := p.Encode(gameid.FromUint64(v))
			if err != nil {
				t.Fatal(err)
			}
			n, err := public.Int64()
			if err != nil || n>>width != 0 {
				t.Fatalf("%d bits: the public ID of %d is %v, %v, want at most %d bits", width, v, public, err, width)
			}
			if seen[n] {
				t.Fatalf("%d bits: %d is the public ID of %d and of another one", width, n, v)
			}
			seen[n] = true
			if back, err := p.Decode(public); err != nil || back != gameid.FromUint64(v) {
				t.Fatalf("%d bits: the ID of %d is %v, %v, want %d", width, n, back, err, v)
			}
		}
	}
}

// The numbers are FF1's, for every width and length of key, and both directions.
func TestPermutationIsFF1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(2, gameid.MaxBits).Draw(t, "width")
		size := rapid.SampledFrom([]int{16, 24, 32}).Draw(t, "size")
		key := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "key")
		raw := rapid.SliceOfN(rapid.Byte(), gameid.Size, gameid.Size).Draw(t, "id")
		n := new(big.Int).SetBytes(raw)
		n.Rsh(n, uint(gameid.MaxBits-width))
		p, err := gameid.NewPermutation(key, width)
		if err != nil {
			t.Fatal(err)
		}
		want := ff1(key, 2, nil, digitsOf(n, 2, width))
		public, err := p.Encode(idOf(n))
		if err != nil || bigOf(public).Cmp(numberOf(want, 2)) != 0 {
			t.Fatalf("Encode(%v) of %d bits = %v, %v, want FF1's %v", n, width, public, err, numberOf(want, 2))
		}
		if back, err := p.Decode(public); err != nil || back != idOf(n) {
			t.Fatalf("Decode(%v) = %v, %v, want %v", public, back, err, n)
		}
	})
}

// The file is what other languages can test against.
func TestPermutationVectors(t *testing.T) {
	path := filepath.Join("testdata", "public.tsv")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if got, want := lines[0], "key\twidth\tid\tpublic"; got != want {
		t.Fatalf("%s begins with %q, want %q", path, got, want)
	}
	widths := map[int]bool{}
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		width, err := strconv.Atoi(cells[1])
		if err != nil {
			t.Fatal(err)
		}
		widths[width] = true
		id, err := gameid.ParseDecimal(cells[2])
		if err != nil {
			t.Fatal(err)
		}
		p := permutation(t, unhex(t, cells[0]), width)
		public, err := p.Encode(id)
		if err != nil || public.String() != cells[3] {
			t.Errorf("%s: got %v, %v", line, public, err)
		}
		if back, err := p.Decode(public); err != nil || back != id {
			t.Errorf("%s: back to %v, %v", line, back, err)
		}
	}
	for _, width := range []int{2, 20, 53, 63, 73, 80} {
		if !widths[width] {
			t.Errorf("%s has no line for %d bits", path, width)
		}
	}
}

// IDs that follow each other have public IDs that differ in half of their bits.
func TestPermutationHidesNeighbours(t *testing.T) {
	const width, count = 73, 4096
	p := permutation(t, bytes.Repeat([]byte{7}, 32), width)
	last, flips, greater := gameid.ID{}, 0, 0
	for i := range uint64(count) {
		id, err := p.Encode(gameid.FromUint64(1<<62 + i))
		if err != nil {
			t.Fatal(err)
		}
		for at := range id {
			flips += bits.OnesCount8(id[at] ^ last[at])
		}
		if id.Compare(last) > 0 {
			greater++
		}
		last = id
	}
	if mean := float64(flips) / count; mean < 36 || mean > 37 {
		t.Errorf("neighbours differ in %.2f of %d bits, want half", mean, width)
	}
	if greater < count*45/100 || greater > count*55/100 {
		t.Errorf("%d of %d public IDs are above the one before, want half", greater, count)
	}
}

func TestPermutationRefuses(t *testing.T) {
	key := make([]byte, 33)
	if _, err := rand.Read(key); err != nil {
		t.Fatal(err)
	}
	for size := range key {
		_, err := gameid.NewPermutation(key[:size], 73)
		if valid := size == 16 || size == 24 || size == 32; valid != (err == nil) || !valid && !errors.Is(err, gameid.ErrKey) {
			t.Errorf("a key of %d bytes: %v", size, err)
		}
		if size > 3 && err != nil && (strings.Contains(err.Error(), string(key[:size])) || strings.Contains(err.Error(), hex.EncodeToString(key[:size]))) {
			t.Errorf("a key of %d bytes: the error has the key", size)
		}
	}
	for _, width := range []int{-1, 0, 1, 81} {
		if _, err := gameid.NewPermutation(key[:16], width); !errors.Is(err, gameid.ErrRange) {
			t.Errorf("%d bits: %v, want ErrRange", width, err)
		}
	}
	for width := 2; width < gameid.MaxBits; width++ {
		p := permutation(t, key[:16], width)
		over := idOf(new(big.Int).Lsh(big.NewInt(1), uint(width)))
		if got, err := p.Encode(over); !errors.Is(err, gameid.ErrRange) {
			t.Errorf("Encode(2^%d) of %d bits = %v, %v, want ErrRange", width, width, got, err)
		}
		if got, err := p.Decode(over); !errors.Is(err, gameid.ErrRange) {
			t.Errorf("Decode(2^%d) of %d bits = %v, %v, want ErrRange", width, width, got, err)
		}
		if got := p.Width(); got != width {
			t.Errorf("Width() = %d, want %d", got, width)
		}
	}
}

// Whatever the verb, nothing but the width is printed.
func TestPermutationPrintsNoKey(t *testing.T) {
	p := permutation(t, []byte("0123456789abcdef"), 63)
	const want = "gameid.Permutation of 63 bits"
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
		if got := fmt.Sprintf(verb, p); got != want {
			t.Errorf("%s of the pointer: %q, want %q", verb, got, want)
		}
		if got := fmt.Sprintf(verb, *p); got != want {
			t.Errorf("%s of the value: %q, want %q", verb, got, want)
		}
	}
}

func TestPermutationIsShared(t *testing.T) {
	p := permutation(t, make([]byte, 16), 73)
	var wg sync.WaitGroup
	for g := range uint64(8) {
		wg.Go(func() {
			for i := range uint64(500) {
				id := gameid.FromUint64(g<<32 | i)
				public, err := p.Encode(id)
				if err != nil {
					t.Error(err)
					return
				}
				if back, err := p.Decode(public); err != nil || back != id {
					t.Errorf("Decode(Encode(%v)) = %v, %v", id, back, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkPermutation(b *testing.B) {
	for _, size := range []int{16, 32} {
		p := permutation(b, make([]byte, size), 73)
		id := gameid.FromUint64(1 << 60)
		b.Run(fmt.Sprintf("encode/aes%d", 8*size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				id, _ = p.Encode(id)
			}
		})
		b.Run(fmt.Sprintf("decode/aes%d", 8*size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				id, _ = p.Decode(id)
			}
		})
	}
}
