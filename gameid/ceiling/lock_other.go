//go:build !unix || solaris || aix

package ceiling

import (
	"errors"
	"io/fs"
	"os"
)

// flock says that a lock that ends with its process cannot be had from the
// standard library here. A ceiling without one would not be safe.
func flock(*os.File) error { return errors.ErrUnsupported }

func inodeOf(*os.File) string { return unknown }

func inodeIn(fs.FileInfo) string { return unknown }

func keepOwner(*os.File, fs.FileInfo) error { return nil }

func namesOf(fs.FileInfo) uint64 { return 1 }
