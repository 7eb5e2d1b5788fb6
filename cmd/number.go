package cmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// number is the value of a flag or field that counts: decimal digits alone. Fleets
// write zeros in front of their servers, which the standard flags read as octal.
type number uint64

// String and Type make number a flag value.
func (n *number) String() string { return strconv.FormatUint(uint64(*n), 10) }

// Type is what --help shows for the value.
func (n *number) Type() string { return "uint" }

// Set reads decimal digits.
func (n *number) Set(text string) error {
	got, err := parseNumber(text)
	if err == nil {
		*n = number(got)
	}
	return err
}

// oneNumber is a number that is given once: where two stand in a command line, as after a line was copied, neither is surely meant.
type oneNumber struct {
	*number
	given bool
}

// Set refuses a second number.
func (n *oneNumber) Set(text string) error {
	before := *n.number
	if err := n.number.Set(text); err != nil {
		return err
	}
	if n.given && *n.number != before {
		return fmt.Errorf("it is given twice, and was %d before", before)
	}
	n.given = true
	return nil
}

// parseNumber reads decimal digits up to 2^64-1.
func parseNumber(text string) (uint64, error) {
	got, err := strconv.ParseUint(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("it is above 18446744073709551615")
	case err != nil:
		return 0, errors.New("it is no number from 0 up in decimal digits")
	}
	return got, nil
}

// negativeID is misused for a command that takes IDs: pflag reads -5 as a flag.
func negativeID(c *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	if errors.As(err, &missing) && strings.Trim(missing.GetSpecifiedShortnames(), "0123456789") == "" && missing.GetSpecifiedShortnames() != "" {
		return trouble(fmt.Errorf("-%s is no ID: an ID is never negative", missing.GetSpecifiedShortnames()),
			"a negative number in a BIGINT column is an overflow, or none of these IDs; what begins with - goes after --, as in '"+c.CommandPath()+" -- -5'")
	}
	return misused(c, err)
}
