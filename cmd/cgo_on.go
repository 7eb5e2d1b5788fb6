//go:build cgo

package cmd

import "github.com/mattn/go-sqlite3"

// builtWithCgo tells whether the SQLite driver in this binary can work.
const builtWithCgo = true

// sqliteVersion returns the version of the SQLite library linked into this
// binary, such as "3.50.4".
func sqliteVersion() string {
	version, _, _ := sqlite3.Version()
	return version
}
