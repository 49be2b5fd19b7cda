package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
)

// Slices and maps of numbers, bools and text are converted by loops that the compiler knows the types of, without a call
// for each element. A loop gives up at the first element of another type; then the general conversion converts all again,
// and finds what is wrong or how such an element converts.

// reads is the conversion of one element: false when its value has another type.
type reads[E any] func(v *abi.Any) (e E, ok bool)

func readsInt64(v *abi.Any) (int64, bool) { return v.Int64(), v.TypeIndex == abi.IndexInt }

func readsFloat64(v *abi.Any) (float64, bool) { return v.Float64(), v.TypeIndex == abi.IndexFloat }

func readsBool(v *abi.Any) (bool, bool) { return v.Bits != 0, v.TypeIndex == abi.IndexBool }

func readsText(v *abi.Any) (string, bool) { return v.Text() }

// bulkSlice stores at dst a slice of the elements. It returns false, and stores nothing, when an element has another type or
// there is no loop for the type of the elements.
func bulkSlice(inner *conv, items []abi.Any, dst unsafe.Pointer) bool {
	switch inner.fast {
	case fastInt64:
		return readSlice(items, dst, readsInt64)
	case fastFloat64:
		return readSlice(items, dst, readsFloat64)
	case fastBool:
		return readSlice(items, dst, readsBool)
	case fastString:
		return readSlice(items, dst, readsText)
	}
	return false
}

func readSlice[E any](items []abi.Any, dst unsafe.Pointer, read reads[E]) bool {
	out := make([]E, len(items))
	for i := range items {
		e, ok := read(&items[i])
		if !ok {
			return false
		}
		out[i] = e
	}
	*(*[]E)(dst) = out // a slice of any type with such elements has this layout
	return true
}

// bulkMap is bulkSlice for a Go map.
func bulkMap(key, value *conv, cell *container.Cell, dst unsafe.Pointer) bool {
	switch key.fast {
	case fastString:
		return mapWithKeys(cell, value, dst, readsText)
	case fastInt64:
		return mapWithKeys(cell, value, dst, readsInt64)
	}
	return false
}

func mapWithKeys[K comparable](cell *container.Cell, value *conv, dst unsafe.Pointer, key reads[K]) bool {
	switch {
	case value.fast == fastInt64:
		return readMap(cell, dst, key, readsInt64)
	case value.fast == fastFloat64:
		return readMap(cell, dst, key, readsFloat64)
	case value.fast == fastString:
		return readMap(cell, dst, key, readsText)
	case value.fast == fastBool:
		return readMap(cell, dst, key, readsBool)
	case value.goType == anyType:
		return readMap(cell, dst, key, func(v *abi.Any) (e any, ok bool) {
			return e, value.from(v, unsafe.Pointer(&e)) == nil
		})
	}
	return false
}

func readMap[K comparable, V any](cell *container.Cell, dst unsafe.Pointer, key reads[K], value reads[V]) bool {
	out := make(map[K]V, cell.Size)
	for pair := range cell.All {
		k, ok := key(&pair.Key)
		if !ok {
			return false
		}
		v, ok := value(&pair.Value)
		if !ok {
			return false
		}
		out[k] = v
	}
	*(*map[K]V)(dst) = out // as is a map of any types with the same kinds
	return true
}

// bulkValues makes owned values of the elements of a slice at first; nil when there is no loop for their type.
func bulkValues(inner *conv, first unsafe.Pointer, n int) []abi.Any {
	switch inner.fast {
	case fastInt64:
		return writeValues(unsafe.Slice((*int64)(first), n), abi.Int)
	case fastFloat64:
		return writeValues(unsafe.Slice((*float64)(first), n), abi.Float)
	case fastBool:
		return writeValues(unsafe.Slice((*bool)(first), n), abi.Bool)
	}
	return nil
}

func writeValues[E any](elems []E, write func(E) abi.Any) []abi.Any {
	owned := make([]abi.Any, len(elems))
	for i, e := range elems {
		owned[i] = write(e)
	}
	return owned
}

var _ = reflect.Slice
