package selfsame

// Errorf makes an *Error of a kind, such as ValueError, with the stack of its caller. The format is that of fmt.Errorf,
// including %w.
func Errorf(kind, format string, args ...any) error { return errorf(kind, format, args...) }

// RegisterErrorKind has every error that errors.Is finds a sentinel error in raised as a kind of exception in other languages:
// a builtin exception of Python such as KeyError, or a kind of the package's own, such as shop.SoldOut, for which Python code
// gives a class to selfsame_ffi.register_error (a RuntimeError without one). The other way round, errors.Is finds
// the sentinel in an exception of a kind with a dot in it. The kind of an *Error in the chain goes before.
//
// It fails when an argument is empty and when the sentinel has a kind already. It may be called from any goroutine.
func RegisterErrorKind(sentinel error, kind string) error { return registerKind(sentinel, kind) }

// MustRegisterErrorKind is [RegisterErrorKind] for package initialisation: it panics when that fails. In an extension (build
// tag selfsame_shared) loading the extension fails instead.
func MustRegisterErrorKind(sentinel error, kind string) {
	if err := RegisterErrorKind(sentinel, kind); err != nil {
		registrationFailed(err)
	}
}
