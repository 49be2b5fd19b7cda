package gen

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Callee is a native function that is known by its name: a method, a constructor, a global function or a function of a
// loaded library. The first call looks it up and keeps it for the life of the process. [CalleeOf] makes that of a
// [selfsame.Function]. F is the func type of the calls, which [Invoke0] to [Invoke8] and [Do0] to [Do8] make: func(A, B) (R, error)
// or func(A, B) error. For a method, A is its object. Calls use no reflection; numbers, bools, handles and short texts cost
// no allocation:
//
//	var hypot = gen.GlobalOf[func(x, y float64) (float64, error)]("geo.hypot")
//	length, err := gen.Invoke2(hypot, 3, 4)
//
// Each call fails with the error of the look-up as long as there is no such function, and with the function's error. A type of F
// that cannot cross is a TypeError, an argument that was released a RuntimeError. Any goroutine may call it. Code that `selfsame-ffi bind --go` writes
// is made of Callees.
type Callee[F any] struct {
	callee *call.Callee
}

// MethodOf returns the method or static method that a class registers itself, by type key. It looks nothing up.
func MethodOf[F any](key, name string) *Callee[F] {
	return &Callee[F]{call.NewMethod(reflect.TypeFor[F](), key, name)}
}

// ConstructorOf returns the constructor of a class, by type key. It looks nothing up.
func ConstructorOf[F any](key string) *Callee[F] {
	return &Callee[F]{call.NewConstructor(reflect.TypeFor[F](), key)}
}

// GlobalOf returns a global function. It looks nothing up; calls are of the function that has the name at the first call.
func GlobalOf[F any](name string) *Callee[F] {
	return &Callee[F]{call.NewGlobal(reflect.TypeFor[F](), name)}
}

// CalleeOf returns a function as a Callee, for calls that are made often: they take no reflection, whatever the types of F.
// It keeps f alive. It panics when f is nil or was released, and so do calls after f was released:
//
//	axpy := gen.CalleeOf[func(a float64, x, y *selfsame.Tensor) error](f)
//	err := gen.Do3(axpy, 2, x, y)
func CalleeOf[F any](f *selfsame.Function) *Callee[F] {
	return &Callee[F]{call.NewOf(reflect.TypeFor[F](), stateOf(f))}
}

// ResultOrError says that an Error which the function returns is the error of the call, as for functions of C++ whose result is a
// tvm::ffi::Expected. Without it, such an Error is a result. Call it before the first call; it returns f:
//
//	var parse = gen.GlobalOf[func(text string) (int64, error)]("num.parse").ResultOrError()
func (f *Callee[F]) ResultOrError() *Callee[F] {
	f.callee.ResultOrError()
	return f
}

// Required names, by position, the arguments that must not be nil, and "" for the others. A call with nil for one of them then fails
// with a TypeError, before native code gets it. Call it before the first call; it returns f:
//
//	var norm = gen.GlobalOf[func(p *Point) (float64, error)]("geo.norm").Required("p")
func (f *Callee[F]) Required(names ...string) *Callee[F] {
	f.callee.Require(names)
	return f
}

// InvokeAll calls a function with any number of arguments, which [selfsame.Function.Call] describes.
func InvokeAll[R any](f *Callee[func(...any) (R, error)], args ...any) (R, error) {
	result, err := call.InvokeAll[R](f.callee, args)
	runtime.KeepAlive(args)
	return result, err
}

// Invoke0 calls a function with no arguments; see [Callee].
func Invoke0[R any](f *Callee[func() (R, error)]) (R, error) { return call.Invoke0[R](f.callee) }

// Invoke1 calls a function with one argument; see [Callee].
func Invoke1[R, A any](f *Callee[func(A) (R, error)], a A) (R, error) {
	return call.Invoke1[R](f.callee, a)
}

// Invoke2 calls a function with two arguments; see [Callee].
func Invoke2[R, A, B any](f *Callee[func(A, B) (R, error)], a A, b B) (R, error) {
	return call.Invoke2[R](f.callee, a, b)
}

// Invoke3 calls a function with three arguments; see [Callee].
func Invoke3[R, A, B, C any](f *Callee[func(A, B, C) (R, error)], a A, b B, c C) (R, error) {
	return call.Invoke3[R](f.callee, a, b, c)
}

