package python

import (
	"errors"
	"fmt"
	"slices"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Exception is an exception that Python raised. errors.As finds it in the errors of this package. It unwraps to the
// [*selfsame.Error] with its kind, message and frames, and so to the Go error that was raised through Python.
type Exception struct {
	raised *selfsame.Error
}

// An Exception that a Go func returns to Python is there the exception that it was.
func init() {
	fault.Presented = func(err error) *fault.Error {
		if e, ok := err.(*Exception); ok {
			return e.raised
		}
		return nil
	}
}

// fromPython makes an Exception of an error that Python raised, and leaves others as they are.
func fromPython(err error) error {
	if raised, ok := err.(*selfsame.Error); ok && raised.Kind != "" {
		return &Exception{raised}
	}
	return err
}

// Error returns the kind and the message.
func (e *Exception) Error() string { return e.raised.Error() }

// Unwrap returns the error as every language of the process sees it.
func (e *Exception) Unwrap() error { return e.raised }

// Is reports whether target is an Exception of the same Python object. errors.Is calls it.
func (e *Exception) Is(target error) bool {
	other, ok := target.(*Exception)
	return ok && e.raised.Is(other.raised)
}

// Kind returns the name of the exception's class.
func (e *Exception) Kind() string { return e.raised.Kind }

// Message returns the exception's text.
func (e *Exception) Message() string { return e.raised.Message }

// Object returns the exception object itself, with its attributes.
func (e *Exception) Object() (*Object, error) { return object(services.exception, e.raised) }

// Notes returns the notes that Python code added to the exception.
func (e *Exception) Notes() ([]string, error) {
	exception, err := e.Object()
	if err != nil {
		return nil, err
	}
	return result[[]string](services.notes, exception)
}

// Traceback returns the text that Python prints for the exception, with the frames of Python and Go, the most recent last.
func (e *Exception) Traceback() string {
	exception, err := e.Object()
	if err == nil {
		var text string
		if text, err = result[string](services.tracebackText, exception); err == nil {
			return text
		}
	}
	return e.raised.Backtrace + e.Error()
}

// Format prints the traceback for %+v.
func (e *Exception) Format(state fmt.State, verb rune) {
	if verb == 'v' && state.Flag('+') {
		_, _ = fmt.Fprint(state, e.Traceback())
		return
	}
	_, _ = fmt.Fprintf(state, fmt.FormatString(state, verb), e.Error())
}

// Is reports whether an exception in the tree of err is of a class with this name or of one derived from it: LookupError is
// the kind of a KeyError, too. The name may have its module in front, as in json.decoder.JSONDecodeError, or any module that
// has the class under that name, as in json.JSONDecodeError.
func Is(err error, kind string) bool {
	switch e := err.(type) {
	case nil:
		return false
	case *selfsame.Error:
		return isKind(e, kind)
	case *Exception:
		return isKind(e.raised, kind)
	case *interrupted:
		return Is(e.raised, kind)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(one error) bool { return Is(one, kind) })
	}
	return Is(errors.Unwrap(err), kind)
}

func isKind(raised *selfsame.Error, kind string) bool {
	if raised.Kind == kind {
		return true
	}
	if services.ready() != nil {
		return false
	}
	exception, err := object(services.exception, raised)
	if err != nil {
		return false
	}
	is, err := result[bool](services.isKind, exception, kind)
	return err == nil && is
}
