package audit

import (
	"net/netip"
	"regexp"
)

// dayForm matches days and months with signs between their numbers, also with a time of the day behind.
var dayForm = regexp.MustCompile(`^([12][0-9]{3}([-/.])(0?[1-9]|1[0-2])([-/.](0?[1-9]|[12][0-9]|3[01]))?|(0?[1-9]|[12][0-9]|3[01])[-/.](0?[1-9]|1[0-2])[-/.][12][0-9]{3})([ T][0-2][0-9](:[0-5][0-9]){0,2}(\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$`)

// ofItself tells whether a text is a day or an address of the internet, also of a network or with a port: another text would be another day or place, and no player's name.
func ofItself(text string) bool {
	if dayForm.MatchString(text) {
		return true
	}
	if _, err := netip.ParseAddr(text); err == nil {
		return true
	}
	if _, err := netip.ParsePrefix(text); err == nil {
		return true
	}
	_, err := netip.ParseAddrPort(text)
	return err == nil
}
