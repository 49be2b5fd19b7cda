package wrapping

import (
	"cmp"
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
)

// Wrap makes objects of a class stand for values of the types *T and T, wherever those stand in signatures. The second part of the
// class must be of the type field. It must come before the first conversion of one of the types.
func Wrap[T any](class, field reflect.Type, key string, o Options) error {
	t := reflect.TypeFor[T]()
	w := &wrapping{
		Options: o, class: typetable.Of(class), key: key, holds: reflect.PointerTo(t), pointsTo: t,
		element: func(pointer any) any { return *pointer.(*T) },
	}
	return w.wrap(t, field, pointerConv[T], valueConv[T])
}

// wrap does Wrap's work for the conversions of *T and T, which get that of a plain T.
func (w *wrapping) wrap(t, field reflect.Type, pointer, value func(w *wrapping, plain func() *convert.Conv) *convert.Conv) error {
	if w.joined(field) {
		return nil
	}
	if err := w.announce(field); err != nil {
		return err
	}
	plain := sync.OnceValue(func() *convert.Conv { return plainConvOf(t) })
	if len(w.Constants) > 0 {
		w.plain, convert.Member = plain, memberValue
	}
	return cmp.Or(
		w.add(w.holds, func() (*convert.Conv, error) { return pointer(w, plain), nil }),
		w.add(t, func() (*convert.Conv, error) { return value(w, plain), nil }))
}

// plainConvOf returns the conversion that a type without a class would have, nil for one that has none or is no plain value.
func plainConvOf(t reflect.Type) *convert.Conv {
	switch t.Kind() {
	case reflect.Struct, reflect.Interface, reflect.Pointer:
		return nil
	}
	c, err := convert.NewConvOfKind(t)
	if err != nil || c.OnlyResult != "" {
		return nil
	}
	c.GoType, c.Fast, c.BitsIndex = t, convert.NoFastPath, convert.NoBitsIndex
	return c
}

// conv makes the parts that the conversions of a wrapping share.
func (w *wrapping) conv(schema func() string, check func(v *abi.Any) error) *convert.Conv {
	return &convert.Conv{
		Traits: convert.Traits{Classes: []*typetable.Class{w.class}, CallsOnly: true, Fast: convert.NoFastPath, BitsIndex: convert.NoBitsIndex},
		Name:   w.class.TypeKey, Schema: schema, Type: convert.KindType(bridge.KindAny, "Any"), Check: check,
	}
}

func (w *wrapping) schema() string { return convert.LeafSchema(w.key) }

// wrappingConv makes a conversion to V of what from returns for a value. Its To is not set.
func wrappingConv[V any](w *wrapping, schema func() string, from func(v *abi.Any) (V, error)) *convert.Conv {
	c := w.conv(schema, func(v *abi.Any) error {
		_, err := from(v)
		return err
	})
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		value, err := from(v)
		if err == nil {
			*(*V)(dst) = value
		}
		return err
	}
	return c
}

// pointerConv makes the conversion of *T. plain returns the conversion of T as if it had no class, nil for none.
func pointerConv[T any](w *wrapping, plain func() *convert.Conv) *convert.Conv {
	from := func(v *abi.Any) (*T, error) {
		if v.TypeIndex == abi.IndexNone {
			return nil, nil
		}
		b, err := w.boxed(v)
		if err == nil {
			return b.value.(*T), nil
		}
		if p := plain(); p != nil && !v.IsObject() {
			made := new(T)
			return made, p.From(v, unsafe.Pointer(made))
		}
		return nil, err
	}
	c := wrappingConv(w, func() string { return convert.NestedSchema("go.Pointer", w.schema()) }, from)
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		p := *(**T)(src)
		if p == nil {
			*v = abi.None()
			return nil
		}
		object, err := w.object(p)
		if err == nil {
			*v = abi.ObjectValue(object)
		}
		return err
	}
	if w.isOfBasic() {
		return c
	}
	c.LoadPointer = func(v *abi.Any) (unsafe.Pointer, error) {
		p, err := from(v)
		return unsafe.Pointer(p), err
	}
	c.StorePointer = func(p unsafe.Pointer, v *abi.Any) error {
		if p == nil {
			*v = abi.None()
			return nil
		}
		object, err := w.objectWith(w.identityOf(p), (*T)(p))
		if err == nil {
			*v = abi.ObjectValue(object)
		}
		return err
	}
	return c
}

// valueConv makes the conversion of T.
func valueConv[T any](w *wrapping, plain func() *convert.Conv) *convert.Conv {
	schema := func() string {
		if p := plain(); p != nil {
			return convert.NestedSchema("go.Named", w.schema(), p.Schema())
		}
		return w.schema()
	}
	from := func(v *abi.Any, dst *T) error {
		b, err := w.boxed(v)
		if err == nil {
			*dst = *b.value.(*T)
			return nil
		}
		if p := plain(); p != nil && (!v.IsObject() || !w.class.IsInstance(v.TypeIndex)) {
			return p.From(v, unsafe.Pointer(dst))
		}
		return err
	}
	c := w.conv(schema, func(v *abi.Any) error { return from(v, new(T)) })
	c.From = func(v *abi.Any, dst unsafe.Pointer) error { return from(v, (*T)(dst)) }
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		if isNilFunc(src, reflect.TypeFor[T]()) {
			*v = abi.None()
			return nil
		}
		copied := new(T)
		*copied = *(*T)(src)
		object, err := w.object(copied)
		if err == nil {
			*v = abi.ObjectValue(object)
		}
		return err
	}
	return c
}

func isNilFunc(src unsafe.Pointer, t reflect.Type) bool {
	return t.Kind() == reflect.Func && reflect.NewAt(t, src).Elem().IsNil()
}
