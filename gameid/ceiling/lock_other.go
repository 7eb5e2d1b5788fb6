//go:build !unix || solaris || aix

package ceiling

import (
	"errors"
	"os"
)

// flock says that a lock that ends with its process cannot be had from the
// standard library here. A ceiling without one would not be safe.
func flock(*os.File) error { return errors.ErrUnsupported }

func inodeOf(*os.File) string { return unknown }
