package runtime

// #include "closure.h"
// #include "builtins_fast.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
)

// body is the Go implementation of a Function. args are borrowed views in C memory; the caller owns the result.
type body = func(args []abi.Any) (abi.Any, error)

// closures maps closure ids to the Go functions that Function objects call. A Function object carries an id, not a Go
// pointer, because Go's garbage collector does not see C memory. The Function's deleter removes the entry.
var (
	closures    sync.Map // uintptr -> body
	lastClosure atomic.Uintptr
)

// newFunction makes a Function object that calls f. The caller owns the reference. The error is errRaised.
func newFunction(f body) (unsafe.Pointer, error) { return newFunctionWith(nil, f) }

// newBuiltin is newFunction for a builtin function. If there is a fast path in C for it, calls try that before f.
func newBuiltin(name string, f body) (unsafe.Pointer, error) {
	text := (*C.char)(unsafe.Pointer(unsafe.StringData(name)))
	return newFunctionWith(C.ss_fast_function(text, C.size_t(len(name))), f)
}

// newFunctionWith is newFunction with a fast path, or nil.
func newFunctionWith(call C.TVMFFISafeCallType, f body) (unsafe.Pointer, error) {
	id := lastClosure.Add(1)
	closures.Store(id, f)
	var h C.TVMFFIObjectHandle
	if C.ss_closure_new(C.uintptr_t(id), call, &h) != 0 {
		closures.Delete(id)
		return nil, errRaised
	}
	return unsafe.Pointer(h), nil
}

// callClosure calls the closure id with n borrowed views at args, and stores the owned result.
func callClosure(id uintptr, args unsafe.Pointer, n int, result *abi.Any) error {
	f, ok := closures.Load(id)
	if !ok {
		return errorf("InternalError", "a function of the runtime was called after its release")
	}
	if n < 0 {
		return errorf("ValueError", "the number of arguments must not be negative, got %d", n)
	}
	value, err := f.(body)(unsafe.Slice((*abi.Any)(args), n))
	if err != nil {
		return err
	}
	*result = value
	return nil
}

// newString makes an owned string value. The error is errRaised.
func newString(s string) (abi.Any, error) {
	if v, ok := plane.NewString(s); ok {
		return v, nil
	}
	return abi.Any{}, errRaised
}
