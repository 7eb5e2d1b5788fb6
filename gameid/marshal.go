package gameid

import (
	"encoding/json"
	"fmt"
)

// MarshalText returns id in decimal, for JSON keys, flags and configuration.
func (id ID) MarshalText() ([]byte, error) { return id.AppendDecimal(nil), nil }

// AppendText appends id in decimal.
func (id ID) AppendText(b []byte) ([]byte, error) { return id.AppendDecimal(b), nil }

// UnmarshalText reads what Parse reads, with the errors of Parse.
func (id *ID) UnmarshalText(text []byte) error { return id.Set(string(text)) }

// Set reads what Parse reads. With String it makes an *ID a flag.Value.
func (id *ID) Set(text string) error {
	got, err := Parse(text)
	if err == nil {
		*id = got
	}
	return err
}

// MarshalBinary returns the ten bytes of id.
func (id ID) MarshalBinary() ([]byte, error) { return id[:], nil }

// AppendBinary appends the ten bytes of id.
func (id ID) AppendBinary(b []byte) ([]byte, error) { return append(b, id[:]...), nil }

// UnmarshalBinary reads ten bytes, with the errors of FromBytes.
func (id *ID) UnmarshalBinary(b []byte) error {
	got, err := FromBytes(b)
	if err == nil {
		*id = got
	}
	return err
}

// MarshalJSON returns id in decimal as a JSON string: a JSON number above 2^53
// loses digits in JavaScript, Lua and every reader that uses doubles.
func (id ID) MarshalJSON() ([]byte, error) {
	return append(id.AppendDecimal([]byte{'"'}), '"'), nil
}

// UnmarshalJSON reads a JSON string as Parse does, or a bare integer. A number
// with a point or an exponent is refused, since it may have lost digits already.
// As for every type, null changes nothing. Errors are those of Parse.
func (id *ID) UnmarshalJSON(text []byte) error {
	switch {
	case string(text) == "null":
		return nil
	case len(text) > 0 && text[0] == '"':
		var s string
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		return id.Set(s)
	case len(text) == 0 || text[0] != '-' && text[0]-'0' > 9:
		return syntax(formAny, string(text), "it is neither a JSON string nor a number; send the ID as a string")
	}
	got, err := ParseDecimal(string(text))
	if err != nil {
		return fmt.Errorf("in JSON: %w", err)
	}
	*id = got
	return nil
}
