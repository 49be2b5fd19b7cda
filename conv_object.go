package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
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
		classes: []*class{c},
		name:    c.typeKey,
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

func (h *Handle[T]) newConv() (*conv, error) {
	t := reflect.TypeFor[T]()
	if !isClassStruct(t) {
		return nil, newError("TypeError", "%s is not a class struct; embed selfsame.Object or another class struct as its "+
			"first field", t)
	}
	c := classOf(t)
	made := objectConv(c,
		func(dst, object unsafe.Pointer) {
			*(**Handle[T])(dst) = (*Handle[T])(unsafe.Pointer(handles.Fetch(object)))
		},
		func(src unsafe.Pointer) (unsafe.Pointer, error) {
			h := *(**Handle[T])(src)
			if h == nil {
				return nil, nil
			}
			return h.nativeObject(), nil
		})
	made.handleOf = c
	return made, nil
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

// Optional is an E, or None when OK is false, as a parameter, result or element.
type Optional[E any] struct {
	Value E
	OK    bool
}

// Some returns an Optional with a value.
func Some[E any](value E) Optional[E] { return Optional[E]{Value: value, OK: true} }

func (Optional[E]) newConv() (*conv, error) {
	inner, err := convFor(reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	c := optionalConv(inner)
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		o := (*Optional[E])(dst)
		if v.TypeIndex == abi.IndexNone {
			*o = Optional[E]{}
			return nil
		}
		o.OK = true
		return inner.from(v, unsafe.Pointer(&o.Value))
	}
	c.to = func(src unsafe.Pointer, v *abi.Any) error {
		o := (*Optional[E])(src)
		if !o.OK {
			*v = abi.None()
			return nil
		}
		return inner.to(unsafe.Pointer(&o.Value), v)
	}
	return c, nil
}

// optionalConv makes the conversion of a Go type that stands for None or a value of inner, such as Optional[E] and *E,
// except for its fields from and to. The caller sets those.
func optionalConv(inner *conv) *conv {
	name := func() string { return "Optional<" + inner.name() + ">" }
	return &conv{
		classes: inner.classes,
		borrows: inner.borrows, callsOnly: inner.callsOnly, records: inner.records,
		onlyParameter: inner.onlyParameter, onlyResult: inner.onlyResult,
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
