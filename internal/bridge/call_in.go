package bridge

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Callbacks are the functions of the Go frontend that C code of this package calls: the only way from C into Go here.
// The package cannot import the frontend, so the frontend installs them with [SetCallbacks]:
//
//	field   called by                        installed by
//	Invoke  call_go_func in call_in.c, through package call: its func init installs invokeClosure
//	        exported ssgo_bridge_invoke
//	Collect collect in collector.c, through  the same
//	        the exported ssgo_bridge_collect
//	Dropped drop in drop.c, through the      the same
//	        exported ssgo_bridge_dropped
//	Stop    SelfsameExtensionStop, through   the same
//	        the exported ssgo_bridge_stop
type Callbacks struct {
	// Invoke runs the Go func with an id that was given to Function. It runs on the caller's thread, where the goroutine
	// stays until Invoke returns. The n values at args are borrowed. It returns 0 after storing an owned value in *result,
	// or -1 with the error raised on this thread. It must not panic.
	Invoke func(id uint64, args *abi.Any, n int, result *abi.Any) int

	// Collect runs Go's collector until it finds nothing more, and returns how many handles and Go values it gave back.
	// It may be called on any thread. It must not panic.
	Collect func() int

	// Dropped says that TakeDropped has something to give. It may be called on any thread that deletes an object: it must
	// return soon, wait for no code of the user, and not panic.
	Dropped func()

	// Stop has Go's collector drop no more references, and returns when it drops none. It must not panic.
	Stop func()
}

var callbacks Callbacks // written by SetCallbacks only, before any Function exists

// SetCallbacks installs the callbacks. The frontend calls it once, from an init function, before it makes a Function.
func SetCallbacks(c Callbacks) { callbacks = c }

//export ssgo_bridge_invoke
func ssgo_bridge_invoke(id C.uint64_t, args *C.TVMFFIAny, n C.int32_t, result *C.TVMFFIAny) C.int {
	return C.int(callbacks.Invoke(uint64(id), (*abi.Any)(unsafe.Pointer(args)), int(n), (*abi.Any)(unsafe.Pointer(result))))
}
