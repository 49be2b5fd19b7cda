package registry

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// MemoryUse says what a method of an object does in the memory of its Go value, where the Python package can do it without a call into Go
// (package wrapping says why). It is an agreement with python/src/selfsame_ffi/_core/types/go_memory.c; "" for a method that does more.
type MemoryUse string

// What methods do: with the elements of a slice or an array, or with a field.
const (
	ReadsLength  MemoryUse = `"length"`
	ReadsElement MemoryUse = `"element"`
	SetsElement  MemoryUse = `"set_element"`
)

// ReadsField says that a method returns a field, as wrapping.FieldOf has it.
func ReadsField(offset uintptr, e bridge.Elements) MemoryUse { return ofField("field", offset, e) }

// SetsField says that a method sets such a field, a number.
func SetsField(offset uintptr, e bridge.Elements) MemoryUse { return ofField("set_field", offset, e) }

func ofField(use string, offset uintptr, e bridge.Elements) MemoryUse {
	return MemoryUse(fmt.Sprintf(`%q,%d,%q,%d`, use, offset, string(e.Format), e.Number))
}

// accessor says which method is meant: one of that name, or the getter or the setter of the property of that name. A library may have a
// method with the name of a setter.
type accessor struct {
	kind accessorKind
	name string
}

type accessorKind int8

const (
	method accessorKind = iota
	getter
	setter
)

func (m *Method) accessor() accessor {
	switch m.Property {
	case "":
		return accessor{method, m.Name}
	case m.Name:
		return accessor{getter, m.Property}
	}
	return accessor{setter, m.Property}
}

// InMemory says what a method that is no accessor does in memory.
func (o *ClassOptions) InMemory(name string, use MemoryUse) {
	o.setInMemory(accessor{method, name}, use)
}

// GetterInMemory says what the getter of a property does in memory.
func (o *ClassOptions) GetterInMemory(property string, use MemoryUse) {
	o.setInMemory(accessor{getter, property}, use)
}

// SetterInMemory says what the setter of a property does in memory.
func (o *ClassOptions) SetterInMemory(property string, use MemoryUse) {
	o.setInMemory(accessor{setter, property}, use)
}

func (o *ClassOptions) setInMemory(of accessor, use MemoryUse) {
	if o.inMemory == nil {
		o.inMemory = map[accessor]MemoryUse{}
	}
	o.inMemory[of] = use
}
