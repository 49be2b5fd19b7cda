package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// sliceOf copies elements into a new slice. It panics like reader.at.
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
