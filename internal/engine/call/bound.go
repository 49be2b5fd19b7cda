package call

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Why Bind stays beside CalleeOf. CalleeOf makes typed calls of a function's handle without reflection, whatever its
// types. Bind makes a Go func value, also with a context, any number of arguments or several results, from a func type
// that may be known at run time only. It is what a callback of any language becomes as a parameter of a func type, so
// it would be there without its own name. Where no build has added a binder for its type it takes reflection: a kernel of 64
// elements takes 4.1 to 4.4 times through it, 1.3 to 1.4 times through CalleeOf.

// CheckOwns refuses result types that would point into an object that has no owner after the call.
func CheckOwns(c *convert.Conv) error {
	if c != nil && c.Borrows {
		return fault.New("TypeError", "expected a result type that owns its value, got %s; use *Handle", c.GoType)
	}
	return nil
}

// bindable returns the signature of a func type that a Function can be bound to. Its errors name Bind as the function
// called.
func bindable(t reflect.Type) (*Signature, error) {
	sig, err := bindSignature(t)
	if err != nil {
		return nil, fault.New("TypeError", "selfsame: Bind: %s", fault.Reason(err))
	}
	return sig, nil
}

func bindSignature(t reflect.Type) (*Signature, error) {
	sig, err := SignatureOf("", t, SignatureOptions{Callback: true})
	if err != nil {
		return nil, err
	}
	for i, c := range sig.Params {
		if c.OnlyParameter != "" {
			return nil, fault.New("TypeError", "parameter %d: %s %s", i, c.GoType, c.OnlyParameter)
		}
	}
	if sig.Result != nil && sig.Result.OnlyResult != "" {
		return nil, fault.New("TypeError", "result: %s %s", sig.Result.GoType, sig.Result.OnlyResult)
	}
	return sig, CheckOwns(sig.Result)
}

func checkBindable(t reflect.Type) error {
	_, err := bindSignature(t)
	return err
}

// BindFunc makes the func that Bind of the public package returns.
func BindFunc[F any](f *handles.State, named func() string) (F, error) {
	var out F
	t := reflect.TypeFor[F]()
	if t.Kind() != reflect.Func {
		return out, fault.New("TypeError", "selfsame: Bind: expected a func type, got %s", t)
	}
	sig, err := bindable(t)
	if err != nil {
		return out, err
	}
	if named != nil {
		sig.callOf(t, named)
	}
	bindAt(f, t, sig, unsafe.Pointer(&out))
	return out, nil
}

// taken consumes the owned result of a call of a func of the signature, and returns its Go value or the error of the call.
func taken[T any](s *Signature, result abi.Any) (value T, err error) {
	c := s.Result
	switch {
	case result.TypeIndex == bridge.Failed:
		return value, fault.Take(result.Pointer())
	case result.TypeIndex == abi.IndexInt && c.Fast == convert.FastInt64,
		result.TypeIndex == abi.IndexFloat && c.Fast == convert.FastFloat64:
		*(*uint64)(unsafe.Pointer(&value)) = result.Bits
		return value, nil
	case result.TypeIndex == abi.IndexBool && c.Fast == convert.FastBool:
		*(*bool)(unsafe.Pointer(&value)) = result.Bits != 0
		return value, nil
	case c.Nilable && result.TypeIndex == abi.IndexNone:
		return value, nil
	case result.TypeIndex == abi.IndexError && s.orError:
		return value, fault.Take(result.Pointer())
	case c.Fast == convert.FastHandle && result.IsObject() && c.HandleOf.IsInstance(result.TypeIndex):
		*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.FetchOwned(result.Pointer()))
		return value, nil
	}
	frame := values.Frames.Get().(*values.Frame) // take needs the result in memory
	frame.Result = result
	return take[T](s, frame)
}

// take consumes the owned result in the frame, puts the frame back into the pool and returns the result's Go value.
func take[T any](s *Signature, f *values.Frame) (value T, err error) {
	c := s.Result
	if f.Result.TypeIndex == abi.IndexError && s.orError {
		object := f.Result.Pointer()
		values.PutFrame(f)
		return value, fault.Take(object)
	}
	if c.Fast == convert.FastHandle && f.Result.IsObject() && c.HandleOf.IsInstance(f.Result.TypeIndex) {
		*(*unsafe.Pointer)(unsafe.Pointer(&value)) = unsafe.Pointer(handles.FetchOwned(f.Result.Pointer()))
		values.PutFrame(f)
		return value, nil
	}
	value, err = convert.Load[T](c, &f.Result) // reads it in the frame: a copy would go to the heap
	result := f.Result
	values.PutFrame(f)
	values.Release(result)
	return value, s.resultError(err)
}
