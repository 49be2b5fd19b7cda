package selfsame

import (
	"context"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Function is a handle of a native function: one written in Go, or in any other language. There is one *Function per
// native function. It owns one strong reference, which is released as that of a [Handle]. Any goroutine may call it.
type Function struct {
	state handles.State
}

// FuncOption is an option of [RegisterFunc], [NewFunc] or [Method].
type FuncOption interface {
	applyToFunc(*funcOptions)
}

type funcOptions struct {
	doc      string
	argNames []string
	override bool
	isolated bool
	plain    bool
	keepGIL  bool
}

type funcOption func(*funcOptions)

func (f funcOption) applyToFunc(o *funcOptions) { f(o) }

// ArgNames names a function's parameters, for documentation and generated code. `name=default` gives a parameter a
// default, written as in a field's tag, or [] or {}: callers may leave out trailing parameters with defaults.
func ArgNames(names ...string) FuncOption {
	return funcOption(func(o *funcOptions) { o.argNames = names })
}

// Override lets RegisterFunc replace a function that is registered under the same name.
func Override() FuncOption { return funcOption(func(o *funcOptions) { o.override = true }) }

// Isolated runs each call of the function on a new goroutine. A call then takes longer, but may end in runtime.Goexit,
// which becomes an error. In a function that is not isolated, Goexit ends the program: the native frames below the
// function could never return. RATIONALE.md, "Why Goexit in a callback ends the program"
func Isolated() FuncOption { return funcOption(func(o *funcOptions) { o.isolated = true }) }

// KeepGIL says that calls of the function from Python keep the interpreter's lock (the GIL) while the func runs: a call
// then takes two thirds of the time, and no other Python thread runs during it. It is for short funcs that never wait: not
// for input or output, a lock, a channel or another goroutine, and that do not collect garbage. A func that waits for a
// goroutine which calls Python would wait forever. As an option of a class it holds for the constructor and all methods.
// Python can change it: f.release_gil = True. A function that [NewFunc] makes has no name under which Python could find it
// said, so there the option has no effect.
func KeepGIL() GILOption { return GILOption{} }

// GILOption is what [KeepGIL] returns, for [RegisterFunc] and [Register].
type GILOption struct{}

func (GILOption) applyToFunc(o *funcOptions)   { o.keepGIL = true }
func (GILOption) applyToClass(o *classOptions) { o.keepGIL = true }

// RegisterFunc registers a Go func as a global function under a name such as "geo.nearest", for the life of the process. The
// package documentation says which parameters and results a func may have. RegisterFunc may be called from any goroutine,
// and so may fn. It fails when the name is empty, not UTF-8 or taken, and when the func's type cannot be used. A name that
// another library has registered from the same Go package, with the same signature, stays that library's; that is no error.
func RegisterFunc(name string, fn any, opts ...FuncOption) error {
	if name == "" {
		return newError("ValueError", "selfsame: RegisterFunc: argument 'name': expected a name, got an empty string")
	}
	if err := checkUTF8(name); err != nil { // one such name would make the list of all functions fail
		return newError("ValueError", "selfsame: RegisterFunc: argument 'name': expected UTF-8, got %q", name)
	}
	c, o, err := prepare(name, fn, opts)
	if err != nil {
		return err
	}
	if c.named, err = parseArguments(c.sig, c.sig.params, o.argNames); err != nil {
		return err
	}
	if err := runtimeBound(); err != nil {
		return err
	}
	finishRegistrations()
	o.doc = c.documented(o.doc, name)
	metadata := c.metadata(o.doc)
	register := registerOnce
	if o.override && restarted() {
		register = registerNew // not a registration from before the fork that runs again: replace what there is
	}
	return register(bridge.LoggedFunction, -1, name, c, func(function unsafe.Pointer) error {
		if !o.override && adoptsFunction(name, metadata) {
			return nil
		}
		err := takeError(bridge.SetGlobal(name, o.doc, metadata, function, o.override))
		if err != nil && !o.override && adoptsFunction(name, metadata) {
			return nil // another library was faster
		}
		return err
	})
}

// MustRegisterFunc is [RegisterFunc] for package initialisation: it panics when that fails. In an extension (build tag
// selfsame_shared) it does not panic; loading the extension then fails with the first such error.
func MustRegisterFunc(name string, fn any, opts ...FuncOption) {
	if err := RegisterFunc(name, fn, opts...); err != nil {
		registrationFailed(err)
	}
}

// NewFunc makes a function of a Go func. The func stays reachable as long as any language owns a reference to the function.
func NewFunc(fn any, opts ...FuncOption) (*Function, error) {
	c, _, err := prepare("", fn, opts)
	if err != nil {
		return nil, err
	}
	object, err := c.function()
	if err != nil {
		return nil, err
	}
	return (*Function)(unsafe.Pointer(handles.Adopt(object))), nil
}

// GetFunc returns the global function with a name. It fails with a ValueError when there is none.
func GetFunc(name string) (*Function, error) {
	if err := runtimeBound(); err != nil {
		return nil, err
	}
	object, failed := bridge.GetGlobal(name)
	if err := takeError(failed); err != nil {
		return nil, err
	}
	if object == nil {
		return nil, newError("ValueError", "Cannot find global function `%s`", name)
	}
	return (*Function)(unsafe.Pointer(handles.Adopt(object))), nil
}

func prepare(name string, fn any, opts []FuncOption) (*closure, *funcOptions, error) {
	o := &funcOptions{}
	for _, opt := range opts {
		opt.applyToFunc(o)
	}
	c, err := newClosure(name, fn, signatureOptions{plain: o.plain, names: o.argNames})
	if err != nil {
		return nil, nil, err
	}
	c.isolated, c.keepsGIL = o.isolated, o.keepGIL
	return c, o, nil
}

// Call calls the function with Go values of the types that the package documentation lists; a func value becomes a
// function. The result is nil, int64, float64, bool, string, []byte, *Array[any], *Function, *Error or a *Handle of the
// object's class: of the nearest ancestor that is registered in Go, *Handle[Object] if there is no other. An error raised by
// the function is returned as *Error. Call panics when the function is nil or released.
func (f *Function) Call(args ...any) (any, error) {
	frame, err := f.call(args)
	if err != nil {
		return nil, err
	}
	result := frame.Result
	putFrame(frame)
	return ownGo(result)
}

// CallAs is [Function.Call] with a result of Go type R. It fails with a TypeError when the result cannot be converted to R,
// and when R is a borrowed type such as *Point: use *Handle[Point].
func CallAs[R any](f *Function, args ...any) (R, error) {
	var out R
	c, err := convFor(reflect.TypeFor[R]())
	if err == nil {
		err = checkOwns(c)
	}
	if err != nil {
		return out, newError("TypeError", "selfsame: CallAs: %s", reason(err))
	}
	frame, err := f.call(args)
	if err != nil {
		return out, err
	}
	result := frame.Result
	putFrame(frame)
	err = c.from(&result, unsafe.Pointer(&out))
	releaseValue(result)
	return out, resultError(c, err)
}

// checkOwns refuses result types that would point into an object that has no owner after the call.
func checkOwns(c *conv) error {
	if c != nil && c.borrows {
		return newError("TypeError", "expected a result type that owns its value, got %s; use *Handle", c.goType)
	}
	return nil
}

func resultError(c *conv, err error) error {
	if m, ok := err.(*mismatch); ok {
		return newError("TypeError", "Cannot convert from type `%s` to `%s`", m.got, c.name())
	}
	return err
}

// Bind makes a typed Go func of a function. F is a func type such as func(x float64) (string, error). Without an error as its
// last result, the func panics with the function's error. With a context.Context as its first parameter, which the function
// does not get, it does not call the function once the context is done. The func keeps the function alive. With one or two
// parameters that are numbers, text or handles it is as fast as that of [Bind2]. It fails with a TypeError when F cannot be
// used.
func Bind[F any](f *Function) (F, error) {
	var out F
	t := reflect.TypeFor[F]()
	if t.Kind() != reflect.Func {
		return out, newError("TypeError", "selfsame: Bind: expected a func type, got %s", t)
	}
	sig, err := bindable(t)
	if err != nil {
		return out, err
	}
	bindAt(f, t, sig, unsafe.Pointer(&out))
	return out, nil
}

// bindable returns the signature of a func type that a Function can be bound to. Its errors name Bind as the function
// called.
func bindable(t reflect.Type) (*signature, error) {
	sig, err := bindSignature(t)
	if err != nil {
		return nil, newError("TypeError", "selfsame: Bind: %s", reason(err))
	}
	return sig, nil
}

func bindSignature(t reflect.Type) (*signature, error) {
	sig, err := signatureOf("", t, signatureOptions{})
	if err != nil {
		return nil, err
	}
	for i, c := range sig.params {
		if c.onlyParameter != "" {
			return nil, newError("TypeError", "parameter %d: %s %s", i, c.goType, c.onlyParameter)
		}
	}
	if sig.result != nil && sig.result.onlyResult != "" {
		return nil, newError("TypeError", "result: %s %s", sig.result.goType, sig.result.onlyResult)
	}
	return sig, checkOwns(sig.result)
}

func checkBindable(t reflect.Type) error {
	_, err := bindSignature(t)
	return err
}

// bindByReflection makes a func of any type t, of the signature, that calls f.
func bindByReflection(f *Function, t reflect.Type, sig *signature) reflect.Value {
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.Zero(t.Out(i))
		}
		err := f.callBound(sig, in, out)
		switch {
		case err == nil:
		case !sig.fails:
			panic(err)
		default:
			out[len(out)-1] = reflect.ValueOf(&err).Elem()
		}
		return out
	})
}

