//go:build selfsame_shared

package extension

import "C"

import (
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// ssgo_extension_start finishes the registrations of the extension's packages, whose package variables are initialized. In
// a forked child it then calls the funcs of AfterFork, once. It returns 0, or -1 with the first error as the thread's raised
// error.
//
//export ssgo_extension_start
func ssgo_extension_start() C.int {
	Initialised() // Go lets no call in before that
	err := start()
	if err == nil {
		return 0
	}
	if link.Bound() == nil {
		failed := fault.NewObject(err, "")
		bridge.SetRaised(failed)
		handles.DecRef(failed)
	}
	return -1
}

func start() error {
	registry.FinishRegistrations()
	err := link.Failure()
	if err == nil {
		err = link.Bound()
	}
	if err == nil {
		handles.PrepareErrors()
	}
	if err == nil && bridge.Generation > 0 {
		err = registry.RunAfterFork()
	}
	return err
}
