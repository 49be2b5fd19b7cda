package selfsame

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Implementation is an object of a Python class that implements a Go interface. A struct that embeds it, with the interface's
// methods written with [PythonMethod], is the Go value of such an object; when it goes back to Python it is the object again.
type Implementation struct{ object *Handle[Object] }

func (i Implementation) implementing() *Handle[Object] { return i.object }

// PythonMethod returns the method of an object's Python class as a Go func. F is a func type as for [Bind]: when the method
// raises, a func without an error result panics. In a process without Python the func fails.
func PythonMethod[F any](i Implementation, name string) F {
	bound, err := pythonMethod[F](i, name)
	if err != nil {
		panic(err)
	}
	return bound
}

func pythonMethod[F any](i Implementation, name string) (bound F, err error) {
	service := convert.PythonMethod.Function()
	if service == nil {
		return bound, fault.New("RuntimeError", "selfsame: PythonMethod: the process has no Python")
	}
	text, err := values.NewText(name)
	if err != nil {
		return bound, err
	}
	defer values.Release(text)
	made, err := values.CallValues(service, []abi.Any{abi.ObjectValue(i.object.nativeObject()), text})
	if err != nil {
		return bound, err
	}
	defer values.Release(made)
	if made.TypeIndex != abi.IndexFunction {
		return bound, fault.New("TypeError", "%s.%s: expected a method, got another value", i.object.TypeKey(), name)
	}
	return call.BindFunc[F](handles.Fetch(made.Pointer()))
}

// WrapInterface makes objects of the class C stand for values of the interface I, wherever I stands in a signature; C has a
// Wrapped[I]. A value whose type was given to [Wrap] is an object of that type's class. Objects of all these classes are accepted
// where Go takes an I, if their values implement it. With implement, which may be nil, objects of Python classes that derive from
// C are accepted too: it makes the Go value of one. What [Wrap] says of its use holds for WrapInterface.
func WrapInterface[C, I any](key string, implement func(Implementation) I, options ...WrapOption) bool {
	w := &wrapping{class: typetable.Of(reflect.TypeFor[C]()), key: key, holds: reflect.TypeFor[I]()}
	if implement != nil {
		w.implement = func(i Implementation) any { return implement(i) }
	}
	for _, o := range options {
		o.applyToWrapping(w)
	}
	if err := w.announce(reflect.TypeFor[Wrapped[I]]()); err != nil {
		link.Failed(err)
		return true
	}
	w.add(w.holds, func() (*convert.Conv, error) { return interfaceConv[I](w), nil })
	return true
}

// WrapAny makes any type of the interface I, which has no methods, cross as any does. What [Wrap] says of its use holds.
func WrapAny[I any]() bool {
	t := reflect.TypeFor[I]()
	if t.Kind() != reflect.Interface || t.NumMethod() != 0 {
		link.Failed(fault.New("TypeError", "selfsame: WrapAny: expected an interface without methods, got %s", t))
		return true
	}
	err := convert.AddForeign(t, func() (*convert.Conv, error) {
		return &convert.Conv{
			Traits: convert.Traits{CallsOnly: true, Fast: convert.NoFastPath, BitsIndex: convert.NoBitsIndex},
			Name:   func() string { return "Any" },
			Schema: func() string { return convert.LeafSchema("Any") },
			Type:   convert.KindType(bridge.KindAny, "Any"),
			From: func(v *abi.Any, dst unsafe.Pointer) error {
				var value any
				if err := convert.PlainAny(v, &value); err != nil {
					return err
				}
				fits, ok := value.(I)
				if !ok && value != nil {
					return convert.Mismatched(v)
				}
				*(*I)(dst) = fits
				return nil
			},
			To: func(src unsafe.Pointer, v *abi.Any) error { return convert.FromGo(any(*(*I)(src)), v) },
		}, nil
	})
	if err != nil {
		link.Failed(err)
	}
	return true
}

// WrapOthers makes the class C, which has a Wrapped[any], that of Go values whose types have no class and no other form.
func WrapOthers[C any](key string) bool {
	w := &wrapping{class: typetable.Of(reflect.TypeFor[C]()), key: key, holds: convert.AnyType}
	if err := w.announce(reflect.TypeFor[Wrapped[any]]()); err != nil {
		link.Failed(err)
		return true
	}
	convert.Opaque = w.object
	return true
}

// interfaceConv makes the conversion of the interface I.
func interfaceConv[I any](w *wrapping) *convert.Conv {
	t := reflect.TypeFor[I]()
	from := func(v *abi.Any) (value I, err error) {
		if v.TypeIndex == abi.IndexNone {
			return value, nil
		}
		if !v.IsObject() {
			return value, convert.Mismatched(v)
		}
		of := wrappingOf(v.Pointer())
		if of == nil {
			return value, convert.Mismatched(v)
		}
		b, err := boxOf(v.Pointer())
		if err != nil {
			return value, err
		}
		if b == nil {
			if of.implement != nil {
				made := of.implement(Implementation{(*Handle[Object])(unsafe.Pointer(handles.Fetch(v.Pointer())))})
				if fits, ok := made.(I); ok {
					return fits, nil
				}
			}
			return value, convert.Mismatched(v)
		}
		first, second := b.value, any(nil)
		if of.element != nil {
			second = of.element(b.value)
			if of.byValue {
				first, second = second, first
			}
		}
		if fits, ok := first.(I); ok {
			return fits, nil
		}
		if fits, ok := second.(I); ok {
			return fits, nil
		}
		return value, convert.Mismatched(v)
	}
	schema := func() string {
		return convert.NestedSchema("go.Interface", append([]string{w.schema()}, implementing(t, w)...)...)
	}
	c := w.conv(schema, func(v *abi.Any) error {
		_, err := from(v)
		return err
	})
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		value, err := from(v)
		if err == nil {
			*(*I)(dst) = value
		}
		return err
	}
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		value := any(*(*I)(src))
		if value == nil {
			*v = abi.None()
			return nil
		}
		if python, ok := value.(interface{ implementing() *Handle[Object] }); ok {
			object := python.implementing().nativeObject()
			abi.IncRef(object)
			*v = abi.ObjectValue(object)
			return nil
		}
		if t := reflect.TypeOf(value); convert.IsForeign(t) {
			known, err := convert.For(t)
			if err != nil {
				return err
			}
			memory := reflect.New(t)
			memory.Elem().Set(reflect.ValueOf(value))
			return known.To(memory.UnsafePointer(), v)
		}
		object, err := w.object(value)
		if err == nil {
			*v = abi.ObjectValue(object)
		}
		return err
	}
	return c
}

// implementing returns the schemas of the other classes whose values implement an interface, in the order of their keys.
func implementing(t reflect.Type, of *wrapping) []string {
	found := map[string]string{}
	wrappings.Range(func(_, value any) bool {
		w := value.(*wrapping)
		if w != of && w.holds != convert.AnyType && (w.holds.Implements(t) || w.holds.Kind() == reflect.Pointer && w.holds.Elem().Implements(t)) {
			found[w.key] = w.schema()
		}
		return true
	})
	keys := make([]string, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, strings.Compare)
	for i, key := range keys {
		keys[i] = found[key]
	}
	return keys
}
