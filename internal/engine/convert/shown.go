package convert

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Converter is a type of this package or of a higher layer that makes its own conversion.
type Converter interface{ NewConv() (*Conv, error) }

// Owned is a result that is converted already, an owned value.
type Owned struct{ Any abi.Any }

// NewConv implements Converter.
func (Owned) NewConv() (*Conv, error) {
	c := CallConv("Any", "Any", nil, func(src unsafe.Pointer, v *abi.Any) error {
		*v = (*Owned)(src).Any
		return nil
	})
	c.OnlyResult = "is what a func returns; take an any"
	return c, nil
}

// Given is an argument that is not converted yet. It is borrowed until the call ends.
type Given struct{ Any *abi.Any }

// NewConv implements Converter.
func (Given) NewConv() (*Conv, error) {
	c := CallConv("Any", "Any", func(dst unsafe.Pointer, v *abi.Any) error {
		(*Given)(dst).Any = v
		return nil
	}, nil)
	c.OnlyParameter = "is what a func takes; return an any"
	return c, nil
}

// Shown returns the Go slice, array or map that a borrowed object shows; ok is false for other objects. The layer that makes such
// objects sets it when the process starts.
var Shown func(object unsafe.Pointer) (value reflect.Value, ok bool)

// ShownArgument makes the conversion by which a callback gets a slice, an array or a map where Go has it. Bytes are so for a callback that
// fills them; others get bytes. It is nil for other types, and where no class shows containers. The layer that makes such objects sets it when the process starts.
var ShownArgument func(t reflect.Type) *Conv

// acceptShown makes the conversion of a slice, array or map type accept objects that show a container of Go: the same container where
// the types agree, otherwise a copy of its elements.
func (c *Conv) acceptShown(t reflect.Type) {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
	default:
		return
	}
	if IsForeign(t) || IsOwn(t) {
		return
	}
	if check := c.Check; check != nil {
		c.Check = func(v *abi.Any) error { return throughShown(v, t, nil, check(v), check) }
	}
	from, lend := c.From, c.lend
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		return throughShown(v, t, dst, from(v, dst), func(v *abi.Any) error { return from(v, dst) })
	}
	if lend != nil {
		c.lend = func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
			return throughShown(v, t, dst, lend(v, dst, lent), func(v *abi.Any) error { return lend(v, dst, nil) })
		}
	}
}

// throughShown converts an object that shows a container of Go, after the usual conversion has failed with err. It stores the same
// container where the types agree, and otherwise converts its elements with from. Other values get err.
func throughShown(v *abi.Any, t reflect.Type, dst unsafe.Pointer, err error, from func(v *abi.Any) error) error {
	if _, mismatched := err.(*Mismatch); !mismatched || !v.IsObject() || Shown == nil {
		return err
	}
	value, ok := Shown(v.Pointer())
	if !ok {
		return err
	}
	if value.Kind() == t.Kind() && value.CanConvert(t) {
		if dst != nil {
			reflect.NewAt(t, dst).Elem().Set(value.Convert(t))
		}
		return nil
	}
	c, failed := ForPlain(value.Type())
	if failed != nil || value.Kind() == reflect.Map && t.Kind() != reflect.Map {
		return err
	}
	memory := reflect.New(value.Type())
	memory.Elem().Set(value)
	var made abi.Any
	if err := c.To(memory.UnsafePointer(), &made); err != nil {
		return err
	}
	defer values.Release(made)
	return from(&made)
}

// PlainContainer returns an owned list or dict of Python, or in a process without Python an Array or Map. index is that of an Array
// or a Map; the views are its elements, or its keys and values in turn.
func PlainContainer(index int32, views []abi.Any) (abi.Any, error) {
	if pythonList.Function() != nil {
		return newPython(index, views)
	}
	return newNative(index, views)
}
