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

// state looks at the files. The database's header is read through the held descriptor, which has to be the file's.
func (s *shard) state() (st state, err error) {
	for i, ending := range []string{"", "-wal", "-journal"} {
		info, err := os.Stat(s.real + ending)
		if errors.Is(err, fs.ErrNotExist) && i > 0 {
			continue
		}
		if errors.Is(err, fs.ErrNotExist) || err == nil && i == 0 && !os.SameFile(info, s.held.info) {
			return st, s.changed(err)
		}
		if err != nil {
			return st, err
		}
		st.files[i] = fileState{true, info.Size(), info.ModTime()}
	}
	if st.header, err = readHeader(s.held.file); err != nil {
		return st, err
	}
	if st.files[1].there {
		st.salts, err = readLogHeader(s.real + "-wal")
	}
	return st, err
}

// Unchanged compares a source that is read in place with what it was under the lock that keeps SQLite's writers out, but nobody who copies over the file or
// gives another one its name. A private copy does not change.
func (s *shard) Unchanged() error {
	if s.held == nil || s.private != nil {
		return nil
	}
	now, err := s.state()
	if err == nil && (!now.files[0].equal(s.begun.files[0]) || !bytes.Equal(now.header, s.begun.header)) {
		err = s.changed(nil)
	}
	return explain(s.path, err)
}

// changed is the error for a source that is not what was opened.
func (s *shard) changed(err error) error {
	return &SourceError{Path: s.path, Reason: ErrChanged, Err: err, Next: "run it again when nobody copies to the file or renames it any more, or give a copy"}
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
		if !f.equal(o.files[i]) {
			return false
		}
	}
	return bytes.Equal(st.header, o.header) && bytes.Equal(st.salts, o.salts)
}

func (f fileState) equal(o fileState) bool {
	return f.there == o.there && f.size == o.size && f.time.Equal(o.time)
}

func (st state) bytes() (n int64) {
	for _, f := range st.files {
		n += f.size
	}
	return n
}
