package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	_ "github.com/selfsame-ffi/selfsame/gen/overlay" // for those that vendor this package, whose builds need that one
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/engine/wrapping"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// converter is implemented by the types of this package that have a conversion.
type converter interface {
	newConv() (*convert.Conv, error)
}

// A package variable, so that the engine knows the types of this package before any init function runs.
var _ = tellEngine()

// tellEngine tells the engine what it must know of the types of this package.
func tellEngine() bool {
	typetable.SetObjectType(reflect.TypeFor[Object](), func(s *handles.State) any { return (*Handle[Object])(unsafe.Pointer(s)) })
	typetable.HandleType = reflect.TypeFor[Handle[Object]]()
	convert.Public = convert.PublicTypes{Conv: ownConv, Field: ownField, Native: ownNative, Handle: ownHandle}
	registry.Lenient = lenientOption{}
	registry.Variable = func(name string) any { return variableOption(name) }
	registry.BuiltinStructs = map[reflect.Type]string{
		reflect.TypeFor[Enum]():    "ffi.Enum",
		reflect.TypeFor[IntEnum](): "ffi.IntEnum",
		reflect.TypeFor[StrEnum](): "ffi.StrEnum",
	}
	registry.EnumNameOffset = int32(unsafe.Offsetof(Enum{}.name))
	return true
}

func ownConv(t reflect.Type) (c *convert.Conv, ok bool, err error) {
	switch {
	case t.Kind() == reflect.Pointer && t.Elem() != typetable.HandleType && typetable.IsHandleStruct(t.Elem()):
		c, err = declaredConv(t)
		return c, true, err
	case t == reflect.TypeFor[AnyHandle]() || t == reflect.TypeFor[Native]():
		return anyHandleConv(t), true, nil
	}
	if !convert.IsOwn(t) || !t.Implements(reflect.TypeFor[converter]()) {
		return nil, false, nil
	}
	c, err = reflect.Zero(t).Interface().(converter).newConv()
	return c, true, err
}

func ownField(t reflect.Type) *convert.FieldType {
	if made := wrapping.FieldType(t); made != nil {
		return made
	}
	f, ok := reflect.New(t).Interface().(fieldInterface)
	if !ok {
		return nil
	}
	made := &convert.FieldType{Conv: f.fieldConv, Initial: f.initial}
	made.Index, made.Fresh = f.storage()
	if holder, ok := f.(goHolder); ok {
		made.Holds = holder.holdsGo()
		made.Held = func(field unsafe.Pointer) (any, error) {
			return reflect.NewAt(t, field).Interface().(goHolder).anyHeld()
		}
	}
	switch f.(type) {
	case *String:
		made.Instead = "string"
	case *Bytes:
		made.Instead = "[]byte"
	case *Any:
		made.Instead = "any"
	}
	return made
}

func ownNative(value any) (object unsafe.Pointer, ok bool) {
	x, ok := value.(Native)
	if !ok || isNilPointer(value) {
		return nil, ok
	}
	return x.nativeObject(), true
}

// ownHandle returns the state of an AnyHandle and the object, nil for a nil handle. It panics when the handle was released.
func ownHandle(handle any) (*handles.State, unsafe.Pointer) {
	h, _ := handle.(AnyHandle)
	state := stateOf(h)
	if state == nil {
		return nil, nil
	}
	return state, h.nativeObject()
}

// A container that becomes a Go value of type any has elements of type any.
func init() {
	for index, wrap := range map[int32]func(*handles.State) any{
		abi.IndexArray: func(c *handles.State) any { return (*Array[any])(unsafe.Pointer(c)) },
		abi.IndexList:  func(c *handles.State) any { return (*List[any])(unsafe.Pointer(c)) },
		abi.IndexMap:   func(c *handles.State) any { return (*Map[any, any])(unsafe.Pointer(c)) },
		abi.IndexDict:  func(c *handles.State) any { return (*Dict[any, any])(unsafe.Pointer(c)) },
	} {
		typetable.ByIndex.Store(index, &typetable.Class{Native: bridge.NewClass(), Wrap: wrap})
	}
}

// anyHandleConv makes the conversion of t, AnyHandle or Native: an object of any class, or None, which is nil. The Go
// value has the Go type of the nearest class that Go knows.
func anyHandleConv(t reflect.Type) *convert.Conv {
	object := typetable.Of(typetable.ObjectType)
	made := handleConv(object)
	made.HandleOf, made.Nilable = nil, false // the Go value is an interface, not an address
	made.From = func(v *abi.Any, dst unsafe.Pointer) error {
		value := reflect.NewAt(t, dst).Elem()
		if v.TypeIndex == abi.IndexNone {
			value.SetZero()
			return nil
		}
		if err := made.Check(v); err != nil {
			return err
		}
		h := reflect.ValueOf(typetable.WrapObject(v.Pointer()))
		if !h.Type().Implements(t) { // a container has no TypeKey, but its handle is that of an object, too
			h = reflect.ValueOf((*Handle[Object])(unsafe.Pointer(handles.Fetch(v.Pointer()))))
		}
		value.Set(h)
		return nil
	}
	made.To = func(src unsafe.Pointer, v *abi.Any) error {
		var object unsafe.Pointer
		if h, ok := reflect.NewAt(t, src).Elem().Interface().(Native); ok {
			object = addressOf(h)
		}
		values.IncRef(object)
		*v = abi.ObjectValue(object)
		return nil
	}
	return made
}

// declaredConv makes the conversion of *T for a declared T.
func declaredConv(t reflect.Type) (*convert.Conv, error) {
	c := typetable.DeclaredAs(t.Elem())
	if c == nil {
		return nil, fault.New("TypeError", "%s is the handle of a class that is not declared; use gen.Declare", t)
	}
	return handleConv(c), nil
}

// handleConv makes the conversion of the address of a handle state to and from objects of a class, and None.
func handleConv(c *typetable.Class) *convert.Conv {
	made := convert.ObjectConv(c,
		func(dst, object unsafe.Pointer) { *(**handles.State)(dst) = handles.Fetch(object) },
		func(src unsafe.Pointer) (unsafe.Pointer, error) {
			h := *(**Handle[Object])(src)
			if h == nil {
				return nil, nil
			}
			return h.nativeObject(), nil
		})
	made.Classes = nil // no registration of Go waits for it
	made.HandleOf, made.Nilable = c, true
	of, from := made.Check, made.From
	made.Check = func(v *abi.Any) error {
		if v.TypeIndex == abi.IndexNone {
			return nil
		}
		return of(v)
	}
	made.From = func(v *abi.Any, dst unsafe.Pointer) error {
		if v.TypeIndex == abi.IndexNone {
			*(**handles.State)(dst) = nil
			return nil
		}
		return from(v, dst)
	}
	return made
}
