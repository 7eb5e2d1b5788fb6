package sqlite

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// The format of a log (https://sqlite.org/fileformat2.html#walformat): a header with the salts at 16 and its checksum at 24, then frames, each a header with
// the page at 0, the database's size after a commit at 4 (0 when it is none), the salts at 8 and the checksum at 16, and a page. A checksum goes on from the
// one before.
const (
	walHeader = 32
	walFrame  = 24
	walMagic  = 0x377f0682 // one more: checksums read big endian
)

// brokenLog is a place in a log where SQLite stops reading, without a word, though more was committed.
type brokenLog struct {
	frame  int64 // the broken one, from 1; 0 is the log's header
	frames int64 // all that are there
	lost   int64 // commits behind it
}

// checkLog refuses a copied log of which SQLite would leave out commits. What a killed server wrote last may be torn, and what an older log left behind has
// other salts: neither was committed in this log.
func (s *shard) checkLog(ctx context.Context) error {
	f, err := s.copiedFile("-wal")
	if f == nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	header, err := readHeader(s.held.file)
	if err != nil {
		return s.notCopied(err)
	}
	broken, err := walkLog(ctx, f, pageSize(header))
	if err != nil {
		return s.notCopied(err)
	}
	if broken.lost == 0 {
		return nil
	}
	where, commits := "its header is broken", "commits stand"
	if broken.frame > 0 {
		where = fmt.Sprintf("frame %d of %d is broken", broken.frame, broken.frames)
	}
	if broken.lost == 1 {
		commits = "commit stands"
	}
	return &SourceError{
		Path: s.path, Reason: ErrLog, Detail: fmt.Sprintf("%s-wal: %s, and %d %s behind it", filepath.Base(s.real), where, broken.lost, commits),
		Next: "restore the log from the backup; or, where a power cut explains it and what the game shows is right, read the database once with sqlite3, which drops them, and run again",
	}
}

// walkLog looks for the first broken frame of a log and for commits behind it. page is the page size that counts when the log's header is broken.
func walkLog(ctx context.Context, f *os.File, page int64) (b brokenLog, err error) {
	info, err := f.Stat()
	if err != nil || info.Size() < walHeader+walFrame {
		return b, err
	}
	in := bufio.NewReaderSize(stopping{ctx, f}, 1<<20)
	header := make([]byte, walHeader)
	if _, err := io.ReadFull(in, header); err != nil {
		return b, err
	}
	magic := binary.BigEndian.Uint32(header)
	sum := walSum{big: magic&1 == 1}
	sum.add(header[:24])
	salts := header[16:24]
	sound := magic&^1 == walMagic && sum.is(header[24:])
	if sound {
		page = int64(binary.BigEndian.Uint32(header[8:]))
	}
	if page < 512 || page > 65536 || page&(page-1) != 0 {
		return b, nil
	}
	b.frames = (info.Size() - walHeader) / (walFrame + page)
	frame := make([]byte, walFrame+page)
	for sound && b.frame < b.frames {
		if _, err := io.ReadFull(in, frame); err != nil {
			return b, err
		}
		b.frame++
		sum.add(frame[:8])
		sum.add(frame[walFrame:])
		sound = binary.BigEndian.Uint32(frame) != 0 && bytes.Equal(frame[8:16], salts) && sum.is(frame[16:24])
	}
	if sound {
		return b, nil
	}
	for i := b.frame; i < b.frames; i++ {
		if err := ctx.Err(); err != nil {
			return b, err
		}
		if _, err := f.ReadAt(frame[:walFrame], walHeader+i*(walFrame+page)); err != nil {
			return b, err
		}
		if b.frame == 0 && i == 0 { // the header's own may be what is broken
			salts = bytes.Clone(frame[8:16])
		}
		if bytes.Equal(frame[8:16], salts) && binary.BigEndian.Uint32(frame[4:]) != 0 {
			b.lost++
		}
	}
	return b, nil
}

// walSum is a log's checksum.
type walSum struct {
	big    bool
	s0, s1 uint32
}

// add goes on over some multiple of 8 bytes.
func (c *walSum) add(b []byte) {
	s0, s1 := c.s0, c.s1
	if c.big {
		for ; len(b) >= 8; b = b[8:] {
			s0 += binary.BigEndian.Uint32(b) + s1
			s1 += binary.BigEndian.Uint32(b[4:]) + s0
		}
	} else {
		for ; len(b) >= 8; b = b[8:] {
			s0 += binary.LittleEndian.Uint32(b) + s1
			s1 += binary.LittleEndian.Uint32(b[4:]) + s0
		}
	}
	c.s0, c.s1 = s0, s1
}

// is compares the checksum with one that is stored.
func (c *walSum) is(stored []byte) bool {
	return c.s0 == binary.BigEndian.Uint32(stored) && c.s1 == binary.BigEndian.Uint32(stored[4:])
}
