//go:build !selfsame_shared

package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	_ "github.com/selfsame-ffi/selfsame/internal/control" // the functions of the ABI
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

func runtimeBound() error { return nil }

func liveObjectsFunction() unsafe.Pointer { return bridge.LinkedLiveObjects() }

func init() { handles.AllocatorFunctions = allocatorFunctions }

func allocatorFunctions() (allocation, count unsafe.Pointer) { return bridge.LinkedFreeList() }

// registrationFailed ends the program, which lacks a class or function that its author declared.
func registrationFailed(err error) { panic(err) }

// failureBefore returns the end of a message about a class that is not registered. It is empty: a registration that
// failed has ended the program.
func failureBefore() string { return "" }
