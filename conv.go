package selfsame

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// conv converts between one Go type and values of the ABI. Each Go type has one, made when a function, field or container
// type first needs it.
type conv struct {
	goType  reflect.Type
	fast    fastKind            // the fast path of typed and bound funcs
	plain   int32               // type index of the values whose 8 bytes are the Go value, or noPlain
	name    func() string       // in messages: `int`, `Array<geo.Point>`
	schema  func() string       // the type_schema, JSON
	typ     func() *bridge.Type // the type's description for C
	classes []*class            // the classes that occur in name and schema
	borrows bool                // the Go value is valid only while the value it was made from is
	// handleOf is set for a Go type that is the address of a handle state and does not accept None: for an instance of the
	// class handleOf, the address that handles.Fetch returns is the Go value.
	handleOf *class
	check    func(v *abi.Any) error                     // whether from accepts a borrowed value; nil: any value
	from     func(v *abi.Any, dst unsafe.Pointer) error // stores the Go value of a borrowed value at dst
	to       func(src unsafe.Pointer, v *abi.Any) error // *v becomes an owned value
}

// mismatch is the error of a value whose type is not the expected one. The caller adds the expected type and the place.
type mismatch struct {
	got string // the value's type key
}

func (m *mismatch) Error() string { return m.got }

// mismatched returns the mismatch of a value.
func mismatched(v *abi.Any) error { return &mismatch{got: valueTypeKey(v)} }

// converter is implemented by the types of this package that have a conversion.
type converter interface {
	newConv() (*conv, error)
}

var convs sync.Map // reflect.Type -> *conv

var (
	anyType   = reflect.TypeFor[any]()
	errorType = reflect.TypeFor[error]()
)

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
	case reflect.TypeFor[unsafe.Pointer]():
		return pointerConv(), nil
	case reflect.TypeFor[abi.DataType]():
		return textualConv("DataType", abi.IndexDataType, bridge.KindDType, abi.Any.DataType, abi.DataTypeValue), nil
	case reflect.TypeFor[abi.Device]():
		return textualConv("Device", abi.IndexDevice, bridge.KindDevice, abi.Any.Device, abi.DeviceValue), nil
	}
	if isOwn(t) && t.Implements(reflect.TypeFor[converter]()) {
		return reflect.Zero(t).Interface().(converter).newConv()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return intConv(t.Kind()), nil
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
		return sliceConv(t)
	case reflect.Map:
		return goMapConv(t)
	case reflect.Func:
		return funcConv(t)
	case reflect.Pointer:
		if isClassStruct(t.Elem()) {
			return borrowedConv(t.Elem()), nil
		}
	}
	return nil, newError("TypeError", "%s has no counterpart in the ABI", t)
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
	return isOwn(t) && reflect.PointerTo(t).Implements(fieldTypeInterface)
}

// valueTypeKey returns the type key of a value, for messages.
func valueTypeKey(v *abi.Any) string {
	if v.IsObject() {
		return typeInfo(v.TypeIndex).Key.String()
	}
	if i := int(v.TypeIndex); i >= 0 && i < len(plainTypeKeys) {
		return plainTypeKeys[i]
	}
	return fmt.Sprintf("type index %d", v.TypeIndex)
}

var plainTypeKeys = [...]string{
	"None", "int", "bool", "float", "void*", "DataType", "Device", "DLTensor*", "const char*", "TVMFFIByteArray*",
	"ObjectRValueRef", "ffi.SmallStr", "ffi.SmallBytes", "Unchanged",
}

// constant returns the functions name and schema of a conv for a type with fixed names.
func constant(name, schema string) (func() string, func() string) {
	text := leafSchema(schema)
	return func() string { return name }, func() string { return text }
}

// typeOnce returns a function that makes a type's description for C at its first call.
func typeOnce(make func() *bridge.Type) func() *bridge.Type { return sync.OnceValue(make) }
