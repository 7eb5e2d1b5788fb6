//go:build !linux

package newname

// Take renames a file without replacing another: an error that is fs.ErrExist says that the new name is taken, and from still stands then.
func Take(from, to string) error { return link(from, to) }
