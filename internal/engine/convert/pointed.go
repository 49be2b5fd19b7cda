package convert

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Pointing is implemented by what objects stand for that hold a value for Go code with a pointer to it.
type Pointing interface{ SelfsamePointer() any }

// PointedArgument is the type of a parameter that is a pointer to a slice, an array or a map of type T. It takes an object of P, which holds
// the value, None, and what a parameter of type T takes: that gets what the call changed, its length too.
type PointedArgument[P Pointing, T any] struct {
	place P
	at    *T
	taken pointed
}

// pointed is what a call needs to give an argument back.
type pointed struct {
	value  reflect.Value // what the pointer of the call leads to; not valid for None and for an object that holds the value
	source abi.Any
	back   *Written
	memory bool // Go writes in the memory of the argument
	first  sliceIdentity
}

// NewConv implements Converter.
func (PointedArgument[P, T]) NewConv() (*Conv, error) {
	place, err := For(reflect.TypeFor[P]())
	if err != nil {
		return nil, err
	}
	t := reflect.TypeFor[T]()
	of := t
	if t.Kind() == reflect.Array {
		of = reflect.SliceOf(t.Elem())
	}
	w, err := writableOf(of)
	if err != nil || w == nil {
		return nil, fault.New("TypeError", "%s is no type to which a func has a pointer: %v", t, err)
	}
	c := CallConv("", "", func(dst unsafe.Pointer, v *abi.Any) error {
		a := (*PointedArgument[P, T])(dst)
		switch {
		case v.TypeIndex == abi.IndexNone:
			return nil
		case v.IsObject() && len(place.Classes) > 0 && place.Classes[0].IsInstance(v.TypeIndex):
			if err := place.From(v, unsafe.Pointer(&a.place)); err != nil {
				return err
			}
			a.at = a.place.SelfsamePointer().(*T)
			return nil
		}
		at, err := a.taken.take(w, v, t)
		if err == nil {
			a.at = at.(*T)
		}
		return err
	}, nil)
	c.Traits = TraitsOf(place, w.conv)
	c.CallsOnly, c.OnlyParameter, c.Writes = true, "is a parameter only; use *"+t.String(), true
	c.CopiesBytes, c.tensor = w.isBytes(), w.conv.tensor
	c.Name = func() string { return "Union<" + w.conv.Name() + ", " + place.Name() + ">" }
	c.Schema = func() string { return NestedSchema("Optional", NestedSchema("Union", w.conv.Schema(), place.Schema())) }
	c.Type = TypeOnce(func() *bridge.Type { return KindType(bridge.KindAny, c.Name())() })
	return c, nil
}

// Go returns what the func gets.
func (a *PointedArgument[P, T]) Go() *T { return a.at }

// Place returns the object's value, nil for another argument. Its lock is that of the object.
func (a *PointedArgument[P, T]) Place() P { return a.place }

// GiveBack does what that of a [WrittenArgument] does.
func (a *PointedArgument[P, T]) GiveBack(function, parameter string) {
	raise(a.taken.giveBack(), function, parameter)
}

// take returns a pointer to the value of type t that the call gets of a borrowed value.
func (n *pointed) take(w *writable, v *abi.Any, t reflect.Type) (at any, err error) {
	value := reflect.New(w.t).Elem()
	if n.back, err = w.take(v, value, Writing{}); err != nil {
		n.back.end()
		return nil, err
	}
	if t.Kind() == reflect.Array {
		if value.Len() != t.Len() {
			n.back.end()
			return nil, &Mismatch{Got: fmt.Sprintf("%d elements, where Go has %d", value.Len(), t.Len())}
		}
		return value.Convert(reflect.PointerTo(t)).Interface(), nil // it has the memory of the slice
	}
	_, n.memory = TensorIn(v)
	n.value, n.source, n.first = value, *v, n.identity(value)
	if n.back != nil && n.back.store == nil {
		n.back.variable = value // the call may put another slice or map there
	}
	return value.Addr().Interface(), nil
}

// identity tells slices and maps apart.
func (n *pointed) identity(value reflect.Value) sliceIdentity {
	if value.Kind() == reflect.Map {
		return sliceIdentity{first: value.UnsafePointer()}
	}
	return identityOf(value)
}

func (n *pointed) giveBack() error {
	if !n.value.IsValid() || n.identity(n.value) == n.first {
		return n.back.GiveBack()
	}
	defer n.back.end()
	switch {
	case n.memory || n.back != nil && n.back.store != nil:
		return fault.New("TypeError", "the func gave it another length or other memory, which such memory cannot have; pass a list, or an object that holds the value")
	case n.back == nil: // it shows a container of Go, or is a copy
		return n.giveWhole(nil)
	case n.value.Kind() == reflect.Slice && (n.value.Len() != n.first.n || n.back.of.inner != nil):
		replaced, err := n.back.giveParts()
		if err != nil {
			return err
		}
		return n.giveWhole(replaced)
	}
	return n.back.giveBack()
}

// giveWhole gives the argument all elements of the slice or the map that the call has put into the place of its own.
func (n *pointed) giveWhole(replaced map[*Written]bool) error {
	if n.back != nil && n.back.fixed {
		return n.back.cannotChange()
	}
	back := n.back
	if back == nil {
		w, err := writableOf(n.value.Type())
		if err != nil {
			return err
		}
		back = &Written{of: w, source: n.source, variable: n.value}
	}
	if n.value.Kind() == reflect.Map {
		back.before = reflect.MakeMap(n.value.Type())
		return back.giveEntries()
	}
	var owned []abi.Any
	for i := range n.value.Len() {
		v, err := back.valueOf(n.value.Index(i), replaced)
		if err != nil {
			values.ReleaseAll(owned)
			return AtIndex("Array", i, err)
		}
		owned = append(owned, v)
	}
	return back.put("whole", owned...)
}
