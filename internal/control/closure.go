package control

// #include "closure.h"
// #include "builtins_fast.h"
// #include "fork_state.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// body is the Go implementation of a Function. args are borrowed views in C memory; the caller owns the result.
type body = func(args []abi.Any) (abi.Any, error)

// closures maps closure ids to the Go functions that Function objects call. A Function object carries an id, not a Go
// pointer, because Go's garbage collector does not see C memory, and because a forked child has another Go runtime. The
// Function's deleter removes the entry, except that of a closure made by the start.
var closures sync.Map // uintptr -> body

// goState is what this Go runtime has in common with the one of the process that forked.
var goState = C.ss_go_state()

// firstOwnClosure is the id of the first closure that this Go runtime made after its start.
var firstOwnClosure uintptr

// newClosureID returns a new id. During the start ids are counted from 1, so that each start gives a closure the same id.
func newClosureID() uintptr {
	if starting {
		firstOwnClosure++
		return firstOwnClosure
	}
	return atomic.AddUintptr((*uintptr)(unsafe.Pointer(&goState.last_closure)), 1)
}

// endStartClosures ends the part of the ids that each start gives. It returns an error if an earlier start gave another
// number of them.
func endStartClosures() error {
	made := firstOwnClosure
	if goState.start_closures == 0 {
		goState.start_closures = C.uintptr_t(made)
		goState.last_closure = C.uintptr_t(made)
	}
	if uintptr(goState.start_closures) != made {
		return errorf("InternalError", "the start made %d closures, not %d", made, goState.start_closures)
	}
	firstOwnClosure = uintptr(goState.last_closure) + 1
	return nil
}

// releaseClosure forgets a closure whose Function is dead, unless the start made it. When a start in a forked child
// finds the name taken, the Function that it made dies at once, but the one under that name has the same id.
func releaseClosure(id uintptr) {
	if ended := uintptr(goState.start_closures); ended != 0 && id > ended {
		closures.Delete(id)
	}
}

// newFunction makes a Function object that calls f. The caller owns the reference. The error is errRaised.
func newFunction(f body) (unsafe.Pointer, error) { return newFunctionWith(nil, f) }

// newBuiltin does newFunction's work for a builtin function. If there is a fast path in C for it, calls try that before
// f.
func newBuiltin(name string, f body) (unsafe.Pointer, error) {
	text := (*C.char)(unsafe.Pointer(unsafe.StringData(name)))
	return newFunctionWith(C.ss_fast_function(text, C.size_t(len(name))), f)
}

// callInC calls the builtin function in C of that name with borrowed arguments of exactly the types of its signature. The
// caller owns the result.
func callInC(name string, args []abi.Any) (result abi.Any, err error) {
	text := (*C.char)(unsafe.Pointer(unsafe.StringData(name)))
	rc := C.ss_fast_call(text, C.size_t(len(name)), (*C.TVMFFIAny)(unsafe.Pointer(unsafe.SliceData(args))), C.int32_t(len(args)),
		(*C.TVMFFIAny)(unsafe.Pointer(&result)))
	return orRaised(result, rc == 0)
}

// newFunctionWith does newFunction's work with a fast path, or nil. In a start that finds everything made, it returns
// nil.
func newFunctionWith(call C.TVMFFISafeCallType, f body) (unsafe.Pointer, error) {
	id := newClosureID()
	closures.Store(id, f)
	if start == plane.StartAgain {
		return nil, nil // the Function exists
	}
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
	if ok {
		return callBody(f.(body), args, n, result)
	}
	if id < firstOwnClosure {
		return errorf("RuntimeError", "a function that the runtime made for one call before the process forked cannot be called in "+
			"the forked child; make it again")
	}
	return errorf("InternalError", "a function of the runtime was called after its release")
}

// callBody calls f with n borrowed views at args, and stores the owned result.
func callBody(f body, args unsafe.Pointer, n int, result *abi.Any) error {
	if n < 0 {
		return errorf("ValueError", "the number of arguments must not be negative, got %d", n)
	}
	value, err := f(unsafe.Slice((*abi.Any)(args), n))
	if err != nil {
		return err
	}
	*result = value
	return nil
}

// newString makes an owned string value. The error is errRaised.
func newString(s string) (abi.Any, error) { return orRaised(plane.NewString(s)) }
