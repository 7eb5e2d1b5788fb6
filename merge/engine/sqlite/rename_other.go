//go:build !linux

package sqlite

// renameFree renames without replacing: an error that is fs.ErrExist says that the new name is taken.
func renameFree(from, to string) error { return linkFree(from, to) }
