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

// optionalConv makes what is the same in the conversions of all Go types that are an optional inner value. The caller sets
// from and to.
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

// anyConv makes the conversion of type any.
func anyConv() *conv {
	name, schema := constant("Any", "Any")
	return &conv{
		name: name, schema: schema, typ: kindType(bridge.KindAny, "Any"),
		from: func(v *abi.Any, dst unsafe.Pointer) error {
			value, err := toGo(v)
			*(*any)(dst) = value
			return err
		},
		to: func(src unsafe.Pointer, v *abi.Any) error { return fromGo(*(*any)(src), v) },
	}
}

// toGo returns the Go value of a borrowed value of any type. An object's handle takes its own reference.
func toGo(v *abi.Any) (any, error) {
	switch v.TypeIndex {
	case abi.IndexNone:
		return nil, nil
	case abi.IndexInt:
		return v.Int64(), nil
	case abi.IndexBool:
		return v.Int64() != 0, nil
	case abi.IndexFloat:
		return v.Float64(), nil
	case abi.IndexOpaquePtr, abi.IndexDLTensorPtr:
		return v.Pointer(), nil
	case abi.IndexDataType:
		return v.DataType(), nil
	case abi.IndexDevice:
		return v.Device(), nil
	}
	if content, isBytes, ok := v.Content(); ok {
		if isBytes {
			return append([]byte{}, content...), nil
		}
		return string(content), nil
	}
	if !v.IsObject() {
		return nil, newError("TypeError", "a value of type `%s` has no counterpart in Go", valueTypeKey(v))
	}
	return wrapObject(v.Pointer()), nil
}

// fromGo makes *v an owned value of a Go value. It fails when the value's type has no counterpart in the ABI.
func fromGo(value any, v *abi.Any) error {
	switch x := value.(type) {
	case nil:
		*v = abi.None()
		return nil
	case int64:
		*v = abi.Int(x)
		return nil
	case int:
		*v = abi.Int(int64(x))
		return nil
	case float64:
		*v = abi.Float(x)
		return nil
	case bool:
		*v = abi.Bool(x)
		return nil
	case string:
		return putText(x, v)
	}
	t := reflect.TypeOf(value)
	c, err := convFor(t)
	if err != nil {
		if e, ok := value.(error); ok {
			*v = abi.ObjectValue(newErrorObject(e, ""))
			return nil
		}
		return newError("TypeError", "a Go value of type %s has no counterpart in the ABI", t)
	}
	copied := reflect.New(t)
	copied.Elem().Set(reflect.ValueOf(value))
	return c.to(copied.UnsafePointer(), v)
}

// ownGo is toGo for an owned value, whose reference it releases.
func ownGo(v abi.Any) (any, error) {
	value, err := toGo(&v)
	releaseValue(v)
	return value, err
}
