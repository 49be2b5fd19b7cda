package fault

import (
	"fmt"
	"runtime"
	"strings"
)

// Check panics with err unless it is nil.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

// Must returns a value, or panics with err where that is not nil.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// OfPanic makes an error of a recovered panic, with the stack of the panic. It never panics itself, even if the methods
// of the panic's value do.
func OfPanic(r any) (err error) {
	stack := CallerStack(1)
	defer func() {
		if again := recover(); again != nil {
			message := fmt.Sprintf("a panic with a %s, whose methods panic: %v", typeName(r), again)
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
		return &Error{Kind: kindOfPanic(p), Message: "Go panic: " + p.Error() + adviceOf(p), Backtrace: stack, cause: p}
	case error:
		return &Error{Kind: "RuntimeError", Message: fmt.Sprint(p), Backtrace: stack, cause: p} // Sprint survives a panic in p
	}
	return &Error{Kind: "RuntimeError", Message: fmt.Sprint(r), Backtrace: stack}
}

// kindOfPanic returns the kind of a panic of Go's own: what Python raises for the same mistake, where it has that.
func kindOfPanic(p runtime.Error) string {
	text := strings.TrimPrefix(p.Error(), "runtime error: ")
	switch {
	case strings.HasPrefix(text, "index out of range"), strings.HasPrefix(text, "slice bounds out of range"):
		return "IndexError"
	case text == "integer divide by zero":
		return "ZeroDivisionError"
	case strings.HasPrefix(text, unhashable):
		return "TypeError"
	}
	return "RuntimeError"
}

const unhashable = "hash of unhashable type"

// adviceOf returns what a message says behind the text of a panic of Go's own; "" for most.
func adviceOf(p runtime.Error) string {
	if strings.Contains(p.Error(), unhashable) && strings.Contains(p.Error(), " []") {
		return "; a list is no key, nor is a tuple, which Go code gets as a list: use a text of it"
	}
	return ""
}

// typeName returns the name of a value's type as users of the public package know it: Error is declared there under its own name.
func typeName(value any) string {
	if _, ok := value.(*Error); ok {
		return "*selfsame.Error"
	}
	return fmt.Sprintf("%T", value)
}
