// Package wrapping has objects that stand for Go values of types of other packages: classes with a gen.Wrapped.
//
// [Wrap] and [WrapInterface] tie a class to a Go type. An object of such a class has a word behind its header that refers to an object of
// the class selfsame.GoValue, which keeps a [Box] with the Go value.
package wrapping

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
)

// offset is where an object of a wrapping class has the word that refers to its box.
const offset = unsafe.Sizeof(abi.Object{})

// Options are the options of a wrapping.
type Options struct {
	ByValue bool // code that takes any or an interface gets the element of the pointer
	Shared  bool // the type may be used by several goroutines at once

	Constants []any // of an enum, in Python, its members' values
}

// wrapping is what is known of a class with a Wrapped. But for alive and members, nothing changes it once it is announced.
type wrapping struct {
	Options
	class     *typetable.Class
	key       string       // of the class, which may not be registered yet
	holds     reflect.Type // what the Wrapped holds: a pointer or an interface type
	pointsTo  reflect.Type // of a Wrap: the element of holds; else nil
	element   func(pointer any) any
	implement func(Implementation) any // makes the Go value of an object of a Python class; nil: there are none
	unions    []union                  // with other interfaces, those of more methods first
	name      *bridge.TypeName         // of holds, in messages
	number    uint64                   // in identities of pointers
	alive     int                      // how many of its boxes identities has
	plain     func() *convert.Conv     // of an enum: the conversion of its values
	members   sync.Map                 // the values of Constants -> *handles.State of the opaque objects of their members
}

var (
	wrappings    sync.Map // *typetable.Class -> *wrapping
	wrappedTypes sync.Map // reflect.Type of a Go value -> *wrapping
)

// announce checks the class and makes the wrapping known.
func (w *wrapping) announce(field reflect.Type) error {
	if err := w.check(field); err != nil {
		return err
	}
	if _, known := wrappings.LoadOrStore(w.class, w); known {
		return fault.New("RuntimeError", "selfsame: Wrap: %s stands for a type already", w.class.GoType)
	}
	w.class.Foreign, w.number = ValueOf, numberOf(w.key)
	w.name = bridge.NameOf(w.holds)
	return nil
}

// check refuses a class whose second part is not of the type field.
func (w *wrapping) check(field reflect.Type) error {
	t := w.class.GoType
	if !typetable.IsClassStruct(t) || t.NumField() != 2 || t.Field(0).Type != typetable.ObjectType || t.Field(1).Type != field {
		return fault.New("TypeError", "selfsame: Wrap: expected a class of selfsame.Object and %s, got %s", field, t)
	}
	return nil
}

// Announce makes a class, whose second part must be of the type field, that of objects which a higher layer makes.
func Announce(class, field reflect.Type, key string) (*typetable.Class, error) {
	w := &wrapping{class: typetable.Of(class), key: key, holds: field}
	return w.class, w.announce(field)
}

// Is says whether an object is one of a wrapping class.
func Is(object unsafe.Pointer) bool { return of(object) != nil }

// joined makes the class of w that of a type which an earlier package has given a class, and returns whether there is such a class. Both
// stand for the same Go values in the same form.
func (w *wrapping) joined(field reflect.Type) bool {
	first, known := wrappedTypes.Load(w.holds)
	if !known {
		return false
	}
	of := first.(*wrapping)
	if of.holds != w.holds || !of.class.Registered() || w.class == of.class || w.check(field) != nil {
		return false
	}
	w.class.Joins, w.class.Native, w.class.Foreign = of.class, of.class.Native, ValueOf
	return true
}

// add gives a Go type its conversion.
func (w *wrapping) add(t reflect.Type, conv func() (*convert.Conv, error)) error {
	wrappedTypes.Store(t, w)
	if err := convert.AddForeign(t, conv); err != nil {
		return fault.New("RuntimeError", "selfsame: Wrap: %s", fault.Reason(err))
	}
	return nil
}

// NameOf returns the name of a type that has a class, or of a pointer to one; "" for another type.
func NameOf(t reflect.Type) string {
	w, known := wrappedTypes.Load(t)
	if !known {
		return ""
	}
	name := w.(*wrapping).key
	if t.Kind() == reflect.Pointer {
		name = "*" + name
	}
	return name
}

