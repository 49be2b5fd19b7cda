package containers

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// SliceOf copies elements into a new slice. It panics like reader.at.
func SliceOf[E any](what string, items []abi.Any) []E {
	out := make([]E, len(items))
	switch typed := any(out).(type) {
	case []int64:
		copyNumbers(what, items, abi.IndexInt, typed)
	case []float64:
		copyNumbers(what, items, abi.IndexFloat, typed)
	default:
		var r convert.Reader[E]
		for i := range items {
			e, err := r.Read(&items[i])
			if err != nil {
				panic(convert.WrongElement[E](what, i, err))
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
		n, err := new(convert.Reader[N]).Read(&items[i])
		if err != nil {
			panic(convert.WrongElement[N](what, i, err))
		}
		out[i] = n
	}
}
