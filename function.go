package selfsame

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Function is a handle of a native function: one written in Go, or in any other language. There is one *Function per
// native function, released like a [Handle].
type Function struct {
	state handles.State
}

// FuncOption says more about a function.
type FuncOption interface {
	applyToFunc(*funcOptions)
}

type funcOptions struct {
	doc      string
	argNames []string
	override bool
	isolated bool
}

type funcOption func(*funcOptions)

func (f funcOption) applyToFunc(o *funcOptions) { f(o) }

// ArgNames names a function's parameters, for documentation and generated code. `name=default` gives a parameter a
// default, written as in a field's tag: callers may leave out the last parameters that have one.
func ArgNames(names ...string) FuncOption {
	return funcOption(func(o *funcOptions) { o.argNames = names })
}

// Override lets RegisterFunc replace a function that has the name.
func Override() FuncOption { return funcOption(func(o *funcOptions) { o.override = true }) }

// Isolated runs each call of the function on a goroutine of its own. A call then takes longer, but may end in
// runtime.Goexit, which becomes an error. In a function that is not isolated, Goexit ends the program: the native code
// that called the function could never go on.
func Isolated() FuncOption { return funcOption(func(o *funcOptions) { o.isolated = true }) }

// RegisterFunc makes a Go func a global function with a name such as "geo.nearest". The package documentation says
// which parameters and results a func may have. It may be called from any goroutine.
// It fails when the name is taken and when the func's type cannot be used.
func RegisterFunc(name string, fn any, opts ...FuncOption) error {
	if name == "" {
		return newError("ValueError", "selfsame: RegisterFunc: argument 'name': expected a name, got an empty string")
	}
	if err := checkUTF8(name); err != nil { // with one such name the functions could not be listed
		return newError("ValueError", "selfsame: RegisterFunc: argument 'name': expected UTF-8, got %q", name)
	}
	c, o, err := prepare(name, fn, opts)
	if err != nil {
		return err
	}
	if c.named, err = parseArguments(c.sig, c.sig.params, o.argNames); err != nil {
		return err
	}
	finishRegistrations()
	object, err := c.function()
	if err != nil {
		return err
	}
	failed := bridge.SetGlobal(name, o.doc, metadataOf(c.sig.schema(""), c.named), object, o.override)
	handles.DecRef(object)
	return takeError(failed)
}

// MustRegisterFunc is RegisterFunc for package initialisation: it panics on failure. In an extension
// (build tag selfsame_shared) the first failure is reported when the extension is loaded instead.
func MustRegisterFunc(name string, fn any, opts ...FuncOption) {
	if err := RegisterFunc(name, fn, opts...); err != nil {
		registrationFailed(err)
	}
}

// NewFunc makes a function of a Go func. The func is kept as long as anyone, in any language, holds the function.
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

// GetFunc is the global function with a name. It fails with a ValueError when there is none.
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
	c, err := newClosure(name, fn)
	if err != nil {
		return nil, nil, err
	}
	c.isolated = o.isolated
	return c, o, nil
}

// Call calls the function with Go values of the types that the package documentation lists; a func value becomes a
// function. The result is nil, int64, float64, bool, string, []byte, a *Handle of the object's class (the nearest one
// that is registered in Go, *Handle[Object] at last), *Array[any], *Function or *Error. An error raised by the function is
// returned as *Error.
func (f *Function) Call(args ...any) (any, error) {
	frame, err := f.call(args)
	if err != nil {
		return nil, err
	}
	result := frame.Result
	putFrame(frame)
	return ownGo(result)
}

// CallAs is [Function.Call] with a result of one type. It fails with a TypeError when the result is of another. A result
// that would be borrowed, such as *Point, is refused: use *Handle[Point].
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

// checkOwns refuses result types that would point into an object which has no owner after the call.
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

// Bind makes a typed Go func of a function. F is a func type whose last result is an error, such as
// func(x float64) (string, error).
func Bind[F any](f *Function) (F, error) {
	var out F
	t := reflect.TypeFor[F]()
	if t.Kind() != reflect.Func {
		return out, newError("TypeError", "selfsame: Bind: expected a func type, got %s", t)
	}
	fn, err := bind(f, t)
	if err != nil {
		return out, err
	}
	reflect.ValueOf(&out).Elem().Set(fn)
	return out, nil
}

// bindable is the signature of a func type that a Function can be bound to. Its errors name Bind as the function called.
func bindable(t reflect.Type) (*signature, error) {
	sig, err := bindSignature(t)
	if err != nil {
		return nil, newError("TypeError", "selfsame: Bind: %s", reason(err))
	}
	return sig, nil
}

func bindSignature(t reflect.Type) (*signature, error) {
	sig, err := signatureOf("", t, 0)
	if err != nil {
		return nil, err
	}
	if !sig.fails {
		return nil, newError("TypeError", "expected a func type whose last result is an error, got %s", t)
	}
	return sig, checkOwns(sig.result)
}

func checkBindable(t reflect.Type) error {
	_, err := bindSignature(t)
	return err
}

func bind(f *Function, t reflect.Type) (reflect.Value, error) {
	sig, err := bindable(t)
	if err != nil {
		return reflect.Value{}, err
	}
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.Zero(t.Out(i))
		}
		args := make([]any, len(in))
		for i := range in {
			args[i] = in[i].Interface()
		}
		frame, err := f.call(args)
		if err == nil {
			result := frame.Result
			putFrame(frame)
			if sig.result != nil {
				memory := reflect.New(t.Out(0))
				err = resultError(sig.result, sig.result.from(&result, memory.UnsafePointer()))
				if err == nil {
					out[0] = memory.Elem()
				}
			}
			releaseValue(result)
		}
		if err != nil {
			out[len(out)-1] = reflect.ValueOf(&err).Elem()
		}
		return out
	}), nil
}

// Release gives the reference to the function back now. Any later use panics.
func (f *Function) Release() {
	if f != nil {
		f.state.Release()
	}
}

// Released says whether the handle was released.
func (f *Function) Released() bool { return f == nil || f.state.Address() == nil }

// TypeKey is the key of the function's class.
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

// functionClass stands for Function among the classes.
var functionClass = sync.OnceValue(func() *class {
	c := &class{goType: reflect.TypeFor[Function](), native: bridge.NewClass(), key: "ffi.Function"}
	c.native.SetRegistered(c.key, 1, abi.IndexFunction)
	c.wrap = func(c *handles.State) any { return (*Function)(unsafe.Pointer(c)) }
	return c
})

// Same as functionClass for Array and Error, which have no class struct either.
func init() {
	byIndex.Store(abi.IndexFunction, functionClass())
	byIndex.Store(abi.IndexError, errorClass())
}
