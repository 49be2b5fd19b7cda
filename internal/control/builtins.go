package control

import (
	"runtime"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// builtin is a global function that the runtime registers.
type builtin struct {
	signature
	packed bool // run checks its arguments itself; there is no signature but a name
	run    body
}

// typed makes a builtin whose arguments are checked against params before run is called.
func typed(name string, result returns, run body, params ...param) builtin {
	return builtin{signature: signature{name, params, result}, run: run}
}

// packed makes a builtin that takes any arguments.
func packed(name string, run body) builtin {
	return builtin{signature: signature{name: name}, packed: true, run: run}
}

// typedInC makes a builtin whose body is in C (builtins_fast_*.c). Calls whose arguments have exactly the types of its
// signature do not come here. The others are refused by the signature, or their arguments are converted: a bool to an
// int, and a container that cannot change to a copy that can, as the published library does.
func typedInC(name string, result returns, params ...param) builtin {
	return typed(name, result, func(args []abi.Any) (abi.Any, error) {
		fitting := slices.Clone(args)
		for i := range fitting[1:] {
			if a := &fitting[1+i]; a.TypeIndex == abi.IndexBool && params[1+i].text == intParam.text {
				*a = abi.Int(int64(a.Bits))
			}
		}
		if !changes(params[0], args[0].TypeIndex) {
			return callInC(name, fitting)
		}
		made, err := changeable(args[0])
		if err != nil {
			return abi.Any{}, err
		}
		defer plane.DecRef(made.Pointer())
		fitting[0] = made
		return callInC(name, fitting)
	}, params...)
}

// ofValues makes a body in C that takes values as they lie in containers, of arguments that may be views. Arguments that are
// such values do not come here.
func ofValues(name string) body {
	return func(args []abi.Any) (abi.Any, error) {
		values, err := ownedAll(args)
		if err != nil {
			return abi.Any{}, err
		}
		defer graph.ReleaseAll(values)
		return callInC(name, values)
	}
}

// packedInC makes a builtin in C that takes any arguments.
func packedInC(name string) builtin {
	return packed(name, func(args []abi.Any) (abi.Any, error) { return callInC(name, args) })
}

// builtins returns all builtin functions in the order of their registration.
func builtins() []builtin {
	return slices.Concat(objectBuiltins(), functionBuiltins(), arrayBuiltins(), listBuiltins(), mapBuiltins(),
		shapeBuiltins(), graphBuiltins(), moduleBuiltins(), initBuiltins())
}

// registerBuiltins registers all builtin functions.
func registerBuiltins() error {
	return registerAll(builtins())
}

// registerAll registers things in their order, up to the first that fails.
func registerAll[T interface{ register() error }](all []T) error {
	for _, one := range all {
		if err := one.register(); err != nil {
			return err
		}
	}
	return nil
}

// register registers b under its name, with its fast path in C if it has one.
func (b builtin) register() error {
	run, metadata := b.run, schemaMetadata(`{"type":"ffi.Function"}`)
	if !b.packed {
		run = b.checked()
		metadata = b.metadata()
	}
	function, err := newBuiltin(b.name, run)
	if err != nil {
		return err
	}
	defer plane.DecRef(function)
	text := unsafe.StringData(metadata)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(text)
	info := abi.MethodInfo{
		Metadata: abi.ByteArray{Data: unsafe.Pointer(text), Size: uintptr(len(metadata))},
		Flags:    abi.FlagIsStaticMethod,
	}
	return setGlobal(b.name, function, &info, false, "")
}

// checked returns a function that checks its arguments against the signature and then calls run.
func (b builtin) checked() body {
	return func(args []abi.Any) (abi.Any, error) {
		if err := b.check(args); err != nil {
			return abi.Any{}, err
		}
		return b.run(args)
	}
}

// retained takes a reference to an object and returns it as an owned value.
func retained(object abi.Any) abi.Any {
	abi.IncRef(object.Pointer())
	return object
}

// objectBuiltins returns the functions that return type keys, sentinels, strings and bytes.
func objectBuiltins() []builtin {
	return []builtin{
		typed("ffi.GetRegisteredTypeKeys", returnsStrs, ofValues("ffi.GetRegisteredTypeKeys")),
		typed("ffi.GetInvalidObject", returnsObject, func([]abi.Any) (abi.Any, error) {
			return retained(invalidObject), nil
		}),
		typed("ffi.GetKwargsObject", returnsObject, func([]abi.Any) (abi.Any, error) {
			return retained(kwargsObject), nil
		}),
		typed("ffi.String", returnsStr, func(args []abi.Any) (abi.Any, error) { return owned(&args[0]) }, strParam),
		typed("ffi.Bytes", returnsBytes, func(args []abi.Any) (abi.Any, error) { return owned(&args[0]) }, bytesParam),
	}
}
