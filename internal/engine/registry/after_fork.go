package selfsame

import "sync"

var afterFork struct {
	sync.Mutex
	funcs []func()
	done  bool
}

// addAfterFork does the work of AfterFork of the public package.
func addAfterFork(f func()) {
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
