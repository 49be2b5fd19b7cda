package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

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
