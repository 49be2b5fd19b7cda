package selfsame

import (
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Error is an error that other languages can raise and catch. Errors of native code arrive in Go as *Error; errors.As finds
// them. Code may read and copy it on any goroutine, but must not change one that arrived. It has the fields
//
//	Kind      string // the exception's name, such as ValueError
//	Message   string
//	Backtrace string // one line `  File "<file>", line <n>, in <function>` per frame, the most recent call first
//
// and the methods Error, Unwrap and Is. Unwrap returns the error that caused this one; of an error that left Go and came back,
// the Go error that left. Is, which errors.Is calls, reports whether the other error is the same native Error, of the same
// Python exception, or a Go error that the exception's kind stands for, such as fs.ErrNotExist for a FileNotFoundError.
type Error = fault.Error

// Errorf makes an *Error of a kind, such as ValueError, with the stack of its caller. The format is that of fmt.Errorf,
// including %w.
func Errorf(kind, format string, args ...any) error { return fault.Errorf(kind, format, args...) }

// RegisterErrorKind gives a sentinel error a kind of exception. Other languages raise every error in which errors.Is
// finds the sentinel as that kind: a builtin exception of Python such as KeyError, or a kind of the package's own, such
// as shop.SoldOut. Python code gives a kind of its own a class with selfsame_ffi.register_error; without one it is a
// RuntimeError. In the other direction, errors.Is finds the sentinel in an exception of a kind with a dot in it. An *Error is of its
// own kind alone, whatever it wraps.
//
// An error that wraps others is an exception of all the kinds that they have: in Python its class derives from theirs, and has the name
// of the outermost. The next one inside with another kind is the cause: __cause__ in Python.
//
// base names a builtin exception from which the class that `selfsame-ffi build` writes derives beside RuntimeError, such as
// ValueError. It must be a constant.
//
// It fails when an argument is empty and when the sentinel has a kind already. It may be called from any goroutine.
func RegisterErrorKind(sentinel error, kind string, base ...string) error {
	return fault.RegisterKind(sentinel, kind)
}

// MustRegisterErrorKind gives the sentinel its kind as [RegisterErrorKind] does, for package initialisation: it panics
// when that fails. In an extension (build tag selfsame_shared) loading the extension fails instead.
func MustRegisterErrorKind(sentinel error, kind string, base ...string) {
	if err := RegisterErrorKind(sentinel, kind, base...); err != nil {
		link.Failed(err)
	}
}

// RegisterErrorType gives the errors of a type a kind of exception, as [RegisterErrorKind] does for a sentinel: every error in
// which errors.As finds an E is raised as that kind. So is one with a pointer to an E, or with what an E points to, where its methods allow
// that. It fails when the kind is empty. It may
// be called from any goroutine.
func RegisterErrorType[E error](kind string, base ...string) error {
	return fault.RegisterKindOf(fault.MatcherOf[E](), kind)
}

// MustRegisterErrorType gives the errors of a type their kind as [RegisterErrorType] does, for package initialisation: it panics
// when that fails. In an extension (build tag selfsame_shared) loading the extension fails instead.
func MustRegisterErrorType[E error](kind string, base ...string) {
	if err := RegisterErrorType[E](kind, base...); err != nil {
		link.Failed(err)
	}
}