// callBound calls f with the arguments of a func of the signature, and stores the results in out.
func (f *Function) callBound(sig *signature, in, out []reflect.Value) error {
	args := make([]any, 0, len(in))
	for i, v := range in {
		switch {
		case i == sig.context:
			if ctx, ok := v.Interface().(context.Context); ok && ctx.Err() != nil {
				return context.Cause(ctx)
			}
		case sig.variadic && i == len(in)-1:
			for k := range v.Len() {
				args = append(args, v.Index(k).Interface())
			}
		default:
			args = append(args, v.Interface())
		}
	}
	frame, err := f.call(args)
	if err != nil {
		return err
	}
	result := frame.Result
	putFrame(frame)
	defer releaseValue(result)
	switch {
	case sig.result == nil:
		return nil
	case sig.several == nil:
		return sig.resultError(fromInto(sig.result, &result, out, 0))
	}
	if result.TypeIndex != abi.IndexArray && result.TypeIndex != abi.IndexList {
		return sig.resultError(mismatched(&result))
	}
	items := abi.SeqOf(result.Pointer()).Items()
	if len(items) != len(sig.several) {
		return sig.resultError(wrongSize(len(items)))
	}
	for i, c := range sig.several {
		if err := fromInto(c, &items[i], out, i); err != nil {
			return sig.resultError(atIndex("Array", i, err))
		}
	}
	return nil
}

