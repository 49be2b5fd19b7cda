// Package live has objects that show slices, arrays and maps of Go: what other languages do with such an object happens to the
// container itself.
//
// Why a container is an object and not a copy. What Go shares is shared: a program that appends to a field, in whatever language it
// is written, expects the field to be longer. A copy loses that without a word. So an object knows where Go has the container, and
// each use reads it there, under the lock of the object that it belongs to. Elements that are containers are such objects themselves;
// structs are the objects of their classes, where they lie. A map has its values at no address, so what is made of one is a copy that
// is loaded before each use and stored after it. What Go gives a callback is such an object as well, since a func in Go could write in it.
package live

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
)

// Container is a slice, an array or a map of Go's that an object shows.
type Container struct {
	*kind
	at    unsafe.Pointer // of the slice, array or map
	place wrapping.Place
	gate  *wrapping.Gate
	fixed bool // its place is not Go's own, so that Go would not see another length, or a map instead of nil

	up   *Container    // nil: at is where Go has it
	key  reflect.Value // of the value in the map up, of which at has a copy; not valid for a part of such a copy
	gone bool          // the map has no such key any more
}

// part tells objects at one address apart, and those of values in a map.
type part struct {
	of  any // the part of the container that it lies in
	t   reflect.Type
	key any // in a map; of a slice that a func returned its length
}

// enter keeps others from the container until the returned gate, if there is one, is left.
func (c *Container) enter() (in *wrapping.Gate, err error) {
	if c.gate != nil {
		entered, err := c.gate.Enter(goroutine.Locking(), nil)
		if err != nil {
			return nil, err
		}
		if entered {
			in = c.gate
		}
	}
	if c.up != nil {
		c.Load()
	}
	return in, nil
}

func leave(in *wrapping.Gate) {
	if in != nil {
		in.Leave()
	}
}

// Load reads a value of a map again.
func (c *Container) Load() {
	if c.up == nil {
		return
	}
	c.up.Load()
	if !c.key.IsValid() {
		return
	}
	value := c.up.value().MapIndex(c.key)
	if c.gone = !value.IsValid(); !c.gone {
		c.value().Set(value)
	}
}

// Store writes a value of a map back, unless the map has no such key any more.
func (c *Container) Store() {
	if c.up == nil {
		return
	}
	if c.key.IsValid() && !c.gone {
		c.up.value().SetMapIndex(c.key, c.value())
	}
	c.up.Store()
}

// Memory implements [wrapping.Shown]. A map, and what lies in the value of one, is read in Go.
func (c *Container) Memory() (m bridge.Memory) {
	if c.up == nil && c.t.Kind() != reflect.Map {
		m = wrapping.MemoryOf(c.t, c.at)
	}
	return m
}

// value returns the slice, array or map, which can be set.
func (c *Container) value() reflect.Value { return reflect.NewAt(c.t, c.at).Elem() }

// SelfsamePointer returns what a func that takes any value gets: the container, or a pointer to an array.
func (c *Container) SelfsamePointer() any {
	if c.t.Kind() == reflect.Array {
		return reflect.NewAt(c.t, c.at).Interface()
	}
	return c.value().Interface()
}

// Of returns the container that an object shows: one of the classes of this package, or of a class of a slice, array or map type.
// It is nil for other objects.
func Of(object unsafe.Pointer) (*Container, error) {
	b, err := wrapping.Of(object)
	if err != nil || b == nil {
		return nil, err
	}
	if c, ok := b.Value().(*Container); ok {
		return c, nil
	}
	v := reflect.ValueOf(b.Value())
	if v.Kind() != reflect.Pointer || !isContainer(v.Type().Elem()) {
		return nil, nil
	}
	k, err := kindOf(v.Type().Elem())
	if err != nil {
		return nil, err
	}
	return b.Seen(func() any {
		up, _ := b.Copied().(*Container)
		c := partOf(up, k.t, v.UnsafePointer(), b.GateWithin())
		c.kind = k
		return c
	}).(*Container), nil
}

// receiver does Of's work for the object of a method.
func receiver(object unsafe.Pointer) (*Container, error) {
	c, err := Of(object)
	if err == nil && c == nil {
		err = fault.New("RuntimeError", "the object has no container of Go; its Python class must call __init__ of the class that it derives from")
	}
	return c, err
}

// refuseFixed returns the error of a change that Go would not see.
func (c *Container) refuseFixed() error {
	if c.t.Kind() == reflect.Array {
		return fault.New("TypeError", "an array of Go has a fixed length, here %d", c.t.Len())
	}
	return fault.New("TypeError", "only Go can give this %s another length, as it has it in no field; change a list of it", c.t.Kind())
}
