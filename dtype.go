package selfsame

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// DataType is the type of a tensor's elements: a kind of number, its bits and its lanes. It may be a parameter, a result, an
// element and a field of a class struct; where one is expected, text such as "float32" is accepted too.
type DataType = abi.DataType

// Device is the device whose memory a tensor uses: its kind and its number. It may be a parameter, a result, an element and
// a field of a class struct; where one is expected, text such as "cuda:1" is accepted too.
type Device = abi.Device

// CPU is the device of memory that Go code can read.
var CPU = Device{Type: abi.DeviceCPU}

// ParseDataType returns the data type of a text such as float32, int8x4, bool or float8_e4m3fn. It fails with a ValueError
// for other text.
func ParseDataType(text string) (DataType, error) {
	v, err := parsePlain(bridge.KindDType, text)
	return v.DataType(), err
}

// ParseDevice returns the device of a text such as cpu or cuda:1. It fails with a ValueError for other text.
func ParseDevice(text string) (Device, error) {
	v, err := parsePlain(bridge.KindDevice, text)
	return v.Device(), err
}

// parsePlain makes a DataType or Device value (by kind) of text.
func parsePlain(kind bridge.Kind, text string) (abi.Any, error) {
	if err := runtimeBound(); err != nil {
		return abi.Any{}, err
	}
	v, err := newText(text)
	if err != nil {
		return abi.Any{}, err
	}
	defer releaseValue(v)
	plain, _, failed := bridge.Plain(kind, v)
	return plain, takeError(failed)
}

// TensorElement is the constraint of Go types that can be the elements of a tensor.
type TensorElement interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~complex64 | ~complex128 | ~bool
}

// DataTypeOf returns the data type of a Go type.
func DataTypeOf[E TensorElement]() DataType { return dataTypeOf(reflect.TypeFor[E]()) }
