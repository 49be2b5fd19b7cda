package registry

import (
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

var afterFork struct {
	sync.Mutex
	funcs []func()
	done  bool
}

// RunAfterFork calls the funcs of AfterFork, once.
var RunAfterFork = sync.OnceValue(callAfterFork)

func callAfterFork() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fault.OfPanic(r)
		}
	}()
	afterFork.Lock()
	funcs := afterFork.funcs
	afterFork.Unlock()
	for _, f := range funcs {
		f()
	}
	afterFork.Lock()
	afterFork.done = true
	afterFork.Unlock()
	return nil
}

// AfterFork does the work of AfterFork of the public package.
func AfterFork(f func()) {
	afterFork.Lock()
	defer afterFork.Unlock()
	afterFork.funcs = append(afterFork.funcs, f)
}

// restarted reports whether this is the Go of a forked child whose packages are set up again.
func restarted() bool {
	afterFork.Lock()
	defer afterFork.Unlock()
	return afterFork.done
}
