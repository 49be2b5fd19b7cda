//go:build selfsame_shared

package selfsame

import "C"

import (
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// SelfsameExtensionInit finishes the registrations of the extension's packages, whose package variables are initialized. The
// loader of an extension calls it once. It returns 0, or -1 with the first failed registration's error as the thread's
// raised error.
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
