package ceiling

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// disk is the part of a file system that a ceiling needs, one call for each thing
// that can fail or be cut off by a crash.
type disk interface {
	// Resolve is the one name of a file that may be there, whatever links lead to
	// it: a lock beside another name would lock nothing. The error is a
	// *NamesError for a file that has several names of its own.
	Resolve(path string) (string, error)
	// Read returns the content of a file and its number on its disk, or unknown.
	// The error is fs.ErrNotExist without a file.
	Read(path string) (text []byte, inode string, err error)
	// Create makes a new, empty file, or returns fs.ErrExist. It gets the rights of
	// the file like, where that is there.
	Create(path, like string) (diskFile, error)
	Rename(from, to string) error
	Remove(path string) error
	// List returns the names of the regular files of a folder.
	List(dir string) ([]string, error)
	// SyncDir makes what was renamed in a folder durable.
	SyncDir(dir string) error
	// Lock takes the lock of path without waiting, or returns ErrTaken.
	Lock(path string) (diskLock, error)
	// LockInode is the number of the lock of path, noLock or unknown.
	LockInode(path string) string
}

// diskFile is a file that is being written.
type diskFile interface {
	io.WriteCloser
	Sync() error
	Inode() string // its number on its disk, or unknown
}

// diskLock is a lock that is held.
type diskLock interface {
	Check() error          // is nil while others who look for the lock find this one
	Marked() (bool, error) // whether Mark was called on it, by anybody and ever
	Mark() error           // remembers that there is a ceiling
	Inode() string         // its number on its disk, or unknown
	// Use says that a ceiling is about to be written. Without it Close removes a
	// lock that was not there before: a start that is refused leaves nothing.
	Use()
	Close() error // gives it back
}

// replace makes text(inode of the new file) the durable content of path: after
// it returns nil the text is there whatever happens, and at any moment the old or
// the new text is there whole. It needs the lock of path. A file whose sync failed
// is thrown away and not synced again: the kernel may have dropped the pages that
// it could not write, and would then report success.
func replace(d disk, path string, text func(inode string) []byte) error {
	temp := tempName(path)
	if err := writeSynced(d, temp, path, text); err != nil {
		return errors.Join(err, ignoreMissing(d.Remove(temp)))
	}
	if err := d.Rename(temp, path); err != nil {
		return errors.Join(err, ignoreMissing(d.Remove(temp)))
	}
	return d.SyncDir(filepath.Dir(path)) // makes the rename survive a loss of power
}

func writeSynced(d disk, path, like string, text func(inode string) []byte) error {
	f, err := d.Create(path, like)
	if err != nil {
		return err
	}
	content := text(f.Inode())
	n, err := f.Write(content)
	if err == nil && n < len(content) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// osDisk is the file system of this machine.
type osDisk struct{}

// Resolve follows symbolic links, of the folder too, and refuses hard links: the
// next write would leave the others with the old ceiling.
func (osDisk) Resolve(path string) (string, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	} else if _, link := os.Readlink(path); link == nil { // it leads to nothing
		return "", err
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	info, err := os.Stat(path)
	if err != nil {
		return path, nil //nolint:nilerr // it is not there yet, or its reading will say why
	}
	if !info.Mode().IsRegular() { // reading a pipe or a device may never end
		return "", fmt.Errorf("%w: %s (%s)", ErrNotFile, path, info.Mode().Type())
	}
	if n := namesOf(info); n > 1 {
		return "", &NamesError{path, n}
	}
	return path, nil
}

// Read tells content and number of one opening, so that both are of one file.
func (osDisk) Read(path string) ([]byte, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	inode := inodeOf(f)
	text, err := io.ReadAll(io.LimitReader(f, 64<<10)) // far more than a ceiling has: its end is missed then
	return text, inode, errors.Join(err, f.Close())
}

// Create follows no link and opens nothing that is there. Owner and group are kept
// where the system allows it, so that a run as another user locks nobody out.
func (osDisk) Create(path, like string) (diskFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(like); err == nil {
		if err := errors.Join(allowed(keepOwner(f, info)), allowed(f.Chmod(info.Mode().Perm()))); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return osFile{f}, nil
}

// allowed is err without the refusals of a system, or of a kind of disk, that lets
// nobody give files away.
func allowed(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// Rename is os.Rename.
func (osDisk) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is os.Remove.
func (osDisk) Remove(path string) error { return os.Remove(path) }

// List is os.ReadDir.
func (osDisk) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	return names, err
}

// SyncDir is fsync(2) of the folder.
func (osDisk) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

type osFile struct{ *os.File }

// Inode is the number of the file that is being written.
func (f osFile) Inode() string { return inodeOf(f.File) }
