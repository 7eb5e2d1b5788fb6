package cmd

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// scheme is a kind of IDs that gen issues: ours, or one of those that need no server number because they are random enough.
type scheme string

const (
	schemeGameID   scheme = "gameid"
	schemeUUID7    scheme = "uuid7"
	schemeUUID4    scheme = "uuid4"
	schemeObjectID scheme = "objectid"
)

func schemeNames() []string {
	return []string{string(schemeGameID), string(schemeUUID7), string(schemeUUID4), string(schemeObjectID)}
}

// String and Type make scheme a flag value.
func (s *scheme) String() string { return string(*s) }

// Type is what --help shows for the value.
func (s *scheme) Type() string { return "SCHEME" }

// Set takes the name of a scheme.
func (s *scheme) Set(name string) error {
	if !slices.Contains(schemeNames(), name) {
		return fmt.Errorf("%q is none of %s", name, strings.Join(schemeNames(), ", "))
	}
	*s = scheme(name)
	return nil
}

// addSchemeFlag adds --scheme to c. The function it returns refuses the flags on the command line that mean nothing under another scheme than ours;
// what the environment or a settings file says of them is for the IDs that have them. Cobra checks arguments before such settings are applied.
func addSchemeFlag(c *cobra.Command, target *scheme) (check func(format) error) {
	*target = schemeGameID
	c.Flags().Var(target, "scheme", "kind of the IDs: "+strings.Join(schemeNames(), ", "))
	_ = c.RegisterFlagCompletionFunc("scheme", cobra.FixedCompletions(schemeNames(), cobra.ShellCompDirectiveNoFileComp))
	keepOutOfConfig(c, "scheme")
	var given []string
	args := c.Args
	c.Args = func(c *cobra.Command, list []string) error {
		for _, name := range []string{"server", "layout", "form", "column", "state", "max-behind", "require-state", "adopt", "show-state", "format"} {
			if c.Flags().Changed(name) {
				given = append(given, name)
			}
		}
		return args(c, list)
	}
	return func(f format) error {
		for _, name := range given {
			switch {
			case *target == schemeGameID:
			case name != "format":
				return misused(c, fmt.Errorf("--%s means nothing with --scheme %s: such IDs have no server, layout, ceiling or other form", name, *target))
			case f == formatAuto: // it named a form
				return misused(c, fmt.Errorf("--format %s is a form of the IDs of gameid; --scheme %s has one form, to write as %s", c.Flags().Lookup("form").Value, *target, strings.Join(formatNames(), ", ")))
			}
		}
		return nil
	}
}

// source is the generator of a scheme other than ours.
func (s scheme) source() gameid.Source {
	switch s {
	case schemeUUID7:
		return uuidSource(uuid.NewV7)
	case schemeUUID4:
		return uuidSource(uuid.NewRandom)
	case schemeObjectID:
		return &objectIDs{now: time.Now, perSecond: 1 << 24}
	}
	return nil
}

// uuidSource makes UUIDs by a function of the library. Those of version 7 grow within one process.
type uuidSource func() (uuid.UUID, error)

// AppendNext appends the 36 characters of a UUID.
func (s uuidSource) AppendNext(ctx context.Context, b []byte) ([]byte, error) {
	if ctx.Err() != nil {
		return b, context.Cause(ctx)
	}
	id, err := s()
	if err != nil {
		return b, fmt.Errorf("random numbers: %w", err)
	}
	text, err := id.MarshalText()
	return append(b, text...), err
}

// objectIDs makes MongoDB's ObjectIds. Those of one process and second differ in a counter of 24 bits alone, which the library lets begin again after 2^24
// of them also within a second; and it follows a clock that is set back. Both would repeat an ID.
type objectIDs struct {
	now       func() time.Time
	perSecond int
	second    int64 // of the last one
	left      int   // how many the second can still have
}

// AppendNext appends 24 hexadecimal digits. Once a second has all that it can have, it waits for the next one.
func (s *objectIDs) AppendNext(ctx context.Context, b []byte) ([]byte, error) {
	for {
		if ctx.Err() != nil {
			return b, context.Cause(ctx)
		}
		at := s.now()
		if at.Unix() > s.second {
			s.second, s.left = at.Unix(), s.perSecond
		}
		if s.left > 0 {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Unix(s.second+1, 0).Sub(at)):
		}
	}
	s.left--
	text, err := bson.NewObjectIDFromTimestamp(time.Unix(s.second, 0)).MarshalText()
	return append(b, text...), err
}
