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

// body is a packed function in Go: args are borrowed views in C memory; the result is owned by the caller.
type body = func(args []abi.Any) (abi.Any, error)

// closures maps the number that a Function object carries to the Go function it calls.
var (
	closures    sync.Map // uintptr -> body
	lastClosure atomic.Uintptr
)

// newFunction makes a Function object that calls f. The caller owns the reference.
func newFunction(f body) (unsafe.Pointer, error) { return newFunctionWith(nil, f) }

// newBuiltin is newFunction for a builtin: what builtins_fast.c has of it is tried before f.
func newBuiltin(name string, f body) (unsafe.Pointer, error) {
	text := (*C.char)(unsafe.Pointer(unsafe.StringData(name)))
	return newFunctionWith(C.ss_fast_function(text, C.size_t(len(name))), f)
}

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

// newString makes an owned string value.
func newString(s string) (abi.Any, error) {
	if v, ok := plane.NewString(s); ok {
		return v, nil
	}
	return abi.Any{}, errRaised
}
