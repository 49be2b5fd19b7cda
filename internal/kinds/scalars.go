package kinds

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Scalar is a kind of number or bool of Go: a row of Scalars.
type Scalar struct {
	Go    reflect.Kind
	Bits  uint8
	Code  uint8 // the DLDataTypeCode of tensors with such elements
	Index int32 // the type index of such a value; abi.IndexAny: the ABI has no kind for it
}

// Scalars are Go's numbers and bools. What each can do stands in tables of the packages that do it: conversions
// (convert.NewConvOfKind), elements of tensors and slices (elementReaders and the typed loops of package convert), fields
// (bridge.Kind, field_get.c, field_set.c). TestEveryScalarIsConverted and TestEveryScalarIsReadFromATensor fail where one is
// missing. A type of elements that Go has no kind for, such as float16, cannot be a row: it stays a tensor.
var Scalars = []Scalar{
	{reflect.Bool, 8, abi.CodeBool, abi.IndexBool},
	{reflect.Int, 64, abi.CodeInt, abi.IndexInt},
	{reflect.Int8, 8, abi.CodeInt, abi.IndexInt},
	{reflect.Int16, 16, abi.CodeInt, abi.IndexInt},
	{reflect.Int32, 32, abi.CodeInt, abi.IndexInt},
	{reflect.Int64, 64, abi.CodeInt, abi.IndexInt},
	{reflect.Uint, 64, abi.CodeUInt, abi.IndexInt},
	{reflect.Uint8, 8, abi.CodeUInt, abi.IndexInt},
	{reflect.Uint16, 16, abi.CodeUInt, abi.IndexInt},
	{reflect.Uint32, 32, abi.CodeUInt, abi.IndexInt},
	{reflect.Uint64, 64, abi.CodeUInt, abi.IndexInt},
	{reflect.Uintptr, 64, abi.CodeUInt, abi.IndexAny},
	{reflect.Float32, 32, abi.CodeFloat, abi.IndexFloat},
	{reflect.Float64, 64, abi.CodeFloat, abi.IndexFloat},
	{reflect.Complex64, 64, abi.CodeComplex, abi.IndexAny},
	{reflect.Complex128, 128, abi.CodeComplex, abi.IndexAny},
}

// byKind has the scalars by their kind in Go; those of other kinds are zero.
var byKind = func() (rows [reflect.UnsafePointer + 1]Scalar) {
	for _, s := range Scalars {
		rows[s.Go] = s
	}
	return rows
}()

// ScalarOf returns the scalar of a kind of Go; ok is false for a kind that is neither a number nor a bool.
func ScalarOf(kind reflect.Kind) (s Scalar, ok bool) {
	s = byKind[kind]
	return s, s.Bits != 0
}

// DataType returns the data type of a tensor of such elements.
func (s Scalar) DataType() abi.DataType { return abi.DataType{Code: s.Code, Bits: s.Bits, Lanes: 1} }
