package convert

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// ForKey returns the conversion of a type whose values are keys of a map or elements of a set. A struct whose fields are all exported is
// also accepted as a tuple of its fields, as Python writes such keys.
func ForKey(t reflect.Type, lookup Lookup) (*Conv, error) {
	c, err := lookup(t)
	if err != nil || !hasParts(t) {
		return c, err
	}
	// A tuple is made when one comes: a field may lead to the type itself.
	tuple := sync.OnceValues(func() (*Conv, error) {
		return tupleConv(t, func(field reflect.Type) (*Conv, error) { return ForKey(field, lookup) })
	})
	read := func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		err := c.Lend(v, dst, lent)
		if _, other := err.(*Mismatch); !other {
			return err
		}
		parts, failed := tuple()
		if failed != nil {
			return err
		}
		fill := func(v *abi.Any) error { return parts.Lend(v, dst, lent) }
		switch v.TypeIndex {
		case abi.IndexArray, abi.IndexList:
			return fill(v)
		case abi.IndexLentItems:
			return throughContainer(abi.IndexArray, (*abi.LentValues)(v.Pointer()).Views(), fill)
		case abi.IndexOpaquePyObject:
			if filled := throughElements(v, fill); filled == nil {
				return nil
			}
		}
		return err
	}
	made := *c
	made.SetFrom(read, c)
	made.Check = func(v *abi.Any) error { return made.From(v, reflect.New(t).UnsafePointer()) }
	return &made, nil
}

// hasParts says whether values of a type are what their fields are: those of a struct whose fields are all exported.
func hasParts(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumField() == 0 || typetable.IsClassStruct(t) || IsOwn(t) || embedsOwn(t) {
		return false
	}
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return false
		}
	}
	return true
}
