package selfsame

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Function is a handle of a native function: one written in Go, or in any other language. There is one *Function per
// native function. It owns one strong reference, which is released as that of a [Handle]. Any goroutine may call it.
type Function struct {
	state handles.State
}

// FuncOption is an option of [RegisterFunc], [NewFunc] or [MethodOptions].
type FuncOption interface {
	applyToFunc(*registry.FuncOptions)
}

type funcOption func(*registry.FuncOptions)

func (f funcOption) applyToFunc(o *registry.FuncOptions) { f(o) }

// ArgNames names a function's parameters, for documentation and generated code. `name=default` gives a parameter a
// default, written as in a field's tag, or [] or {}: callers may leave out trailing parameters with defaults. `*name=default`
// makes the parameter a keyword argument only; such parameters stand behind the others, before a variadic one.
func ArgNames(names ...string) FuncOption {
	return funcOption(func(o *registry.FuncOptions) { o.ArgNames = names })
}

// Override lets RegisterFunc replace a function that is registered under the same name.
func Override() FuncOption { return funcOption(func(o *registry.FuncOptions) { o.Override = true }) }

// Isolated runs each call of the function on a new goroutine. A call then takes longer, but may end in runtime.Goexit,
// which becomes an error. In a function that is not isolated, Goexit ends the program: the native frames below the
// function could never return.
func Isolated() FuncOption { return funcOption(func(o *registry.FuncOptions) { o.Isolated = true }) }

// KeepGIL says that calls of the function from Python keep the interpreter's lock (the GIL) while the func runs: a call
// then takes two thirds of the time, and no other Python thread runs during it. It is for short funcs that never wait: not
// for input or output, a lock, a channel or another goroutine, and that do not collect garbage. A func that waits for a
// goroutine which calls Python would wait forever. As an option of a class it holds for the constructor and all methods, in
// [MethodOptions] for one. Python can change it: f.release_gil = True. A function that [NewFunc] makes has no name under
// which Python could find it said, so there the option has no effect.
func KeepGIL() GILOption { return GILOption{} }

// GILOption is what [KeepGIL] returns, for [RegisterFunc] and [Register].
type GILOption struct{}

func (GILOption) applyToFunc(o *registry.FuncOptions)   { o.KeepGIL = true }
func (GILOption) applyToClass(o *registry.ClassOptions) { o.KeepGIL = true }

// RegisterFunc registers a Go func as a global function under a name such as "geo.nearest", for the life of the process. The
// package documentation says which parameters and results a func may have. RegisterFunc may be called from any goroutine,
// and so may fn. It fails when the name is empty, not UTF-8 or taken, and when the func's type cannot be used. A name that
// another library has registered from the same Go package, with the same signature, stays that library's; that is no error.
func RegisterFunc(name string, fn any, opts ...FuncOption) error {
	return registry.Function(name, fn, readOptions(opts))
}

// MustRegisterFunc registers the func as [RegisterFunc] does, for package initialisation: it panics when that fails. In
// an extension (build tag selfsame_shared) it does not panic; loading the extension then fails with the first such
// error.
func MustRegisterFunc(name string, fn any, opts ...FuncOption) {
	if err := RegisterFunc(name, fn, opts...); err != nil {
		link.Failed(err)
	}
}

// NewFunc makes a function of a Go func. The func stays reachable as long as any language owns a reference to the function.
func NewFunc(fn any, opts ...FuncOption) (*Function, error) {
	object, err := registry.NewFunction(fn, readOptions(opts))
	if err != nil {
		return nil, err
	}
	return (*Function)(unsafe.Pointer(handles.FetchOwned(object))), nil
}

// GetFunc returns the global function with a name. It fails with a ValueError when there is none.
func GetFunc(name string) (*Function, error) {
	f, err := values.GlobalFunction(name)
	return (*Function)(unsafe.Pointer(f)), err
}

func readOptions(opts []FuncOption) *registry.FuncOptions {
	o := &registry.FuncOptions{}
	for _, opt := range opts {
		opt.applyToFunc(o)
	}
	return o
}

// Call calls the function with Go values of the types that the package documentation lists; a func value becomes a
// function. The result is nil, int64, float64, bool, string, []byte, *Array[any], *Function, *Error or a *Handle of the
// object's class: of the nearest ancestor that is registered in Go, *Handle[Object] if there is no other. An error raised by
// the function is returned as *Error. Call panics when the function is nil or released.
func (f *Function) Call(args ...any) (any, error) {
	frame, err := call.CallWith(f.handleState(), args)
	if err != nil {
		return nil, err
	}
	result := frame.Result
	values.PutFrame(frame)
	return convert.OwnGo(result)
}

