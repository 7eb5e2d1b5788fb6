package cmd

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
)

// foreign is an ID of a well-known kind that is not ours.
type foreign struct {
	kind   string
	time   *time.Time // nil when it carries none
	fields string     // as fieldsText writes them
}

const (
	objectIDDigits = 24
	uuidDigits     = 32
)

// parseForeign recognises MongoDB's ObjectIds, 24 hexadecimal digits, and UUIDs, 32 of them with or without hyphens. No form of our own IDs has
// as many digits, but digits alone are decimal first: only --from reads them otherwise.
func parseForeign(text string) (foreign, bool) {
	digits := text
	if len(text) == gameid.UUIDLen && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		digits = strings.ReplaceAll(text, "-", "")
	}
	b, err := hex.DecodeString(digits)
	switch {
	case err != nil:
		return foreign{}, false
	case len(text) == objectIDDigits:
		return readObjectID([12]byte(b)), true
	case len(digits) == uuidDigits:
		return readUUID([16]byte(b)), true
	}
	return foreign{}, false
}

// readObjectID reads 4 bytes of seconds since 1970, 5 of a value that is random per process, 3 of a counter
// (https://www.mongodb.com/docs/manual/reference/bson-types/#objectid).
func readObjectID(b [12]byte) foreign {
	t := time.Unix(int64(bigEndian(b[:4])), 0).UTC()
	return foreign{"objectid", &t, fmt.Sprintf("time=%d random=%x counter=%d", bigEndian(b[:4]), b[4:9], bigEndian(b[9:]))}
}

// readUUID reads the fields of RFC 9562. Versions 1 and 6 count 100 ns since the start of the Gregorian calendar, 1582-10-15; version 7
// milliseconds since 1970. The others carry no time. The fields have the names of the RFC.
func readUUID(b [16]byte) foreign {
	high, low := bigEndian(b[:8]), bigEndian(b[8:])
	version := b[6] >> 4
	switch {
	case high|low == 0:
		return foreign{kind: "uuid nil"}
	case ^high|^low == 0:
		return foreign{kind: "uuid max"}
	case b[8]>>6 != 2:
		return foreign{kind: "uuid of another variant", fields: fmt.Sprintf("variant=%03b", b[8]>>5)}
	}
	f := foreign{kind: fmt.Sprintf("uuid v%d", version)}
	switch version {
	case 1:
		f.time, f.fields = gregorian(high&0xfff<<48|high>>16&0xffff<<32|high>>32), clockAndNode(b)
	case 6:
		f.time, f.fields = gregorian(high>>16<<12|high&0xfff), clockAndNode(b)
	case 7:
		t := time.UnixMilli(int64(high >> 16)).UTC()
		f.time, f.fields = &t, fmt.Sprintf("unix_ts_ms=%d rand_a=%03x rand_b=%016x", high>>16, high&0xfff, low&^(3<<62))
	case 3:
		f.fields = fmt.Sprintf("md5_high=%012x md5_mid=%03x md5_low=%016x", high>>16, high&0xfff, low&^(3<<62))
	case 4:
		f.fields = fmt.Sprintf("random_a=%012x random_b=%03x random_c=%016x", high>>16, high&0xfff, low&^(3<<62))
	case 5:
		f.fields = fmt.Sprintf("sha1_high=%012x sha1_mid=%03x sha1_low=%016x", high>>16, high&0xfff, low&^(3<<62))
	case 8:
		f.fields = fmt.Sprintf("custom_a=%012x custom_b=%03x custom_c=%016x", high>>16, high&0xfff, low&^(3<<62))
	}
	return f
}

// clockAndNode are the fields beside the time in versions 1 and 6. A node with the multicast bit is a random number, not a network card.
func clockAndNode(b [16]byte) string {
	node := "node"
	if b[10]&1 != 0 {
		node = "random_node"
	}
	return fmt.Sprintf("clock_seq=%d %s=%x", bigEndian(b[8:10])&0x3fff, node, b[10:])
}

// gregorian is the time of ticks of 100 ns since 1582-10-15.
func gregorian(ticks uint64) *time.Time {
	const before1970 = 122192928000000000
	since := int64(ticks) - before1970
	t := time.Unix(since/1e7, since%1e7*100).UTC()
	return &t
}

func bigEndian(b []byte) (v uint64) {
	for _, x := range b {
		v = v<<8 | uint64(x)
	}
	return v
}
