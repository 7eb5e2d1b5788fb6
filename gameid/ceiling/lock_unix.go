//go:build unix && !solaris && !aix

package ceiling

import (
	"errors"
	"os"
	"syscall"
)

// flock locks f for this open file alone, so two openings in one process exclude
// each other as two processes do. Taken means ErrTaken.
func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrTaken
		case !errors.Is(err, syscall.EINTR):
			return err
		}
	}
}
