package layouts

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/goccy/go-yaml"
)

// FileError says what is wrong in a layout file.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("layout file %s: %v", e.Path, e.Err) }

// Unwrap returns what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// document is a layout file. Fields stand from the most significant to the least
// significant; tick is a duration such as 16ms, epoch an RFC 3339 time. since is the
// day of the first ID, when that is not the epoch; public says that the IDs are those
// of a service that players have accounts of. Both are for guesses alone.
type document struct {
	Name    string          `yaml:"name"`
	Summary string          `yaml:"summary"`
	Source  string          `yaml:"source"`
	Epoch   string          `yaml:"epoch"`
	Since   string          `yaml:"since"`
	Public  bool            `yaml:"public"`
	Tick    string          `yaml:"tick"`
	Fields  []documentField `yaml:"fields"`
}

type documentField struct {
	Kind  string `yaml:"kind"` // time, server, seq or const
	Name  string `yaml:"name"`
	Bits  number `yaml:"bits"`
	Value number `yaml:"value"` // of a const
}

// number is in decimal digits alone: YAML would read 037 as 31 and 20.9 as 20.
type number uint64

// UnmarshalYAML reads the number as it is written.
func (n *number) UnmarshalYAML(text []byte) error {
	written, _, _ := strings.Cut(string(text), "#")
	written = strings.TrimSpace(written)
	got, err := strconv.ParseUint(written, 10, 64)
	if err != nil {
		return fmt.Errorf("%s: it is no number in decimal digits", written)
	}
	*n = number(got)
	return nil
}

// Read makes a layout of the content of a file. Unknown and repeated keys are
// errors with their line and column. path is for messages.
func Read(path string, content []byte) (Layout, error) {
	fail := func(err error) (Layout, error) { return Layout{}, &FileError{path, err} }
	var d document
	if err := decode(bytes.TrimPrefix(content, []byte("\uFEFF")), &d); err != nil {
		return fail(err)
	}
	if d.Name == "" || d.Source == "" {
		return fail(errors.New("it needs a name and a source, the place that the layout comes from"))
	}
	spec := gameid.Spec{Name: d.Name}
	var err error
	if spec.Tick, err = time.ParseDuration(d.Tick); err != nil {
		return fail(fmt.Errorf("tick %q is no duration such as 16ms", d.Tick))
	}
	if spec.Epoch, err = parseEpoch(d.Epoch); err != nil {
		return fail(err)
	}
	for _, f := range d.Fields {
		kind, err := parseKind(f.Kind)
		if err != nil {
			return fail(err)
		}
		if f.Value != 0 && kind != gameid.Constant {
			return fail(fmt.Errorf("field %s has a value, which only a const has", f.Kind))
		}
		spec.Fields = append(spec.Fields, gameid.Field{Kind: kind, Name: f.Name, Bits: int(min(f.Bits, math.MaxInt32)), Value: uint64(f.Value)})
	}
	l, err := gameid.NewLayout(spec)
	if err != nil {
		return fail(err)
	}
	since := spec.Epoch
	if d.Since != "" {
		if since, err = parseEpoch(d.Since); err != nil || since.Before(spec.Epoch) {
			return fail(fmt.Errorf("since %q is no time at or after the epoch", d.Since))
		}
	}
	return Layout{l, d.Summary, d.Source, since, d.Public}, nil
}

// decode reads YAML strictly. The parser panics on some malformed input, such as
// a tag without a value; a file from outside must not end the program. Its lines are
// not repeated: a name that was mistyped may be that of a secret.
func decode(content []byte, d *document) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it is no valid YAML: %v", p)
		}
	}()
	if err := yaml.UnmarshalWithOptions(content, d, yaml.Strict()); err != nil {
		return errors.New(yaml.FormatError(err, false, false))
	}
	return nil
}
