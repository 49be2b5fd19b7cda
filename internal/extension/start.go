//go:build selfsame_shared

package selfsame

import "C"

import (
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/extension" // SelfsameExtensionInit, which calls ssgo_extension_start
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// ssgo_extension_start finishes the registrations of the extension's packages, whose package variables are initialized. In
// a forked child it then calls the funcs of AfterFork, once. It returns 0, or -1 with the first error as the thread's raised
// error.
//
//export ssgo_extension_start
func ssgo_extension_start() C.int {
	extension.Initialised() // Go lets no call in before that
	err := startExtension()
	if err == nil {
		return 0
	}
	if runtimeBound() == nil {
		failed := newErrorObject(err, "")
		bridge.SetRaised(failed)
		handles.DecRef(failed)
	}
	return -1
}

var runAfterFork = sync.OnceValue(callAfterFork)

// callAfterFork calls the funcs of AfterFork.
func callAfterFork() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicError(r)
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

func startExtension() error {
	finishRegistrations()
	firstFailure.Lock()
	err := firstFailure.err
	firstFailure.Unlock()
	if err == nil {
		err = runtimeBound()
	}
	if err == nil {
		handles.PrepareErrors()
	}
	if err == nil && bridge.Generation > 0 {
		err = runAfterFork()
	}
	return err
}
