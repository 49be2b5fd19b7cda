package convert

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/arrow"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Conversions of Array, List and slices. Where an Array is expected, a List is accepted and copied, and the other way round,
// as in C++.

// SequenceHandleConv makes the conversion of *Array[E] or *List[E]. get returns the native object of the handle at src,
// which the caller borrows.
func SequenceHandleConv(index int32, kind bridge.Kind, elem reflect.Type,
	get func(src unsafe.Pointer) unsafe.Pointer,
) (*Conv, error) {
	inner, err := For(elem)
	if err != nil {
		return nil, err
	}
	c := sequenceConv(SequenceName(index), kind, inner)
	c.asHandle(index, func(object unsafe.Pointer) []abi.Any { return abi.SeqOf(object).Items() }, get)
	return c, nil
}

// asHandle completes c, which has a check, as the conversion of a container's handle. An object of the type index is
// converted to its handle. An object of the other accepted type is copied, from its contents (views), and converted to
// the handle of the copy. get returns the native object of the handle at src, which the caller borrows.
func (c *Conv) asHandle(index int32, contents func(object unsafe.Pointer) []abi.Any,
	get func(src unsafe.Pointer) unsafe.Pointer,
) {
	c.container = true
	c.SetFrom(func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		if err := c.Check(v); err != nil {
			return err
		}
		if v.TypeIndex == index {
			*(**handles.State)(dst) = Fetch(v.Pointer(), lent)
			return nil
		}
		copied, err := values.NewContainer(index, contents(v.Pointer()))
		if err != nil {
			return err
		}
		*(**handles.State)(dst) = Fetch(copied, lent)
		handles.DecRef(copied)
		return nil
	})
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		object := get(src)
		values.IncRef(object)
		*v = abi.ObjectValue(object)
		return nil
	}
}

