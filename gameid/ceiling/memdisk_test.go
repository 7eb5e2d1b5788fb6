package ceiling_test

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/gameid/gameid/gameid/ceiling"
)

// errDead is what a process gets to see of its disk after it was killed.
var errDead = errors.New("this process was killed")

// memDisk is a disk in memory that counts its operations, can fail or be cut off
// at any of them, and knows what a loss of power would leave behind.
type memDisk struct {
	t      testing.TB
	mu     sync.Mutex
	seen   map[string]*node // what processes see
	onDisk map[string]*node // the names that are durable
	locked map[string]bool
	marked map[string]bool
	locks  map[string]string // the numbers of the locks
	inode  int
	ops    []string // since the start or the last reboot

	failAt map[int]error // by number of operation, from 1
	failOn func(op string) error
	short  bool // a failing write says nothing and is too short
	deadAt int  // from this operation on nothing happens any more
	gate   chan struct{}
}

type node struct {
	inode      string
	text       []byte // in memory
	durable    []byte // on disk
	failedSync bool
}

func newMemDisk(t testing.TB) *memDisk {
	return &memDisk{t: t, seen: map[string]*node{}, onDisk: map[string]*node{}, locked: map[string]bool{}, marked: map[string]bool{}, locks: map[string]string{}}
}

// begin counts an operation and decides about it.
func (d *memDisk) begin(op string) error {
	if d.gate != nil {
		gate := d.gate
		d.mu.Unlock()
		<-gate
		d.mu.Lock()
	}
	d.ops = append(d.ops, op)
	switch {
	case d.deadAt > 0 && len(d.ops) >= d.deadAt:
		return errDead
	case d.failAt[len(d.ops)] != nil:
		return d.failAt[len(d.ops)]
	case d.failOn != nil:
		return d.failOn(op)
	}
	return nil
}

// restart is the machine after the process was killed, and the disk well again.
func (d *memDisk) restart() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops, d.failAt, d.failOn, d.short, d.deadAt = nil, nil, nil, false, 0
	clear(d.locked)
}

// powerLoss is restart after the power was lost: names that were not synced are
// kept or not, and the content that was not synced is left as cut makes it.
func (d *memDisk) powerLoss(keepNames bool, cut func(durable, text []byte) []byte) {
	d.restart()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !keepNames {
		d.seen = maps.Clone(d.onDisk)
	}
	d.onDisk = maps.Clone(d.seen)
	for _, n := range d.seen {
		n.text = cut(n.durable, n.text)
		n.durable = n.text
	}
}

// count is how often an operation was begun.
func (d *memDisk) count(op string) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.ops {
		if o == op {
			n++
		}
	}
	return n
}

func (d *memDisk) text(path string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := d.seen[path]; n != nil {
		return slices.Clone(n.text)
	}
	return nil
}

// Resolve knows no links.
func (d *memDisk) Resolve(path string) (string, error) { return path, nil }

func (d *memDisk) Read(path string) ([]byte, string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin("read"); err != nil {
		return nil, "", err
	}
	n := d.seen[path]
	if n == nil {
		return nil, "", fs.ErrNotExist
	}
	return slices.Clone(n.text), n.inode, nil
}

func (d *memDisk) Create(path, _ string) (ceiling.DiskFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin("create"); err != nil {
		return nil, err
	}
	if d.seen[path] != nil {
		return nil, fs.ErrExist
	}
	d.inode++
	n := &node{inode: strconv.Itoa(d.inode)}
	d.seen[path] = n
	return &memFile{d, n}, nil
}

func (d *memDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin("rename"); err != nil {
		return err
	}
	d.seen[to] = d.seen[from]
	delete(d.seen, from)
	return nil
}

func (d *memDisk) Remove(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin("remove"); err != nil {
		return err
	}
	if d.seen[path] == nil {
		return fs.ErrNotExist
	}
	delete(d.seen, path)
	return nil
}

func (d *memDisk) List(dir string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin("list"); err != nil {
		return nil, err
	}
	var names []string
	for path := range d.seen {
		if filepath.Dir(path) == dir {
			names = append(names, filepath.Base(path))
		}
	}
	return names, nil
}

func (d *memDisk) SyncDir(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin("syncdir"); err != nil {
		return err
	}
	maps.DeleteFunc(d.onDisk, func(path string, _ *node) bool { return filepath.Dir(path) == dir })
	for path, n := range d.seen {
		if filepath.Dir(path) == dir {
			d.onDisk[path] = n
		}
	}
	return nil
}

func (d *memDisk) Lock(path string) (ceiling.DiskLock, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin("lock"); err != nil {
		return nil, err
	}
	if d.locked[path] {
		return nil, ceiling.ErrTaken
	}
	d.locked[path] = true
	fresh := d.locks[path] == ""
	if fresh {
		d.inode++
		d.locks[path] = strconv.Itoa(d.inode)
	}
	return &memLock{d: d, path: path, inode: d.locks[path], fresh: fresh}, nil
}

func (d *memDisk) LockInode(path string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return cmp.Or(d.locks[path], "none")
}

type memFile struct {
	d *memDisk
	n *node
}

func (f *memFile) Inode() string { return f.n.inode }

func (f *memFile) Write(text []byte) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	err := f.d.begin("write")
	if err != nil {
		text = text[:len(text)/2]
		if f.d.short {
			err = nil
		}
	}
	f.n.text = append(f.n.text, text...)
	return len(text), err
}

func (f *memFile) Sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	err := f.d.begin("sync")
	if f.n.failedSync {
		f.d.t.Errorf("a file whose sync had failed was synced again")
	}
	if f.n.failedSync = err != nil; err == nil {
		f.n.durable = slices.Clone(f.n.text)
	}
	return err
}

func (f *memFile) Close() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	return f.d.begin("close")
}

type memLock struct {
	d     *memDisk
	path  string
	inode string
	fresh bool
}

func (l *memLock) Check() error { return nil }

func (l *memLock) Inode() string { return l.inode }

func (l *memLock) Use() { l.fresh = false }

func (l *memLock) Marked() (bool, error) { return l.d.marked[l.path], nil }

func (l *memLock) Mark() error {
	l.d.marked[l.path] = true
	return nil
}

func (l *memLock) Close() error {
	l.d.mu.Lock()
	defer l.d.mu.Unlock()
	err := l.d.begin("unlock")
	if l.fresh {
		delete(l.d.locks, l.path)
	}
	delete(l.d.locked, l.path) // also when it failed: a descriptor is gone then
	return err
}
