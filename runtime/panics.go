package runtime

import (
	"fmt"
	"runtime"
	"strings"
)

// panicStack returns the stack of a panic in the format of an Error's backtrace, innermost frame first, without the
// frames of Go's runtime. It must be called from a deferred function.
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
