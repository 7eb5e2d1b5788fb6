package merge

import (
	"errors"
	"runtime"
	"sync"
)

// sideBySideMost is how many jobs run at once at most, whatever the machine has: each may read a file of its own.
const sideBySideMost = 4

// SideBySide runs jobs 0 to n-1, a few at a time, waits for all of them, and joins their errors.
func SideBySide(n int, job func(i int) error) error {
	errs := make([]error, n)
	room := make(chan struct{}, min(runtime.GOMAXPROCS(0), sideBySideMost))
	var all sync.WaitGroup
	for i := range n {
		room <- struct{}{}
		all.Go(func() {
			errs[i] = job(i)
			<-room
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
