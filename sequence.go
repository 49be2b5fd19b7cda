package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Loops over the elements of an Array or List that the caller holds. The elements are looked up anew in each round,
// because the body of the loop may change a List.
//
// The loops over numbers are written out, with the body's own type: what a range statement pays per element is then the
// test of the element's type and the call of its body.

func rangeOver[E any](what string, held unsafe.Pointer, yield func(int, E) bool) {
	cell := abi.SeqOf(held)
	switch typed := any(yield).(type) {
	case func(int, int64) bool:
		rangeNumbers(what, cell, abi.IndexInt, typed)
	case func(int, float64) bool:
		rangeNumbers(what, cell, abi.IndexFloat, typed)
	default:
		var r reader[E]
		for i := 0; i < int(cell.Size); i++ {
			if !yield(i, r.at(what, cell, i)) {
				return
			}
		}
	}
}

func rangeValues[E any](what string, held unsafe.Pointer, yield func(E) bool) {
	cell := abi.SeqOf(held)
	switch typed := any(yield).(type) {
	case func(int64) bool:
		rangeNumberValues(what, cell, abi.IndexInt, typed)
	case func(float64) bool:
		rangeNumberValues(what, cell, abi.IndexFloat, typed)
	default:
		var r reader[E]
		for i := 0; i < int(cell.Size); i++ {
			if !yield(r.at(what, cell, i)) {
				return
			}
		}
	}
}

func rangeBackward[E any](what string, held unsafe.Pointer, yield func(int, E) bool) {
	cell := abi.SeqOf(held)
	var r reader[E]
	for i := int(cell.Size) - 1; i >= 0; i-- {
		i = min(i, int(cell.Size)-1) // the body may have removed some
		if i < 0 || !yield(i, r.at(what, cell, i)) {
			return
		}
	}
}

// rangeNumbers reads payloads of a type index as they are; N is int64 or float64, both of 8 bytes.
func rangeNumbers[N int64 | float64](what string, cell *abi.SeqCell, index int32, yield func(int, N) bool) {
	for i := 0; i < int(cell.Size); i++ {
		item := itemAt(cell, i)
		n := *(*N)(unsafe.Pointer(&item.Bits))
		if item.TypeIndex != index {
			n = new(reader[N]).at(what, cell, i)
		}
		if !yield(i, n) {
			return
		}
	}
}

func rangeNumberValues[N int64 | float64](what string, cell *abi.SeqCell, index int32, yield func(N) bool) {
	for i := 0; i < int(cell.Size); i++ {
		item := itemAt(cell, i)
		n := *(*N)(unsafe.Pointer(&item.Bits))
		if item.TypeIndex != index {
			n = new(reader[N]).at(what, cell, i)
		}
		if !yield(n) {
			return
		}
	}
}

// itemAt is element i of a cell that has it.
func itemAt(cell *abi.SeqCell, i int) *abi.Any {
	return (*abi.Any)(unsafe.Add(cell.Data, uintptr(i)*unsafe.Sizeof(abi.Any{})))
}

// at panics when the element is not an E.
func (r *reader[E]) at(what string, cell *abi.SeqCell, i int) E {
	e, err := r.read(itemAt(cell, i))
	if err != nil {
		panic(wrongElement[E](what, i, err))
	}
	return e
}

// sliceOf copies elements into a new slice.
func sliceOf[E any](what string, items []abi.Any) []E {
	out := make([]E, len(items))
	switch typed := any(out).(type) {
	case []int64:
		copyNumbers(what, items, abi.IndexInt, typed)
	case []float64:
		copyNumbers(what, items, abi.IndexFloat, typed)
	default:
		var r reader[E]
		for i := range items {
			e, err := r.read(&items[i])
			if err != nil {
				panic(wrongElement[E](what, i, err))
			}
			out[i] = e
		}
	}
	return out
}

func copyNumbers[N int64 | float64](what string, items []abi.Any, index int32, out []N) {
	for i := range items {
		if items[i].TypeIndex == index {
			out[i] = *(*N)(unsafe.Pointer(&items[i].Bits))
			continue
		}
		n, err := new(reader[N]).read(&items[i])
		if err != nil {
			panic(wrongElement[N](what, i, err))
		}
		out[i] = n
	}
}
