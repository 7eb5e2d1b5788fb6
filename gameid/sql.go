package gameid

import (
	"database/sql/driver"
	"fmt"
	"strconv"
)

// Value gives the ten bytes of id, for columns of type BINARY(10), BYTEA or BLOB.
// For other columns convert to Text, Int or UUIDText.
func (id ID) Value() (driver.Value, error) { return id[:], nil }

// Scan takes ten bytes, the 16 bytes of a UUID of ours, or an int64. Text is
// refused here, because ten digits cannot be told from ten bytes: scan it into a
// Text. For a column that may be NULL scan into an sql.Null[ID].
func (id *ID) Scan(src any) error {
	var got ID
	var err error
	switch v := src.(type) {
	case int64:
		got, err = FromInt64(v)
	case []byte:
		if len(v) == 16 {
			got, err = FromUUID([16]byte(v))
		} else {
			got, err = FromBytes(v)
		}
	default:
		err = fmt.Errorf("cannot scan %T into an ID", src)
	}
	if err == nil {
		*id = got
	}
	return err
}

// Text is an ID in a text or numeric column, as decimal digits.
type Text struct{ ID }

// Value gives the decimal digits.
func (t Text) Value() (driver.Value, error) { return t.String(), nil }

// Scan takes text in any form that Parse reads, or an int64.
func (t *Text) Scan(src any) error { return scanText(&t.ID, src, Parse) }

// UUIDText is an ID in a uuid column.
type UUIDText struct{ ID }

// Value gives the UUID as text, which every engine with a uuid type accepts.
func (u UUIDText) Value() (driver.Value, error) { return string(u.AppendUUID(nil)), nil }

// Scan takes the text of a UUID of ours or its 16 bytes.
func (u *UUIDText) Scan(src any) error {
	if b, ok := src.([]byte); ok && len(b) == 16 {
		return u.ID.Scan(b)
	}
	return scanText(&u.ID, src, ParseUUID)
}

// Int is an ID of at most 63 bits in a BIGINT column.
type Int struct{ ID }

// Value gives an int64, or ErrRange when the ID has more than 63 bits.
func (i Int) Value() (driver.Value, error) {
	v, err := i.Int64()
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Scan takes an int64, or the digits of one as some drivers deliver it.
func (i *Int) Scan(src any) error {
	return scanText(&i.ID, src, func(text string) (ID, error) {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return ID{}, syntax("decimal", text, "it is no 63-bit integer")
		}
		return FromInt64(v)
	})
}

func scanText(id *ID, src any, parse func(string) (ID, error)) error {
	var got ID
	var err error
	switch v := src.(type) {
	case int64:
		got, err = FromInt64(v)
	case string:
		got, err = parse(v)
	case []byte:
		got, err = parse(string(v))
	default:
		err = fmt.Errorf("cannot scan %T into an ID", src)
	}
	if err == nil {
		*id = got
	}
	return err
}
