//go:build !unix || solaris || aix

package ceiling_test

import "io/fs"

// ownerOf is asked only where files have owners.
func ownerOf(fs.FileInfo) int { return 0 }
