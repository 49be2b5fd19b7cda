package control

import (
	"errors"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// ffiError is an error that raise raises with its kind and message.
type ffiError = failure.Error

// errorf makes an *ffiError.
func errorf(kind, format string, args ...any) error { return failure.New(kind, format, args...) }

// errRaised is the error of a function for which C code has already raised an error on the calling thread.
var errRaised = failure.ErrRaised

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
	plane.Raise("RuntimeError", err.Error())
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
