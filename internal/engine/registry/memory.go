package registry

import (
	"fmt"
	"strings"
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

// ReadsField says that a method returns a field of a format, as wrapping.FieldOf has both.
func ReadsField(offset uintptr, format byte) MemoryUse { return ofField("field", offset, format) }

// SetsField says that a method sets such a field.
func SetsField(offset uintptr, format byte) MemoryUse { return ofField("set_field", offset, format) }

func ofField(use string, offset uintptr, format byte) MemoryUse {
	return MemoryUse(fmt.Sprintf(`%q,%d,%q`, use, offset, string(format)))
}

// InMemory says what a method does in memory.
func (o *ClassOptions) InMemory(method string, use MemoryUse) {
	if o.inMemory == nil {
		o.inMemory = map[string]MemoryUse{}
	}
	o.inMemory[method] = use
}

// withMemory adds to the metadata of a method what it does in memory.
func withMemory(metadata string, use MemoryUse) string {
	if use == "" {
		return metadata
	}
	return strings.TrimSuffix(metadata, "}") + `,"go_memory":[` + string(use) + "]}"
}
