package runtime

import (
	"errors"
	"fmt"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// ffiError is an error that raise raises with its kind and message.
type ffiError = fault.Error

// errorf makes an *ffiError.
func errorf(kind, format string, args ...any) error { return fault.New(kind, format, args...) }

// errRaised is the error of a function for which C code has already raised an error on the calling thread.
var errRaised = fault.ErrRaised

// raise makes err the raised error of the calling thread. It does nothing for errRaised.
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

// takeRaised takes the calling thread's raised error and returns its kind and message.
func takeRaised() string {
	handle := plane.TakeRaised()
	if handle == nil {
		return "unknown error"
	}
	defer plane.DecRef(handle)
	cell := abi.ErrorOf(handle)
	return cell.Kind.String() + ": " + cell.Message.String()
}

// guarded runs the body of a Go function that C called. It raises the error that work returns, or an InternalError if
// work panics, because a panic must not unwind into C. It returns 0, or -1 with an error raised, as the ABI's functions
// do.
//
// The goroutine of a call from C runs on the caller's thread until it returns, so the error is raised for the caller.
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

// raisePanic raises an InternalError for a panic's value, with the panic's stack as its backtrace.
func raisePanic(value any, stack string) {
	handle, ok := plane.NewError("InternalError", fmt.Sprintf("Go panic in the runtime: %v", value), stack, nil)
	if !ok {
		return // NewError has raised an error
	}
	plane.SetRaised(handle)
	plane.DecRef(handle)
}