// Invoke4 calls a function with four arguments; see [Callee].
func Invoke4[R, A, B, C, D any](f *Callee[func(A, B, C, D) (R, error)], a A, b B, c C, d D) (R, error) {
	return call.Invoke4[R](f.callee, a, b, c, d)
}

// Invoke5 calls a function with five arguments; see [Callee].
func Invoke5[R, A, B, C, D, E any](f *Callee[func(A, B, C, D, E) (R, error)], a A, b B, c C, d D, e E) (R, error) {
	return call.Invoke5[R](f.callee, a, b, c, d, e)
}

// Invoke6 calls a function with six arguments; see [Callee].
func Invoke6[R, A, B, C, D, E, F any](f *Callee[func(A, B, C, D, E, F) (R, error)], a A, b B, c C, d D, e E, f6 F) (R, error) {
	return call.Invoke6[R](f.callee, a, b, c, d, e, f6)
}

// Invoke7 calls a function with seven arguments; see [Callee].
func Invoke7[R, A, B, C, D, E, F, G any](f *Callee[func(A, B, C, D, E, F, G) (R, error)], a A, b B, c C, d D, e E, f6 F, g G) (R, error) {
	return call.Invoke7[R](f.callee, a, b, c, d, e, f6, g)
}

// Invoke8 calls a function with eight arguments; see [Callee].
func Invoke8[R, A, B, C, D, E, F, G, H any](f *Callee[func(A, B, C, D, E, F, G, H) (R, error)], a A, b B, c C, d D, e E, f6 F, g G, h H) (R, error) {
	return call.Invoke8[R](f.callee, a, b, c, d, e, f6, g, h)
}

// done drops the result of a call without one.
func done(_ call.Nothing, err error) error { return err }

// Do0 calls a function without a result, with no arguments; see [Callee].
func Do0(f *Callee[func() error]) error { return done(call.Invoke0[call.Nothing](f.callee)) }

// Do1 calls a function without a result, with one argument; see [Callee].
func Do1[A any](f *Callee[func(A) error], a A) error {
	return done(call.Invoke1[call.Nothing](f.callee, a))
}

// Do2 calls a function without a result, with two arguments; see [Callee].
func Do2[A, B any](f *Callee[func(A, B) error], a A, b B) error {
	return done(call.Invoke2[call.Nothing](f.callee, a, b))
}

// Do3 calls a function without a result, with three arguments; see [Callee].
func Do3[A, B, C any](f *Callee[func(A, B, C) error], a A, b B, c C) error {
	return done(call.Invoke3[call.Nothing](f.callee, a, b, c))
}

// Do4 calls a function without a result, with four arguments; see [Callee].
func Do4[A, B, C, D any](f *Callee[func(A, B, C, D) error], a A, b B, c C, d D) error {
	return done(call.Invoke4[call.Nothing](f.callee, a, b, c, d))
}

// Do5 calls a function without a result, with five arguments; see [Callee].
func Do5[A, B, C, D, E any](f *Callee[func(A, B, C, D, E) error], a A, b B, c C, d D, e E) error {
	return done(call.Invoke5[call.Nothing](f.callee, a, b, c, d, e))
}

// Do6 calls a function without a result, with six arguments; see [Callee].
func Do6[A, B, C, D, E, F any](f *Callee[func(A, B, C, D, E, F) error], a A, b B, c C, d D, e E, f6 F) error {
	return done(call.Invoke6[call.Nothing](f.callee, a, b, c, d, e, f6))
}

// Do7 calls a function without a result, with seven arguments; see [Callee].
func Do7[A, B, C, D, E, F, G any](f *Callee[func(A, B, C, D, E, F, G) error], a A, b B, c C, d D, e E, f6 F, g G) error {
	return done(call.Invoke7[call.Nothing](f.callee, a, b, c, d, e, f6, g))
}

// Do8 calls a function without a result, with eight arguments; see [Callee].
func Do8[A, B, C, D, E, F, G, H any](f *Callee[func(A, B, C, D, E, F, G, H) error], a A, b B, c C, d D, e E, f6 F, g G, h H) error {
	return done(call.Invoke8[call.Nothing](f.callee, a, b, c, d, e, f6, g, h))
}

// stateOf returns the state of a function's handle, nil for a nil one.
func stateOf(f *selfsame.Function) *handles.State { return (*handles.State)(unsafe.Pointer(f)) }
