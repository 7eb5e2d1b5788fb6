package cmd

import (
	"time"

	"github.com/gameid/gameid/gameid"
)

// ObjectIDs is the source of gen --scheme objectid with another clock and a smaller counter.
func ObjectIDs(now func() time.Time, perSecond int) gameid.Source {
	return &objectIDs{now: now, perSecond: perSecond}
}

// WrapText breaks text between words as what a person reads is broken.
func WrapText(text, first, rest string, width int) string {
	return wrapText(text, first, rest, width)
}
