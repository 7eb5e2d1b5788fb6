//go:build !linux || !amd64

package cmd_test

import "testing"

// TestM1KilledAtEveryCall and its sisters stop processes at system calls, which are known here for one kind of machine.
func TestM1KilledAtEveryCall(t *testing.T) {
	missing(t, "system calls are counted on Linux on amd64 alone")
}
