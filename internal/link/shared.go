//go:build selfsame_shared

package link

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/fault"
	_ "github.com/selfsame-ffi/selfsame/internal/gomemory"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/stubs"
)

// Bound returns why the stubs found no runtime, nil when they did.
func Bound() error { return stubs.Bound() }

// LiveObjects returns the C function that counts live objects, nil for a runtime without it.
func LiveObjects() unsafe.Pointer { return stubs.Lookup("SelfsameLiveObjects") }

func init() { handles.AllocatorFunctions = allocatorFunctions }

func allocatorFunctions() (allocation, count unsafe.Pointer) {
	return stubs.Lookup("SelfsameAllocationGet"), stubs.Lookup("SelfsameCountFreeList")
}

var firstFailure struct {
	sync.Mutex
	err error
}

// Failed stores the first error, which SelfsameExtensionInit returns: a panic would end the process that loads
// the extension.
func Failed(err error) {
	firstFailure.Lock()
	defer firstFailure.Unlock()
	if firstFailure.err == nil {
		firstFailure.err = err
	}
}

// FirstFailure returns the error of the first registration that failed, nil for none.
func FirstFailure() error {
	firstFailure.Lock()
	defer firstFailure.Unlock()
	return firstFailure.err
}

// FailureBefore returns the end of a message about a class that is not registered: the registration that failed, if one did.
func FailureBefore() string {
	err := FirstFailure()
	if err == nil {
		return ""
	}
	return "; the first registration that failed: " + fault.Reason(err)
}
