package gameid

import (
	"database/sql/driver"
	"fmt"
)

// Base32 is an ID in a CHAR(16), VARCHAR(16) or TEXT column: 16 characters that
// sort as the IDs do under the usual collations, and differ under all of them. A
// wider CHAR comes back with blanks from PostgreSQL, and is refused.
type Base32 struct{ ID }

// Value gives the 16 characters, in upper case.
func (t Base32) Value() (driver.Value, error) { return t.Base32(), nil }

// Scan takes 16 characters of base32 in either case. Digits alone are base32 here.
func (t *Base32) Scan(src any) error { return scanForm(&t.ID, src, formBase32) }

// Decimal is an ID in a DECIMAL or NUMERIC column of MySQL or PostgreSQL, in a
// BIGINT UNSIGNED one, or as digits in a text column, which sorts them as text.
// In SQLite the column must be TEXT: NUMERIC makes a double of 20 digits and more.
type Decimal struct{ ID }

// Value gives the digits as text, which both engines turn into a number exactly.
func (d Decimal) Value() (driver.Value, error) { return d.String(), nil }

// Scan takes digits or an integer. A floating-point number is refused.
func (d *Decimal) Scan(src any) error { return scanForm(&d.ID, src, formDecimal) }

// Int is an ID of at most 63 bits in a BIGINT column, or SQLite's INTEGER.
type Int struct{ ID }

// Value gives an int64, or ErrRange when the ID has more than 63 bits.
func (i Int) Value() (driver.Value, error) {
	v, err := i.Int64()
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Scan takes an integer, or the digits of one as some drivers deliver it. More
// than 63 bits are ErrRange.
func (i *Int) Scan(src any) error {
	var id ID
	if err := scanForm(&id, src, formDecimal); err != nil {
		return err
	}
	if _, err := id.Int64(); err != nil {
		return err
	}
	i.ID = id
	return nil
}

// UUID is an ID in a uuid column of PostgreSQL or MariaDB, or in a CHAR(36). MariaDB
// before 10.10.6 and 10.11.5 sorts its uuid columns by the last bytes first.
type UUID struct{ ID }

// Value gives the UUID as text, which every engine with a uuid type accepts.
func (u UUID) Value() (driver.Value, error) { return string(u.AppendUUID(nil)), nil }

// Scan takes the text of a UUID of ours or its 16 bytes.
func (u *UUID) Scan(src any) error {
	if b, ok := src.([]byte); ok && len(b) == 16 {
		return u.ID.Scan(b)
	}
	return scanForm(&u.ID, src, formUUID)
}

// scanForm reads what a driver gave for a column of one form.
func scanForm(id *ID, src any, form string) error {
	var got ID
	var err error
	switch v := src.(type) {
	case string:
		got, err = parseForm(v, form)
	case []byte:
		got, err = parseForm(string(v), form)
	case int64, uint64: // a MySQL driver may give the second for a BIGINT UNSIGNED
		if form != formDecimal {
			err = syntax(form, fmt.Sprint(v), "the column gave an integer, as columns of numbers do; declare it as text, or scan it into an Int or a Decimal")
			break
		}
		got, err = parseForm(fmt.Sprint(v), form)
	default:
		err = noScan(src)
	}
	if err == nil {
		*id = got
	}
	return err
}
