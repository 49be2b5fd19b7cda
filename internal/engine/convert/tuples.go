package selfsame

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// tupleConv makes the conversion of a struct whose fields are the values of a tuple.
func tupleConv(t reflect.Type) (*conv, error) {
	parts := make([]*conv, t.NumField())
	for i := range parts {
		inner, err := convFor(t.Field(i).Type)
		if err != nil {
			return nil, err
		}
		parts[i] = inner
	}
	made := &conv{
		traits: traitsOf(parts...),
		name:   func() string { return "Tuple<" + namesOf(parts) + ">" },
		schema: func() string { return nestedSchema("Tuple", schemasOf(parts)...) },
	}
	made.typ = typeOnce(func() *bridge.Type {
		types := make([]*bridge.Type, len(parts))
		for i, p := range parts {
			types[i] = p.typ()
		}
		return bridge.NewTupleType(types, made.name())
	})
	items := func(v *abi.Any) ([]abi.Any, error) {
		if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
			return nil, mismatched(v)
		}
		items := abi.SeqOf(v.Pointer()).Items()
		if len(items) != len(parts) {
			return nil, wrongSize(len(items))
		}
		return items, nil
	}
	made.check = func(v *abi.Any) error {
		items, err := items(v)
		for i := range items {
			if err == nil && parts[i].check != nil {
				err = atIndex("Array", i, parts[i].check(&items[i]))
			}
		}
		return err
	}
	made.from = func(v *abi.Any, dst unsafe.Pointer) error {
		items, err := items(v)
		for i := range items {
			if err == nil {
				err = atIndex("Array", i, parts[i].from(&items[i], unsafe.Add(dst, t.Field(i).Offset)))
			}
		}
		return err
	}
	made.to = func(src unsafe.Pointer, v *abi.Any) error {
		owned := make([]abi.Any, len(parts))
		defer func() { releaseAll(owned) }()
		for i, p := range parts {
			if err := p.to(unsafe.Add(src, t.Field(i).Offset), &owned[i]); err != nil {
				return inElement(fmt.Sprintf("Tuple[index %d]", i), err)
			}
		}
		object, err := newContainer(abi.IndexArray, owned)
		if err != nil {
			return err
		}
		*v = abi.ObjectValue(object)
		return nil
	}
	return made, nil
}
