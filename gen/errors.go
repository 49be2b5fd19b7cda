package gen

import (
	"errors"

	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Malformed returns an error of which nothing is known as a ValueError, and others, nil among them, as they are. It is for what a
// func that reads a text says of the text.
func Malformed(err error) error { return fault.Malformed(err) }

// Failed returns the error that a func returned as one of a type of its own, whose nil is no error: that of a pointer in an error would be
// one.
func Failed[E interface {
	error
	comparable
}](err E) error {
	var none E
	if err == none {
		return nil
	}
	return err
}

// FailedList does that for a list of errors, of which an empty one is no error.
func FailedList[E interface {
	error
	~[]T
}, T any](err E) error {
	if len(err) == 0 {
		return nil
	}
	return err
}

// ErrorOf returns the error of a type behind another one, as errors.As finds it, or one that differs from it by a pointer alone.
// `selfsame-ffi wrap` writes such calls.
func ErrorOf[E error](err error) (found E, ok bool) { return fault.AsType[E](err) }

// As returns the error of a Python method as one of the type that the method of Go returns. It panics with an error of another type, which
// the caller gets.
func As[E error](err error) (as E) {
	if err != nil && !errors.As(err, &as) {
		call.Raise(err)
	}
	return as
}
