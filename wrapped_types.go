package selfsame

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// wrapping is what is known of a class with a Wrapped.
type wrapping struct {
	class     *typetable.Class
	key       string       // of the class, which may not be registered yet
	holds     reflect.Type // what the Wrapped holds: a pointer or an interface type
	byValue   bool         // code that takes any or an interface gets the element of the pointer
	shared    bool         // the type may be used by several goroutines at once
	element   func(pointer any) any
	implement func(Implementation) any // makes the Go value of an object of a Python class; nil: there are none
}

var (
	wrappings    sync.Map // *typetable.Class -> *wrapping
	wrappedTypes sync.Map // reflect.Type of a Go value -> *wrapping
)

// WrapOption is an option of [Wrap].
type WrapOption interface{ applyToWrapping(*wrapping) }

type wrapOption func(*wrapping)

func (f wrapOption) applyToWrapping(w *wrapping) { f(w) }

// ByValue says that T's own methods, not those of *T, are what Go code expects: code that takes any or an interface gets a copy
// of the value instead of a pointer to it.
func ByValue() WrapOption { return wrapOption(func(w *wrapping) { w.byValue = true }) }

// Shared says that goroutines may use one value at the same time, so that calls on an object need no lock.
func Shared() WrapOption { return wrapOption(func(w *wrapping) { w.shared = true }) }

// Wrap makes objects of the class C stand for Go values of the types *T and T, wherever those stand in signatures; C has a
// Wrapped[*T]. As long as either side holds it, a Go pointer is one object. A T is copied into memory of its own; one of a basic
// type is one object for all equal values, and its plain Python value is accepted too. None is a nil pointer.
//
// key is that of the class, which is registered afterwards. Wrap must come before the first registration that has one of the types in a signature. It returns true; when a type has a
// class already, it panics or, in an extension, loading fails. Any goroutine may call it.
func Wrap[C, T any](key string, options ...WrapOption) bool {
	t := reflect.TypeFor[T]()
	w := &wrapping{
		class: typetable.Of(reflect.TypeFor[C]()), key: key, holds: reflect.PointerTo(t),
		element: func(pointer any) any { return *pointer.(*T) },
	}
	for _, o := range options {
		o.applyToWrapping(w)
	}
	if err := w.announce(reflect.TypeFor[Wrapped[*T]]()); err != nil {
		link.Failed(err)
		return true
	}
	plain := sync.OnceValue(func() *convert.Conv { return plainConvOf(t) })
	pointer := func() (*convert.Conv, error) { return pointerConv[T](w, plain), nil }
	value := func() (*convert.Conv, error) { return valueConv[T](w, plain), nil }
	w.add(w.holds, pointer)
	w.add(t, value)
	return true
}

// plainConvOf returns the conversion that a type without a class would have, nil for one that has none or is no plain value.
func plainConvOf(t reflect.Type) *convert.Conv {
	switch t.Kind() {
	case reflect.Struct, reflect.Interface, reflect.Pointer, reflect.Array:
		return nil
	}
	c, err := convert.NewConvOfKind(t)
	if err != nil || c.OnlyResult != "" {
		return nil
	}
	c.GoType, c.Fast, c.BitsIndex = t, convert.NoFastPath, convert.NoBitsIndex
	return c
}

// announce checks the class and makes it known.
func (w *wrapping) announce(field reflect.Type) error {
	t := w.class.GoType
	if !typetable.IsClassStruct(t) || t.NumField() != 2 || t.Field(0).Type != typetable.ObjectType || t.Field(1).Type != field {
		return fault.New("TypeError", "selfsame: Wrap: expected a class of selfsame.Object and %s, got %s", field, t)
	}
	if _, known := wrappings.LoadOrStore(w.class, w); known {
		return fault.New("RuntimeError", "selfsame: Wrap: %s stands for a type already", t)
	}
	w.class.Foreign = valueOf
	return nil
}

