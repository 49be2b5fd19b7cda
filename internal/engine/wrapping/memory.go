package wrapping

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// Why Python reads Go's memory itself. A call into Go costs as much as several steps of a Python loop, and most of what programs ask an
// object for is a number or a text that lies at a known place. Go does not move what it has allocated, and an object keeps its value. So
// the Python package takes the gate, where nobody has it, and reads or writes there; in any other case it calls Go as before. It writes
// numbers only: Go's collector must see each pointer that is stored.

// Shown is the value of a box that shows what lies elsewhere.
type Shown interface{ Memory() bridge.Memory }

// memory returns where the value of a box is, as other languages read it.
func (w *wrapping) memory(b *Box) (m bridge.Memory) {
	if b.copied != nil {
		return m
	}
	if shown, ok := b.value.(Shown); ok {
		m = shown.Memory()
	} else if w.element != nil && w.holds.Kind() == reflect.Pointer {
		m = MemoryOf(w.holds.Elem(), reflect.ValueOf(b.value).UnsafePointer())
	}
	m.Gate = unsafe.Pointer(b.gate)
	return m
}

// MemoryOf returns the memory of a value at p.
func MemoryOf(t reflect.Type, p unsafe.Pointer) bridge.Memory {
	m := bridge.Memory{At: p}
	switch t.Kind() {
	case reflect.Slice:
		m.Length, m.Format = -1, FormatOf(t.Elem())
	case reflect.Array:
		m.Length, m.Format = t.Len(), FormatOf(t.Elem())
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
	reflect.Float32: "f", reflect.Float64: "d", reflect.String: "s",
}

// FormatOf returns how memory of a type is read: as Python's struct module calls numbers and bools, 's' for a text. It is 0 for other
// types, among them those that Python has as more than a number or a text.
func FormatOf(t reflect.Type) byte {
	format := formats[t.Kind()]
	if format == "" || t.PkgPath() != "" || convert.IsForeign(t) {
		return 0
	}
	if len(format) == 2 { // of 4 or of 8 bytes
		return format[t.Size()/8]
	}
	return format[0]
}

// FieldOf returns where a field is in a struct of a type, and its format; 0 for one that is read in Go.
func FieldOf(t reflect.Type, name string) (offset uintptr, format byte) {
	if t.Kind() != reflect.Struct {
		return 0, 0
	}
	found, ok := t.FieldByName(name)
	if !ok {
		return 0, 0
	}
	for i := range found.Index {
		if t.Kind() != reflect.Struct { // an embedded pointer
			return 0, 0
		}
		field := t.Field(found.Index[i])
		offset, t = offset+field.Offset, field.Type
	}
	return offset, FormatOf(t)
}

// The head of a gate is what C takes it for.
var (
	_ = [1]struct{}{}[unsafe.Offsetof(Gate{}.owner)-bridge.GateOwnerAt]
	_ = [1]struct{}{}[unsafe.Offsetof(Gate{}.waiting)-bridge.GateWaitingAt]
)
