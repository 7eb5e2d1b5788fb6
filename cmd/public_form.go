package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/gameid"
	"github.com/speps/go-hashids/v2"
	"github.com/spf13/cobra"
	"github.com/sqids/sqids-go"
)

// publicForm is a form of public IDs: one of ours, or the codes of a library.
type publicForm string

const (
	publicDecimal publicForm = "decimal"
	publicBase32  publicForm = "base32"
	publicHex     publicForm = "hex"
	publicSqids   publicForm = "sqids"
	publicHashids publicForm = "hashids"
)

func publicFormNames() []string {
	return []string{string(publicDecimal), string(publicBase32), string(publicHex), string(publicSqids), string(publicHashids)}
}

// String and Type make publicForm a flag value.
func (f *publicForm) String() string { return string(*f) }

// Type is what --help shows for the value.
func (f *publicForm) Type() string { return "FORM" }

// Set takes the name of a form.
func (f *publicForm) Set(name string) error {
	if !slices.Contains(publicFormNames(), name) {
		return fmt.Errorf("%q is none of %s", name, strings.Join(publicFormNames(), ", "))
	}
	*f = publicForm(name)
	return nil
}

func addPublicFormFlag(c *cobra.Command, target *publicForm) {
	*target = publicDecimal
	c.Flags().Var(target, "as", "form of the public IDs: "+strings.Join(publicFormNames(), ", "))
	_ = c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(publicFormNames(), cobra.ShellCompDirectiveNoFileComp))
}

// publicCodec writes and reads public IDs.
type publicCodec struct {
	encode func(gameid.ID) (string, error)
	decode func(string) (gameid.ID, error)
}

// newPublicCodec is the codec of --as for IDs of width bits.
func newPublicCodec(o publicOptions, width int, salt string) (publicCodec, error) {
	switch o.as {
	case publicSqids:
		options := sqids.Options{Alphabet: o.alphabet, MinLength: o.minLength, Blocklist: sqids.Blocklist()}
		s, err := sqids.New(options)
		if err != nil {
			return publicCodec{}, fmt.Errorf("sqids: %w", err)
		}
		return codeOf(o.as, width, s.Encode, func(text string) ([]uint64, error) { return s.Decode(text), nil }), nil
	case publicHashids:
		data := hashids.NewData()
		data.Salt, data.MinLength = salt, int(o.minLength)
		if o.alphabet != "" {
			data.Alphabet = o.alphabet
		}
		h, err := hashids.NewWithData(data)
		if err != nil {
			return publicCodec{}, fmt.Errorf("hashids: %w", err)
		}
		return codeOf(o.as, width, h.EncodeInt64, h.DecodeInt64WithError), nil
	}
	own := form(o.as)
	return publicCodec{
		encode: func(id gameid.ID) (string, error) { return string(own.appendID(nil, id)), nil },
		decode: own.parse,
	}, nil
}

// lowBits is the width of the lower number of a code of two. Both numbers then have at most 40 bits, which also the libraries of languages whose numbers
// are doubles can hold.
const lowBits = 40

// codeOf is the codec of a library that makes codes of lists of numbers. Several codes can stand for one list there; only the one that the library itself
// makes of it is read, so that a row has one public ID.
func codeOf[N int64 | uint64](name publicForm, width int, encode func([]N) (string, error), decode func(string) ([]N, error)) publicCodec {
	write := func(id gameid.ID) (string, error) {
		if width <= 63 {
			v, err := id.Int64()
			if err != nil {
				return "", err
			}
			return encode([]N{N(v)})
		}
		high, low := bigEndian(id[:gameid.Size-lowBits/8]), bigEndian(id[gameid.Size-lowBits/8:])
		return encode([]N{N(high), N(low)})
	}
	read := func(text string) (id gameid.ID, err error) {
		numbers, err := decode(text)
		wide := width > 63
		if err == nil && wide == (len(numbers) == 2) && len(numbers) > 0 && len(numbers) <= 2 {
			if wide {
				id = joinNumbers(uint64(numbers[0]), uint64(numbers[1]))
			} else {
				id = gameid.FromUint64(uint64(numbers[0]))
			}
			if again, err := write(id); err == nil && again == text {
				return id, nil
			}
		}
		return gameid.ID{}, fmt.Errorf("%q is no code of %s for a layout of %d bits with this alphabet", text[:min(len(text), 64)], name, width)
	}
	return publicCodec{write, read}
}

// joinNumbers is an ID of its bits from lowBits up and the lower ones. What is too wide is cut, which reading notices by writing it again.
func joinNumbers(high, low uint64) (id gameid.ID) {
	for at := gameid.Size - 1; at >= 0; at-- {
		if at >= gameid.Size-lowBits/8 {
			id[at], low = byte(low), low>>8
		} else {
			id[at], high = byte(high), high>>8
		}
	}
	return id
}
