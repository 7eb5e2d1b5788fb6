package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"syscall"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"github.com/gameid/gameid/merge/report"
	"github.com/spf13/cobra"
)

// publicOptions are the flags of public.
type publicOptions struct {
	layout    string
	keyFile   string
	saltFile  string
	as        publicForm
	alphabet  string
	minLength uint8
	reverse   bool
	plain     bool
}

func newPublicCommand(a *app) *cobra.Command {
	var o publicOptions
	c := &cobra.Command{
		Use:     "public [ID...]",
		GroupID: groupIDs,
		Short:   "Turn IDs into ones that players may see, and back",
		Long: `Turn IDs into public IDs and, with --reverse, back. IDs come as arguments or,
without any, one per line on standard input; or as rows of --format, of which the
column id is read, or public with --reverse.

An ID tells when its row was made, by which server and, beside another ID, how many
there were meanwhile. A public ID tells none of this to who lacks the key: it is
another number of the same width, one for each ID (FF1 of NIST SP 800-38G, radix 2,
no tweak).

This is neither encryption of data nor proof of anything. Every number of the width
is somebody's public ID, so a guessed or mistyped one is not noticed: look whether
the row exists and whether the caller may see it. With another key, or under a layout
of another width, every public ID that was given out means another row.

The key is 16, 24 or 32 random bytes in hexadecimal, in the file of --key-file or in
GAMEID_PUBLIC_KEY; never on the command line, which others can read:
  openssl rand -hex 32 > public.key && chmod 600 public.key

--as says the form of the public IDs, written or read:
  decimal, base32, hex   as those of other IDs
  sqids, hashids         short codes of these libraries (https://sqids.org,
                         https://github.com/speps/go-hashids): of one number in
                         layouts of at most 63 bits; of two in wider ones, the bits
                         from 40 up and the lower 40, which JavaScript holds too
--plain makes the short codes of the IDs themselves, as a game does that uses these
libraries alone. It needs no key and hides little: whoever knows the alphabet or the
salt, or finds it out from some codes, reads time, server and count.`,
		Example: `  gameid public 255795006608058548224 --key-file public.key
  gameid public --key-file public.key --as sqids < ids.txt
  gameid public --key-file public.key --as base32 --reverse DR7NXT0D7GRFKQ3K
  gameid public --plain --as hashids --salt-file salt --layout game63 144230370508800000`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.newPublisher(c, o)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				for _, text := range args {
					if err := p.turn(text, text); err != nil {
						return p.end(err)
					}
				}
				return p.end(nil)
			}
			in, err := a.ids(c.Context())
			if err != nil {
				return err
			}
			column := "id"
			if o.reverse {
				column = "public"
			}
			p.next = idLines
			return p.end(eachID(c.Context(), in, column, p.turn, p.flush))
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.SetFlagErrorFunc(negativeID)
	flags := c.Flags()
	addLayoutFlag(c, &o.layout, "")
	flags.StringVar(&o.keyFile, "key-file", "", "file that holds the key in hexadecimal (default: the key in GAMEID_PUBLIC_KEY)")
	addPublicFormFlag(c, &o.as)
	flags.BoolVar(&o.reverse, "reverse", false, "turn public IDs back into IDs (default: IDs into public ones)")
	flags.BoolVar(&o.plain, "plain", false, "without a key: short codes of the IDs themselves (default: under the key)")
	flags.StringVar(&o.alphabet, "alphabet", "", "characters of the short codes (default: those of the library)")
	flags.Uint8Var(&o.minLength, "min-length", 0, "characters that a short code has at least, up to 255 (default 0: no more than it needs)")
	flags.StringVar(&o.saltFile, "salt-file", "", "file that holds the salt of hashids (default: the salt in GAMEID_PUBLIC_SALT, else none)")
	keepOutOfConfig(c, "plain", "reverse")
	return c
}

// publisher turns texts into texts.
type publisher struct {
	app         *app
	width       int
	permutation *gameid.Permutation // nil with --plain
	codec       publicCodec
	reverse     bool
	lineOut     *bufio.Writer // bare lines, or
	rowOut      *rowWriter    // rows with --format
	total       int
	failed      int
	next        string // the next step when some fail
}

