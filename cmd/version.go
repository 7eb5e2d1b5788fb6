package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/mattn/go-sqlite3"
)

// version is what --version prints: this module's version as the Go tool
// recorded it, Go's, and that of the SQLite library inside.
func version() string {
	v, revision := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				revision = " " + setting.Value[:min(12, len(setting.Value))]
			}
		}
	}
	sqlite, _, _ := sqlite3.Version()
	return fmt.Sprintf("gameid %s%s\n%s %s/%s\nSQLite %s", v, revision,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, sqlite)
}
