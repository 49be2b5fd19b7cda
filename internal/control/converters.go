package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// anyViewParam accepts any value; the function works on the view.
var anyViewParam = param{"AnyView", `{"type":"Any"}`, func(int32) bool { return true }}

// converter describes the type attribute __ffi_convert__ of a builtin type: a function that converts a value to the
// type.
type converter struct {
	typeIndex int32
	name      string // of the type, in error messages
	// take returns an owned value of the type. ok is false for a value that cannot be converted.
	take func(view *abi.Any) (value abi.Any, ok bool, err error)
}

// same makes a take function that returns values of these types unchanged.
func same(indices ...int32) func(*abi.Any) (abi.Any, bool, error) {
	fits := oneOf(indices...)
	return func(view *abi.Any) (abi.Any, bool, error) {
		if !fits(view.TypeIndex) {
			return abi.Any{}, false, nil
		}
		value, err := owned(view)
		return value, true, err
	}
}

// orMade makes a take function that returns values of type index unchanged and converts those of type other.
func orMade(index, other int32, convert func(handle unsafe.Pointer) (abi.Any, bool, error)) func(*abi.Any) (abi.Any, bool, error) {
	asIs := same(index)
	return func(view *abi.Any) (abi.Any, bool, error) {
		if view.TypeIndex == other {
			return convert(view.Pointer())
		}
		return asIs(view)
	}
}

// coreConverters returns the converters of the builtin types that have one.
func coreConverters() []converter {
	return []converter{
		{abi.IndexObject, "ffi.Object", func(view *abi.Any) (abi.Any, bool, error) {
			if view.TypeIndex != abi.IndexNone && !view.IsObject() {
				return abi.Any{}, false, nil
			}
			value, err := owned(view)
			return value, true, err
		}},
		{abi.IndexStr, "str", same(abi.IndexRawStr, abi.IndexSmallStr, abi.IndexStr)},
		{abi.IndexBytes, "bytes", same(abi.IndexByteArrayPtr, abi.IndexSmallBytes, abi.IndexBytes)},
		{abi.IndexError, "ffi.Error", same(abi.IndexError)},
		{abi.IndexFunction, "ffi.Function", same(abi.IndexFunction, abi.IndexNone)},
		{abi.IndexShape, "ffi.Shape", toShape},
		{abi.IndexTensor, "ffi.Tensor", same(abi.IndexTensor, abi.IndexNone)},
		{abi.IndexArray, "Array<Any>", orMade(abi.IndexArray, abi.IndexList, func(list unsafe.Pointer) (abi.Any, bool, error) {
			array, err := newArray(ownedItems(list))
			return array, true, err
		})},
		{abi.IndexMap, "Map<Any, Any>", orMade(abi.IndexMap, abi.IndexDict, mapWithEntries(abi.IndexMap))},
		{abi.IndexList, "List<Any>", orMade(abi.IndexList, abi.IndexArray, func(array unsafe.Pointer) (abi.Any, bool, error) {
			list, err := changeable(abi.ObjectValue(array))
			return list, true, err
		})},
		{abi.IndexDict, "Dict<Any, Any>", orMade(abi.IndexDict, abi.IndexMap, mapWithEntries(abi.IndexDict))},
		instances("ffi.IntEnum"),
		instances("ffi.StrEnum"),
	}
}

// instances makes the converter of a class: it returns objects of the class and its descendants unchanged.
func instances(key string) converter {
	class := plane.TypeAt(plane.TypeByKey(key)).Info()
	return converter{class.TypeIndex, key, func(view *abi.Any) (abi.Any, bool, error) {
		t := plane.TypeAt(view.TypeIndex)
		if t == nil || !t.Info().IsA(class) {
			return abi.Any{}, false, nil
		}
		value, err := owned(view)
		return value, true, err
	}}
}

// toShape returns a Shape unchanged and makes one of an Array or List of integers.
func toShape(view *abi.Any) (abi.Any, bool, error) {
	if view.TypeIndex != abi.IndexArray && view.TypeIndex != abi.IndexList {
		return same(abi.IndexShape)(view)
	}
	elements := abi.SeqOf(view.Pointer()).Items()
	dimensions := make([]int64, len(elements))
	for i := range elements {
		if !intParam.accepts(elements[i].TypeIndex) {
			return abi.Any{}, false, nil
		}
		dimensions[i] = elements[i].Int64()
	}
	shape, err := newShape(dimensions)
	return shape, true, err
}

// mapWithEntries makes a function that makes a Map or Dict (typeIndex) with the entries of another.
func mapWithEntries(typeIndex int32) func(unsafe.Pointer) (abi.Any, bool, error) {
	return func(from unsafe.Pointer) (abi.Any, bool, error) {
		all := graph.Pairs(from)
		defer graph.ReleasePairs(all)
		m, err := newMapOf(typeIndex, all)
		return m, true, err
	}
}

// registerConverters registers all of them.
func registerConverters() error {
	return registerAll(coreConverters())
}

// register makes the function and registers it as the type's attribute.
func (c converter) register() error {
	key := typeKeyOf(c.typeIndex)
	function := typed(key+".__ffi_convert__", returns{c.name, `{"type":"` + key + `"}`}, func(args []abi.Any) (abi.Any, error) {
		value, ok, err := c.take(&args[0])
		if err == nil && !ok {
			err = errorf("TypeError", "Cannot cast from `%s` to `%s`", valueTypeKey(&args[0]), c.name)
		}
		return value, err
	}, anyViewParam)
	handle, err := newFunction(function.checked())
	if err != nil {
		return err
	}
	defer plane.DecRef(handle)
	return registerAttr(c.typeIndex, "__ffi_convert__", abi.ObjectValue(handle))
}
