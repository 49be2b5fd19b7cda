package registry

import (
	"fmt"
	"strings"

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
