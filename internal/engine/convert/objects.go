package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Conversions of native objects, Optional and any.

// objectConv makes the conversion of a Go type for objects of a class. set stores the borrowed object at dst; get returns
// the object of the Go value at src, which the caller borrows, nil for None.
func objectConv(c *class, set func(dst, object unsafe.Pointer),
	get func(src unsafe.Pointer) (unsafe.Pointer, error),
) *conv {
	check := func(v *abi.Any) error {
		if !v.IsObject() || !c.isInstance(v.TypeIndex) {
			if err := c.checkRegistered(); err != nil {
				return err
			}
			return mismatched(v)
		}
		return nil
	}
	return &conv{
		traits: traits{classes: []*class{c}},
		name:   c.typeKey,
		schema: func() string {
			if !c.registered() {
				return leafSchema("ffi.Object")
			}
			return leafSchema(c.typeKey())
		},
		typ:   typeOnce(func() *bridge.Type { return bridge.NewType(bridge.KindObject, c.native, nil, c.typeKey()) }),
		check: check,
		from: func(v *abi.Any, dst unsafe.Pointer) error {
			if err := check(v); err != nil {
				return err
			}
			set(dst, v.Pointer())
			return nil
		},
		to: func(src unsafe.Pointer, v *abi.Any) error {
			object, err := get(src)
			if err != nil {
				return err
			}
			incRef(object)
			*v = abi.ObjectValue(object)
			return nil
		},
	}
}

// borrowedConv makes the conversion of *T for a class struct T: a pointer into the object, without a reference.
func borrowedConv(t reflect.Type) *conv {
	c := classOf(t)
	borrowed := objectConv(c,
		func(dst, object unsafe.Pointer) { *(*unsafe.Pointer)(dst) = object },
		func(src unsafe.Pointer) (unsafe.Pointer, error) {
			object := *(*unsafe.Pointer)(src)
			if object != nil && !c.isLive(object) {
				return nil, newError("ValueError", "a *%s that was not made by its class cannot leave Go; use Class.New", t)
			}
			return object, nil
		})
	borrowed.borrows = true
	return borrowed
}

// optionalConv makes the conversion of a Go type that stands for None or a value of inner, such as Optional[E] and *E,
// except for its fields from and to. The caller sets those.
func optionalConv(inner *conv) *conv {
	name := func() string { return "Optional<" + inner.name() + ">" }
	return &conv{
		traits: traitsOf(inner),
		name:   name,
		schema: func() string { return nestedSchema("Optional", inner.schema()) },
		typ:    typeOnce(func() *bridge.Type { return bridge.NewType(bridge.KindOptional, nil, inner.typ(), name()) }),
		check: func(v *abi.Any) error {
			if v.TypeIndex == abi.IndexNone || inner.check == nil {
				return nil
			}
			return inner.check(v)
		},
	}
}
