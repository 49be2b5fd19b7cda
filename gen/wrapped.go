package gen

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Wrapped is the second part of a class whose objects stand for Go values of another package, behind [selfsame.Object]:
//
//	type Bitmap struct {
//		selfsame.Object
//		gen.Wrapped[*roaring.Bitmap]
//	}
//
// [Wrap] and [WrapInterface] tie such a class to the Go type, which may then stand in every signature. The object keeps the Go
// value alive. `selfsame-ffi wrap` writes such classes. Objects cannot be copied into JSON graphs; in a forked child
// those of the parent have no value.
type Wrapped[T any] struct{ field[T] }

// field is embedded without a name that others could use.
type field[T any] = wrapping.Field[T]

// Go returns the value. It panics with a NotImplementedError when the object is of a Python class that has not the method in
// question, and with a RuntimeError in a forked child for a value of the parent.
func (f *Wrapped[T]) Go() T {
	b, err := wrapping.BoxOf(&f.field)
	switch {
	case err != nil:
		panic(err)
	case b == nil:
		panic(fault.New("NotImplementedError", "selfsame: the object has no value of type %s; its Python class must call "+
			"__init__ of the class that it derives from, and define the methods of an interface", reflect.TypeFor[T]()))
	}
	return b.Value().(T)
}

// Set gives a new object its value. For a constructor only: an object never changes its value.
func (f *Wrapped[T]) Set(value T) {
	if b, err := wrapping.BoxOf(&f.field); b != nil || err != nil {
		panic(fault.New("RuntimeError", "selfsame: Wrapped[%s]: the object has a value already", reflect.TypeFor[T]()))
	}
	if v := reflect.ValueOf(&value).Elem(); v.Kind() == reflect.Pointer && v.IsNil() {
		panic(fault.New("ValueError", "selfsame: Wrapped[%s]: a constructor returned a nil pointer", reflect.TypeFor[T]()))
	}
	fault.Check(wrapping.Set(wrapping.ObjectOf(&f.field), value))
}

// Change comes before a method that changes the value of a number or text type. It panics with a TypeError where the object stands for all
// equal values, as that of a constant does, and is not one variable of Go's.
func (f *Wrapped[T]) Change() {
	b, err := wrapping.BoxOf(&f.field)
	if err == nil && b != nil && b.IsValue() {
		err = fault.New("TypeError", "selfsame: an object of the Go type %s stands for all equal values and cannot change; make another one",
			reflect.TypeFor[T]().Elem())
	}
	fault.Check(err)
}

// Locked is what [Wrapped.Lock] and [LockAll] have locked.
type Locked struct{ gates wrapping.Locked }

// Unlock ends the lock.
func (l Locked) Unlock() { l.gates.Unlock() }

// Lock keeps other goroutines from the wrapped value, and from those among others that are wrapped values too, until
// Locked.Unlock. The calling goroutine may lock them again. Several are always locked in one order. A context among others ends
// the wait. Lock panics with the exception, such as KeyboardInterrupt, for which Python ends the wait.
func (f *Wrapped[T]) Lock(others ...any) Locked {
	b := fault.Must(wrapping.BoxOf(&f.field))
	return locked(wrapping.Lock(b, others))
}

// LockAll does for the wrapped values among the arguments what [Wrapped.Lock] does.
func LockAll(wrapped ...any) Locked { return locked(wrapping.Lock(nil, wrapped)) }

func locked(gates wrapping.Locked, err error) Locked {
	fault.Check(err)
	return Locked{gates}
}

// Needed raises a TypeError for an argument that is None where the func fails for nil. `selfsame-ffi wrap` writes such calls.
func Needed(given bool, argument string) {
	if !given {
		panic(fault.New("TypeError", "argument '%s': expected a value, got None", argument))
	}
}

// WrapOption is an option of [Wrap].
type WrapOption interface{ applyToWrapping(*wrapping.Options) }

type wrapOption func(*wrapping.Options)

func (f wrapOption) applyToWrapping(o *wrapping.Options) { f(o) }

// ByValue says that T's own methods, not those of *T, are what Go code expects: code that takes any or an interface gets a copy
// of the value instead of a pointer to it.
func ByValue() WrapOption { return wrapOption(func(o *wrapping.Options) { o.ByValue = true }) }

// Shared says that goroutines may use one value at the same time, so that calls on an object need no lock.
func Shared() WrapOption { return wrapOption(func(o *wrapping.Options) { o.Shared = true }) }

// Constants says that a number or text type is an enum, of which these are the members: Python code gets them where Go code gives a value
// of the type.
func Constants[T any](values ...T) WrapOption {
	return wrapOption(func(o *wrapping.Options) {
		for _, value := range values {
			o.Constants = append(o.Constants, value)
		}
	})
}

//go:noinline
func readWrapOptions(options []WrapOption) (o wrapping.Options) {
	for _, option := range options {
		option.applyToWrapping(&o)
	}
	return o
}

