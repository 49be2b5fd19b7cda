package selfsame

import (
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// GetField reads a field by its name in reflection, of an object of any class. The result is as that of [Function.Call].
// It fails with an AttributeError when the class has no such field. For a class that Go code declared, the struct that
// [Handle.Get] gives is the faster way.
func GetField(h AnyHandle, name string) (any, error) {
	object := h.nativeObject()
	info := findField(object, name)
	if info == nil {
		return nil, noAttribute(h, "field", name)
	}
	value, failed := bridge.GetField(info, object)
	runtime.KeepAlive(h)
	if err := takeError(failed); err != nil {
		return nil, err
	}
	return ownGo(value)
}

// SetField sets a field by its name in reflection, of an object of any class. It fails with an AttributeError when the
// class has no such field or it is read only, and with the setter's error when the value is refused.
func SetField(h AnyHandle, name string, value any) error {
	object := h.nativeObject()
	info := findField(object, name)
	if info == nil {
		return noAttribute(h, "field", name)
	}
	if info.Flags&abi.FlagWritable == 0 || info.Setter == nil {
		return newError("AttributeError", "Field `%s` of `%s` is read only", name, h.TypeKey())
	}
	var v abi.Any
	if err := fromGo(value, &v); err != nil {
		return err
	}
	failed := bridge.SetField(info, object, v)
	releaseValue(v)
	runtime.KeepAlive(h)
	return takeError(failed)
}

// CallMethod calls a method, or a static method, by its name in reflection, of an object of any class. It fails with an
// AttributeError when the class has no such method.
func CallMethod(h AnyHandle, name string, args ...any) (any, error) {
	object := h.nativeObject()
	info := findMethod(object, name)
	if info == nil || info.Method.TypeIndex != abi.IndexFunction {
		return nil, noAttribute(h, "method", name)
	}
	if info.Flags&abi.FlagIsStaticMethod == 0 {
		args = append([]any{h}, args...)
	}
	f := (*Function)(unsafe.Pointer(handles.Fetch(info.Method.Pointer())))
	runtime.KeepAlive(h)
	return f.Call(args...)
}

// NewObject makes an object of the class with a key by its constructor, in whatever language that is written. It fails
// with a ValueError when there is no such class, and with a TypeError when the class has no constructor.
func NewObject(key string, args ...any) (AnyHandle, error) {
	if err := runtimeBound(); err != nil {
		return nil, err
	}
	finishRegistrations()
	return construct(key, args)
}

// construct is NewObject for classes that do not wait for other registrations.
func construct(key string, args []any) (AnyHandle, error) {
	index := bridge.TypeIndex(key)
	if index < 0 {
		return nil, newError("ValueError", "Cannot find type `%s`", key)
	}
	constructor := bridge.TypeAttr(index, initName)
	if constructor.TypeIndex != abi.IndexFunction {
		return nil, newError("TypeError", "Class `%s` has no constructor", key)
	}
	f := (*Function)(unsafe.Pointer(handles.Fetch(constructor.Pointer())))
	made, err := f.Call(args...)
	if err != nil {
		return nil, err
	}
	h, ok := made.(AnyHandle)
	if !ok {
		return nil, newError("TypeError", "The constructor of `%s` returned a %T", key, made)
	}
	return h, nil
}

func noAttribute(h AnyHandle, kind, name string) error {
	return newError("AttributeError", "`%s` has no %s `%s`", h.TypeKey(), kind, name)
}

// findField looks a field up in an object's class and, from the nearest on, its ancestors.
func findField(object unsafe.Pointer, name string) *abi.FieldInfo {
	for info := typeInfo(abi.TypeIndexOf(object)); info != nil; info = info.Parent() {
		fields := info.OwnFields()
		for i := range fields {
			if string(fields[i].Name.Bytes()) == name {
				return &fields[i]
			}
		}
	}
	return nil
}

func findMethod(object unsafe.Pointer, name string) *abi.MethodInfo {
	for info := typeInfo(abi.TypeIndexOf(object)); info != nil; info = info.Parent() {
		methods := info.OwnMethods()
		for i := range methods {
			if string(methods[i].Name.Bytes()) == name {
				return &methods[i]
			}
		}
	}
	return nil
}