func (a *app) newPublisher(c *cobra.Command, o publicOptions) (*publisher, error) {
	l, err := layouts.Load(o.layout)
	if err != nil {
		return nil, err
	}
	p := &publisher{app: a, width: l.Bits(), reverse: o.reverse}
	short := o.as == publicSqids || o.as == publicHashids
	flags := c.Flags()
	switch {
	case o.plain && !short:
		return nil, misused(c, fmt.Errorf("--plain --as %s changes nothing; it is for --as sqids and hashids", o.as))
	case o.plain && flags.Changed("key-file"):
		return nil, misused(c, errors.New("--plain uses no key, and --key-file, or GAMEID_KEY_FILE, gives one"))
	case !short && (flags.Changed("alphabet") || flags.Changed("min-length")):
		return nil, misused(c, fmt.Errorf("--alphabet and --min-length are for --as sqids and hashids, not %s", o.as))
	case o.as != publicHashids && flags.Changed("salt-file"):
		return nil, misused(c, fmt.Errorf("--salt-file is for --as hashids, not %s", o.as))
	}
	if !o.plain {
		key, err := a.readKey(o.keyFile)
		if err != nil {
			return nil, err
		}
		if p.permutation, err = gameid.NewPermutation(key, p.width); err != nil {
			return nil, err
		}
	}
	salt := ""
	if o.as == publicHashids {
		if salt, err = a.readSecret(o.saltFile, "GAMEID_PUBLIC_SALT"); err != nil {
			return nil, trouble(err, "give --salt-file a file that holds the salt and nothing else")
		}
	}
	if p.codec, err = newPublicCodec(o, p.width, salt); err != nil {
		return nil, misused(c, err)
	}
	if a.format == formatAuto {
		p.lineOut = bufio.NewWriterSize(a.Out, 64<<10)
	} else {
		p.rowOut = a.newRowWriter([]string{"id", "public"})
	}
	return p, nil
}

// turn writes what one text becomes. A text that is no ID is reported, counted and passed over; the error is that of the output.
func (p *publisher) turn(text, where string) error {
	p.total++
	id, public, err := p.both(text)
	if err != nil {
		p.failed++
		fmt.Fprintf(p.app.Err, "gameid: %s: %v\n", report.Visible(where), err)
		return nil
	}
	if p.rowOut != nil {
		return p.rowOut.Write(id, public)
	}
	if p.reverse {
		public = id
	}
	_, err = p.lineOut.WriteString(public + "\n")
	return err
}

// both are an ID in decimal and its public ID, one of which is given.
func (p *publisher) both(text string) (id, public string, err error) {
	var from, to gameid.ID
	if p.reverse {
		if from, err = p.codec.decode(text); err == nil {
			err = p.fits(from)
		}
		if err != nil {
			return "", "", err
		}
		if to = from; p.permutation != nil {
			to, err = p.permutation.Decode(from)
		}
		return to.String(), text, err
	}
	if from, err = gameid.Parse(text); err == nil {
		err = p.fits(from)
	}
	if err != nil {
		return "", "", err
	}
	if to = from; p.permutation != nil {
		if to, err = p.permutation.Encode(from); err != nil {
			return "", "", err
		}
	}
	public, err = p.codec.encode(to)
	return from.String(), public, err
}

// fits says in the words of the command what the permutation would refuse.
func (p *publisher) fits(id gameid.ID) error {
	if n := id.Bits(); n > p.width {
		return fmt.Errorf("%s has %d bits, the layout %d; give the layout of the ID with --layout", id, n, p.width)
	}
	return nil
}

func (p *publisher) flush() error {
	if p.rowOut != nil {
		return p.rowOut.Flush()
	}
	return p.lineOut.Flush()
}

// end closes the output and says how many texts could not be turned.
func (p *publisher) end(err error) error {
	closing := p.flush
	if p.rowOut != nil {
		closing = p.rowOut.Close
	}
	if closed := closing(); err == nil {
		err = closed
	}
	switch {
	case errors.Is(err, syscall.EPIPE):
		return readerLeft()
	case err != nil:
		return err
	case p.failed > 0:
		return trouble(fmt.Errorf("%d of %d could not be turned", p.failed, p.total), p.next)
	}
	return nil
}
