package selfsame

// Bind0 binds a func without parameters, as [Bind] does; see [Bind2].
func Bind0[F ~func() (R, error), R any](f *Function) (F, error) {
	return bind0[F, R](f.handleState())
}

// Bind1 binds a func of one parameter, as [Bind] does; see [Bind2].
func Bind1[F ~func(A) (R, error), A, R any](f *Function) (F, error) {
	return bind1[F, A, R](f.handleState())
}

// Bind2 binds a func of two parameters, as [Bind] does. Calls of the result use no reflection, and numbers and handles
// among the arguments cost no allocation:
//
//	hypot, err := selfsame.Bind2[func(x, y float64) (float64, error)](f)
//
// The result keeps f alive. It may be called from any goroutine; it panics when f or an argument is a released handle.
//
// RATIONALE.md, "Why a bound func passes its arguments as words"
func Bind2[F ~func(A, B) (R, error), A, B, R any](f *Function) (F, error) {
	return bind2[F, A, B, R](f.handleState())
}

// Bind3 binds a func of three parameters, as [Bind] does; see [Bind2].
func Bind3[F ~func(A, B, C) (R, error), A, B, C, R any](f *Function) (F, error) {
	return bind3[F, A, B, C, R](f.handleState())
}

// Bind4 binds a func of four parameters, as [Bind] does; see [Bind2].
func Bind4[F ~func(A, B, C, D) (R, error), A, B, C, D, R any](f *Function) (F, error) {
	return bind4[F, A, B, C, D, R](f.handleState())
}
