//go:build selfsame_shared

package selfsame

import (
	"sync"
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/internal/gomemory"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/stubs"
)

func runtimeBound() error { return stubs.Bound() }

func liveObjectsFunction() unsafe.Pointer { return stubs.Lookup("SelfsameLiveObjects") }

func init() { handles.AllocatorFunctions = allocatorFunctions }

func allocatorFunctions() (allocation, count unsafe.Pointer) {
	return stubs.Lookup("SelfsameAllocationGet"), stubs.Lookup("SelfsameCountFreeList")
}

var firstFailure struct {
	sync.Mutex
	err error
}

// registrationFailed stores the first error, which SelfsameExtensionInit returns: a panic would end the process that loads
// the extension.
func registrationFailed(err error) {
	firstFailure.Lock()
	defer firstFailure.Unlock()
	if firstFailure.err == nil {
		firstFailure.err = err
	}
}

// failureBefore returns the end of a message about a class that is not registered: the registration that failed, if one
// did.
func failureBefore() string {
	firstFailure.Lock()
	defer firstFailure.Unlock()
	if firstFailure.err == nil {
		return ""
	}
	return "; the first registration that failed: " + reason(firstFailure.err)
}
