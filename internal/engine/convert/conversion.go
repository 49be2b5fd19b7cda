package selfsame

import (
	"context"
	"io"
	"math/big"
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// conv converts between one Go type and values of the ABI. Each Go type has one, made when a function, field or container
// type first needs it.
type conv struct {
	traits
	goType  reflect.Type
	element *conv               // of a slice type: of its elements
	name    func() string       // in messages: `int`, `Array<geo.Point>`
	schema  func() string       // the type_schema, JSON
	typ     func() *bridge.Type // the type's description for C

	check func(v *abi.Any) error                     // whether from accepts a borrowed value; nil: any value
	from  func(v *abi.Any, dst unsafe.Pointer) error // stores the Go value of a borrowed value at dst
	to    func(src unsafe.Pointer, v *abi.Any) error // *v becomes an owned value
	// toPython is set for slices and Go maps. It returns an owned value that has Python's own list or dict of the Go value at
	// src; ok is false where that needs the general conversion. The process must have pythonList.
	toPython func(src unsafe.Pointer) (made abi.Any, ok bool, err error)
	// named is set for func types. It returns the conversion with a name for the callback in messages.
	named func(what func() string) *conv
}

var convs sync.Map // reflect.Type -> *conv

var (
	anyType   = reflect.TypeFor[any]()
	errorType = reflect.TypeFor[error]()
)

// convLookup is the type of convFor and plainConvFor.
type convLookup = func(reflect.Type) (*conv, error)

// convFor returns the conversion of a Go type, or an error that says why there is none. Any goroutine may call it.
func convFor(t reflect.Type) (*conv, error) {
	if known, ok := convs.Load(t); ok {
		return known.(*conv), nil
	}
	c, err := newConv(t)
	if err != nil {
		return nil, err
	}
	c.goType = t
	c.fast = fastKindOf(c)
	c.plain = plainIndexOf(c.fast)
	known, _ := convs.LoadOrStore(t, c)
	return known.(*conv), nil
}

// newConv makes the conversion of a Go type, except for its fields goType, fast and plain.
func newConv(t reflect.Type) (*conv, error) {
	switch t {
	case anyType:
		return anyConv(), nil
	case errorType:
		return errorConv(), nil
	case reflect.TypeFor[*Error]():
		return errorObjectConv(), nil
	case reflect.TypeFor[unsafe.Pointer]():
		return pointerConv(), nil
	case reflect.TypeFor[abi.DataType]():
		return textualConv("DataType", abi.IndexDataType, bridge.KindDType, abi.Any.DataType, abi.DataTypeValue), nil
	case reflect.TypeFor[abi.Device]():
		return textualConv("Device", abi.IndexDevice, bridge.KindDevice, abi.Any.Device, abi.DeviceValue), nil
	case timeType:
		return timeConv(), nil
	case durationType:
		return durationConv(), nil
	case bigIntType:
		return bigIntConv(), nil
	case reflect.TypeFor[big.Int]():
		return nil, newError("TypeError", "big.Int must not be copied; use *big.Int")
	}
	if c, ok, err := public.conv(t); ok {
		return c, err
	}
	if hasJSONForm(t) {
		return jsonConv(t), nil
	}
	return newConvOfKind(t)
}

// newConvOfKind makes the conversion of a type that has none of its own, by the type's kind.
func newConvOfKind(t reflect.Type) (*conv, error) {
	if c, ok, err := calls.conv(t); ok {
		return c, err
	}
	if number, ok := kinds.ScalarOf(t.Kind()); ok && number.Index == abi.IndexInt {
		return intConv(t.Kind()), nil
	}
	switch t.Kind() {
	case reflect.Float32:
		return floatConv[float32](bridge.KindF32), nil
	case reflect.Float64:
		return floatConv[float64](bridge.KindF64), nil
	case reflect.Bool:
		return boolConv(), nil
	case reflect.String:
		return stringConv(), nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return bytesConv(), nil
		}
		return sliceConv(t, convFor)
	case reflect.Map:
		return goMapConv(t, convFor)
	case reflect.Array:
		return arrayConv(t, convFor)
	case reflect.Complex64, reflect.Complex128:
		return complexConv(t), nil
	case reflect.Struct:
		if !isClassStruct(t) && !isOwn(t) && !embedsOwn(t) {
			return recordConv(t)
		}
	case reflect.Pointer:
		switch e := t.Elem(); {
		case isClassStruct(e):
			return borrowedConv(e), nil
		case e.Kind() == reflect.Struct && !isOwn(e) && !embedsOwn(e), isPlainKind(e.Kind()):
			return pointerToConv(t, convFor)
		}
	}
	return nil, refused(t)
}

// embedsOwn says whether a struct type embeds a type of this package. As an argument of Call such a struct is what it
// embeds, so it is no record.
func embedsOwn(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && isOwn(f.Type) {
			return true
		}
	}
	return false
}

// isPlainKind says whether values of a kind are numbers, bools or text.
func isPlainKind(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Uint64 || k == reflect.Float32 || k == reflect.Float64 || k == reflect.String ||
		k == reflect.Complex64 || k == reflect.Complex128
}

// hasJSONForm says whether values of a type cross as what their MarshalJSON says.
func hasJSONForm(t reflect.Type) bool {
	if t.Kind() == reflect.Interface || isOwn(t) || t.Kind() == reflect.Pointer || isClassStruct(t) {
		return t == marshalerType
	}
	return isMarshaler(t)
}

// isOwn says whether t, or the type that it points to, is declared in this package. A struct of another package that embeds
// such a type has its methods too, but they would treat a part of the struct as the whole.
func isOwn(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() == objectType.PkgPath()
}

// isFieldType says whether t is a field type of this package, such as String.
func isFieldType(t reflect.Type) bool {
	return isOwn(t) && public.field(t) != nil
}

// typeOnce returns a function that makes a type's description for C at its first call.
func typeOnce(make func() *bridge.Type) func() *bridge.Type { return sync.OnceValue(make) }

var contextType = reflect.TypeFor[context.Context]()

var readerType = reflect.TypeFor[io.Reader]()

var writerType = reflect.TypeFor[io.Writer]()

// callTypes makes the conversions of types whose values call: funcs, iterators, channels and streams.
type callTypes struct {
	// conv returns the conversion of such a type; ok is false for other types.
	conv func(t reflect.Type) (c *conv, ok bool, err error)
	// iterator is conv for iterators alone, whose elements are converted as lookup says.
	iterator func(t reflect.Type, lookup convLookup) (c *conv, ok bool, err error)
}

// calls is set when the process starts, by the layer of calls, which needs the conversions itself.
var calls callTypes
