package gameid

import (
	"syscall"
	"time"
	"unsafe"
)

// bootTime reads CLOCK_BOOTTIME (clock_gettime(2)). It is a system call.
func bootTime() (time.Duration, bool) {
	const clockBoottime = 7
	var ts syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano()), errno == 0
}
