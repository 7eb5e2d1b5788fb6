package report

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const second = time.Second

// Number writes a count with a comma after every three digits.
func Number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// Count is a number and a regular noun, in the plural unless the number is 1: "1 row", "31,204 rows".
func Count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Number(n) + " " + noun
}

// Duration rounds an estimate for people: whole seconds below 10, then fives, minutes below two hours, then half hours.
func Duration(d time.Duration) string {
	s := int64(math.Round(d.Seconds()))
	switch {
	case d < second:
		return "less than a second"
	case s < 10:
		return Count(s, "second")
	case s < 58:
		return Count((s+2)/5*5, "second")
	case s < 119*60+30:
		return Count(max(1, (s+30)/60), "minute")
	}
	halves := (s + 900) / 1800
	if halves%2 == 0 {
		return Count(halves/2, "hour")
	}
	return Number(halves/2) + ".5 hours"
}

// Bytes rounds a size for people, in powers of 1000: two digits below ten of a unit, whole units above.
func Bytes(n int64) string {
	size, unit := float64(n), "bytes"
	for _, next := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		if math.Abs(size) < 999.5 {
			break
		}
		size, unit = size/1000, next
	}
	if unit == "bytes" {
		return Count(n, "byte")
	}
	if tenths := math.Round(size * 10); tenths < 100 {
		return strings.TrimSuffix(strconv.FormatFloat(tenths/10, 'f', 1, 64), ".0") + " " + unit
	}
	return strconv.FormatFloat(math.Round(size), 'f', 0, 64) + " " + unit
}
