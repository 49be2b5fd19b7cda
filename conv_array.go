package selfsame

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

func (a *Array[E]) newConv() (*conv, error) {
	inner, err := convFor(reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	c := sequenceConv(inner)
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		if err := c.check(v); err != nil {
			return err
		}
		if v.TypeIndex == abi.IndexArray {
			*(**Array[E])(dst) = (*Array[E])(unsafe.Pointer(fetch(v.Pointer())))
			return nil
		}
		copied, failed := bridge.Array(abi.SeqOf(v.Pointer()).Items())
		if err := takeError(failed); err != nil {
			return err
		}
		*(**Array[E])(dst) = (*Array[E])(unsafe.Pointer(adopt(copied)))
		return nil
	}
	c.to = func(src unsafe.Pointer, v *abi.Any) error {
		object := (*(**Array[E])(src)).nativeObject()
		incRef(object)
		*v = abi.ObjectValue(object)
		return nil
	}
	return c, nil
}

// sliceConv is for slices, which are copied.
func sliceConv(t reflect.Type) (*conv, error) {
	inner, err := convFor(t.Elem())
	if err != nil {
		return nil, err
	}
	c := sequenceConv(inner)
	c.borrows = inner.borrows
	size := t.Elem().Size()
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
			return mismatched(v)
		}
		items := abi.SeqOf(v.Pointer()).Items()
		out := reflect.MakeSlice(t, len(items), len(items))
		first := out.UnsafePointer()
		for i := range items {
			if err := inner.from(&items[i], unsafe.Add(first, uintptr(i)*size)); err != nil {
				return atIndex(i, err)
			}
		}
		reflect.NewAt(t, dst).Elem().Set(out)
		return nil
	}
	c.to = func(src unsafe.Pointer, v *abi.Any) error {
		elems := reflect.NewAt(t, src).Elem()
		first := elems.UnsafePointer()
		owned := make([]abi.Any, elems.Len())
		defer func() {
			for _, e := range owned {
				releaseValue(e)
			}
		}()
		for i := range owned {
			if err := inner.to(unsafe.Add(first, uintptr(i)*size), &owned[i]); err != nil {
				if e, ok := err.(*Error); ok {
					return &Error{Kind: e.Kind, Message: fmt.Sprintf("Array[index %d]: %s", i, e.Message)}
				}
				return err
			}
		}
		object, failed := bridge.Array(owned)
		if err := takeError(failed); err != nil {
			return err
		}
		*v = abi.ObjectValue(object)
		return nil
	}
	return c, nil
}

// sequenceConv is what conversions of arrays and of slices have in common.
func sequenceConv(inner *conv) *conv {
	name := func() string { return "Array<" + inner.name() + ">" }
	return &conv{
		classes: inner.classes,
		name:    name,
		schema:  func() string { return nestedSchema("ffi.Array", inner.schema()) },
		typ:     typeOnce(func() *bridge.Type { return bridge.NewType(bridge.KindArray, nil, inner.typ(), name()) }),
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
					return atIndex(i, err)
				}
			}
			return nil
		},
	}
}

// atIndex says where in an array a value of a wrong type stands.
func atIndex(i int, err error) error {
	if m, ok := err.(*mismatch); ok {
		return &mismatch{got: fmt.Sprintf("Array[index %d: %s]", i, m.got)}
	}
	return err
}