// TypeNamed returns the type of a name that [NameOf] returned, nil for another name.
func TypeNamed(name string) (found reflect.Type) {
	wrappedTypes.Range(func(t, _ any) bool {
		if t := t.(reflect.Type); NameOf(t) == name {
			found = t
		}
		return found == nil
	})
	return found
}

// keyOf returns the identity of a value of one of the wrapping's types.
func (w *wrapping) keyOf(value any) identity {
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() != reflect.Pointer || v.IsNil():
		return identity{}
	case w.isOfBasic():
		value := v.Elem().Interface()
		if value != value { // a NaN is not equal to itself
			return identity{}
		}
		return identity{class: w, value: value}
	}
	return w.identityOf(v.UnsafePointer())
}

// isOfBasic says whether objects stand for numbers or texts, so that equal ones are one object.
func (w *wrapping) isOfBasic() bool {
	return w.holds.Kind() == reflect.Pointer && isBasic(w.holds.Elem().Kind())
}

func isBasic(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Uint64 || k == reflect.Float32 || k == reflect.Float64 || k == reflect.String
}

func (w *wrapping) newBox(key identity, value any) *Box {
	b := &Box{value: value, key: key}
	if !w.Shared {
		b.gate = identities.gateFor(key, &b.own)
	}
	return b
}

// fill stores a box in a new object.
func (w *wrapping) fill(object unsafe.Pointer, b *Box) error {
	value, err := typetable.NewGoValue(b, w.holds)
	if err == nil {
		values.SwapObject((*uintptr)(unsafe.Add(object, offset)), value)
		w.show(object, b)
	}
	return err
}

// Set gives a new object of a wrapping class its value. It fails for an object of another class.
func Set(object unsafe.Pointer, value any) error {
	w := of(object)
	if w == nil {
		return fault.New("RuntimeError", "the class was not given to gen.Wrap")
	}
	b := w.newBox(w.keyOf(value), value)
	if err := w.fill(object, b); err != nil {
		return err
	}
	if other := identities.enter(b, object); other != nil {
		handles.DecRef(other)
	}
	return nil
}

// object returns an owned reference to the object of a Go value: a pointer that is not nil, or what an interface holds.
func (w *wrapping) object(value any) (object unsafe.Pointer, err error) {
	return w.objectWith(w.keyOf(value), value)
}

// objectWith does that for a value with an identity.
func (w *wrapping) objectWith(key identity, value any) (object unsafe.Pointer, err error) {
	if known := w.known(key); known != nil {
		return known, nil
	}
	return w.newObject(w.newBox(key, value))
}

// known returns an owned reference to the object that has an identity, nil when there is none.
func (w *wrapping) known(key identity) unsafe.Pointer {
	if key.class == nil {
		return nil
	}
	if member := w.member(key.value); member != nil {
		return member
	}
	return identities.find(key)
}

// objectOf does object's work for the box of the value, which another box with its identity may stand for.
func (w *wrapping) objectOf(b *Box) (object unsafe.Pointer, err error) {
	if known := w.known(b.key); known != nil {
		return known, nil
	}
	return w.newObject(b)
}

func (w *wrapping) newObject(b *Box) (object unsafe.Pointer, err error) {
	b.kept = b
	if object, err = registry.NewKeeping(w.class, &b.kept, w.name); err != nil {
		return nil, err
	}
	w.show(object, b)
	if other := identities.enter(b, object); other != nil { // another goroutine was faster
		handles.DecRef(object)
		return other, nil
	}
	return object, nil
}

// boxed returns the box of a borrowed value that is an object of the wrapping's class; nil with a mismatch for others.
func (w *wrapping) boxed(v *abi.Any) (*Box, error) {
	if !v.IsObject() || !w.class.IsInstance(v.TypeIndex) {
		return nil, convert.Mismatched(v)
	}
	b, err := Of(v.Pointer())
	if err == nil && b == nil {
		err = w.noValue()
	}
	return b, err
}
