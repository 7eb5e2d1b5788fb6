//go:build unix && !solaris && !aix

package ceiling_test

import (
	"io/fs"
	"syscall"
)

func ownerOf(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }
