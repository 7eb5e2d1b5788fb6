package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"github.com/gameid/gameid/merge/report"
	"github.com/spf13/cobra"
)

// decodeOptions are the flags of decode.
type decodeOptions struct {
	layout string
	chosen bool // --layout was given
	from   decodeForm
	tz     string
}

// decodeForm is a form in which decode reads: one of ours, or another system's.
type decodeForm form

const formObjectID decodeForm = "objectid"

func decodeFormNames() []string { return append(formNames(), string(formObjectID)) }

// String and Type make decodeForm a flag value.
func (f *decodeForm) String() string { return string(*f) }

// Type is what --help shows for the value.
func (f *decodeForm) Type() string { return "FORM" }

// Set takes the name of a form.
func (f *decodeForm) Set(name string) error {
	if !slices.Contains(decodeFormNames(), name) {
		return fmt.Errorf("%q is none of %s", name, strings.Join(decodeFormNames(), ", "))
	}
	*f = decodeForm(name)
	return nil
}

func newDecodeCommand(a *app) *cobra.Command {
	var o decodeOptions
	c := &cobra.Command{
		Use:     "decode [ID...]",
		GroupID: groupIDs,
		Short:   "Show the time, the server and the sequence inside IDs",
		Long: `Show what is inside IDs, given as arguments or, without any, one per line on
standard input; or the rows that gen, decode or public wrote with --format tsv, csv,
json or ndjson, of which the column id is read.

An ID is read by its shape: digits alone are decimal, always; 16 characters are
base32; 20 are hex, and so are 1 to 20 behind 0x. Digits alone that begin with 0 and
are as many as base32 or hex have are refused: say with --from which form it is, or
write 0x before hex. What is none of these can be another system's: a MongoDB
ObjectId has 24 hex digits, a UUID 32, with hyphens or without; their fields and,
for versions 1, 6 and 7, the time are shown. A UUID that was made from an ID is that
ID. --from says otherwise, as for an ObjectId that happens to have digits alone.

--layout auto lists the presets under which the time is plausible: after the day
that the system began, and not in the future. The most plausible stands first: low
server numbers and sequences speak for a layout, and few ticks up to now. Layouts
that differ in the epoch alone read the same fields; only the time tells them apart,
so compare it with what you know of the row.`,
		Example: `  gameid decode 255795006470687424512
  gameid decode --layout auto 1888944671579078978
  gameid gen --server 1042 -n 5 | gameid decode --tz Asia/Tokyo`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			o.chosen = c.Flags().Changed("layout")
			d, err := a.newDecoder(c, o)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				return d.args(args)
			}
			in, err := a.ids(c.Context())
			if err != nil {
				return err
			}
			d.next = idLines
			return d.end(eachID(c.Context(), in, "id", d.decode, d.flush))
		},
	}
	c.SetFlagErrorFunc(negativeID)
	addLayoutFlag(c, &o.layout, ", or "+layoutAuto+": every preset under which the time is plausible")
	c.Flags().Var(&o.from, "from", "form of the IDs: "+strings.Join(decodeFormNames(), ", ")+" (default: by their shape)")
	c.Flags().StringVar(&o.tz, "tz", "", "also show the time in this zone, such as Asia/Tokyo or Local (default: UTC alone)")
	_ = c.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(decodeFormNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// decoder turns texts into rows.
type decoder struct {
	app    *app
	layout layouts.Layout // without auto
	auto   bool
	hint   bool // say when an ID seems to be of another layout
	from   decodeForm
	zone   *time.Location // nil for UTC alone
	out    *rowWriter     // nil while a terminal gets one block per ID
	total  int
	failed int
	next   string // the next step when some fail
}

func (a *app) newDecoder(c *cobra.Command, o decodeOptions) (*decoder, error) {
	d := &decoder{app: a, from: o.from, auto: o.layout == layoutAuto, hint: !o.chosen}
	var err error
	if o.tz != "" {
		if d.zone, err = time.LoadLocation(o.tz); err != nil {
			return nil, misused(c, fmt.Errorf("--tz %s: %w", o.tz, err))
		}
	}
	if !d.auto {
		if d.layout, err = layouts.Load(o.layout); err != nil {
			return nil, err
		}
	}
	if a.outFormat() != formatTable {
		d.out = a.newRowWriter(d.columns())
	}
	return d, nil
}

// args decodes the arguments.
func (d *decoder) args(texts []string) error {
	for _, text := range texts {
		if err := d.decode(text, text); err != nil {
			return d.end(err)
		}
	}
	return d.end(nil)
}

// flush writes rows on; blocks are not held back.
func (d *decoder) flush() error {
	if d.out == nil {
		return nil
	}
	return d.out.Flush()
}

// decode writes the rows of one text. A text that is no ID is reported, counted
// and passed over; the error is that of the output.
func (d *decoder) decode(text, where string) error {
	d.total++
	rows, err := d.rows(text)
	if err != nil {
		d.failed++
		fmt.Fprintf(d.app.Err, "gameid: %s: %v\n", report.Visible(where), err)
		return nil
	}
	if d.out == nil && rows[0].why != "" {
		return d.guessBlock(rows)
	}
	for _, row := range rows {
		if d.out != nil {
			err = d.out.Write(d.row(row)...)
		} else {
			err = d.block(d.row(row))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// end closes the output and says how many texts were no IDs.
func (d *decoder) end(err error) error {
	if d.out != nil {
		if closed := d.out.Close(); err == nil {
			err = closed
		}
	}
	switch {
	case errors.Is(err, syscall.EPIPE):
		return readerLeft()
	case err != nil:
		return err
	case d.failed > 0:
		return trouble(fmt.Errorf("%d of %d could not be decoded", d.failed, d.total), d.next)
	}
	return nil
}

// rows decodes one text under the layout, or every plausible one. There is at least one row.
func (d *decoder) rows(text string) ([]decoded, error) {
	var id gameid.ID
	err := errors.New("it is no ObjectId of 24 hexadecimal digits")
	if d.from != formObjectID {
		id, err = form(d.from).parse(text)
	}
	if err != nil {
		if f, ok := parseForeign(text); ok && (d.from == "" || d.from == formObjectID && len(text) == objectIDDigits || form(d.from) == formUUID && len(text) != objectIDDigits) {
			return []decoded{{text: text, layout: f.kind, time: f.time, fields: f.fields}}, nil
		}
		if _, plain := gameid.ParseDecimal(text); plain == nil && d.from == "" {
			err = fmt.Errorf("%w; --from names the form", err)
		}
		return nil, err
	}
	if len(text) == objectIDDigits && d.from == "" {
		fmt.Fprintf(d.app.Err, "gameid: %s is read as decimal; --from objectid reads it as an ObjectId\n", text)
	}
	if d.auto {
		return d.guesses(id)
	}
	p, err := d.layout.Decompose(id)
	if err != nil {
		return nil, fmt.Errorf("%w; --layout auto tries the others", err)
	}
	at := d.layout.TimeOf(p.Tick)
	d.advise(id, at, time.Now())
	return []decoded{{
		text: id.String(), layout: layoutLabel(d.layout), time: &at, id: &id, parts: &p, fields: fieldsText(d.layout.Layout, id),
	}}, nil
}

// advise tells that another layout is likelier, when none was asked for.
func (d *decoder) advise(id gameid.ID, at, now time.Time) {
	l := d.layout
	if !d.hint {
		return
	}
	early := l.Bits() > 63 && id.Bits() <= 63
	if early || at.After(now.AddDate(0, 0, 1)) {
		fmt.Fprintf(d.app.Err, "gameid: %s is hardly an ID of layout %s (it would be from %s); try --layout auto\n", id, layoutLabel(l), at.Format(time.DateOnly))
	}
}

// layoutLabel is the layout's name, or its expression.
func layoutLabel(l layouts.Layout) string {
	if l.Name() != "" {
		return l.Name()
	}
	return l.String()
}
