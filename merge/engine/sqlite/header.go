package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// headerSize is how many bytes a database's header takes (https://sqlite.org/fileformat2.html, "The Database Header").
const headerSize = 100

// header is what the first bytes of a database say.
type header struct {
	wal     bool   // it is in WAL mode
	changes uint32 // the file change counter
	pages   uint32 // size in pages; 0 when an old writer left it out of date
	page    int64  // page size in bytes
}

// parseHeader reads a database's header and checks it against the file's size. journaled says that a journal or a log may yet complete the file.
func parseHeader(path string, b []byte, size int64, journaled bool) (h header, err error) {
	bad := func(reason error, detail, next string) (header, error) {
		return h, &SourceError{Path: path, Reason: reason, Detail: detail, Next: next}
	}
	switch {
	case size == 0:
		return bad(ErrEmpty, "", "give the database file itself")
	case len(b) < headerSize || !bytes.Equal(b[:16], []byte("SQLite format 3\x00")):
		return bad(ErrNotDatabase, "", "give the unencrypted SQLite file; dump other formats into one")
	case b[18] > 2 || b[19] > 2:
		return bad(ErrNewer, fmt.Sprintf("format version %d", max(b[18], b[19])), "use a gameid built with a newer SQLite")
	case binary.BigEndian.Uint32(b[44:]) > 4:
		return bad(ErrNewer, fmt.Sprintf("schema format %d", binary.BigEndian.Uint32(b[44:])), "use a gameid built with a newer SQLite")
	}
	h.page = pageSize(b)
	if h.page < 512 || h.page&(h.page-1) != 0 {
		return bad(ErrNotDatabase, fmt.Sprintf("page size %d", h.page), "give the unencrypted SQLite file")
	}
	h.wal = b[18] == 2 || b[19] == 2
	h.changes = binary.BigEndian.Uint32(b[24:])
	if binary.BigEndian.Uint32(b[92:]) == h.changes { // the size field is only valid together with this counter
		h.pages = binary.BigEndian.Uint32(b[28:])
	}
	if need := int64(h.pages) * h.page; !journaled && size < need {
		return bad(ErrTruncated, fmt.Sprintf("%d of %d bytes", size, need), "copy the file again, completely")
	}
	return h, nil
}

// pageSize is what a database's header says of it.
func pageSize(b []byte) int64 {
	n := int64(binary.BigEndian.Uint16(b[16:]))
	if n == 1 {
		return 65536
	}
	return n
}

// readHeader reads the first bytes of an open file.
func readHeader(f *os.File) ([]byte, error) {
	b := make([]byte, headerSize)
	n, err := f.ReadAt(b, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}

// openSource opens a source's file and says what is wrong with it when that cannot be done.
func openSource(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(path + "-wal"); err == nil {
			return nil, nil, &SourceError{Path: path, Reason: ErrLoneWAL, Next: "find the database that belongs to it: without its log it lacks the last changes"}
		}
		return nil, nil, &SourceError{Path: path, Reason: ErrMissing, Err: fs.ErrNotExist, Next: "check the path"}
	case err != nil:
		return nil, nil, &SourceError{Path: path, Reason: ErrUnreadable, Err: err, Next: "check its permissions and the disk"}
	case !info.Mode().IsRegular():
		return nil, nil, &SourceError{Path: path, Reason: ErrNotFile, Detail: info.Mode().Type().String(), Next: "give the database file itself"}
	}
	f, err := os.Open(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, nil, &SourceError{Path: path, Reason: ErrUnreadable, Err: err, Next: "check its permissions and the disk"}
	}
	info, err = f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, nil, &SourceError{Path: path, Reason: ErrUnreadable, Err: err, Next: "check its permissions and the disk"}
	}
	return f, info, nil
}
