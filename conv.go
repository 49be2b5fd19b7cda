package selfsame

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// conv converts between one Go type and values of the ABI. It is chosen once, when a function, field or array type is
// first seen.
type conv struct {
	goType  reflect.Type
	fast    fastKind            // the fast path of typed and bound funcs
	plain   int32               // the type index of values whose 8 bytes are the Go value; noPlain: none
	name    func() string       // in messages: `int`, `Array<geo.Point>`
	schema  func() string       // the type_schema, JSON
	typ     func() *bridge.Type // for fields and elements
	classes []*class            // the classes that name and schema speak of
	borrows bool                // the Go value is valid only as long as the value it was made of
	// handleOf is the class of a Go type that is the address of a handle state and does not accept None: after a check of
	// the class, the address that handles.Fetch returns is the Go value. nil: other Go types.
	handleOf *class
	check    func(v *abi.Any) error // nil: anything
	from     func(v *abi.Any, dst unsafe.Pointer) error
	to       func(src unsafe.Pointer, v *abi.Any) error // *v becomes an owned value
}

// mismatch is a value of another type than the one wanted.
type mismatch struct {
	got string
}

func (m *mismatch) Error() string { return m.got }

func mismatched(v *abi.Any) error { return &mismatch{got: valueTypeKey(v)} }

// converter is implemented by the types of this package that cross the boundary.
type converter interface {
	newConv() (*conv, error)
}

var convs sync.Map // reflect.Type -> *conv

var (
	anyType   = reflect.TypeFor[any]()
	errorType = reflect.TypeFor[error]()
)

// convFor is the conversion of a Go type, or an error that says why there is none.
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

// isOwn says whether a type, or what it points to, is one of this package. A struct of another package that embeds one has
// its methods too, but they would treat a part of the struct as the whole.
func isOwn(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() == objectType.PkgPath()
}

// isFieldType says whether a type is one of this package for fields of class structs.
func isFieldType(t reflect.Type) bool {
	return isOwn(t) && reflect.PointerTo(t).Implements(fieldTypeInterface)
}

// valueTypeKey is the type key of a value, as it stands in messages.
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

// constant makes the functions name and schema of a type whose two names are fixed.
func constant(name, schema string) (func() string, func() string) {
	text := leafSchema(schema)
	return func() string { return name }, func() string { return text }
}

// typeOnce makes the C description of a type when it is first asked for.
func typeOnce(make func() *bridge.Type) func() *bridge.Type { return sync.OnceValue(make) }
