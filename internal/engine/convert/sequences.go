package selfsame

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Conversions of Array, List and slices. Where an Array is expected, a List is accepted and copied, and the other way round,
// as in C++.

// sequenceHandleConv makes the conversion of *Array[E] or *List[E]. get returns the native object of the handle at src,
// which the caller borrows.
func sequenceHandleConv(index int32, kind bridge.Kind, elem reflect.Type,
	get func(src unsafe.Pointer) unsafe.Pointer,
) (*conv, error) {
	inner, err := convFor(elem)
	if err != nil {
		return nil, err
	}
	c := sequenceConv(sequenceName(index), kind, inner)
	c.asHandle(index, func(object unsafe.Pointer) []abi.Any { return abi.SeqOf(object).Items() }, get)
	return c, nil
}

// asHandle completes c, which has a check, as the conversion of a container's handle. An object of the type index is
// converted to its handle. One of the other accepted type is copied, from its contents (views), and converted to the
// handle of the copy. get returns the native object of the handle at src, which the caller borrows.
func (c *conv) asHandle(index int32, contents func(object unsafe.Pointer) []abi.Any,
	get func(src unsafe.Pointer) unsafe.Pointer,
) {
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		if err := c.check(v); err != nil {
			return err
		}
		if v.TypeIndex == index {
			*(**handles.State)(dst) = handles.Fetch(v.Pointer())
			return nil
		}
		copied, err := newContainer(index, contents(v.Pointer()))
		if err != nil {
			return err
		}
		*(**handles.State)(dst) = handles.Adopt(copied)
		return nil
	}
	c.to = func(src unsafe.Pointer, v *abi.Any) error {
		object := get(src)
		incRef(object)
		*v = abi.ObjectValue(object)
		return nil
	}
}

// sliceConv makes the conversion of a slice type, by copy.
func sliceConv(t reflect.Type, lookup convLookup) (*conv, error) {
	inner, err := lookup(t.Elem())
	if err != nil {
		return nil, err
	}
	c := sequenceConv("Array", bridge.KindArray, inner)
	c.borrows, c.element = inner.borrows, inner
	c.lends = inBulk(inner)
	c.toPython = func(src unsafe.Pointer) (made abi.Any, ok bool, err error) {
		elems := *(*[]struct{})(src) // only the address and the length
		first := unsafe.Pointer(unsafe.SliceData(elems))
		switch inner.fast {
		case fastInt64:
			made, err = newPythonNumbers(&pythonInts, first, len(elems))
			return made, true, err
		case fastFloat64:
			made, err = newPythonNumbers(&pythonFloats, first, len(elems))
			return made, true, err
		}
		return bulkArray(inner, first, len(elems), newPython)
	}
	size := t.Elem().Size()
	c.lendsNumbers = readsTensor(inner)
	if c.lendsNumbers {
		c.elements = dataTypeOf(t.Elem())
		ofSequence := c.check
		c.check = func(v *abi.Any) error {
			if tensor, ok := tensorIn(v); ok {
				return tensorSlice(t, inner, tensor, reflect.New(t).UnsafePointer())
			}
			return ofSequence(v)
		}
	}
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		if tensor, ok := tensorIn(v); ok && c.lendsNumbers {
			return tensorSlice(t, inner, tensor, dst)
		}
		if v.TypeIndex == abi.IndexLentItems {
			lent := (*abi.LentValues)(v.Pointer()).Views()
			if bulkSlice(inner, lent, dst, true) {
				return nil
			}
			return throughContainer(abi.IndexArray, lent, func(v *abi.Any) error { return c.from(v, dst) })
		}
		if v.TypeIndex == abi.IndexLentEntries {
			return throughContainer(abi.IndexMap, (*abi.LentValues)(v.Pointer()).Views(), mismatched)
		}
		if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
			return mismatched(v)
		}
		items := abi.SeqOf(v.Pointer()).Items()
		if bulkSlice(inner, items, dst, false) {
			return nil
		}
		out := reflect.MakeSlice(t, len(items), len(items))
		first := out.UnsafePointer()
		for i := range items {
			if err := inner.from(&items[i], unsafe.Add(first, uintptr(i)*size)); err != nil {
				return atIndex("Array", i, err)
			}
		}
		reflect.NewAt(t, dst).Elem().Set(out)
		return nil
	}
	c.to = func(src unsafe.Pointer, v *abi.Any) error {
		elems := reflect.NewAt(t, src).Elem()
		first := elems.UnsafePointer()
		if made, ok, err := bulkArray(inner, first, elems.Len(), newNative); ok {
			*v = made
			return err
		}
		owned := make([]abi.Any, elems.Len())
		defer func() { releaseAll(owned) }()
		for i := range owned {
			if err := inner.to(unsafe.Add(first, uintptr(i)*size), &owned[i]); err != nil {
				return inElement(fmt.Sprintf("Array[index %d]", i), err)
			}
		}
		object, err := newContainer(abi.IndexArray, owned)
		if err != nil {
			return err
		}
		*v = abi.ObjectValue(object)
		return nil
	}
	return c, nil
}

// sequenceConv makes the part that the conversions of Array, List and slices share; typeName is "Array" or "List".
func sequenceConv(typeName string, kind bridge.Kind, inner *conv) *conv {
	name := func() string { return typeName + "<" + inner.name() + ">" }
	return &conv{
		traits: keptTraitsOf(inner),
		name:   name,
		schema: func() string { return nestedSchema("ffi."+typeName, inner.schema()) },
		typ:    typeOnce(func() *bridge.Type { return bridge.NewType(kind, nil, inner.typ(), name()) }),
		check: func(v *abi.Any) error {
			if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
				return mismatched(v)
			}
			if inner.check == nil {
				return nil
			}
			items := abi.SeqOf(v.Pointer()).Items()
			for i := range items {
				if err := inner.check(&items[i]); err != nil {
					return atIndex(typeName, i, err)
				}
			}
			return nil
		},
	}
}
