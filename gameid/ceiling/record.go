package ceiling

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/gameid/gameid/gameid"
)

// version is that of the file format below.
const version = "3"

// record is what a ceiling file says. It is text, for the person who has to look
// into one, and is read only when it is byte for byte what encode writes:
//
//	gameid-ceiling 3
//	layout time=37@16ms,server=20,seq=16,epoch=2025-01-01T00:00:00Z
//	server 1042
//	ceiling 12345678
//	machine 4be2ff5b39be0b4c
//	boot 29270c59-e284-4e46-80b9-c01b62f159fa
//	inode 1311342
//	lock 1311343
//	crc32c 0f2c8a11
type record struct {
	layout string // gameid.Layout.String, which holds tick and epoch
	server uint64
	next   uint64 // the lowest cursor that has not been handed out
	origin
	inode string // of the file that holds the record
	lock  string // the number of the lock under which it was written
}

func (r record) encode() []byte {
	body := fmt.Sprintf("gameid-ceiling %s\nlayout %s\nserver %d\nceiling %d\nmachine %s\nboot %s\ninode %s\nlock %s\n",
		version, r.layout, r.server, r.next, r.machine, r.boot, r.inode, r.lock)
	return fmt.Appendf([]byte(body), "crc32c %08x\n", checksum(body))
}

// checksum is CRC-32C (RFC 3720, section 12.1).
func checksum(body string) uint32 {
	return crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli))
}

// decode reads what encode writes. The error is a *DamagedError, or a
// *MismatchError for a format of another version.
func decode(path string, text []byte) (record, error) {
	damaged := func(why string) (record, error) {
		return record{}, &DamagedError{path, why}
	}
	if len(text) == 0 {
		return damaged("it is empty")
	}
	body, sum, ok := strings.Cut(string(text), "crc32c ")
	if !ok || !strings.HasPrefix(body, "gameid-ceiling ") {
		return damaged("it does not look like a ceiling, or its end is missing")
	}
	if sum != fmt.Sprintf("%08x\n", checksum(body)) {
		return damaged("its checksum is wrong")
	}
	fields := map[string]string{}
	for line := range strings.Lines(body) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		fields[name] = value
	}
	if got := fields["gameid-ceiling"]; got != version {
		return record{}, &MismatchError{path, FormatVersion, got, version}
	}
	r := record{layout: fields["layout"], origin: origin{fields["machine"], fields["boot"]}, inode: fields["inode"], lock: fields["lock"]}
	var err error
	if r.server, err = strconv.ParseUint(fields["server"], 10, 64); err != nil {
		return damaged("its server is no number")
	}
	if r.next, err = strconv.ParseUint(fields["ceiling"], 10, 64); err != nil {
		return damaged("its ceiling is no number")
	}
	if string(r.encode()) != string(text) {
		return damaged("it is not as it was written")
	}
	return r, nil
}

// check returns nil when r belongs to the layout and the server.
func (r record) check(path string, l *gameid.Layout, server uint64) error {
	switch {
	case r.layout != l.String():
		return &MismatchError{path, "layout", r.layout, l.String()}
	case r.server != server:
		return &MismatchError{path, "server", fmt.Sprint(r.server), fmt.Sprint(server)}
	case r.next > l.Cursors():
		return &DamagedError{path, "its ceiling is above the layout's last ID"}
	}
	return nil
}
