package gen

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// ObjectHandle is a handle of an object of any class, for Go types of handles of classes that other code registers. Such
// a type embeds it and has no other field; that of a derived class embeds that of its parent, and so has the parent's
// methods:
//
//	type Shape struct{ gen.ObjectHandle }
//	type Circle struct{ Shape }
//
//	var ShapeClass = gen.Declare[Shape]("geo.Shape")
//	var CircleClass = gen.Declare[Circle]("geo.Circle")
//
// A *Circle is the one handle of its object, as a *[selfsame.Handle] is: handles compare with ==, any goroutine may use them, and
// they are released like those. It may stand in signatures, fields and containers; nil is None. &circle.Shape is the
// handle as one of the parent's class. Only calls and fields make handles; the zero value is not usable.
type ObjectHandle = selfsame.Handle[selfsame.Object]

// Declared is a class that other code registers, with T as the Go type of its handles. Any goroutine may use it.
type Declared[T any] struct {
	class *typetable.Class
}

// Declare makes T the Go type of the handles of a class, which other code registers under the type key before or after. T
// is a struct that embeds [ObjectHandle] or another such struct, and has no other field. Objects of the class then become
// *T where a Go type any stands; so do those of derived classes that are not declared themselves. Declare is for package
// variables: it panics with a TypeError when T is another type, and with a RuntimeError when T or the key is declared
// already.
func Declare[T any](key string) *Declared[T] {
	c := fault.Must(typetable.Declare(key, reflect.TypeFor[T](), func(s *handles.State) any { return (*T)(unsafe.Pointer(s)) }))
	return &Declared[T]{c}
}

// DeclareStruct makes T the class struct of a class that other code registers, so that structs of Go classes may embed it:
//
//	type ShapeObject struct {
//		selfsame.Object
//		Label selfsame.String
//	}
//
//	var _ = gen.DeclareStruct[ShapeObject]("geo.Shape")
//
//	type Square struct {
//		ShapeObject
//		Side float64
//	}
//
// T begins with the class struct of the parent class, or with [selfsame.Object], and has the size of the class's objects. selfsame-ffi
// bind --go writes such structs. [selfsame.Register] of the Go class then fails while the library that has the parent is not loaded, and
// when the library's reflection data does not tell what all of the memory of an object is. A new object of the Go class has the
// parent's defaults. Its methods are the parent's; the parent's C++ destructor does not run, but all that its fields own is
// released. DeclareStruct is for package variables: it panics with a TypeError when T is no class struct, and with a
// RuntimeError when T stands for a class already. It returns true.
func DeclareStruct[T any](key string) bool {
	fault.Check(registry.DeclareStruct(reflect.TypeFor[T](), key))
	return true
}

// Key returns the type key.
func (d *Declared[T]) Key() string { return d.class.Key }

// TypeIndex returns the type index, -1 while no library has registered the class.
func (d *Declared[T]) TypeIndex() int32 {
	if link.Bound() != nil {
		return -1
	}
	return d.class.FindDeclared()
}

// As returns the handle as a *T, the same pointer under another type, if the object is of the class or of a class derived
// from it. It reports false for a nil handle and panics for a released one.
func (d *Declared[T]) As(h selfsame.AnyHandle) (*T, bool) {
	state, object := convert.Public.Handle(h)
	if state == nil || d.TypeIndex() < 0 || !d.class.IsInstance(abi.TypeIndexOf(object)) {
		return nil, false
	}
	return (*T)(unsafe.Pointer(state)), true
}

// Cast converts the handle of an object that is known to be of the class, as [Declared.As] does. It panics with a TypeError
// when the object is not.
func (d *Declared[T]) Cast(h selfsame.AnyHandle) *T {
	c, ok := d.As(h)
	if !ok {
		got := "None"
		if state, _ := convert.Public.Handle(h); state != nil {
			got = h.TypeKey()
		}
		panic(fault.New("TypeError", "Cannot convert from type `%s` to `%s`", got, d.class.Key))
	}
	return c
}

// Accessor is a field of a class that is known by name, with V as its Go type. The first use looks it up. Any goroutine
// may use it; the fields of an object have no lock.
type Accessor[V any] struct {
	accessor *call.Accessor
}

// AccessorOf returns the field that a class registers itself, by type key. It looks nothing up.
func AccessorOf[V any](key, name string) *Accessor[V] {
	return &Accessor[V]{call.NewAccessor(reflect.TypeFor[V](), key, name)}
}

// Get returns the field of an object. It fails with a RuntimeError while the class is not registered, with an AttributeError
// when it has no such field, and with a TypeError when the object is of another class or the field's value is no V.
func (a *Accessor[V]) Get(h selfsame.AnyHandle) (V, error) {
	state, object := convert.Public.Handle(h)
	if state == nil {
		return *new(V), fault.New("ValueError", "selfsame: Accessor: a nil handle was used")
	}
	return call.ReadField[V](a.accessor, state, object)
}

// MustGet returns the field of an object as [Accessor.Get] does. It panics where that fails.
func (a *Accessor[V]) MustGet(h selfsame.AnyHandle) V {
	return fault.Must(a.Get(h))
}

// Set sets the field of an object to a copy or a reference of value. It fails as [Accessor.Get] does, with an AttributeError
// when the field is read only, and with the setter's error.
func (a *Accessor[V]) Set(h selfsame.AnyHandle, value V) error {
	state, object := convert.Public.Handle(h)
	if state == nil {
		return fault.New("ValueError", "selfsame: Accessor: a nil handle was used")
	}
	return call.SetField(a.accessor, state, object, value)
}

var keywordsMarker = GlobalOf[func() (selfsame.AnyHandle, error)]("ffi.GetKwargsObject")

// Keywords returns the value that stands, in a call of a constructor, in front of the names and values of fields that it takes by
// keyword alone. Code that selfsame-ffi bind writes calls it. Any goroutine may call it.
func Keywords() selfsame.Native {
	return fault.Must(Invoke0(keywordsMarker))
}
