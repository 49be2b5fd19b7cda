package runtime

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
)

func initBuiltins() []builtin {
	return []builtin{
		typed("ffi._RegisterFFIInit", returnsVoid, func(args []abi.Any) (abi.Any, error) {
			return abi.Any{}, registerAutoInit(args[0].Int64())
		}, intParam),
		packed("ffi.MakeObjectFromPackedArgs", makeObject),
	}
}

// forEachField visits the fields an object of the type has: its ancestors' first, without the root's.
func forEachField(t *abi.TypeInfo, visit func(f *abi.FieldInfo) error) error {
	for depth := int32(1); depth <= t.Depth; depth++ {
		owner := t
		if depth < t.Depth {
			owner = t.Ancestor(depth)
		}
		fields := owner.OwnFields()
		for i := range fields {
			if err := visit(&fields[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// makeObject builds an object of (type index or key, field name, value, ...).
func makeObject(args []abi.Any) (abi.Any, error) {
	const name = "ffi.MakeObjectFromPackedArgs"
	if len(args)%2 != 1 {
		return abi.Any{}, errorf("InternalError", "Check failed: args.size() %% 2 == 1 (%d vs. 1) : %s takes a type, then pairs of field name and value",
			len(args)%2, name)
	}
	t, err := typeArgument(name, &args[0])
	if err != nil {
		return abi.Any{}, err
	}
	given := make(map[string]*abi.Any, len(args)/2)
	var order []string
	for i := 1; i < len(args); i += 2 {
		if !strParam.accepts(args[i].TypeIndex) {
			return abi.Any{}, errorf("TypeError", "Cannot convert from type `%s` to `str`: argument #%d of %s is a field name",
				valueTypeKey(&args[i]), i, name)
		}
		field := text(&args[i])
		if given[field] == nil {
			given[field] = &args[i+1]
		}
		order = append(order, field)
	}
	handle, ok := plane.CreateObject(t)
	if !ok {
		return abi.Any{}, errInSlot
	}
	if err := fillFields(t, handle, given, order); err != nil {
		plane.DecRef(handle)
		return abi.Any{}, err
	}
	return abi.ObjectValue(handle), nil
}

func typeArgument(function string, a *abi.Any) (*abi.TypeInfo, error) {
	index := int32(-1)
	switch {
	case intParam.accepts(a.TypeIndex):
		if i := a.Int64(); i >= 0 && i < plane.TypeLimit {
			index = int32(i)
		}
	case strParam.accepts(a.TypeIndex):
		key := text(a)
		if index = plane.TypeByKey(key); index < 0 {
			return nil, errorf("InternalError", "Cannot find type `%s`", key)
		}
	default:
		return nil, errorf("TypeError", "Cannot convert from type `%s` to `str`: argument #0 of %s is a type index or a type key",
			valueTypeKey(a), function)
	}
	t, err := typeAt(index)
	if err != nil {
		return nil, err
	}
	return t.Info(), nil
}

func fillFields(t *abi.TypeInfo, handle unsafe.Pointer, given map[string]*abi.Any, order []string) error {
	err := forEachField(t, func(f *abi.FieldInfo) error {
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
			return errInSlot
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, field := range order {
		if given[field] != nil {
			return errorf("TypeError", "Type `%s` does not have field `%s`", t.Key.String(), field)
		}
	}
	return nil
}
