package python

import (
	"context"
	"iter"
	"maps"
	"reflect"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// This file has what packages need that selfsame-ffi bind --go --python writes. Functions that take a result with its error
// take both as they come, so that calls nest.

// Cast returns a handle as one of a Go type for a class: a struct that embeds [Object], or another such struct, and has no other
// field. It takes a result with its error, as [As] does. Python's None becomes nil. It does not look at the object's class, and
// panics with a TypeError when T is another type.
func Cast[T any](o *Object, err error) (*T, error) {
	if !isObjectStruct(reflect.TypeFor[T]()) {
		panic(fault.New("TypeError", "python: Cast: expected a struct whose only field is an embedded python.Object or another such "+
			"struct, got %s", reflect.TypeFor[T]()))
	}
	if err != nil || o == services.none {
		return nil, err
	}
	return (*T)(unsafe.Pointer(o)), nil
}

func isObjectStruct(t reflect.Type) bool {
	return typetable.BeginsWith(t, reflect.TypeFor[Object](), true)
}

// asObjects returns a type with *Object in the place of each handle of a class, which has the same layout in memory, and the
// containers around them: l for a slice or an array, d for a map. ok is false for a type without handles.
func asObjects(t reflect.Type) (made reflect.Type, containers string, ok bool) {
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.TypeFor[*Object](), "", isObjectStruct(t.Elem())
	case reflect.Slice:
		made, containers, ok = asObjects(t.Elem())
		if ok {
			made = reflect.SliceOf(made)
		}
		return made, "l" + containers, ok
	case reflect.Array:
		made, containers, ok = asObjects(t.Elem())
		if ok {
			made = reflect.ArrayOf(t.Len(), made)
		}
		return made, "l" + containers, ok
	case reflect.Map:
		made, containers, ok = asObjects(t.Elem())
		if ok {
			made = reflect.MapOf(t.Key(), made)
		}
		return made, "d" + containers, ok
	}
	return nil, "", false
}

// Placed returns the arguments of a call: those that are required, those of the options with these names that are among the
// keywords, which it takes out there, and the rest. It fails with a TypeError where one is not given that others follow: Python
// knows them by their places.
func Placed(required []any, keywords Kw, names []string, rest []any) ([]any, error) {
	missing := ""
	for _, name := range names {
		value, ok := keywords[name]
		switch {
		case !ok && missing == "":
			missing = name
		case ok && missing != "":
			return nil, selfsame.Errorf("TypeError", "python: the argument %s is given by its place, and %s before it is not given", name, missing)
		case ok:
			required = append(required, value)
			delete(keywords, name)
		}
	}
	if missing != "" && len(rest) > 0 {
		return nil, selfsame.Errorf("TypeError", "python: further arguments are given by their places, and %s before them is not given", missing)
	}
	return append(required, rest...), nil
}

// Done returns the error of a call whose result is of no use.
func Done(_ *Object, err error) error { return err }

// NewDict returns a new dict with the items of a Kw.
func NewDict(items Kw) (*Object, error) {
	args := make([]any, 0, 2*len(items))
	for _, name := range slices.Sorted(maps.Keys(items)) {
		args = append(args, name, argument(items[name]))
	}
	return object(services.newDict, args...)
}

// Iterate iterates over an object as [Object.All] does, with elements as [As] makes them. An error that it is given is the only
// one that the loop sees. A loop that ends early closes a generator.
func Iterate[T any](o *Object, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if err != nil {
			yield(*new(T), err)
			return
		}
		for element, err := range o.each(true) {
			if made, err := As[T](element, err); !yield(made, err) || err != nil {
				return
			}
		}
	}
}

// IterateAsync iterates over an asynchronous iterator, as Python's async for does. Each step is awaited as [Object.Await] does. A
// loop that ends early closes an asynchronous generator, and waits for that.
func IterateAsync[T any](ctx context.Context) func(*Object, error) iter.Seq2[T, error] {
	return func(o *Object, err error) iter.Seq2[T, error] {
		return func(yield func(T, error) bool) {
			if err == nil {
				o, err = o.CallMethod("__aiter__")
			}
			if err != nil {
				yield(*new(T), err)
				return
			}
			atEnd := false
			defer func() {
				if atEnd {
					return
				}
				if closes, _ := o.HasAttr("aclose"); closes {
					report(Done(Await(context.WithoutCancel(ctx))(o.CallMethod("aclose"))))
				}
			}()
			for !atEnd {
				next, failed := Await(ctx)(o.CallMethod("__anext__"))
				atEnd = failed != nil
				made, failed := As[T](next, failed)
				if Is(failed, "StopAsyncIteration") || !yield(made, failed) || failed != nil {
					return
				}
			}
		}
	}
}

// Await returns a func that awaits a coroutine as [Object.Await] does. The func takes the coroutine with its error.
func Await(ctx context.Context) func(*Object, error) (*Object, error) {
	return func(coroutine *Object, err error) (*Object, error) {
		if err != nil {
			return nil, err
		}
		return coroutine.Await(ctx)
	}
}

// With returns a func that runs body in a with statement, as [Object.With] does, with what is entered as [As] makes it. The func
// takes the context manager with its error.
func With[T any](body func(entered T) error) func(*Object, error) error {
	return func(manager *Object, err error) error {
		if err != nil {
			return err
		}
		return manager.With(func(entered *Object) error {
			made, err := As[T](entered, nil)
			if err != nil {
				return err
			}
			return body(made)
		})
	}
}

// Implementing returns what Python gets for a Go value that implements a protocol: a handle itself, else an object whose methods
// and properties are Go funcs. members returns these by their names; it is called once, and not for a handle or nil.
func Implementing(name string, value any, members func() (methods, properties map[string]any)) any {
	of := reflect.ValueOf(value)
	if !of.IsValid() || of.Kind() == reflect.Pointer && (of.IsNil() || isObjectStruct(of.Type().Elem())) {
		return value
	}
	methods, properties := members()
	args := []any{name, len(methods)}
	for _, each := range []map[string]any{methods, properties} {
		for name, f := range each {
			args = append(args, name, argument(f))
		}
	}
	made, err := object(services.implementing, args...)
	if err != nil {
		return value // the call says that it cannot be converted
	}
	return made
}