// Wrap makes objects of the class C stand for Go values of the types *T and T, wherever those stand in signatures; C has a
// Wrapped[*T]. As long as either side holds it, a Go pointer is one object. A T is copied into memory of its own; one of a basic
// type is one object for all equal values, and its plain Python value is accepted too. None is a nil pointer.
//
// key is that of the class, which is registered afterwards. Wrap must come before the first registration that has one of the
// types in a signature. It returns true. Where another package of the program has given the types a class already, C is
// that class too, and adds what methods it has not. Any goroutine may call it.
func Wrap[C, T any](key string, options ...WrapOption) bool {
	return wrapped(wrapping.Wrap[T](reflect.TypeFor[C](), reflect.TypeFor[Wrapped[*T]](), key, readWrapOptions(options)))
}

// wrapped reports the error of a Wrap, if there is one.
func wrapped(err error) bool {
	if err != nil {
		link.Failed(err)
	}
	return true
}

// Fields says which attributes of the class C are fields of the struct type T, for which C stands: the names of both in turn. That in Go
// begins with & where the attribute shows the field at its place, and with = where Python may set it too. Python reads them where Go has
// them, and sets numbers there. It must come before the registration of C. It returns true.
func Fields[C, T any](names ...string) bool {
	fields(reflect.TypeFor[C](), reflect.TypeFor[T](), names)
	return true
}

// fields does the work of Fields, and is not one for each T.
func fields(class, t reflect.Type, names []string) {
	registry.Extend(class, func(o *registry.ClassOptions) {
		for i := 0; i+1 < len(names); i += 2 {
			name, writable := strings.CutPrefix(names[i+1], "=")
			name, shown := strings.CutPrefix(name, "&")
			offset, e := wrapping.FieldOf(t, name)
			if e.Format == 0 || shown != (e.Format == bridge.FormatValue) {
				continue
			}
			o.GetterInMemory(names[i], registry.ReadsField(offset, e))
			if writable && e.Number == 0 && e.Format != bridge.FormatText {
				o.SetterInMemory(names[i], registry.SetsField(offset, e))
			}
		}
	})
}

// Implementation is an object of a Python class that implements a Go interface. A struct that embeds it, with the interface's
// methods written with [PythonMethod], is the Go value of such an object; when it goes back to Python it is the object again.
type Implementation struct{ implementation }

type implementation = wrapping.Implementation

// PythonMethod returns the method of an object's Python class as a Go func. F is a func type as for [selfsame.Bind]: when the method
// raises, a func without an error result panics. In a process without Python the func fails.
func PythonMethod[F any](i Implementation, name string) F {
	return fault.Must(wrapping.PythonMethod[F](i.implementation, name))
}

// WrapInterface makes objects of the class C stand for values of the interface I, wherever I stands in a signature; C has a
// Wrapped[I]. A value whose type was given to [Wrap] is an object of that type's class. Objects of all these classes are accepted
// where Go takes an I, if their values implement it. With implement, which may be nil, objects of Python classes that derive from
// C are accepted too: it makes the Go value of one. What [Wrap] says of its use holds for WrapInterface.
func WrapInterface[C, I any](key string, implement func(Implementation) I, options ...WrapOption) bool {
	var make func(wrapping.Implementation) any
	if implement != nil {
		make = func(i wrapping.Implementation) any { return implement(Implementation{i}) }
	}
	return wrapped(wrapping.WrapInterface[I](reflect.TypeFor[C](), reflect.TypeFor[Wrapped[I]](), key, make, readWrapOptions(options)))
}

// Implementing makes the Go values of objects of Python classes that derive from several interfaces, which are given by the keys of their
// classes: Go code then finds that such a value is one of each. What [Wrap] says of its use holds; the classes were given to WrapInterface.
func Implementing(implement func(Implementation) any, keys ...string) bool {
	wrapping.Implementing(func(i wrapping.Implementation) any { return implement(Implementation{i}) }, keys)
	return true
}

// WrapAny makes any type of the interface I, which has no methods, cross as any does. What [Wrap] says of its use holds.
func WrapAny[I any]() bool { return wrapped(wrapping.WrapAny[I]()) }

// WrapOthers makes the class C, which has a Wrapped[any], that of Go values whose types have no class and no other form.
func WrapOthers[C any](key string) bool {
	return wrapped(wrapping.WrapOthers(reflect.TypeFor[C](), reflect.TypeFor[Wrapped[any]](), key))
}

// ReprOf returns the text with which Python code makes an object of a class from its plain value: a bool, a number or a string.
// Generated code makes repr() of it.
func ReprOf(class string, value any) string {
	switch x := value.(type) {
	case string:
		return class + "(" + strconv.Quote(x) + ")"
	case bool:
		return class + map[bool]string{true: "(True)", false: "(False)"}[x]
	}
	return fmt.Sprintf("%s(%v)", class, value)
}

// Found returns a value, and whether there is one, as one of two methods says beside the other.
func Found[V any](value V, found bool) (V, bool) { return value, found }
