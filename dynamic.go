package selfsame

import (
	"iter"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// GetField returns the field of an object of any class, by its name in reflection, as a Go value like a result of
// [Function.Call]. It fails with an AttributeError when the class has no such field. For a class that Go code declared,
// reading the struct that [Handle.Get] returns is faster.
func GetField(h AnyHandle, name string) (any, error) {
	object := h.nativeObject()
	info, err := member("GetField", h, "field", name, typetable.Fields(object), fieldName)
	if err != nil {
		return nil, err
	}
	value, failed := bridge.GetField(info, object)
	runtime.KeepAlive(h)
	if err := fault.Take(failed); err != nil {
		return nil, err
	}
	return convert.OwnGo(value)
}

// SetField sets the field of an object of any class, by its name in reflection, to a copy or a reference of value. It fails
// with an AttributeError when the class has no such field or the field is read only, and with the setter's error when the
// setter rejects the value.
func SetField(h AnyHandle, name string, value any) error {
	object := h.nativeObject()
	info, err := member("SetField", h, "field", name, typetable.Fields(object), fieldName)
	if err != nil {
		return err
	}
	if info.Flags&abi.FlagWritable == 0 || info.Setter == nil {
		return fault.New("AttributeError", "selfsame: SetField: field `%s` of `%s` is read only", name, h.TypeKey())
	}
	var v abi.Any
	if err := convert.FromGo(value, &v); err != nil {
		return err
	}
	failed := bridge.SetField(info, object, v)
	values.Release(v)
	runtime.KeepAlive(h)
	return fault.Take(failed)
}

// CallMethod calls a method or static method of an object of any class, by its name in reflection. Arguments, result and
// errors are those of [Function.Call]; it fails with an AttributeError when the class has no such method.
func CallMethod(h AnyHandle, name string, args ...any) (any, error) {
	object := h.nativeObject()
	info, err := member("CallMethod", h, "method", name, typetable.Methods(object), methodName)
	if err != nil {
		return nil, err
	}
	if info.Method.TypeIndex != abi.IndexFunction {
		return nil, fault.New("AttributeError", "selfsame: CallMethod: method `%s` of `%s` is no function", name, h.TypeKey())
	}
	if info.Flags&abi.FlagIsStaticMethod == 0 {
		args = append([]any{h}, args...)
	}
	f := (*Function)(unsafe.Pointer(handles.Fetch(info.Method.Pointer())))
	runtime.KeepAlive(h)
	return f.Call(args...)
}

// NewObject makes an object of the class with a type key through its constructor, which may be written in any language, and
// returns its handle. It fails with a ValueError when there is no such class, with a TypeError when the class has no
// constructor, and with the constructor's error.
func NewObject(key string, args ...any) (AnyHandle, error) {
	if err := link.Bound(); err != nil {
		return nil, err
	}
	registry.FinishRegistrations()
	return construct(key, args)
}

// construct makes an object as NewObject does, without finishing the registrations of other classes first.
func construct(key string, args []any) (AnyHandle, error) {
	index := bridge.TypeIndex(key)
	if index < 0 {
		return nil, fault.New("ValueError", "selfsame: NewObject: argument 'key': expected a registered type key, got `%s`", key)
	}
	constructor := bridge.TypeAttr(index, typetable.InitName)
	if constructor.TypeIndex != abi.IndexFunction {
		return nil, fault.New("TypeError", "selfsame: NewObject: class `%s` has no constructor", key)
	}
	f := (*Function)(unsafe.Pointer(handles.Fetch(constructor.Pointer())))
	made, err := f.Call(args...)
	if err != nil {
		return nil, err
	}
	h, ok := made.(AnyHandle)
	if !ok {
		return nil, fault.New("TypeError", "selfsame: NewObject: constructor of `%s`: expected an object as result, got %T",
			key, made)
	}
	return h, nil
}

// member returns the field or method (kind) of a name in h's class or its nearest ancestor that has one, of all that these have.
// Its error begins with the Go function called.
func member[M any](called string, h AnyHandle, kind, name string, all iter.Seq[*M], nameOf func(*M) *abi.ByteArray) (*M, error) {
	for m := range all {
		if string(nameOf(m).Bytes()) == name {
			return m, nil
		}
	}
	var known []string
	for m := range all {
		known = append(known, nameOf(m).String())
	}
	return nil, fault.New("AttributeError", "selfsame: %s: `%s` has no %s `%s`%s", called, h.TypeKey(), kind, name,
		naming.DidYouMean(name, known))
}

func fieldName(f *abi.FieldInfo) *abi.ByteArray { return &f.Name }

func methodName(m *abi.MethodInfo) *abi.ByteArray { return &m.Name }
