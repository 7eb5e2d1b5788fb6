//go:build !race

package recall

// raced tells that the race detector watches.
const raced = false