// SliceConv makes the conversion of a slice type, by copy: from an Array or List, lent values, and, for numbers and bools and for
// slices of them, a Tensor or a lent DLTensor (tensors.go). Adapters convert the usual cases in fast.go.
func SliceConv(t reflect.Type, lookup Lookup) (*Conv, error) {
	inner, err := lookup(t.Elem())
	if err != nil {
		return nil, err
	}
	c := sequenceConv("Array", bridge.KindArray, inner)
	c.Borrows, c.Element = inner.Borrows, inner
	loops := inner.loops()
	c.Lends = loops != nil
	c.toPython = func(src unsafe.Pointer) (made abi.Any, ok bool, err error) {
		elems := *(*[]struct{})(src) // only the address and the length
		first := unsafe.Pointer(unsafe.SliceData(elems))
		if loops != nil {
			return loops.writeList(first, len(elems))
		}
		if inner.widened == nil {
			return abi.Any{}, false, nil
		}
		wide, list, ok := inner.widened(first, len(elems))
		if ok {
			made, err = newPythonNumbers(list, wide, len(elems))
		}
		return made, ok, err
	}
	size := t.Elem().Size()
	// The elements of such a Python object are kept by nobody during the call, so they are not borrowed.
	acceptsElements := !inner.Borrows
	ofArray := c.Check
	rows := sync.OnceValue(func() *arrow.Form { return RowsForm(t) })
	c.Check = func(v *abi.Any) error {
		if v.TypeIndex == abi.IndexOpaquePyObject && rows() != nil && isArrow(v, t.Elem()) {
			return nil
		}
		if v.TypeIndex == abi.IndexOpaquePyObject && acceptsElements {
			return throughElements(v, ofArray)
		}
		return ofArray(v)
	}
	if c.LendsNumbers = IsNumber(inner); c.LendsNumbers {
		c.Elements = DataTypeOf(t.Elem())
		c.tensor = &copyTensor{1, func(tensor *abi.DLTensor, dst unsafe.Pointer) error { return tensorSlice(t, inner, tensor, dst) }, false}
	} else if rows := inner.tensor; rows != nil {
		store := func(tensor *abi.DLTensor, dst unsafe.Pointer) error { return tensorRows(t, rows, tensor, dst) }
		c.tensor = &copyTensor{rows.dims + 1, store, rows.ofAny}
	} else if e := t.Elem(); e.Kind() == reflect.Interface && e.NumMethod() == 0 {
		c.tensor = &copyTensor{1, func(tensor *abi.DLTensor, dst unsafe.Pointer) error { return tensorAnys(t, inner, tensor, dst) }, true}
	}
	if c.tensor != nil {
		ofSequence := c.Check
		c.Check = func(v *abi.Any) error {
			if tensor, ok := TensorIn(v); ok {
				return c.tensor.from(tensor, reflect.New(t).UnsafePointer())
			}
			return ofSequence(v)
		}
	}
	var read func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error
	read = func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		if tensor, ok := TensorIn(v); ok && c.tensor != nil {
			return c.tensor.from(tensor, dst)
		}
		if v.TypeIndex == abi.IndexLentItems {
			items := (*abi.LentValues)(v.Pointer()).Views()
			if loops != nil && loops.readSlice(items, dst, true) {
				return nil
			}
			return throughContainer(abi.IndexArray, items, func(v *abi.Any) error { return read(v, dst, lent) })
		}
		if v.TypeIndex == abi.IndexLentEntries {
			return throughContainer(abi.IndexMap, (*abi.LentValues)(v.Pointer()).Views(), Mismatched)
		}
		if v.TypeIndex == abi.IndexOpaquePyObject && rows() != nil {
			if done, err := readArrow(rows(), v, reflect.NewAt(t, dst).Elem()); done {
				return err
			}
		}
		if v.TypeIndex == abi.IndexOpaquePyObject && acceptsElements {
			return throughElements(v, func(v *abi.Any) error { return read(v, dst, nil) })
		}
		if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
			return Mismatched(v)
		}
		items := abi.SeqOf(v.Pointer()).Items()
		if loops != nil && loops.readSlice(items, dst, false) {
			return nil
		}
		out := reflect.MakeSlice(t, len(items), len(items))
		first := out.UnsafePointer()
		for i := range items {
			if err := inner.Lend(&items[i], unsafe.Add(first, uintptr(i)*size), lent); err != nil {
				return AtIndex("Array", i, err)
			}
		}
		reflect.NewAt(t, dst).Elem().Set(out)
		return nil
	}
	c.SetFrom(read, inner)
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		elems := reflect.NewAt(t, src).Elem()
		first := elems.UnsafePointer()
		if loops != nil {
			if made, ok, err := loops.writeArray(first, elems.Len(), newNative); ok {
				*v = made
				return err
			}
		}
		owned := make([]abi.Any, elems.Len())
		defer func() { values.ReleaseAll(owned) }()
		fillBelow(owned, depthOf(v))
		for i := range owned {
			if err := inner.To(unsafe.Add(first, uintptr(i)*size), &owned[i]); err != nil {
				return AtIndex("Array", i, err)
			}
		}
		return values.PutContainer(abi.IndexArray, owned, v)
	}
	return c, nil
}

// sequenceConv makes the part that the conversions of Array, List and slices share; typeName is "Array" or "List".
func sequenceConv(typeName string, kind bridge.Kind, inner *Conv) *Conv {
	name := func() string { return typeName + "<" + inner.Name() + ">" }
	return &Conv{
		Traits: KeptTraitsOf(inner),
		Name:   name,
		Schema: func() string { return NestedSchema("ffi."+typeName, inner.Schema()) },
		Type:   TypeOnce(func() *bridge.Type { return bridge.NewType(kind, nil, inner.Type(), name()) }),
		Check: func(v *abi.Any) error {
			if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
				return Mismatched(v)
			}
			if inner.Check == nil {
				return nil
			}
			items := abi.SeqOf(v.Pointer()).Items()
			for i := range items {
				if err := inner.Check(&items[i]); err != nil {
					return AtIndex(typeName, i, err)
				}
			}
			return nil
		},
	}
}
