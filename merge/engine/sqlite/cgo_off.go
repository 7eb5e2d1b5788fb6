//go:build !cgo

package sqlite

import _ "embed"

// The SQLite driver is C. Without cgo nothing here could work, and the compiler would say so in a page of undefined names. A file to embed that is not there
// stops the go command before it compiles anything, with its name: one line, which is the message.
//
//go:embed "gameid needs cgo for SQLite; install a C compiler, such as gcc, and set CGO_ENABLED=1"
var withoutCgo string
