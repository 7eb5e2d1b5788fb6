package gameid

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Value gives the ten bytes of id, for columns of type BINARY(10), BYTEA or BLOB.
// For other columns convert to Base32, Decimal, Int or UUID.
func (id ID) Value() (driver.Value, error) { return id[:], nil }

// Scan takes ten bytes, the 16 bytes of a UUID of ours, or an int64. Text is
// refused here, and so are ten bytes that are all ASCII digits, as a driver gives for
// a number of ten digits in a column of text: scan these into the type of their form.
// No ID below 78 bits has such bytes; should one of a wider layout, FromBytes reads it.
// A column that may be NULL needs a NullID. The errors are *SyntaxError, ErrRange, or
// name the Go type that is no ID.
func (id *ID) Scan(src any) error {
	var got ID
	var err error
	switch v := src.(type) {
	case int64:
		got, err = FromInt64(v)
	case []byte:
		switch {
		case len(v) == 16:
			got, err = FromUUID([16]byte(v))
		case len(v) == Size && len(bytes.Trim(v, "0123456789")) == 0:
			err = syntax(formRaw, string(v), "it is ten digits of text and not the ten bytes of an ID")
		default:
			got, err = FromBytes(v)
		}
		if err != nil {
			err = fmt.Errorf("%w; a column of text or digits needs a Base32, Decimal, Int or UUID", err)
		}
	case string:
		err = syntax("raw", v, "it is text; scan it into a Base32, Decimal, Int or UUID, whichever form the column holds")
	default:
		err = noScan(src)
	}
	if err == nil {
		*id = got
	}
	return err
}

// NullID is an ID in a column of bytes that may be NULL; in JSON it is a string or
// null. For the other columns use sql.Null[Base32], sql.Null[Int] and so on.
type NullID struct {
	ID    ID
	Valid bool // false is NULL; ID is zero then
}

// Value gives the ten bytes, or NULL.
func (n NullID) Value() (driver.Value, error) {
	if !n.Valid {
		return nil, nil
	}
	return n.ID.Value()
}

// Scan takes NULL, or what an ID takes.
func (n *NullID) Scan(src any) error {
	if src == nil {
		*n = NullID{}
		return nil
	}
	var id ID
	if err := id.Scan(src); err != nil {
		return err
	}
	*n = NullID{id, true}
	return nil
}

// IsZero reports whether n is NULL, so that the option omitzero of encoding/json
// leaves it out.
func (n NullID) IsZero() bool { return !n.Valid }

// MarshalJSON returns null, or the ID as a JSON string.
func (n NullID) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	return n.ID.MarshalJSON()
}

// UnmarshalJSON reads null, or what an ID reads.
func (n *NullID) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = NullID{}
		return nil
	}
	var id ID
	if err := id.UnmarshalJSON(text); err != nil {
		return err
	}
	*n = NullID{id, true}
	return nil
}

// noScan says why a value that a driver gave is no ID, and what to do.
func noScan(src any) error {
	switch v := src.(type) {
	case nil:
		return errors.New("NULL is no ID: scan a column that may be NULL into a NullID, or an sql.Null of the column's type")
	case float32, float64:
		return syntax("decimal", fmt.Sprint(v), "the database gave a floating-point number, which may have lost digits; "+
			"store IDs as BLOB or CHAR(16) in SQLite, where NUMERIC columns hold doubles, and as BINARY(10), CHAR(16) or DECIMAL elsewhere")
	}
	return fmt.Errorf("cannot scan a %T into an ID: select the bytes, text or integer of the ID itself", src)
}
