package runtime

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/plane"
)

// anyViewParam takes a value as it is, borrowed.
var anyViewParam = param{"AnyView", `{"type":"Any"}`, func(int32) bool { return true }}

// converter is the value of the type attribute __ffi_convert__ of a builtin type: it makes any value that fits into one
// of the type. take gives ok false for one that does not fit.
type converter struct {
	typeIndex int32
	name      string // of the type, as messages have it
	take      func(view *abi.Any) (value abi.Any, ok bool, err error)
}

// same takes values of some types as they are.
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

// orMade takes values of one type as they are and makes new ones of those of another.
func orMade(index, other int32, convert func(handle unsafe.Pointer) (abi.Any, bool, error)) func(*abi.Any) (abi.Any, bool, error) {
	asIs := same(index)
	return func(view *abi.Any) (abi.Any, bool, error) {
		if view.TypeIndex == other {
			return convert(view.Pointer())
		}
		return asIs(view)
	}
}

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
			values, err := ownedAll(items(list))
			if err != nil {
				return abi.Any{}, true, err
			}
			array, err := newArray(values)
			return array, true, err
		})},
		{abi.IndexMap, "Map<Any, Any>", orMade(abi.IndexMap, abi.IndexDict, mapWithEntries(abi.IndexMap))},
		{abi.IndexList, "List<Any>", orMade(abi.IndexList, abi.IndexArray, func(array unsafe.Pointer) (abi.Any, bool, error) {
			a := abi.ObjectValue(array)
			list, err := listOf(&a)
			return list, true, err
		})},
		{abi.IndexDict, "Dict<Any, Any>", orMade(abi.IndexDict, abi.IndexMap, mapWithEntries(abi.IndexDict))},
		instances("ffi.IntEnum"),
		instances("ffi.StrEnum"),
	}
}

// instances is the converter of a class: it takes its objects and those of its descendants as they are.
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

// toShape also takes an Array or List of integers.
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

// mapWithEntries makes a Map or Dict with the entries of another, added one after the other.
func mapWithEntries(typeIndex int32) func(unsafe.Pointer) (abi.Any, bool, error) {
	return func(from unsafe.Pointer) (abi.Any, bool, error) {
		all := entries(from)
		for _, p := range all {
			container.Retain(p.Key)
			container.Retain(p.Value)
		}
		m, err := newMapOf(typeIndex, all)
		return m, true, err
	}
}

func registerConverters() error {
	for _, c := range coreConverters() {
		if err := c.register(); err != nil {
			return err
		}
	}
	return nil
}

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
