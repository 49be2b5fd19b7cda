package runtime

import (
	"errors"
	"fmt"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// ffiError is an error on its way into the calling thread's slot.
type ffiError = fault.Error

func errorf(kind, format string, args ...any) error { return fault.New(kind, format, args...) }

// errRaised says that a C function has put its error into the slot already.
var errRaised = fault.ErrRaised

// raise puts err into the calling thread's slot.
func raise(err error) {
	if errors.Is(err, errRaised) {
		return
	}
	var e *ffiError
	if errors.As(err, &e) {
		plane.Raise(e.Kind, e.Message)
		return
	}
	kind := "RuntimeError"
	if errors.Is(err, container.ErrTooLarge) {
		kind = "MemoryError"
	}
	plane.Raise(kind, err.Error())
}

// takeRaised clears the slot and says what was in it.
func takeRaised() string {
	handle := plane.TakeRaised()
	if handle == nil {
		return "unknown error"
	}
	defer plane.DecRef(handle)
	cell := abi.ErrorOf(handle)
	return cell.Kind.String() + ": " + cell.Message.String()
}

// guarded runs the body of a function that C called: an error goes into the slot, and so does a panic, which must not
// unwind into C. It returns 0 or -1, as the ABI's functions do.
//
// A goroutine that C called runs on the caller's thread until it returns, so the slot is the caller's.
func guarded(work func() error) (rc int32) {
	defer func() {
		if p := recover(); p != nil {
			raisePanic(p, panicStack())
			rc = -1
		}
	}()
	if err := work(); err != nil {
		raise(err)
		return -1
	}
	return 0
}

func raisePanic(value any, stack string) {
	handle, ok := plane.NewError("InternalError", fmt.Sprintf("Go panic in the runtime: %v", value), stack, nil)
	if !ok {
		return // what went wrong with that is in the slot
	}
	plane.SetRaised(handle)
	plane.DecRef(handle)
}
