package gameid

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// ColumnError says that a layout's IDs do not fit a column type.
type ColumnError struct {
	Layout string // its name, or its expression
	Column string // the type as it was asked for
	Reason string // the arithmetic
}

func (e *ColumnError) Error() string {
	return fmt.Sprintf("layout %s does not fit a %s column: %s", e.Layout, e.Column, e.Reason)
}

// Unwrap makes the error ErrTooWide.
func (e *ColumnError) Unwrap() error { return ErrTooWide }

// CheckColumn returns nil when every ID of the layout fits, in one form or another, a
// column of an SQL type such as "BIGINT", "DECIMAL(22)", "BINARY(10)" or "CHAR(16)",
// and a *ColumnError with the arithmetic when not. The types of MySQL, PostgreSQL and
// SQLite are known; a type that is not is an error that lists those that are. A type
// that means different things to different databases fits when it fits in all of them.
func (l *Layout) CheckColumn(column string) error { return l.CheckColumnForm(column, formAny) }

// CheckColumnForm is CheckColumn for IDs in one form: "decimal", "base32", "hex" or
// "uuid"; "any" is whichever fits.
func (l *Layout) CheckColumnForm(column, form string) error {
	fail := func(format string, args ...any) error {
		return &ColumnError{l.label(), column, fmt.Sprintf(format, args...)}
	}
	name, size, sized := splitType(column)
	need, known := map[string]int{
		formAny: min(l.digits(), Base32Len), formDecimal: l.digits(), formBase32: Base32Len, formHex: 2 * Size, formUUID: UUIDLen,
	}[form]
	if !known {
		return fmt.Errorf("%q is none of the forms %s, %s, %s, %s", form, formDecimal, formBase32, formHex, formUUID)
	}
	numbers := form == formAny || form == formDecimal
	if width, ok := integerBits(name); ok {
		switch {
		case l.bits > width:
			return fail("%s > %d, the most that it holds", l.sum(), width)
		case !numbers:
			return fail("it holds numbers, the form %s is none", form)
		}
		return nil
	}
	switch name {
	case "DECIMAL", "NUMERIC", "DEC", "NUMBER":
		switch digits := l.digits(); {
		case !numbers:
			return fail("it holds numbers, the form %s is none", form)
		case sized && size < digits:
			return fail("%s need %d digits, it holds %d", l.sum(), digits, size)
		case !sized && name != "NUMBER" && digits > mysqlDigits:
			return fail("%s need %d digits; without a number of digits it holds %d in MySQL and MariaDB (all of them in PostgreSQL): %s(%d) holds them everywhere", l.sum(), digits, mysqlDigits, name, digits)
		}
	case "CHAR", "NCHAR", "CHARACTER", "VARCHAR", "NVARCHAR", "CHARACTER VARYING":
		if !sized && !strings.Contains(name, "VAR") {
			size, sized = 1, true // as SQL has it
		}
		if sized && size < need {
			return fail("%s %sneed %d characters, it holds %d", l.sum(), inForm(form), need, size)
		}
	case "BINARY", "VARBINARY":
		switch {
		case !sized:
			return fail("an ID has %d bytes, it says not how many it holds: %s(%d)", Size, name, Size)
		case size < Size:
			return fail("an ID has %d bytes, it holds %d", Size, size)
		case size > Size && name == "BINARY":
			return fail("an ID has %d bytes, and it pads them to %d, which are no ID: BINARY(%d)", Size, size, Size)
		}
	case "UUID":
		if form != formAny && form != formUUID {
			return fail("it holds UUIDs, the form %s is none", form)
		}
	case "TEXT", "CLOB", "BLOB", "TINYBLOB", "BYTEA":
	default:
		return fmt.Errorf("column type %q is not known; known are %s", column,
			"INT, BIGINT, BIGINT UNSIGNED, DOUBLE, DECIMAL(n), CHAR(n), BINARY(n), TEXT, BLOB, BYTEA, UUID and their common spellings")
	}
	return nil
}

// mysqlDigits is DECIMAL without digits in MySQL and MariaDB.
const mysqlDigits = 10

func inForm(form string) string {
	if form == formAny {
		return ""
	}
	return "in the form " + form + " "
}

// Columns lists the usual column types that fit, narrowest first, each with the
// form that goes into it.
func (l *Layout) Columns() []string {
	var fit []string
	if l.bits <= 63 {
		fit = append(fit, "BIGINT")
	}
	if l.bits <= 64 {
		fit = append(fit, "BIGINT UNSIGNED (MySQL)")
	}
	return append(fit,
		fmt.Sprintf("BINARY(%d), BYTEA or BLOB (raw)", Size),
		fmt.Sprintf("DECIMAL(%d) or NUMERIC(%d) (decimal; TEXT in SQLite)", l.digits(), l.digits()),
		fmt.Sprintf("CHAR(%d) (base32)", Base32Len),
		"UUID (uuid)")
}

// Programs lists the programs among those whose only number is a double that hold,
// and show, every ID of the layout exactly as a number; the others need a text.
//
//	JavaScript  53 bits: Number.MAX_SAFE_INTEGER (ECMA-262)
//	Excel       15 digits; those behind become 0
//	Lua 5.1     14 digits: tostring writes "%.14g" (LUA_NUMBER_FMT in luaconf.h)
func (l *Layout) Programs() []string {
	var exact []string
	if l.bits <= 53 {
		exact = append(exact, "JavaScript")
	}
	if l.digits() <= 15 {
		exact = append(exact, "Excel")
	}
	if l.digits() <= 14 {
		exact = append(exact, "Lua 5.1")
	}
	return exact
}

// digits is the number of decimal digits of the layout's highest ID.
func (l *Layout) digits() int { return int(float64(l.bits)*math.Log10(2)) + 1 }

// integerBits is the width of the non-negative numbers that a numeric type holds
// exactly. INTEGER is SQLite's and PostgreSQL's and MySQL's word for different
// widths; the narrow one counts.
func integerBits(name string) (int, bool) {
	width, ok := map[string]int{
		"TINYINT": 7, "SMALLINT": 15, "INT2": 15, "MEDIUMINT": 23, "INT": 31, "INTEGER": 31, "INT4": 31, "SERIAL": 31,
		"BIGINT": 63, "INT8": 63, "BIGSERIAL": 63,
		"FLOAT": 24, "REAL": 24, "FLOAT4": 24, "DOUBLE": 53, "DOUBLE PRECISION": 53, "FLOAT8": 53,
	}[strings.TrimSuffix(name, " UNSIGNED")]
	if ok && strings.HasSuffix(name, " UNSIGNED") {
		width++
	}
	return width, ok
}

// splitType takes "decimal (24, 2) unsigned" apart into "DECIMAL UNSIGNED" and 22,
// the digits before the point, when it has a size.
func splitType(column string) (name string, size int, sized bool) {
	name = strings.ToUpper(column)
	if m := regexp.MustCompile(`\(\s*(\d{1,9})\s*(?:,\s*(\d{1,9})\s*)?\)`).FindStringSubmatchIndex(name); m != nil {
		size, _ = strconv.Atoi(name[m[2]:m[3]])
		sized = true
		if m[4] >= 0 {
			scale, _ := strconv.Atoi(name[m[4]:m[5]])
			size -= scale
		}
		name = name[:m[0]] + " " + name[m[1]:]
	}
	return strings.Join(strings.Fields(name), " "), size, sized
}
