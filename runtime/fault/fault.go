// Package fault has the errors that the runtime's parts return to package runtime, which raises them.
package fault

import (
	"errors"
	"fmt"
)

// Error is an error of the ABI on its way into the calling thread's slot: its kind and its message.
type Error struct {
	Kind    string
	Message string
}

func (e *Error) Error() string { return e.Kind + ": " + e.Message }

// New makes an error of a kind.
func New(kind, format string, args ...any) error {
	return &Error{kind, fmt.Sprintf(format, args...)}
}

// Type makes a TypeError.
func Type(format string, args ...any) error { return New("TypeError", format, args...) }

// Value makes a ValueError.
func Value(format string, args ...any) error { return New("ValueError", format, args...) }

// Internal makes an InternalError.
func Internal(format string, args ...any) error { return New("InternalError", format, args...) }

// ErrRaised says that a C function has put its error into the calling thread's slot already.
var ErrRaised = errors.New("a C function has raised the error already")
