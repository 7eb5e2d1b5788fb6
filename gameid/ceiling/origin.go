package ceiling

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
)

// unknown stands for a part of an origin that the system does not tell. It never
// differs from anything.
const unknown = "-"

// origin is the machine that a ceiling was written on.
type origin struct {
	machine string // of the installation; machines cloned from one image without care share it
	boot    string // of the running kernel; its containers share it
}

// systemOrigin reads the origin from Linux (machine-id(5), random(4)). The machine
// is hashed, as machine-id(5) asks for.
func systemOrigin() origin {
	here := origin{machine: unknown, boot: unknown}
	if id := firstWord("/etc/machine-id"); len(id) == 32 {
		here.machine = fmt.Sprintf("%x", sha256.Sum256([]byte("gameid ceiling "+id)))[:16]
	}
	if id := firstWord("/proc/sys/kernel/random/boot_id"); id != "" {
		here.boot = id
	}
	return here
}

func firstWord(path string) string {
	text, err := os.ReadFile(path)
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
		return fields[0]
	}
	return ""
}

// checkOrigin returns a *CopiedError when the file with the number inode is not
// the one that r was written to, has another lock, or stands on a machine that r
// was not written on. A generator that still runs holds the lock that r names: under
// another one, as after a rename of the file alone, it would not be met.
// A restart of the machine changes the boot alone, another container of the same
// machine the machine alone, and the lock holds between these; so both must differ.
func (r record) checkOrigin(path string, here origin, inode, lock string) error {
	switch {
	case differ(r.inode, inode) && strings.Contains(inode, layerMark):
		return &CopiedError{path, "it lies in a container's own layer, and was written by another container, into its image, or before a restart: keep it on a volume"}
	case differ(r.inode, inode):
		return &CopiedError{path, fmt.Sprintf("it was written as file number %s of its disk and is number %s", r.inode, inode)}
	case differ(r.lock, lock):
		return &CopiedError{path, fmt.Sprintf("%s is not the lock under which it was written: the file was renamed alone (rename both), or the lock was removed", lockName(path))}
	case differ(r.machine, here.machine) && differ(r.boot, here.boot):
		return &CopiedError{path, fmt.Sprintf("it was written on machine %s and this is %s", r.machine, here.machine)}
	}
	return nil
}

// layerMark begins what a file's number says of its mount.
const layerMark = "@overlay:"

func differ(a, b string) bool { return a != unknown && b != unknown && a != b }
