package control

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// pyclassBuiltins returns the functions with which a language defines classes from a list of fields, without compiled
// code.
func pyclassBuiltins() []builtin {
	return []builtin{
		typed("ffi.MakeFieldGetter", returnsInt, func(args []abi.Any) (abi.Any, error) {
			getter := plane.LayoutGetter(storageIndex(&args[0]))
			if getter == 0 {
				return abi.Any{}, errorf("ValueError", "Unsupported field type index for getter: %d", args[0].Int64())
			}
			return abi.Int(int64(getter)), nil
		}, intParam),
		typed("ffi.MakeFieldSetter", returnsFunction, func(args []abi.Any) (abi.Any, error) {
			h, ok := plane.LayoutSetter(storageIndex(&args[0]), uintptr(args[1].Bits), uintptr(args[2].Bits))
			if !ok {
				return abi.Any{}, errRaised
			}
			return abi.ObjectValue(h), nil
		}, intParam, intParam, intParam),
		typed("ffi._PyClassRegisterTypeAttrColumns", returnsVoid, func(args []abi.Any) (abi.Any, error) {
			return abi.Any{}, registerPyClass(args[0].Int64(), args[1].Int64())
		}, intParam, intParam),
	}
}

// storageIndex reads a storage kind (a type index) from an argument. It returns -2, which is no kind, for a number
// beyond 32 bits.
func storageIndex(a *abi.Any) int32 {
	if v := a.Int64(); v == int64(int32(v)) {
		return int32(v)
	}
	return -2
}

// registerPyClass registers the constructor of a class with objects of size bytes (header included), and the functions
// that make and copy its objects: __ffi_init__, __ffi_new__ and __ffi_shallow_copy__.
func registerPyClass(index, size int64) error {
	if index < int64(abi.IndexStaticObjectBegin) || index >= plane.TypeLimit {
		return errorf("InternalError", "Check failed: (entry != nullptr) is false: Cannot find type info for type_index=%d", index)
	}
	t, err := typeAt(int32(index))
	if err != nil {
		return err
	}
	if err := checkLayout(t.Info(), size); err != nil {
		return err
	}
	if err := registerAutoInit(index); err != nil {
		return err
	}
	for _, function := range []struct {
		name   string
		copies bool
	}{{"__ffi_new__", false}, {"__ffi_shallow_copy__", true}} {
		h, ok := plane.LayoutFunction(t.Info(), size, function.copies)
		if !ok {
			return errRaised
		}
		err := registerAttr(int32(index), function.name, abi.ObjectValue(h))
		plane.DecRef(h)
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLayout returns a ValueError unless all fields lie inside an object of size bytes, behind its header.
func checkLayout(t *abi.TypeInfo, size int64) error {
	const name = "ffi._PyClassRegisterTypeAttrColumns"
	if size < abi.BodyOffset || size > 1<<31-1 {
		return errorf("ValueError", "%s: total_size of `%s` must be at least %d, got %d", name, t.Key.String(), abi.BodyOffset, size)
	}
	for f := range t.AllFields() {
		if f.Offset < abi.BodyOffset || f.Size < 0 || f.Offset > size-f.Size {
			return errorf("ValueError", "%s: field `%s` of `%s` lies at offset %d with size %d, outside of the object's %d bytes",
				name, f.Name.String(), t.Key.String(), f.Offset, f.Size, size)
		}
	}
	return nil
}
