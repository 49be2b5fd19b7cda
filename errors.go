package selfsame

// Errorf makes an *Error of a kind, such as ValueError, with the stack of its caller. The format is that of fmt.Errorf,
// including %w.
func Errorf(kind, format string, args ...any) error { return errorf(kind, format, args...) }

// RegisterErrorKind gives a sentinel error a kind of exception. Other languages raise every error in which errors.Is
// finds the sentinel as that kind: a builtin exception of Python such as KeyError, or a kind of the package's own, such
// as shop.SoldOut. Python code gives a kind of its own a class with selfsame_ffi.register_error; without one it is a
// RuntimeError. In the other direction, errors.Is finds the sentinel in an exception of a kind with a dot in it. The
// kind of an *Error in the chain goes before.
//
// It fails when an argument is empty and when the sentinel has a kind already. It may be called from any goroutine.
func RegisterErrorKind(sentinel error, kind string) error { return registerKind(sentinel, kind) }

// MustRegisterErrorKind gives the sentinel its kind as [RegisterErrorKind] does, for package initialisation: it panics
// when that fails. In an extension (build tag selfsame_shared) loading the extension fails instead.
func MustRegisterErrorKind(sentinel error, kind string) {
	if err := RegisterErrorKind(sentinel, kind); err != nil {
		registrationFailed(err)
	}
}
