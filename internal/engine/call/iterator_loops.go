package call

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
)

// Loops over iterators of frequent element types, without reflection for each element.

// typedLoop runs the loop at seq, and yields each element as an owned value.
type typedLoop func(seq unsafe.Pointer, element *convert.Conv, yield func(v abi.Any, err error) bool)

// typedLoops has the loops by the type of yield.
var typedLoops = map[reflect.Type]typedLoop{}

func init() {
	addTypedLoop[bool]()
	addTypedLoop[int]()
	addTypedLoop[int8]()
	addTypedLoop[int16]()
	addTypedLoop[int32]()
	addTypedLoop[int64]()
	addTypedLoop[uint]()
	addTypedLoop[uint8]()
	addTypedLoop[uint16]()
	addTypedLoop[uint32]()
	addTypedLoop[uint64]()
	addTypedLoop[float32]()
	addTypedLoop[float64]()
	addTypedLoop[string]()
	addTypedLoop[[]byte]()
	addTypedLoop[any]()
}

func addTypedLoop[E any]() {
	typedLoops[reflect.TypeFor[func(E) bool]()] = func(seq unsafe.Pointer, element *convert.Conv, yield func(abi.Any, error) bool) {
		loop := *(*func(func(E) bool))(seq)
		// The conversion is an unknown func, so what it is given lies on the heap: once for all elements.
		var e E
		var v abi.Any
		loop(func(x E) bool {
			e, v = x, abi.Any{}
			if err := element.To(unsafe.Pointer(&e), &v); err != nil {
				return yield(abi.Any{}, inIterator(err))
			}
			return yield(v, nil)
		})
	}
}
