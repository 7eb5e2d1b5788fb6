//go:build race

package recall

// raced tells that the race detector watches, which finds nothing in the twelfth game that it did not in the first and makes each six times as slow.
const raced = true
