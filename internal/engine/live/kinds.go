package live

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
)

// kind is what is known of a type of containers.
type kind struct {
	t       reflect.Type
	slice   reflect.Type  // of arrays the type of a slice of the same elements
	whole   *convert.Conv // of all of it, with Python's containers; nil where elements are objects of their own
	taken   *convert.Conv // of what takes the place of elements: a slice, or a map
	keyConv *convert.Conv // of a map
	keys    *convert.Conv // of a slice of its keys, with Python's containers
	element element
	is      Shape
}

// Shape says what an object is in other languages.
type Shape int

// The shapes.
const (
	Sequence Shape = iota
	Numbers        // a sequence whose memory others can share
	Mapping
	Set
)

// Word returns how the type attribute __ffi_operators__ calls a shape.
func (s Shape) Word() string { return [...]string{"sequence", "numbers", "mapping", "set"}[s] }

// isContainer says whether an object can show values of a type. Bytes are bytes.
func isContainer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return t.Elem().Kind() != reflect.Uint8
	case reflect.Map:
		return true
	}
	return false
}

// isBytes says whether a type is a slice of bytes, of which an object shows only what a callback fills.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !convert.IsForeign(t)
}

// ShapeOf returns the shape of a type of containers.
func ShapeOf(t reflect.Type) Shape {
	switch {
	case t.Kind() == reflect.Map && t.Elem() == reflect.TypeFor[struct{}]():
		return Set
	case t.Kind() == reflect.Map:
		return Mapping
	case isNumber(t.Elem()):
		return Numbers
	}
	return Sequence
}

// isNumber says whether elements of a type are in memory as other languages have them. Those with a class are not: they are objects.
func isNumber(t reflect.Type) bool {
	k := t.Kind()
	return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr && !convert.IsForeign(t) && t != reflect.TypeFor[time.Duration]()
}

var kinds sync.Map // reflect.Type -> *kind

func kindOf(t reflect.Type) (*kind, error) {
	if known, ok := kinds.Load(t); ok {
		return known.(*kind), nil
	}
	k := &kind{t: t, is: ShapeOf(t)}
	var err error
	plain := func(t reflect.Type) *convert.Conv {
		c, failed := convert.ForPlain(t)
		if failed != nil {
			err = failed
			return nil
		}
		return c
	}
	if k.element, err = elementOf(t.Elem()); err != nil {
		return nil, err
	}
	unnamed := t // a class may stand for the type itself
	if t.Kind() == reflect.Map {
		unnamed = reflect.MapOf(t.Key(), t.Elem())
		if k.keyConv, err = convert.ForKey(t.Key(), convert.ForPlain); err != nil {
			return nil, err
		}
		k.keys = plain(reflect.SliceOf(t.Key()))
	} else {
		k.slice = reflect.SliceOf(t.Elem())
		unnamed = k.slice
	}
	if isBytes(t) { // its elements are numbers, as those of a memoryview
		k.taken, err = convert.SliceConv(unnamed, convert.ForPlain)
	} else {
		k.taken = plain(unnamed)
	}
	if err != nil {
		return nil, err
	}
	if !k.element.isObject() {
		k.whole = convert.PlainResult(k.taken)
	}
	if k.keys != nil {
		k.keys = convert.PlainResult(k.keys)
	}
	known, _ := kinds.LoadOrStore(t, k)
	return known.(*kind), nil
}

// element is how the elements of a container cross.
type element struct {
	t       reflect.Type
	conv    *convert.Conv
	inPlace *wrapping.InPlace
	live    bool // they are containers themselves
}

func elementOf(t reflect.Type) (e element, err error) {
	e.t = t
	if e.conv, err = convert.ForPlain(t); err != nil {
		return e, err
	}
	if e.inPlace = wrapping.InPlaceOf(t); e.inPlace == nil {
		e.live = isContainer(t) && !convert.IsForeign(t)
	}
	if !e.isObject() {
		e.conv = convert.PlainResult(e.conv)
	}
	return e, nil
}

// from stores at p the Go value of a borrowed value that takes the place of an element.
func (e *element) from(given convert.Given, p unsafe.Pointer) error {
	return convertGiven(e.conv, given, p)
}

// convertGiven converts a value, and says what is wrong with one of another type.
func convertGiven(c *convert.Conv, given convert.Given, p unsafe.Pointer) error {
	err := c.From(given.Any, p)
	if m, ok := err.(*convert.Mismatch); ok {
		return m.Refused("", c.Name())
	}
	return err
}

// isObject says whether elements are objects that show them where they are.
func (e *element) isObject() bool { return e.inPlace != nil || e.live }

// to makes *v an owned value of the element at p, of a container that the caller has entered.
func (e *element) to(c *Container, p unsafe.Pointer, v *abi.Any) (err error) {
	if !e.isObject() {
		return e.conv.To(p, v)
	}
	var up *Container
	if c.up != nil && c.t.Kind() == reflect.Array {
		up = c
	}
	return e.object(partOf(up, e.t, p, c.gate), v)
}

// partOf returns what lies at p: within the copy that up has of a value, if up is not nil.
func partOf(up *Container, t reflect.Type, p unsafe.Pointer, gate *wrapping.Gate) *Container {
	c := &Container{at: p, place: placeOf(t, p), gate: gate, up: up}
	if up != nil {
		c.place = wrapping.Place{Pointer: up.place.Pointer, Part: part{of: up.place.Part, t: t, key: uintptr(p) - uintptr(up.at)}}
	}
	return c
}

// placeOf returns the place of what lies at p in memory of Go's.
func placeOf(t reflect.Type, p unsafe.Pointer) wrapping.Place {
	return wrapping.Place{Pointer: uintptr(p), Part: part{t: t}, Number: numberOf(t)}
}

var numbers sync.Map // reflect.Type -> the number of such containers in memory

// numberOf returns it, 0 for a type that is no container or has a class.
func numberOf(t reflect.Type) uint64 {
	if !isContainer(t) || convert.IsForeign(t) || !HasClass(ShapeOf(t)) {
		return 0
	}
	if known, ok := numbers.Load(t); ok {
		return known.(uint64)
	}
	number := wrapping.NumberOf(classes[ShapeOf(t)], t)
	numbers.Store(t, number)
	return number
}

// ofMap does to's work for a value of a map with a key. p is a copy, which the object owns.
func (e *element) ofMap(c *Container, key reflect.Value, p unsafe.Pointer, v *abi.Any) error {
	if !e.isObject() {
		return e.conv.To(p, v)
	}
	return e.object(&Container{
		at: p, place: wrapping.Place{Pointer: c.place.Pointer, Part: part{of: c.place.Part, t: e.t, key: key.Interface()}}, gate: c.gate,
		up: c, key: key,
	}, v)
}

// object makes *v the object of an element.
func (e *element) object(within *Container, v *abi.Any) error {
	var object unsafe.Pointer
	var err error
	switch {
	case e.live:
		if within.kind, err = kindOf(e.t); err == nil {
			object, err = within.object()
		}
	case within.up != nil:
		within.kind = &kind{t: e.t}
		object, err = e.inPlace.Copied(within.at, within.place, within, within.gate)
	default:
		object, err = e.inPlace.At(within.at, within.gate)
	}
	if err == nil {
		*v = abi.ObjectValue(object)
	}
	return err
}
