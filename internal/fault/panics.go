package selfsame

import (
	"fmt"
	"runtime"
)

// panicError makes an error of a recovered panic, with the stack of the panic. It never panics itself, even if the methods
// of the panic's value do.
func panicError(r any) (err error) {
	stack := callerStack(1)
	defer func() {
		if again := recover(); again != nil {
			message := fmt.Sprintf("a panic with a %T, whose methods panic: %v", r, again)
			err = &Error{Kind: "RuntimeError", Message: message, Backtrace: stack}
		}
	}()
	switch p := r.(type) {
	case *Error:
		if p.object == nil && p.Backtrace == "" {
			copied := *p
			copied.Backtrace = stack
			return &copied
		}
		return p
	case runtime.Error:
		return &Error{Kind: "RuntimeError", Message: "Go panic: " + p.Error(), Backtrace: stack, cause: p}
	case error:
		return &Error{Kind: "RuntimeError", Message: fmt.Sprint(p), Backtrace: stack, cause: p} // Sprint survives a panic in p
	}
	return &Error{Kind: "RuntimeError", Message: fmt.Sprint(r), Backtrace: stack}
}
