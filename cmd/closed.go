package cmd

/*
#include <fcntl.h>

static int closed[2];

// Runs before main, and so before Go's runtime.
__attribute__((constructor)) static void look_at_streams(void) {
	for (int fd = 0; fd < 2; fd++)
		closed[fd] = fcntl(fd, F_GETFD) < 0;
}

static int was_closed(int fd) { return closed[fd]; }
*/
import "C"

import (
	"io"
	"os"
)

// inClosed and outClosed tell whether the process was started without a stdin or stdout, as with "<&-" or ">&-" in a shell. Go's runtime opens /dev/null in
// its place before any code of a Go program runs (checkfds in runtime/fds_unix.go), so that input would seem empty and every answer would be lost as if that
// were wanted. Only C code that runs earlier can tell: the descriptor's mode cannot, for the runtime opens /dev/null for reading and writing, and so do
// daemon(3) and Python's subprocess.DEVNULL.
func inClosed(in io.Reader) bool { return in == io.Reader(os.Stdin) && C.was_closed(0) != 0 }

func outClosed(out io.Writer) bool { return out == io.Writer(os.Stdout) && C.was_closed(1) != 0 }
