package selfsame

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Where a slice of numbers or bools is expected, a Tensor of one dimension in memory that the CPU can read, such as a NumPy
// array, is accepted. Elements of the slice's own type are copied together; others convert one by one, as those of a list.

// readsTensor reports whether a slice of such elements accepts a Tensor.
func readsTensor(inner *conv) bool {
	switch inner.goType.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Bool:
		return inner.goType.PkgPath() == "" // a type with a name may have a conversion of its own, as time.Duration has
	}
	return false
}

// tensorSlice stores at dst a slice of type t with copies of the elements of the Tensor v.
func tensorSlice(t reflect.Type, inner *conv, v *abi.Any, dst unsafe.Pointer) error {
	tensor := abi.TensorOf(v.Pointer())
	extents, steps := tensor.Extents(), tensor.Steps()
	switch tensor.Device.Type {
	case abi.DeviceCPU, abi.DeviceCUDAHost, abi.DeviceROCMHost:
	default:
		return newError("ValueError", "expected a tensor in memory that the CPU can read, got one on %s", tensor.Device)
	}
	if len(extents) != 1 || extents[0] < 0 {
		return newError("ValueError", "expected a tensor of one dimension, got shape %v", extents)
	}
	read, ok := elementReaders[tensor.DType]
	if !ok {
		return newError("TypeError", "expected a tensor of numbers, got one of %s", tensor.DType)
	}
	n, size, step := int(extents[0]), int(tensor.DType.Bits)/8, 1
	if steps != nil && n > 1 {
		step = int(steps[0])
	}
	if n > 0 && tensor.Data == nil {
		return newError("ValueError", "expected a tensor with memory, got one without")
	}
	out := reflect.MakeSlice(t, n, n)
	to := out.UnsafePointer()
	from := unsafe.Add(tensor.Data, tensor.ByteOffset)
	if step == 1 && tensor.DType == dataTypeOf(t.Elem()) && tensor.DType.Code != abi.CodeBool {
		copy(unsafe.Slice((*byte)(to), n*size), unsafe.Slice((*byte)(from), n*size))
	} else {
		for i := range n {
			element, ok := read(unsafe.Add(from, i*step*size))
			if !ok {
				return inElement(fmt.Sprintf("Array[index %d]", i), newError("OverflowError", "the number does not fit into 64 bits with a sign"))
			}
			if err := inner.from(&element, unsafe.Add(to, i*int(t.Elem().Size()))); err != nil {
				return atIndex("Array", i, err)
			}
		}
	}
	reflect.NewAt(t, dst).Elem().Set(out)
	return nil
}

// elementReaders are the funcs that read an element of a tensor, for the data types of numbers that Go has. Such a func returns
// false for a number that no value holds.
var elementReaders = map[DataType]func(unsafe.Pointer) (abi.Any, bool){
	DataTypeOf[int8]():   readInt[int8],
	DataTypeOf[int16]():  readInt[int16],
	DataTypeOf[int32]():  readInt[int32],
	DataTypeOf[int64]():  readInt[int64],
	DataTypeOf[uint8]():  readInt[uint8],
	DataTypeOf[uint16](): readInt[uint16],
	DataTypeOf[uint32](): readInt[uint32],
	DataTypeOf[uint64](): func(p unsafe.Pointer) (abi.Any, bool) {
		n := *(*uint64)(p)
		return abi.Int(int64(n)), n <= math.MaxInt64
	},
	DataTypeOf[float32](): func(p unsafe.Pointer) (abi.Any, bool) { return abi.Float(float64(*(*float32)(p))), true },
	DataTypeOf[float64](): func(p unsafe.Pointer) (abi.Any, bool) { return abi.Float(*(*float64)(p)), true },
	DataTypeOf[bool]():    func(p unsafe.Pointer) (abi.Any, bool) { return abi.Bool(*(*uint8)(p) != 0), true },
}

func readInt[E int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](p unsafe.Pointer) (abi.Any, bool) {
	return abi.Int(int64(*(*E)(p))), true
}
