// Package failure has the errors that the packages below control return to package control, which raises them on the
// calling thread.
package failure

import (
	"errors"
	"fmt"
)

// Error is an error that package control raises as an ffi.Error of this kind with this message.
type Error struct {
	Kind    string
	Message string
}

// Error formats the kind and the message as "Kind: message".
func (e *Error) Error() string { return e.Kind + ": " + e.Message }

// New makes an *Error of a kind, such as "TypeError", with a formatted message.
func New(kind, format string, args ...any) error {
	return &Error{kind, fmt.Sprintf(format, args...)}
}

// Type makes an *Error of kind TypeError.
func Type(format string, args ...any) error { return New("TypeError", format, args...) }

// Value makes an *Error of kind ValueError.
func Value(format string, args ...any) error { return New("ValueError", format, args...) }

// Internal makes an *Error of kind InternalError.
func Internal(format string, args ...any) error { return New("InternalError", format, args...) }

// ErrRaised is the error of a Go function for which a C function has already raised an error on the calling thread. The
// goroutine must stay on that thread until it returns to C.
var ErrRaised = errors.New("a C function has raised the error already")
