package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// initBuiltins returns the functions that make objects of classes by their fields.
func initBuiltins() []builtin {
	return []builtin{
		typed("ffi._RegisterFFIInit", returnsVoid, func(args []abi.Any) (abi.Any, error) {
			return abi.Any{}, registerAutoInit(args[0].Int64())
		}, intParam),
		packed("ffi.MakeObjectFromPackedArgs", makeObject),
	}
}

// makeObject makes an object. args are a type index or type key, then alternating field names and values.
func makeObject(args []abi.Any) (abi.Any, error) {
	if len(args) == 0 {
		return abi.Any{}, errorf("InternalError", "Check failed: (args.size() %% 2 == 1) is false: ")
	}
	index, err := typeArgument(&args[0])
	if err != nil {
		return abi.Any{}, err
	}
	if len(args)%2 != 1 {
		return abi.Any{}, errorf("InternalError", "Check failed: (args.size() %% 2 == 1) is false: ")
	}
	entry, err := typeAt(index)
	if err != nil {
		return abi.Any{}, err
	}
	t := entry.Info()
	given := make(map[string]*abi.Any, len(args)/2)
	var order []string
	for i := 1; i < len(args); i += 2 {
		if !strParam.accepts(args[i].TypeIndex) {
			return abi.Any{}, errorf("TypeError", "Cannot convert from type `%s` to `str`", valueTypeKey(&args[i]))
		}
		field := text(&args[i])
		if given[field] == nil {
			given[field] = &args[i+1]
		}
		order = append(order, field)
	}
	handle, ok := plane.CreateObject(t)
	if !ok {
		return abi.Any{}, errRaised
	}
	if err := fillFields(t, handle, given, order); err != nil {
		plane.DecRef(handle)
		return abi.Any{}, err
	}
	return abi.ObjectValue(handle), nil
}

// typeArgument returns the type index for an argument that is a type index or a type key. There may be no type with
// that index.
func typeArgument(a *abi.Any) (int32, error) {
	switch {
	case intParam.accepts(a.TypeIndex):
		if i := a.Int64(); i >= 0 && i < plane.TypeLimit {
			return int32(i), nil
		}
		return -1, nil
	case strParam.accepts(a.TypeIndex):
		key := text(a)
		index := plane.TypeByKey(key)
		if index < 0 {
			return -1, errorf("InternalError", "Check failed: (it != type_key2index_.end()) is false: Cannot find type `%s`", key)
		}
		return index, nil
	default:
		return -1, errorf("TypeError", "Cannot convert from type `%s` to `str`", valueTypeKey(a))
	}
}

// fillFields sets all fields of a new object, to the given values or to defaults. order has the given names in the
// order of the arguments; the first one that is no field is reported.
func fillFields(t *abi.TypeInfo, handle unsafe.Pointer, given map[string]*abi.Any, order []string) error {
	for f := range t.AllFields() {
		field := f.Name.String()
		value := given[field]
		ok := true
		switch {
		case value != nil:
			delete(given, field)
			ok = plane.SetField(f, handle, unsafe.Pointer(value))
		case f.Flags&abi.FlagHasDefault != 0:
			ok = plane.SetFieldDefault(f, handle)
		default:
			return errorf("TypeError", "Required field `%s` not set in type `%s`", field, t.Key.String())
		}
		if !ok {
			return errRaised
		}
	}
	for _, field := range order {
		if given[field] != nil {
			return errorf("TypeError", "Type `%s` does not have field `%s`", t.Key.String(), field)
		}
	}
	return nil
}
