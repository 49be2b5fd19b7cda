//go:build selfsame_shared

package link

import (
	"strings"
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

func init() {
	handles.AllocatorFunctions = allocatorFunctions
	handles.ReadOnlyFunction = func() unsafe.Pointer { return stubs.Lookup("SelfsameReadOnlyTensorDeleter") }
}

func allocatorFunctions() (allocation, count unsafe.Pointer) {
	return stubs.Lookup("SelfsameAllocationGet"), stubs.Lookup("SelfsameCountFreeList")
}

var firstFailure struct {
	sync.Mutex
	err   error
	later []string // the reasons of further ones, each a line
}

const maxLater = 30

// afterFirst begins the reason of a registration that failed because an earlier one did.
const afterFirst = "; the first registration that failed: "

// Failed stores the first error, which SelfsameExtensionInit returns: a panic would end the process that loads the
// extension. It keeps the texts of the errors after it, so that an author mends all in one go.
func Failed(err error) {
	firstFailure.Lock()
	defer firstFailure.Unlock()
	if firstFailure.err == nil {
		firstFailure.err = err
	} else if reason := fault.Reason(err); !strings.Contains(reason, afterFirst) && len(firstFailure.later) < maxLater {
		firstFailure.later = append(firstFailure.later, reason)
	}
}

// Failure returns the error of the first registration that failed, with a line for each that failed after it, nil for none.
func Failure() error {
	firstFailure.Lock()
	defer firstFailure.Unlock()
	err, ok := firstFailure.err.(*fault.Error)
	if !ok || len(firstFailure.later) == 0 {
		return firstFailure.err
	}
	all := fault.New(err.Kind, "%s\n%s", err.Message, strings.Join(firstFailure.later, "\n"))
	all.Backtrace = err.Backtrace
	return all
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
	return afterFirst + fault.Reason(err)
}
