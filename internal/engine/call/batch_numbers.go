package call

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// The numbers in the columns of a batch.

var int64Type, float64Type = convert.DataTypeOf(reflect.TypeFor[int64]()), convert.DataTypeOf(reflect.TypeFor[float64]())

// storers has how the value of a func's result, which is of the Go type with the data type, is stored as a number.
var storers = map[abi.DataType]func(v *abi.Any, at unsafe.Pointer){}

func init() {
	addInts[int8]()
	addInts[int16]()
	addInts[int32]()
	addInts[int64]()
	addInts[uint8]()
	addInts[uint16]()
	addInts[uint32]()
	addInts[uint64]()
	addFloats[float32]()
	addFloats[float64]()
	storers[convert.DataTypeOf(reflect.TypeFor[bool]())] = func(v *abi.Any, at unsafe.Pointer) { *(*bool)(at) = v.Bits != 0 }
}

func addInts[E int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64]() {
	storers[convert.DataTypeOf(reflect.TypeFor[E]())] = func(v *abi.Any, at unsafe.Pointer) { *(*E)(at) = E(v.Int64()) }
}

func addFloats[E float32 | float64]() {
	storers[convert.DataTypeOf(reflect.TypeFor[E]())] = func(v *abi.Any, at unsafe.Pointer) { *(*E)(at) = E(v.Float64()) }
}

func loadOtherNumber(t abi.DataType, at unsafe.Pointer, v *abi.Any) (err error) {
	made, fits := convert.ReadElement(t, at)
	if !fits {
		return fault.New("OverflowError", "expected an int of 64 bits (-2**63 to 2**63 - 1), got %d", *(*uint64)(at))
	}
	*v = made
	return nil
}

// batchType returns the data type of a column for a parameter or a result, nil for none: the zero one where the column has
// values. A uint64 may need more than the 64 bits of Python's native int.
func batchType(c *convert.Conv) abi.DataType {
	if c == nil || c.GoType == nil || !convert.IsNumber(c) {
		return abi.DataType{}
	}
	switch c.GoType.Kind() {
	case reflect.Uint, reflect.Uint64:
		return abi.DataType{}
	}
	return convert.DataTypeOf(c.GoType)
}
