package live

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// View is a result that shows a value of the type T where Go has it: a container, or a struct or container with a class.
type View[T any] struct {
	at    *T
	gate  *wrapping.Gate
	up    *Container // has the copy that the value lies in; nil: Go has it there
	fixed bool
}

// Within shows what lies within the Go value of an object.
func Within[T any](object unsafe.Pointer, at *T) (View[T], error) {
	b, err := wrapping.Of(object)
	if err != nil {
		return View[T]{}, err
	}
	up, _ := b.Copied().(*Container)
	return View[T]{at: at, gate: b.GateWithin(), up: up}, nil
}

// Variable shows a container in a package variable.
func Variable[T any](at *T) View[T] {
	return View[T]{at: at, gate: wrapping.GateAt(uintptr(unsafe.Pointer(at)))}
}

// Returned shows a container that a func returned and Go goes on using. It cannot get another length.
func Returned[T any](value T) View[T] { return View[T]{at: &value, fixed: true} }

// ReturnedBy does what Returned does for the result of a method of an object, which has its lock.
func ReturnedBy[T any](object unsafe.Pointer, value T) (View[T], error) {
	b, err := wrapping.Of(object)
	if err != nil {
		return View[T]{}, err
	}
	return View[T]{at: &value, gate: b.GateWithin(), fixed: true}, nil
}

// NewConv implements [convert.Converter].
func (View[T]) NewConv() (*convert.Conv, error) {
	t := reflect.TypeFor[T]()
	element := sync.OnceValues(func() (element, error) { return elementOf(t) })
	c := convert.CallConv("", "", nil, func(src unsafe.Pointer, v *abi.Any) error {
		view := (*View[T])(src)
		e, err := element()
		if err != nil {
			return err
		}
		if !e.isObject() { // nobody can change it
			return e.conv.To(unsafe.Pointer(view.at), v)
		}
		made := partOf(view.up, t, unsafe.Pointer(view.at), view.gate)
		if view.fixed {
			made.returned()
		}
		return e.object(made, v)
	})
	c.Name = func() string { return t.String() }
	c.Schema = func() string {
		if convert.IsForeign(t) {
			return schemaOfElement(reflect.PointerTo(t))
		}
		return schemaOf(t)
	}
	c.OnlyResult = "is a result; take a " + t.String()
	return c, nil
}

// argument makes the conversion of a container that Go code gives a callback.
func argument(t reflect.Type) *convert.Conv {
	if k := t.Kind(); k != reflect.Slice && k != reflect.Map || !isContainer(t) && !isBytes(t) || convert.IsForeign(t) || !HasClass(ShapeOf(t)) {
		return nil
	}
	k, err := kindOf(t)
	if err != nil {
		return nil
	}
	return convert.CallConv("", "", nil, func(src unsafe.Pointer, v *abi.Any) error {
		made := partOf(nil, t, src, nil)
		made.kind = k
		made.returned()
		object, err := made.object()
		if err == nil {
			*v = abi.ObjectValue(object)
		}
		return err
	})
}

// returned makes c a container that has no place of Go's own.
func (c *Container) returned() {
	c.fixed = true
	v := reflect.NewAt(c.place.Part.(part).t, c.at).Elem()
	if v.Kind() == reflect.Array { // a copy
		return
	}
	c.place = wrapping.Place{Pointer: v.Pointer(), Part: part{t: v.Type(), key: v.Len()}}
	if v.Kind() == reflect.Map {
		c.place.Part = part{t: v.Type(), key: 0}
	}
	if c.gate == nil {
		c.gate = wrapping.GateAt(c.place.Pointer)
	}
}

// schemaOf returns the schema of a container, with those of its parts.
func schemaOf(t reflect.Type) string {
	switch ShapeOf(t) {
	case Set:
		return convert.NestedSchema("go.MutableSet", schemaOfElement(t.Key()))
	case Mapping:
		return convert.NestedSchema("go.Mapping", schemaOfElement(t.Key()), schemaOfElement(t.Elem()))
	}
	return convert.NestedSchema("go.Sequence", schemaOfElement(t.Elem()))
}

func schemaOfElement(t reflect.Type) string {
	if isContainer(t) && !convert.IsForeign(t) {
		return schemaOf(t)
	}
	c, err := convert.ForPlain(t)
	if err != nil {
		return convert.LeafSchema("Any")
	}
	return c.Schema()
}

// SchemaOf returns what makes the schema of a container, when all classes have their keys.
func SchemaOf(t reflect.Type) func() string { return func() string { return schemaOf(t) } }

// classes has the class of each shape, once a package has registered them.
var classes [4]*typetable.Class

// SetClass makes a class that of the objects of a shape. The second part of the class must be of the type field.
func SetClass(is Shape, class, field reflect.Type, key string) error {
	c, err := wrapping.Announce(class, field, key)
	if err == nil {
		classes[is] = c
	}
	return err
}

// HasClass says whether a shape has a class.
func HasClass(is Shape) bool { return classes[is] != nil }

// object returns an owned reference to the object that shows the container.
func (c *Container) object() (unsafe.Pointer, error) {
	class := classes[c.is]
	if class == nil {
		return nil, fault.New("RuntimeError", "selfsame: no class shows %s: the package does not call selfsame.ShowContainers", c.t)
	}
	if known := wrapping.FindAt(class, c.place); known != nil {
		return known, nil
	}
	return wrapping.ObjectAt(class, c.place, c, c.gate)
}

// The conversions of slices, arrays and maps accept such objects.
func init() {
	convert.ShownArgument = argument
	wrapping.Lies = numberOf
	convert.Shown = func(object unsafe.Pointer) (value reflect.Value, ok bool) {
		if !wrapping.Is(object) {
			return value, false
		}
		c, err := Of(object)
		if err != nil || c == nil {
			return value, false
		}
		in, err := c.enter()
		if err != nil {
			return value, false
		}
		defer leave(in)
		return reflect.ValueOf(c.value().Interface()), true
	}
}