// fromInto stores the Go value of a borrowed value in out[i].
func fromInto(c *conv, v *abi.Any, out []reflect.Value, i int) error {
	memory := reflect.New(out[i].Type())
	if err := c.from(v, memory.UnsafePointer()); err != nil {
		return err
	}
	out[i] = memory.Elem()
	return nil
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
	key := typeInfo(abi.TypeIndexOf(f.nativeObject())).Key.String()
	runtime.KeepAlive(f)
	return key
}

func (f *Function) handleState() *handles.State { return (*handles.State)(unsafe.Pointer(f)) }

func (f *Function) nativeObject() unsafe.Pointer {
	if f == nil {
		panic(newError("ValueError", "selfsame: Function: a nil function was used"))
	}
	p := f.state.Address()
	if p == nil {
		panic(newError("RuntimeError", "selfsame: Function: used after Release%s", storyOf(unsafe.Pointer(f))))
	}
	return p
}

func (f *Function) newConv() (*conv, error) {
	return objectConv(functionClass(),
		func(dst, object unsafe.Pointer) {
			*(**Function)(dst) = (*Function)(unsafe.Pointer(handles.Fetch(object)))
		},
		func(src unsafe.Pointer) (unsafe.Pointer, error) {
			f := *(**Function)(src)
			if f == nil {
				return nil, nil
			}
			return f.nativeObject(), nil
		}), nil
}

// functionClass is the class of Function, which is no class struct.
var functionClass = sync.OnceValue(func() *class {
	c := &class{goType: reflect.TypeFor[Function](), native: bridge.NewClass(), key: "ffi.Function"}
	c.native.SetRegistered(c.key, 1, abi.IndexFunction)
	c.wrap = func(s *handles.State) any { return (*Function)(unsafe.Pointer(s)) }
	return c
})

func init() {
	byIndex.Store(abi.IndexFunction, functionClass())
	byIndex.Store(abi.IndexError, errorClass())
}
