package ceiling

import "errors"

// State is what a ceiling file says.
type State struct {
	Layout string // as gameid.Layout.String writes it
	Server uint64
	Next   uint64       // the ceiling: the lowest cursor that no generator can have issued
	Copied *CopiedError // why a start would refuse the file as a copy, or nil
}

// Read looks into a ceiling file, also while a generator holds it. It changes
// nothing. Errors are fs.ErrNotExist, *DamagedError, *NamesError, *MismatchError for another
// version of the format, and the disk's.
func Read(path string, list ...Option) (State, error) {
	o := makeOptions(list)
	path, err := o.disk.Resolve(path)
	if err != nil {
		return State{}, err
	}
	text, inode, err := o.disk.Read(path)
	if err != nil {
		return State{}, err
	}
	r, err := decode(path, text)
	if err != nil {
		return State{}, err
	}
	s := State{Layout: r.layout, Server: r.server, Next: r.next}
	errors.As(r.checkOrigin(path, o.origin(), inode, o.disk.LockInode(path)), &s.Copied)
	return s, nil
}
