//go:build selfsame_shared

package selfsame

import "C"

import (
	"github.com/selfsame-ffi/selfsame/internal/bridge"

	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// SelfsameExtensionInit is called by the loader of an extension. It returns when the package's registrations have run:
// 0, or -1 with the first error as the thread's raised error.
//
//export SelfsameExtensionInit
func SelfsameExtensionInit() C.int {
	finishRegistrations()
	firstFailure.Lock()
	err := firstFailure.err
	firstFailure.Unlock()
	if err == nil {
		err = runtimeBound()
	}
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
