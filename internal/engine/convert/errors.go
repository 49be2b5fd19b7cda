package convert

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

func errorObjectConv() *Conv {
	class := ErrorClass()
	name, schema := constant("ffi.Error", "ffi.Error")
	check := func(v *abi.Any) error {
		if v.TypeIndex != abi.IndexError {
			return Mismatched(v)
		}
		return nil
	}
	return &Conv{
		Name: name, Schema: schema, Check: check,
		Type: TypeOnce(func() *bridge.Type { return bridge.NewType(bridge.KindObject, class.Native, nil, "ffi.Error") }),
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := check(v); err != nil {
				return err
			}
			*(**fault.Error)(dst) = fault.OfObject(handles.Fetch(v.Pointer()))
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			*v = abi.None()
			if e := *(**fault.Error)(src); e != nil {
				*v = abi.ObjectValue(fault.NewObject(e, ""))
			}
			return nil
		},
	}
}

// ErrorClass returns the class of Error objects.
var ErrorClass = sync.OnceValue(func() *typetable.Class {
	return typetable.NewBuiltin("ffi.Error", abi.IndexError, func(c *handles.State) any { return fault.OfObject(c) })
})

// errorConv makes the conversion of type error, whose nil is None.
func errorConv() *Conv {
	check := func(v *abi.Any) error {
		if v.TypeIndex != abi.IndexError && v.TypeIndex != abi.IndexNone {
			return Mismatched(v)
		}
		return nil
	}
	return &Conv{
		Name: func() string { return "Optional<ffi.Error>" },
		Schema: func() string {
			if FuncOf != nil {
				return NestedSchema("Optional", LeafSchema("go.Error"))
			}
			return NestedSchema("Optional", LeafSchema("ffi.Error"))
		},
		Check: check,
		Type: TypeOnce(func() *bridge.Type {
			if FuncOf != nil {
				return KindType(bridge.KindAny, "Any")()
			}
			inner := bridge.NewType(bridge.KindObject, ErrorClass().Native, nil, "ffi.Error")
			return bridge.NewType(bridge.KindOptional, nil, inner, "Optional<ffi.Error>")
		}),
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := check(v); err != nil {
				return err
			}
			*(*error)(dst) = nil
			if v.TypeIndex == abi.IndexError {
				*(*error)(dst) = fault.OfObject(handles.Fetch(v.Pointer()))
			}
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			*v = abi.None()
			if err := *(*error)(src); err != nil {
				return putError(err, v)
			}
			return nil
		},
	}
}

// putError makes *v an owned value of an error. In a package that wraps Go code of others it is the exception that Python would raise.
func putError(err error, v *abi.Any) error {
	*v = abi.ObjectValue(fault.NewObject(err, ""))
	if FuncOf == nil {
		return nil
	}
	return Repack(v, "error")
}
