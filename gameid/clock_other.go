//go:build !linux

package gameid

import "time"

// bootTime says that the standard library has no such clock here.
func bootTime() (time.Duration, bool) { return 0, false }
