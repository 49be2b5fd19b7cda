package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Conversions of native objects, Optional and any.

// ObjectConv makes the conversion of a Go type for objects of a class. set stores the borrowed object at dst; get returns
// the object of the Go value at src, which the caller borrows, nil for None.
func ObjectConv(c *typetable.Class, set func(dst, object unsafe.Pointer),
	get func(src unsafe.Pointer) (unsafe.Pointer, error),
) *Conv {
	check := func(v *abi.Any) error {
		if !v.IsObject() || !c.IsInstance(v.TypeIndex) {
			if err := c.CheckRegistered(); err != nil {
				return err
			}
			return Mismatched(v)
		}
		return nil
	}
	return &Conv{
		Traits: Traits{Classes: []*typetable.Class{c}},
		Name:   c.TypeKey,
		Schema: func() string {
			if !c.Registered() {
				return LeafSchema("ffi.Object")
			}
			return LeafSchema(c.TypeKey())
		},
		Type:  TypeOnce(func() *bridge.Type { return bridge.NewType(bridge.KindObject, c.Native, nil, c.TypeKey()) }),
		Check: check,
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := check(v); err != nil {
				return err
			}
			set(dst, v.Pointer())
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error {
			object, err := get(src)
			if err != nil {
				return err
			}
			values.IncRef(object)
			*v = abi.ObjectValue(object)
			return nil
		},
	}
}

// BorrowedConv makes the conversion of *T for a class struct T: a pointer into the object, without a reference.
func BorrowedConv(t reflect.Type) *Conv {
	c := typetable.Of(t)
	borrowed := ObjectConv(c,
		func(dst, object unsafe.Pointer) { *(*unsafe.Pointer)(dst) = object },
		func(src unsafe.Pointer) (unsafe.Pointer, error) {
			object := *(*unsafe.Pointer)(src)
			if object != nil && !c.IsLive(object) {
				return nil, fault.New("ValueError", "a *%s that was not made by its class cannot leave Go; use Class.New", t)
			}
			return object, nil
		})
	borrowed.Borrows, borrowed.Fast, borrowed.BitsIndex = true, FastBorrowed, NoBitsIndex
	return borrowed
}

// OptionalConv makes the conversion of a Go type that stands for None or a value of inner, such as Optional[E] and *E,
// except for its fields from and to. The caller sets those.
func OptionalConv(inner *Conv) *Conv {
	name := func() string { return "Optional<" + inner.Name() + ">" }
	return &Conv{
		Traits: TraitsOf(inner),
		Name:   name,
		Schema: func() string { return NestedSchema("Optional", inner.Schema()) },
		Type:   TypeOnce(func() *bridge.Type { return bridge.NewType(bridge.KindOptional, nil, inner.Type(), name()) }),
		Check: func(v *abi.Any) error {
			if v.TypeIndex == abi.IndexNone || inner.Check == nil {
				return nil
			}
			return inner.Check(v)
		},
	}
}
