package runtime

import (
	"fmt"
	"runtime"
	"strings"
)

// panicStack is the stack of a panic, seen from a deferred function, as the text of an Error's backtrace: the frame that
// panicked first, without the machinery of the panic itself.
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