// CallAs calls f as [Function.Call] does, and returns the result as Go type R. It fails with a TypeError when the
// result cannot be converted to R, and when R is a borrowed type such as *Point: use *Handle[Point].
func CallAs[R any](f *Function, args ...any) (R, error) {
	var out R
	c, err := convert.For(reflect.TypeFor[R]())
	if err == nil {
		err = call.CheckOwns(c)
	}
	if err != nil {
		return out, fault.New("TypeError", "selfsame: CallAs: %s", fault.Reason(err))
	}
	frame, err := call.CallWith(f.handleState(), args)
	if err != nil {
		return out, err
	}
	result := frame.Result
	values.PutFrame(frame)
	err = c.From(&result, unsafe.Pointer(&out))
	values.Release(result)
	return out, convert.ResultError(c, err)
}

// Bind makes a typed Go func of a function. F is a func type such as func(x float64) (string, error). Without an error as its
// last result, the func panics with the function's error. With a context.Context as its first parameter, which the function
// does not get, it does not call the function once the context is done. The func keeps the function alive. In a package that
// selfsame-ffi build compiles it takes no reflection, with up to eight parameters. Bind fails with a TypeError when F cannot be
// used.
func Bind[F any](f *Function) (F, error) {
	return call.BindFunc[F](f.handleState(), nil)
}

// Release releases the reference to the function now. Any later use panics, except a second Release, which does
// nothing.
func (f *Function) Release() {
	if f != nil {
		f.state.Release()
	}
}

// Released reports whether the function is nil or was released.
func (f *Function) Released() bool { return f == nil || f.state.Address() == nil }

// TypeKey returns the key of the function's class, "ffi.Function".
func (f *Function) TypeKey() string {
	key := typetable.TypeInfo(abi.TypeIndexOf(f.nativeObject())).Key.String()
	runtime.KeepAlive(f)
	return key
}

func (f *Function) handleState() *handles.State { return (*handles.State)(unsafe.Pointer(f)) }

func (f *Function) nativeObject() unsafe.Pointer {
	return values.FunctionObject(f.handleState())
}

func (f *Function) newConv() (*convert.Conv, error) {
	c := convert.ObjectConv(functionClass(), nil,
		func(src unsafe.Pointer) (unsafe.Pointer, error) {
			f := *(**Function)(src)
			if f == nil {
				return nil, nil
			}
			return f.nativeObject(), nil
		})
	c.SetFrom(func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		if err := c.Check(v); err != nil {
			return err
		}
		*(**handles.State)(dst) = convert.Fetch(v.Pointer(), lent)
		return nil
	})
	return c, nil
}

// functionClass is the class of Function, which is no class struct.
var functionClass = sync.OnceValue(func() *typetable.Class {
	c := &typetable.Class{GoType: reflect.TypeFor[Function](), Native: bridge.NewClass(), Key: "ffi.Function"}
	c.Native.SetRegistered(c.Key, 1, abi.IndexFunction)
	c.Wrap = func(s *handles.State) any { return (*Function)(unsafe.Pointer(s)) }
	return c
})

func init() {
	typetable.ByIndex.Store(abi.IndexFunction, functionClass())
	typetable.ByIndex.Store(abi.IndexError, convert.ErrorClass())
}

// Lazy makes a function whose result is an iterator make its elements one at a time, each when Python asks for it. Without it
// the loop runs ahead of Python by a number of elements that grows from 2 to 256, which costs far less for each.
// It is for loops that change what the caller sees, or that must not run while the caller works with earlier elements:
//
//	selfsame.MustRegisterFunc("db.rows", rows, selfsame.Lazy())
//
// The same holds for parameters that are iterators: those of Python's containers, and what a caller gives to selfsame_ffi.ahead,
// are made ahead of the func's loop without Lazy. A func without an iter.Seq or iter.Seq2 in its signature is refused with a
// TypeError.
func Lazy() LazyOption { return LazyOption{} }

// LazyOption is what [Lazy] returns, for [RegisterFunc].
type LazyOption struct{}

func (LazyOption) applyToFunc(o *registry.FuncOptions) { o.Lazy = true }

// Plain makes a function exchange containers as the languages' own. In its parameters any stands for Go's own types all
// the way down: a dict arrives as map[string]any (map[any]any if a key is no str), a list as []any, a datetime as
// time.Time. Its results are Python's dict and list instead of Map and Array, which suits json.dumps:
//
//	selfsame.MustRegisterFunc("rules.apply", func(doc map[string]any) (map[string]any, error) { ... }, selfsame.Plain())
//
// As an option of a class it holds for the constructor and all methods. Values are copied, so containers lose their identity.
// Objects of classes stay objects, *Handle in Go; but one whose class has a single field, a [Value], arrives as the Go value
// in it, so that a func of another package gets what it knows.
func Plain() PlainOption { return PlainOption{} }

// PlainOption is what [Plain] returns, for [RegisterFunc] and [Register].
type PlainOption struct{}

func (PlainOption) applyToFunc(o *registry.FuncOptions) { o.Plain = true }

func (PlainOption) applyToClass(o *registry.ClassOptions) { o.Plain = true }
