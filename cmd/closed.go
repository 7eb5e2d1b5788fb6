package cmd

/*
#include <fcntl.h>

static int out_closed;

// Runs before main, and so before Go's runtime.
__attribute__((constructor)) static void look_at_out(void) { out_closed = fcntl(1, F_GETFD) < 0; }

static int was_out_closed(void) { return out_closed; }
*/
import "C"

// outClosed tells whether the process was started without a stdout, as with ">&-" in a shell. Go's runtime opens /dev/null in its place before any code of a
// Go program runs (checkfds in runtime/fds_unix.go), so that every answer would be lost as if that were wanted. Only C code that runs earlier can tell: the
// descriptor's mode cannot, for the runtime opens /dev/null for reading and writing, and so do daemon(3) and Python's subprocess.DEVNULL.
func outClosed() bool { return C.was_out_closed() != 0 }
