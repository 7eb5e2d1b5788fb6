package sqlite

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// state is what must be equal before and after a copy.
type state struct {
	files  [3]fileState // database, log, journal
	header []byte       // of the database, with the change counter
	salts  []byte       // the log's header
}

type fileState struct {
	there bool
	size  int64
	time  time.Time
}

// state looks at the files. The database's header is read through the held descriptor.
func (s *shard) state() (st state, err error) {
	for i, ending := range []string{"", "-wal", "-journal"} {
		info, err := os.Stat(s.real + ending)
		if errors.Is(err, fs.ErrNotExist) && i > 0 {
			continue
		}
		if err != nil {
			return st, err
		}
		st.files[i] = fileState{true, info.Size(), info.ModTime()}
	}
	if st.header, err = readHeader(s.held.handles[0]); err != nil {
		return st, err
	}
	if st.files[1].there {
		st.salts, err = readLogHeader(s.real + "-wal")
	}
	return st, err
}

// readLogHeader reads a log's header, which may be short: an empty log has none.
func readLogHeader(path string) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // beside the file that the operator names
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.ReadAll(io.LimitReader(f, walHeader))
}

// fresh tells whether a file changed so recently that its time may not show the next change.
func (st state) fresh() bool {
	for _, f := range st.files {
		if f.there && time.Since(f.time) < copySettle {
			return true
		}
	}
	return false
}

func (st state) equal(o state) bool {
	for i, f := range st.files {
		if g := o.files[i]; f.there != g.there || f.size != g.size || !f.time.Equal(g.time) {
			return false
		}
	}
	return bytes.Equal(st.header, o.header) && bytes.Equal(st.salts, o.salts)
}

func (st state) bytes() (n int64) {
	for _, f := range st.files {
		n += f.size
	}
	return n
}
