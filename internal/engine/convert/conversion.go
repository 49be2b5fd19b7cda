package convert

import (
	"context"
	"io"
	"math/big"
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// Conv converts between one Go type and values of the ABI. Each Go type has one, made when a function, field or container
// type first needs it.
type Conv struct {
	Traits
	GoType  reflect.Type
	Element *Conv               // of a slice type: of its elements
	tensor  *copyTensor         // of a slice or array type: how a tensor is copied; nil: none is accepted
	Name    func() string       // in messages: `int`, `Array<geo.Point>`
	Schema  func() string       // the type_schema, JSON
	Type    func() *bridge.Type // the type's description for C

	Check func(v *abi.Any) error                     // whether From accepts a borrowed value; nil: any value
	From  func(v *abi.Any, dst unsafe.Pointer) error // stores the Go value of a borrowed value at dst
	// Leading does From's work for values at the front of items, which lie side by side from first on. It returns how many these
	// are: it stops at one that is not what most are. nil: it would stop at once.
	Leading func(items []abi.Any, first unsafe.Pointer) int
	// widened is set for numbers: see widenedInts.
	widened func(first unsafe.Pointer, n int) (wide unsafe.Pointer, list *pythonService, ok bool)
	To      func(src unsafe.Pointer, v *abi.Any) error // *v becomes an owned value
	// LoadPointer and StorePointer do the work of From and To for a pointer, without memory for it; nil: see FastPointer.
	LoadPointer  func(v *abi.Any) (unsafe.Pointer, error)
	StorePointer func(p unsafe.Pointer, v *abi.Any) error
	// lend does From's work with handles of lent; nil: see Lend.
	lend func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error
	// toPython is set for slices and Go maps. It returns an owned value that has Python's own list or dict of the Go value at
	// src; ok is false where that needs the general conversion. The process must have pythonList.
	toPython func(src unsafe.Pointer) (made abi.Any, ok bool, err error)
	// Named is set for func types. It returns the conversion with a name for the callback in messages.
	Named func(what func() string) *Conv
	// Lazily is set for iterators. It returns the conversion whose elements are made one at a time.
	Lazily func() *Conv
}

var convs sync.Map // reflect.Type -> *Conv

var (
	AnyType   = reflect.TypeFor[any]()
	ErrorType = reflect.TypeFor[error]()
)

// Lookup is the type of For and ForPlain.
type Lookup = func(reflect.Type) (*Conv, error)

// For returns the conversion of a Go type, or an error that says why there is none. Any goroutine may call it.
func For(t reflect.Type) (*Conv, error) {
	if known, ok := convs.Load(t); ok {
		return known.(*Conv), nil
	}
	c, err := newConv(t)
	if err != nil {
		return nil, err
	}
	c.GoType = t
	c.acceptShown(t)
	c.Fast = fastKindOf(c)
	c.BitsIndex = bitsIndexOf(c.Fast)
	known, _ := convs.LoadOrStore(t, c)
	return known.(*Conv), nil
}

// InPlaceOf gives the conversion what [For] has found of another one of the same type.
func (c *Conv) InPlaceOf(known *Conv) *Conv {
	c.GoType, c.Fast, c.BitsIndex = known.GoType, known.Fast, known.BitsIndex
	return c
}

// newConv makes the conversion of a Go type, except for its fields GoType, Fast and BitsIndex.
func newConv(t reflect.Type) (*Conv, error) {
	if c, ok, err := foreignConv(t); ok {
		return c, err
	}
	switch t {
	case AnyType:
		return anyConv(), nil
	case ErrorType:
		return errorConv(), nil
	case reflect.TypeFor[*fault.Error]():
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
	case emptyType:
		return emptyConv(), nil
	case bigIntType:
		return bigIntConv(), nil
	case reflect.TypeFor[big.Int]():
		return nil, fault.New("TypeError", "big.Int must not be copied; use *big.Int")
	}
	if c, ok, err := Public.Conv(t); ok {
		return c, err
	}
	if own, ok := reflect.Zero(t).Interface().(Converter); ok {
		return own.NewConv()
	}
	if hasJSONForm(t) {
		return jsonConv(t), nil
	}
	return NewConvOfKind(t)
}

// NewConvOfKind makes the conversion of a type that has none of its own, by the type's kind.
func NewConvOfKind(t reflect.Type) (*Conv, error) {
	if c, ok, err := Calls.Conv(t); ok {
		return c, err
	}
	if number, ok := kinds.ScalarOf(t.Kind()); ok && number.Index == abi.IndexInt {
		return takesMembers(intConv(t.Kind())), nil
	}
	switch t.Kind() {
	case reflect.Float32:
		return takesMembers(floatConv[float32](bridge.KindF32)), nil
	case reflect.Float64:
		return takesMembers(floatConv[float64](bridge.KindF64)), nil
	case reflect.Bool:
		return boolConv(), nil
	case reflect.String:
		return takesMembers(stringConv()), nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return bytesConv(), nil
		}
		return SliceConv(t, For)
	case reflect.Map:
		return goMapConv(t, For)
	case reflect.Array:
		return arrayConv(t, For)
	case reflect.Complex64, reflect.Complex128:
		return complexConv(t), nil
	case reflect.Struct:
		if !typetable.IsClassStruct(t) && !IsOwn(t) && !embedsOwn(t) {
			return recordConv(t)
		}
	case reflect.Pointer:
		switch e := t.Elem(); {
		case typetable.IsClassStruct(e):
			return BorrowedConv(e), nil
		case e.Kind() == reflect.Struct && !IsOwn(e) && !embedsOwn(e), isPlainKind(e.Kind()):
			return pointerToConv(t, For)
		}
	}
	return nil, refused(t)
}

// embedsOwn says whether a struct type embeds a type of the public package. As an argument of Call such a struct is what it
// embeds, so it is no record.
func embedsOwn(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && IsOwn(f.Type) {
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
	if t.Kind() == reflect.Interface || IsOwn(t) || t.Kind() == reflect.Pointer || typetable.IsClassStruct(t) {
		return t == marshalerType
	}
	return isMarshaler(t)
}

// IsOwn says whether t, or the type that it points to, is declared in a public package. A struct of another package that embeds
// such a type has its methods too, but they would treat a part of the struct as the whole.
func IsOwn(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return typetable.IsPublic(t.PkgPath()) || t == reflect.TypeFor[fault.Error]()
}

// IsFieldType says whether t is a field type of the public package, such as String.
func IsFieldType(t reflect.Type) bool {
	return IsOwn(t) && Public.Field(t) != nil
}

// TypeOnce returns a function that makes a type's description for C at its first call.
func TypeOnce(make func() *bridge.Type) func() *bridge.Type { return sync.OnceValue(make) }

var ContextType = reflect.TypeFor[context.Context]()

var ReaderType = reflect.TypeFor[io.Reader]()

var WriterType = reflect.TypeFor[io.Writer]()

// CallTypes makes the conversions of types whose values call: funcs, iterators, channels and streams.
type CallTypes struct {
	// Conv returns the conversion of such a type; ok is false for other types.
	Conv func(t reflect.Type) (c *Conv, ok bool, err error)
	// Iterator is Conv for iterators alone, whose elements are converted as lookup says.
	Iterator func(t reflect.Type, lookup Lookup) (c *Conv, ok bool, err error)
}

// Calls is set when the process starts, by the layer of calls, which needs the conversions itself.
var Calls CallTypes
