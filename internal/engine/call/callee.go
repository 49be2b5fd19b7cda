package call

import (
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Callee is a native function that calls know by its name, and that the first call looks up, or the function of a handle. The
// first call also reads the func type of all calls.
type Callee struct {
	find     func() (object unsafe.Pointer, err error) // returns an owned reference
	of       *handles.State                            // the function itself, instead of find; nil for one to look up
	name     string                                    // in messages
	funcType reflect.Type                              // of the calls
	orError  bool                                      // an Error that the function returns is the error of the call
	required []string                                  // names of the arguments that must not be nil, "" for the others

	ready atomic.Pointer[readyCallee]
}

// readyCallee is a function that was found, with the conversions of its calls. A function that was looked up is object, of
// which the readyCallee owns a reference for the life of the process: its handle is one that other code may release. Any
// other is that of a handle, which the readyCallee keeps alive.
type readyCallee struct {
	object unsafe.Pointer
	handle *handles.State // nil for a function that was looked up
	sig    *Signature
}

// function returns the function, borrowed: the caller keeps the readyCallee alive. It panics when the handle was released.
func (r *readyCallee) function() unsafe.Pointer {
	if r.handle == nil {
		return r.object
	}
	return values.FunctionObject(r.handle)
}

// NewMethod makes the Callee of a method or static method that a class, not its ancestors, registers.
func NewMethod(t reflect.Type, key, name string) *Callee {
	return &Callee{funcType: t, name: key + "." + name, find: func() (unsafe.Pointer, error) {
		index := bridge.TypeIndex(key)
		if index < 0 {
			return nil, notRegistered(key+"."+name, key)
		}
		methods := typetable.TypeInfo(index).OwnMethods()
		for i := range methods {
			if string(methods[i].Name.Bytes()) == name && methods[i].Method.TypeIndex == abi.IndexFunction {
				return values.Retained(methods[i].Method).Pointer(), nil
			}
		}
		return nil, fault.New("AttributeError", "selfsame: %s.%s: class `%s` has no method `%s`; %s", key, name, key, name, otherLibrary)
	}}
}

// otherLibrary ends messages on what a loaded library lacks.
const otherLibrary = "the loaded library is another version than the one that this package was generated from"

// notRegistered returns the error of a use of a class that no library has registered.
func notRegistered(what, key string) error {
	return fault.New("RuntimeError", "selfsame: %s: class `%s` is not registered; load the library that has it first", what, key)
}

// NewConstructor makes the Callee of the constructor of a class.
func NewConstructor(t reflect.Type, key string) *Callee {
	return &Callee{funcType: t, name: key, find: func() (unsafe.Pointer, error) {
		index := bridge.TypeIndex(key)
		if index < 0 {
			return nil, notRegistered(key, key)
		}
		made := bridge.TypeAttr(index, typetable.InitName)
		if made.TypeIndex != abi.IndexFunction {
			return nil, fault.New("TypeError", "selfsame: %s: the class has no constructor; %s", key, otherLibrary)
		}
		return values.Retained(made).Pointer(), nil
	}}
}

// NewGlobal makes the Callee of a global function: the one that has the name at the first call.
func NewGlobal(t reflect.Type, name string) *Callee {
	return &Callee{funcType: t, name: name, find: func() (unsafe.Pointer, error) {
		object, failed := bridge.GetGlobal(name)
		if err := fault.Take(failed); err != nil {
			return nil, err
		}
		if object == nil {
			return nil, fault.New("ValueError", "selfsame: %s: there is no such global function; load the library that has it first, "+
				"or one of the version that this package was generated from", name)
		}
		return object, nil
	}}
}

// NewFound makes the Callee of a function that find returns an owned reference to.
func NewFound(t reflect.Type, name string, find func() (unsafe.Pointer, error)) *Callee {
	return &Callee{funcType: t, name: name, find: find}
}

// NewOf makes the Callee of a handle's function. It panics when the handle is nil or was released.
func NewOf(t reflect.Type, f *handles.State) *Callee {
	values.FunctionObject(f)
	return &Callee{funcType: t, name: "CalleeOf", of: f}
}

// Why an Error that a function returns is an error only of some calls. C++ returns a tvm::ffi::Expected in the error
// state as an Error object, and the call itself succeeds. Only the type tells that from a function whose result is an
// Error, such as one that makes or wraps errors. So the generated call says ResultOrError where the library's types do,
// and any other call gives the object. Python gives it as well, as the published package does.
//
// An argument of the type RValueRef can be moved in C++ alone. A Go handle is shared by all that look the object up, so
// a call must not empty it: C++ gets one reference more, and copies what it changes. The results are the same.

// ResultOrError makes an Error that the function returns the error of the call. It must be called before the first call.
func (f *Callee) ResultOrError() { f.orError = true }

// Require names, by position, the arguments that must not be nil; "" stands for another. It must be called before the first call.
func (f *Callee) Require(names []string) { f.required = names }

// require gives the parameters that must not be nil conversions of their own.
func (f *Callee) require(params []*convert.Conv) {
	for i, name := range f.required {
		if name != "" && i < len(params) {
			c := *params[i]
			c.Required = f.argument(name)
			params[i] = &c
		}
	}
}

// argument returns how messages name an argument.
func (f *Callee) argument(name string) string {
	return fmt.Sprintf("selfsame: %s: argument '%s'", f.name, name)
}

// Retained returns a new reference to the function of a handle.
func Retained(f *handles.State) unsafe.Pointer {
	object := values.FunctionObject(f)
	values.IncRef(object)
	runtime.KeepAlive(f)
	return object
}

// get returns the function, which the first call looks up. It is written so that the compiler inlines it.
func (f *Callee) get() (ready *readyCallee, err error) {
	if ready = f.ready.Load(); ready == nil {
		ready, err = f.prepare()
	}
	return
}

// prepare looks the function up and reads the func type of its calls. When several goroutines do so at once, all use
// the result of the first.
func (f *Callee) prepare() (*readyCallee, error) {
	if err := link.Bound(); err != nil {
		return nil, err
	}
	sig, err := bindSignature(f.funcType)
	if err != nil {
		return nil, fault.New("TypeError", "selfsame: %s: %s", f.name, fault.Reason(err))
	}
	sig.orError = f.orError
	f.require(sig.Params)
	if f.of != nil {
		f.ready.CompareAndSwap(nil, &readyCallee{handle: f.of, sig: sig})
		return f.ready.Load(), nil
	}
	object, err := f.find()
	if err != nil {
		return nil, err
	}
	if ready := (&readyCallee{object: object, sig: sig}); f.ready.CompareAndSwap(nil, ready) {
		return ready, nil
	}
	handles.DecRef(object)
	return f.ready.Load(), nil
}

// InvokeAll calls the function with arguments of any types.
func InvokeAll[R any](f *Callee, args []any) (result R, err error) {
	ready, err := f.get()
	if err != nil {
		return result, err
	}
	handle := ready.handle
	if handle == nil {
		handle = handles.Fetch(ready.object)
	}
	for i, name := range f.required {
		if name == "" || i >= len(args) {
			continue
		}
		c := convert.Conv{Traits: convert.Traits{Required: f.argument(name)}}
		if err := c.CheckGiven(args[i]); err != nil {
			return result, err
		}
	}
	frame, err := callWithGiven(handle, args)
	if err != nil {
		return result, err
	}
	return finishFrame[R](ready.sig, frame)
}

// callWithGiven does CallWith's work, and fails for a released handle among the arguments.
func callWithGiven(f *handles.State, args []any) (frame *values.Frame, err error) {
	defer func() {
		if r := recover(); r != nil {
			released, ok := r.(*fault.Error)
			if !ok {
				panic(r)
			}
			err = released
		}
	}()
	return CallWith(f, args)
}

// finish consumes the owned result of a call as taken does; a result of a func without one is dropped.
func finish[R any](sig *Signature, v abi.Any) (result R, err error) {
	if sig.Result != nil {
		return taken[R](sig, v)
	}
	if v.TypeIndex == bridge.Failed || v.TypeIndex == abi.IndexError && sig.orError {
		return result, fault.Take(v.Pointer())
	}
	values.Release(v)
	return result, nil
}

// finishFrame does finish's work for the result in a frame, which it puts back.
func finishFrame[R any](sig *Signature, frame *values.Frame) (result R, err error) {
	if sig.Result != nil {
		return take[R](sig, frame)
	}
	v := frame.Result
	values.PutFrame(frame)
	if v.TypeIndex == abi.IndexError && sig.orError {
		return result, fault.Take(v.Pointer())
	}
	values.Release(v)
	return result, nil
}
