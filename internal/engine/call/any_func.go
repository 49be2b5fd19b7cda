package call

import (
	"reflect"
	"runtime"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Go code that finds a func in an any asks reflection for the types of its parameters: schedulers, buses of events and template
// engines do. A Python function has types only where it declares them. If it declares them all, it is a func of these types, so that
// such code sees what it would see in Go. Any other function takes whatever it is given.

// declaredTypes are the Go types of what Python's function can declare, by the words of the Python package.
var declaredTypes = map[string]reflect.Type{
	"bool": reflect.TypeFor[bool](), "int": reflect.TypeFor[int](), "float": reflect.TypeFor[float64](),
	"str": reflect.TypeFor[string](), "bytes": reflect.TypeFor[[]byte](), "any": convert.AnyType,
}

// FuncOf returns the Go func for a Function that arrives as any: a func of the types that a Python function declares for all its
// parameters and its result, else a func(...any) (any, error). Its last result is an error. The func keeps the Function.
func FuncOf(f *handles.State) any {
	t := declaredFunc(f)
	if t == nil {
		t = reflect.TypeFor[func(...any) (any, error)]()
	}
	sig, err := bindable(t)
	if err != nil {
		panic(err) // all these types can be bound
	}
	made := reflect.New(t)
	bindAt(f, t, sig, made.UnsafePointer())
	return made.Elem().Interface()
}

// declaredFunc returns the type of func that a Python function declares; nil: it declares not all, or the Function is another one.
func declaredFunc(f *handles.State) reflect.Type {
	words := convert.DeclaredTypes(abi.ObjectValue(f.Address()))
	runtime.KeepAlive(f)
	if len(words) == 0 {
		return nil
	}
	in := make([]reflect.Type, len(words)-1)
	for i := range in {
		in[i] = declaredTypes[words[i]]
	}
	var out []reflect.Type
	if result := declaredTypes[words[len(in)]]; result != nil {
		out = append(out, result)
	}
	return reflect.FuncOf(in, append(out, convert.ErrorType), false)
}
