package ceiling

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
)

// failingDisk keeps files in memory and can be told to fail.
type failingDisk struct {
	mu     sync.Mutex
	files  map[string][]byte
	err    error
	writes int
}

func (d *failingDisk) read(path string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, ok := d.files[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return text, nil
}

func (d *failingDisk) replace(path string, text []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes++
	if d.err == nil {
		d.files[path] = text
	}
	return d.err
}

func (d *failingDisk) lock(string) (func() error, error) { return func() error { return nil }, nil }

func (d *failingDisk) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err = err
}

func (d *failingDisk) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.writes
}

func testLayout(t *testing.T) *gameid.Layout {
	t.Helper()
	l, err := gameid.NewLayout(gameid.Spec{
		Fields: []gameid.Field{{Kind: gameid.Time, Bits: 40}, {Kind: gameid.Server, Bits: 10}, {Kind: gameid.Sequence, Bits: 4}},
		Tick:   10 * time.Millisecond, Epoch: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// When the disk fails, IDs go on to the end of what was made durable and not one
// further, the disk is not asked again, and the error says what it was.
func TestDiskFails(t *testing.T) {
	l := testLayout(t)
	disk := &failingDisk{files: map[string][]byte{}}
	f, err := Open(context.Background(), "c", l, 7, withDisk(disk))
	if err != nil {
		t.Fatal(err)
	}
	g, err := gameid.NewGenerator(l, 7, gameid.WithCeiling(f), gameid.WithRunAhead(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	disk.fail(syscall.ENOSPC)
	var last gameid.ID
	for err == nil {
		var id gameid.ID
		if id, err = g.Next(context.Background()); err == nil {
			last = id
		}
		if errors.Is(err, gameid.ErrAhead) {
			t.Fatal(err)
		}
		if busy := (*gameid.BusyError)(nil); errors.As(err, &busy) {
			err = nil // the ceiling has not been asked yet in this tick
		}
	}
	if !errors.Is(err, gameid.ErrCeiling) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Next after the reserve = %v, want ErrCeiling and ENOSPC", err)
	}
	r, err := decode("c", disk.files["c"])
	if err != nil {
		t.Fatal(err)
	}
	if cursor, _, _ := l.Cursor(last); cursor != r.next-1 {
		t.Errorf("the last ID has cursor %d, want %d, the last below the durable ceiling", cursor, r.next-1)
	}
	disk.fail(nil)
	for end := time.Now().Add(5 * l.Tick()); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if id, err := g.TryNext(); !errors.Is(err, gameid.ErrCeiling) {
			t.Fatalf("TryNext once the disk is well again = %v, %v, want ErrCeiling still", id, err)
		}
	}
	writes := disk.count()
	if err := errors.Join(g.Close(), f.Close()); err != nil {
		t.Errorf("Close: %v", err)
	}
	if writes != 2 || disk.count() != 2 {
		t.Errorf("%d writes, %d with Close, want the first, the failed one and no more", writes, disk.count())
	}
}

func TestReserveFails(t *testing.T) {
	disk := &failingDisk{files: map[string][]byte{}, err: syscall.EROFS}
	first, got, err := Reserve(context.Background(), "c", testLayout(t), 7, 1, withDisk(disk))
	if !errors.Is(err, syscall.EROFS) || got != 0 {
		t.Errorf("Reserve on a disk that fails = %d, %d, %v, want nothing and EROFS", first, got, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(record{"time=37@16ms,epoch=2025-01-01T00:00:00Z", 1, 2}.encode())
	f.Add([]byte("gameid-ceiling 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := decode("c", text)
		if err == nil && string(r.encode()) != string(text) {
			t.Errorf("%q was read as %+v", text, r)
		}
	})
}
