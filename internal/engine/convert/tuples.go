package convert

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// TupleConv makes the conversion of a struct whose fields are the values of a tuple.
func TupleConv(t reflect.Type) (*Conv, error) { return tupleConv(t, For) }

func tupleConv(t reflect.Type, lookup Lookup) (*Conv, error) {
	parts := make([]*Conv, t.NumField())
	for i := range parts {
		inner, err := lookup(t.Field(i).Type)
		if err != nil {
			return nil, err
		}
		parts[i] = inner
	}
	made := &Conv{
		Traits: TraitsOf(parts...),
		Name:   func() string { return "Tuple<" + NamesOf(parts) + ">" },
		Schema: func() string { return NestedSchema("Tuple", SchemasOf(parts)...) },
	}
	made.Type = TypeOnce(func() *bridge.Type {
		types := make([]*bridge.Type, len(parts))
		for i, p := range parts {
			types[i] = p.Type()
		}
		return bridge.NewTupleType(types, made.Name())
	})
	items := func(v *abi.Any) ([]abi.Any, error) {
		if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
			return nil, Mismatched(v)
		}
		items := abi.SeqOf(v.Pointer()).Items()
		if len(items) != len(parts) {
			return nil, WrongSize(len(items))
		}
		return items, nil
	}
	made.Check = func(v *abi.Any) error {
		items, err := items(v)
		for i := range items {
			if err == nil && parts[i].Check != nil {
				err = AtIndex("Array", i, parts[i].Check(&items[i]))
			}
		}
		return err
	}
	made.SetFrom(func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		items, err := items(v)
		for i := range items {
			if err == nil {
				err = AtIndex("Array", i, parts[i].Lend(&items[i], unsafe.Add(dst, t.Field(i).Offset), lent))
			}
		}
		return err
	}, parts...)
	made.To = func(src unsafe.Pointer, v *abi.Any) error {
		owned := make([]abi.Any, len(parts))
		defer func() { values.ReleaseAll(owned) }()
		fillBelow(owned, depthOf(v))
		for i, p := range parts {
			if err := p.To(unsafe.Add(src, t.Field(i).Offset), &owned[i]); err != nil {
				return InElement(fmt.Sprintf("Tuple[index %d]", i), err)
			}
		}
		return values.PutContainer(abi.IndexArray, owned, v)
	}
	return made, nil
}
