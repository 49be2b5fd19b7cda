package wrapping

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// Why Python reads Go's memory itself. A call into Go costs as much as several steps of a Python loop, and most of what programs ask an
// object for is a number or a text that lies at a known place. Go does not move what it has allocated, and an object keeps its value. So
// the Python package takes the gate, where nobody has it, and reads or writes there; in any other case it calls Go as before. It finds the
// objects that stand for Go pointers in the table of pointers; Go makes those that are not there. It writes numbers only: Go's collector
// must see each pointer that is stored. A goroutine of the library that changes a field without the gate races with readers in Go as well.

// Shown is the value of a box that shows what lies elsewhere.
type Shown interface{ Memory() bridge.Memory }

// memory returns where the value of a box is, as other languages read it.
func (w *wrapping) memory(b *Box) (m bridge.Memory) {
	if b.copied != nil {
		return m
	}
	if w.pointsTo != nil {
		m = MemoryOf(w.pointsTo, pointerIn(b.value))
	} else if shown, ok := b.value.(Shown); ok {
		m = shown.Memory()
	}
	m.Gate = unsafe.Pointer(b.gate)
	return m
}

// pointerIn returns the pointer that a value of type any is, without reflection.
func pointerIn(value any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&value))[1] }

// MemoryOf returns the memory of a value at p.
func MemoryOf(t reflect.Type, p unsafe.Pointer) bridge.Memory {
	m := bridge.Memory{At: p, Table: unsafe.Pointer(&identities.pointers)}
	switch t.Kind() {
	case reflect.Slice:
		m.Length, m.Elements = -1, ElementsOf(t.Elem())
	case reflect.Array:
		m.Length, m.Elements = t.Len(), ElementsOf(t.Elem())
	}
	return m
}

// show tells where the value of a box is that an object with the box keeps.
func (w *wrapping) show(object unsafe.Pointer, b *Box) {
	if value := *(*unsafe.Pointer)(unsafe.Add(object, offset)); value != nil {
		bridge.SetMemory(value, w.memory(b))
	}
}

var formats = map[reflect.Kind]string{
	reflect.Bool: "?", reflect.Int8: "b", reflect.Int16: "h", reflect.Int32: "i", reflect.Int64: "q", reflect.Int: "iq",
	reflect.Uint8: "B", reflect.Uint16: "H", reflect.Uint32: "I", reflect.Uint64: "Q", reflect.Uint: "IQ",
	reflect.Float32: "f", reflect.Float64: "d", reflect.String: string(bridge.FormatText),
}

// formatOf returns how memory of a type is read that Python has as no more than a number or a text, 0 for other types.
func formatOf(t reflect.Type) byte {
	format := formats[t.Kind()]
	if format == "" || t.PkgPath() != "" || convert.IsForeign(t) {
		return 0
	}
	if len(format) == 2 { // of 4 or of 8 bytes
		return format[t.Size()/8]
	}
	return format[0]
}

// Lies is set by package live: it returns the number of the container in memory of a type, 0 for another type.
var Lies func(t reflect.Type) uint64

// ElementsOf returns how elements of a type are read, of a container that shows its elements where they are.
func ElementsOf(t reflect.Type) bridge.Elements {
	e := bridge.Elements{Format: formatOf(t), Size: t.Size()}
	if e.Format != 0 {
		return e
	}
	if t.Kind() == reflect.Pointer {
		if found, ok := wrappedTypes.Load(t); ok {
			if w := found.(*wrapping); w.holds == t && !w.isOfBasic() {
				e.Format, e.Number = bridge.FormatPointer, w.number
			}
		}
		return e
	}
	if in := InPlaceOf(t); in != nil {
		e.Format, e.Number = bridge.FormatValue, in.w.number
	} else if e.Number = Lies(t); e.Number != 0 {
		e.Format = bridge.FormatValue
	}
	return e
}

// FieldOf returns where a field is in a struct of a type, and how it is read.
func FieldOf(t reflect.Type, name string) (offset uintptr, e bridge.Elements) {
	if t.Kind() != reflect.Struct {
		return 0, e
	}
	found, ok := t.FieldByName(name)
	if !ok {
		return 0, e
	}
	for i := range found.Index {
		if t.Kind() != reflect.Struct { // an embedded pointer
			return 0, e
		}
		field := t.Field(found.Index[i])
		offset, t = offset+field.Offset, field.Type
	}
	return offset, ElementsOf(t)
}

// The head of a gate is what C takes it for.
var _ = [1]struct{}{}[unsafe.Offsetof(Gate{}.owner)-bridge.GateOwnerAt]
