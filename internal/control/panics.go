package control

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// panicStack returns the stack of a panic in the format of an Error's backtrace, innermost frame first, without the
// frames of Go's runtime. Only a deferred function may call it.
func panicStack() string {
	var callers [64]uintptr
	n := runtime.Callers(1, callers[:])
	frames := runtime.CallersFrames(callers[:n])
	var text strings.Builder
	panicking := false
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, "runtime.") && !panicking:
			panicking = frame.Function == "runtime.gopanic"
			text.Reset()
		case strings.HasPrefix(frame.Function, "runtime."):
		default:
			fmt.Fprintf(&text, "  File \"%s\", line %d, in %s\n", frame.File, frame.Line, frame.Function)
		}
		if !more {
			return text.String()
		}
	}
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