// add gives a Go type its conversion.
func (w *wrapping) add(t reflect.Type, conv func() (*convert.Conv, error)) {
	wrappedTypes.Store(t, w)
	if err := convert.AddForeign(t, conv); err != nil {
		link.Failed(fault.New("RuntimeError", "selfsame: Wrap: %s", fault.Reason(err)))
	}
}

// keyOf returns the identity of a value of one of the wrapping's types.
func (w *wrapping) keyOf(value any) identity {
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() != reflect.Pointer || v.IsNil():
		return identity{}
	case w.holds.Kind() == reflect.Pointer && isBasic(w.holds.Elem().Kind()):
		return identity{class: w, value: v.Elem().Interface()}
	}
	return identity{class: w, pointer: v.Pointer()}
}

func isBasic(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Uint64 || k == reflect.Float32 || k == reflect.Float64 || k == reflect.String
}

func (w *wrapping) newBox(value any) *box {
	b := &box{value: value, key: w.keyOf(value)}
	if b.key.value != any(nil) && b.key.value != b.key.value { // a NaN is not equal to itself
		b.key = identity{}
	}
	if !w.shared {
		b.gate = new(gate)
	}
	return b
}

// fill stores a box in a new object. It panics with a MemoryError when there is no memory.
func (w *wrapping) fill(object unsafe.Pointer, b *box) {
	id := handles.Keep(b)
	if id == 0 {
		panic(fault.New("RuntimeError", "selfsame: too many Go values are in use"))
	}
	value, failed := bridge.NewValue(goValueClass().Native.Index(), id, w.holds)
	if value == nil {
		handles.Drop(id)
		panic(fault.Take(failed))
	}
	handles.TraceNative(value)
	values.SwapObject((*uintptr)(unsafe.Add(object, wrappedOffset)), value)
}

// object returns an owned reference to the object of a Go value: a pointer that is not nil, or what an interface holds.
func (w *wrapping) object(value any) (object unsafe.Pointer, err error) {
	b := w.newBox(value)
	if b.key.class != nil {
		if known := identities.find(b.key); known != nil {
			return known, nil
		}
	}
	state, err := registry.NewState(w.class)
	if err != nil {
		return nil, err
	}
	object = state.HandOver()
	w.fill(object, b)
	if other := identities.enter(b, object); other != nil { // another goroutine was faster
		handles.DecRef(object)
		return other, nil
	}
	return object, nil
}

// boxed returns the box of a borrowed value that is an object of the wrapping's class; nil with a mismatch for others.
func (w *wrapping) boxed(v *abi.Any) (*box, error) {
	if !v.IsObject() || !w.class.IsInstance(v.TypeIndex) {
		return nil, convert.Mismatched(v)
	}
	b, err := boxOf(v.Pointer())
	if err == nil && b == nil {
		err = fault.New("RuntimeError", "selfsame: an object of `%s` has no Go value; its Python class must call __init__ of the "+
			"class that it derives from", w.class.TypeKey())
	}
	return b, err
}

// conv makes the parts that the conversions of a wrapping share.
func (w *wrapping) conv(schema func() string, check func(v *abi.Any) error) *convert.Conv {
	return &convert.Conv{
		Traits: convert.Traits{Classes: []*typetable.Class{w.class}, CallsOnly: true, Fast: convert.NoFastPath, BitsIndex: convert.NoBitsIndex},
		Name:   w.class.TypeKey, Schema: schema, Type: convert.KindType(bridge.KindAny, "Any"), Check: check,
	}
}

func (w *wrapping) schema() string { return convert.LeafSchema(w.key) }

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
	c := w.conv(func() string { return convert.NestedSchema("go.Pointer", w.schema()) }, func(v *abi.Any) error {
		_, err := from(v)
		return err
	})
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		p, err := from(v)
		if err == nil {
			*(**T)(dst) = p
		}
		return err
	}
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
