//go:build !cgo

package cmd

// builtWithCgo tells whether the SQLite driver in this binary can work.
const builtWithCgo = false

// sqliteVersion says that no SQLite library is linked into this binary.
func sqliteVersion() string { return "none: built without cgo" }
