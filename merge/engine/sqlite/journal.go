package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The format of a rollback journal (https://sqlite.org/fileformat2.html#the_rollback_journal): segments, each a header with the number of its records at 8, the
// checksums' nonce at 12, the sector's size at 20 and the page's at 24, which fills a sector; and records, each a page's number, the page and its checksum.
const (
	journalHeader = 28
	toTheEnd      = 0xffffffff // as a number of records: of a writer that does not sync
	longestName   = 1 << 16    // of a super-journal, in bytes
)

var journalMagic = []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}

// checkJournal refuses a copied journal that SQLite would play back only in part, without a word: the other part of an unfinished transaction would stay.
func (s *shard) checkJournal(ctx context.Context) error {
	f, err := s.copiedFile("-journal")
	if f == nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	broken, err := walkJournal(ctx, f)
	if err != nil {
		return s.notCopied(err)
	}
	if broken == "" {
		return s.checkSuper(f)
	}
	return &SourceError{
		Path: s.path, Reason: ErrJournal, Detail: filepath.Base(s.real) + "-journal: " + broken,
		Next: "restore the database and its journal from the backup; or, where a power cut explains it and what the game shows is right, read the database once with sqlite3, which ends the journal, and run again",
	}
}

// checkSuper refuses a copied journal that names a super-journal which is not there: SQLite would take its transaction for committed, and leave it half written where it
// was not.
func (s *shard) checkSuper(f *os.File) error {
	name, err := superJournal(f)
	if err != nil {
		return s.notCopied(err)
	}
	if name == "" {
		return nil
	}
	if info, err := os.Stat(name); err == nil && (!info.Mode().IsRegular() || info.Size() > 0) { // an empty one is none to SQLite either
		return nil
	}
	return &SourceError{
		Path: s.path, Reason: ErrSuper, Detail: fmt.Sprintf("%s-journal names %q", filepath.Base(s.real), name),
		Next: "read the database once with sqlite3 on the machine where its server ran, which ends the journal, and copy it again; or copy the super-journal to where the journal names it; where neither is left, restore a backup",
	}
}

// superJournal is the super-journal that a journal which SQLite plays back names at its end; "" when there is none. Behind the name stand its length, the sum of its bytes
// and the magic.
func superJournal(f *os.File) (string, error) {
	const tail = 16
	info, err := f.Stat()
	if err != nil || info.Size() < journalHeader+tail {
		return "", err
	}
	head, end := make([]byte, journalHeader), make([]byte, tail)
	if _, err := f.ReadAt(head, 0); err != nil {
		return "", err
	}
	if _, err := f.ReadAt(end, info.Size()-tail); err != nil {
		return "", err
	}
	length := int64(binary.BigEndian.Uint32(end))
	if !bytes.Equal(head[:8], journalMagic) || binary.BigEndian.Uint32(head[8:]) == 0 || !bytes.Equal(end[8:], journalMagic) || length > min(info.Size()-tail, longestName) {
		return "", nil
	}
	letters := make([]byte, length)
	if _, err := f.ReadAt(letters, info.Size()-tail-length); err != nil {
		return "", err
	}
	var signed, unsigned uint32 // a byte is either, by the machine that wrote it
	for _, b := range letters {
		signed, unsigned = signed+uint32(int32(int8(b))), unsigned+uint32(b)
	}
	if sum := binary.BigEndian.Uint32(end[4:]); sum != signed && sum != unsigned { // a broken name is none: the transaction was not committed
		return "", nil
	}
	name, _, _ := strings.Cut(string(letters), "\x00")
	return name, nil
}

// walkJournal says what is broken in a journal; "" when nothing is.
func walkJournal(ctx context.Context, f *os.File) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	header := make([]byte, journalHeader)
	for at := int64(0); at+journalHeader <= info.Size(); {
		if _, err := f.ReadAt(header, at); err != nil {
			return "", err
		}
		sector, page := int64(binary.BigEndian.Uint32(header[20:])), int64(binary.BigEndian.Uint32(header[24:]))
		if !bytes.Equal(header[:8], journalMagic) || !powerWithin(sector, 32, 65536) || !powerWithin(page, 512, 65536) {
			if at > 0 || header[0] == 0 { // what an older journal left behind, or a spent one
				return "", nil
			}
			return "its header is broken", nil
		}
		count, nonce := int64(binary.BigEndian.Uint32(header[8:])), binary.BigEndian.Uint32(header[12:])
		first := at + sector
		if count == 0 { // its pages are not written yet
			return "", nil
		}
		there := max(0, info.Size()-first) / (page + 8)
		unsynced := count == toTheEnd
		if unsynced {
			count = there
		}
		sound, last, err := walkRecords(ctx, io.NewSectionReader(f, first, min(count, there)*(page+8)), page, nonce)
		switch {
		case err != nil:
			return "", err
		case unsynced && last > sound: // behind the record that the end of its writer cut off there is none
			return fmt.Sprintf("record %d of %d is broken", sound+1, last), nil
		case !unsynced && sound < count:
			return fmt.Sprintf("record %d of %d is broken", sound+1, count), nil
		case unsynced:
			return "", nil
		}
		at = (first + count*(page+8) + sector - 1) / sector * sector
	}
	return "", nil
}

// walkRecords counts the records before the first broken one, and gives the number of the last that is sound.
func walkRecords(ctx context.Context, in io.Reader, page int64, nonce uint32) (sound, last int64, err error) {
	in = stopping{ctx, in}
	record := make([]byte, page+8)
	for n := int64(1); ; n++ {
		if _, err := io.ReadFull(in, record); errors.Is(err, io.EOF) {
			return sound, last, nil
		} else if err != nil {
			return sound, last, err
		}
		sum := nonce
		for i := page - 200; i > 0; i -= 200 {
			sum += uint32(record[4+i])
		}
		if binary.BigEndian.Uint32(record) == 0 || sum != binary.BigEndian.Uint32(record[4+page:]) {
			continue
		}
		if last = n; sound == n-1 {
			sound = n
		}
	}
}

func powerWithin(n, low, high int64) bool { return n >= low && n <= high && n&(n-1) == 0 }
