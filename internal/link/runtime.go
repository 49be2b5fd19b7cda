//go:build !selfsame_shared

package link

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	_ "github.com/selfsame-ffi/selfsame/internal/control" // the functions of the ABI
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

func Bound() error { return nil }

func LiveObjects() unsafe.Pointer { return bridge.LinkedLiveObjects() }

func init() {
	handles.AllocatorFunctions = allocatorFunctions
	handles.ReadOnlyFunction = bridge.LinkedReadOnly
}

func allocatorFunctions() (allocation, count unsafe.Pointer) { return bridge.LinkedFreeList() }

// Failed ends the program, which lacks a class or function that its author declared.
func Failed(err error) { panic(err) }

// FailureBefore returns the end of a message about a class that is not registered. It is empty: a registration that
// failed has ended the program.
func FailureBefore() string { return "" }
