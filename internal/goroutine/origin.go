package goroutine

import (
	"runtime"
	"strings"
)

// IsOfCaller reports whether the calling goroutine runs a call that came from C on a thread of C's own, or was started by a func
// whose name begins with one of the prefixes. It returns false for other goroutines that Go code has started. It looks at the
// whole stack, so it is slow.
func IsOfCaller(prefixes ...string) bool {
	pcs := make([]uintptr, 64)
	n := runtime.Callers(1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 4*len(pcs))
		n = runtime.Callers(1, pcs)
	}
	bottom := ""
	frames := runtime.CallersFrames(pcs[:n])
	for {
		frame, more := frames.Next()
		if frame.Function != "" && frame.Function != "runtime.goexit" {
			bottom = frame.Function
		}
		if !more {
			break
		}
	}
	if strings.HasPrefix(bottom, "runtime.cgocallback") {
		return true
	}
	for _, p := range prefixes {
		if strings.HasPrefix(bottom, p) {
			return true
		}
	}
	return false
}
