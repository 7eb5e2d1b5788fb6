// Package newname gives a finished file a name that must be free.
package newname

import "os"

// link takes a name where the system has no call for renaming without replacing: a link never replaces.
func link(from, to string) error {
	if err := os.Link(from, to); err != nil {
		return err
	}
	return os.Remove(from)
}
