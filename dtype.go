package selfsame

import (
	"reflect"
	"unsafe"

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

// textualConv makes the conversion of DataType or Device, for which text is accepted too.
func textualConv[V any](key string, index int32, kind bridge.Kind, read func(abi.Any) V, write func(V) abi.Any) *conv {
	c := plainConv(key, index, kind, read, write)
	from := c.from
	parse := func(v *abi.Any) (abi.Any, error) {
		plain, ok, failed := bridge.Plain(kind, *v)
		if err, _ := takeError(failed).(*Error); err != nil {
			return plain, newError(err.Kind, "%s", err.Message) // without the native object, so that the caller can add the argument
		}
		if !ok {
			return plain, mismatched(v)
		}
		return plain, nil
	}
	c.check = func(v *abi.Any) error {
		if v.TypeIndex == index {
			return nil
		}
		_, err := parse(v)
		return err
	}
	c.from = func(v *abi.Any, dst unsafe.Pointer) error {
		if v.TypeIndex == index {
			return from(v, dst)
		}
		plain, err := parse(v)
		if err != nil {
			return err
		}
		return from(&plain, dst)
	}
	return c
}

// TensorElement is the constraint of Go types that can be the elements of a tensor.
type TensorElement interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~complex64 | ~complex128 | ~bool
}

// DataTypeOf returns the data type of a Go type.
func DataTypeOf[E TensorElement]() DataType { return dataTypeOf(reflect.TypeFor[E]()) }

// dataTypeOf returns the data type of a number or bool type.
func dataTypeOf(t reflect.Type) DataType {
	d := DataType{Bits: uint8(8 * t.Size()), Lanes: 1}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.Code = abi.CodeInt
	case reflect.Float32, reflect.Float64:
		d.Code = abi.CodeFloat
	case reflect.Complex64, reflect.Complex128:
		d.Code = abi.CodeComplex
	case reflect.Bool:
		d.Code = abi.CodeBool
	default:
		d.Code = abi.CodeUInt
	}
	return d
}
