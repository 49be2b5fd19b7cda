package selfsame

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// class is the frontend's record of a Go type that represents a class of native objects.
type class struct {
	goType reflect.Type
	native *bridge.Class            // type index and depth, once registered
	parent *class                   // nil for ffi.Object
	wrap   func(*handles.State) any // a handle state as the *Handle[T] of the class

	mu      sync.RWMutex // guards key; the fields below are written by the registration alone
	key     string
	objects handles.Allocator   // makes its objects; its Layout is nil for classes made elsewhere
	owned   []bridge.OwnedField // the owned fields, inherited ones included
	fields  map[string]bool
	final   bool
	adopted bool                   // another library has registered it
	lost    string                 // what a pickle of an object would lose, "" for nothing
	drops   []func(unsafe.Pointer) // the funcs of OnDrop, of this class and of its ancestors in turn
}

var (
	classes   sync.Map // reflect.Type of a class struct -> *class
	byIndex   sync.Map // type index -> *class: the nearest class known to Go
	typeInfos sync.Map // type index -> *abi.TypeInfo
)

// objectType is the public package's type Object, with which every class struct begins.
var objectType reflect.Type

// setObjectType makes the class of the type Object. wrap makes the *Handle[Object] of a handle state. The public package calls
// it when it is initialised.
func setObjectType(t reflect.Type, wrap func(*handles.State) any) {
	objectType = t
	object := classOf(t)
	object.key, object.wrap = "ffi.Object", wrap
	object.native.SetRegistered(object.key, 0, abi.IndexObject)
	byIndex.Store(abi.IndexObject, object)
}

// classOf returns the record of a class struct type. The first call makes it: a field or a function may name a class that is
// not registered yet.
func classOf(t reflect.Type) *class {
	if known, ok := classes.Load(t); ok {
		return known.(*class)
	}
	c := &class{goType: t, native: bridge.NewClass()}
	if t != objectType && isClassStruct(t) {
		c.parent = classOf(t.Field(0).Type)
	}
	known, _ := classes.LoadOrStore(t, c)
	return known.(*class)
}

// isClassStruct reports whether a type is Object or a struct that embeds a class struct as its first field.
func isClassStruct(t reflect.Type) bool {
	for t != objectType {
		if t.Kind() != reflect.Struct || t.NumField() == 0 || !t.Field(0).Anonymous {
			return false
		}
		t = t.Field(0).Type
	}
	return true
}

func (c *class) registered() bool { return c.native.Index() >= 0 }

// typeKey returns the class key, or the Go type's name while the class is not registered.
func (c *class) typeKey() string {
	if key := c.typeKeyIfAny(); key != "" {
		return key
	}
	return c.goType.String()
}

func (c *class) typeKeyIfAny() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.key
}

func (c *class) setKey(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.key = key
}

// isInstance reports whether objects of a type index are of the class or derived from it.
func (c *class) isInstance(index int32) bool {
	own := c.native.Index()
	if own < 0 || index < abi.IndexStaticObjectBegin {
		return false
	}
	if index == own || own == abi.IndexObject {
		return true
	}
	if index < own {
		return false
	}
	info := typeInfo(index)
	depth := c.native.Depth()
	return info.Depth > depth && info.Ancestor(depth).TypeIndex == own
}

// isLive reports whether a pointer to the class's struct points to a native object. A struct that Go made as a variable or a
// literal has no header.
func (c *class) isLive(object unsafe.Pointer) bool {
	return abi.StrongCount(object) > 0 && c.isInstance(abi.TypeIndexOf(object))
}

// wrapObject returns the handle of a borrowed object, as the Go type of the nearest class that Go knows: *Handle[T],
// *Array[any] and so on.
func wrapObject(object unsafe.Pointer) any {
	return nearestClass(abi.TypeIndexOf(object)).wrap(handles.Fetch(object))
}

// nearestClass returns the class of a type index, or its nearest ancestor that is registered in Go.
func nearestClass(index int32) *class {
	if known, ok := byIndex.Load(index); ok {
		return known.(*class)
	}
	found, _ := byIndex.Load(abi.IndexObject)
	info := typeInfo(index)
	for depth := info.Depth - 1; depth > 0; depth-- {
		if known, ok := byIndex.Load(info.Ancestor(depth).TypeIndex); ok {
			found = known
			break
		}
	}
	byIndex.Store(index, found)
	return found.(*class)
}

// publish makes a registered class the Go class of its type index, and of derived type indices that Go does not know.
func (c *class) publish(index int32) {
	byIndex.Store(index, c)
	byIndex.Range(func(key, value any) bool {
		// A derived type of another frontend, for which an ancestor of this class was the nearest until now.
		if at := key.(int32); at > index && value.(*class) != c && value.(*class).native.Index() != at && c.isInstance(at) {
			byIndex.Delete(key)
		}
		return true
	})
}

// checkRegistered returns the error of a class that is used before it is registered.
func (c *class) checkRegistered() error {
	if c.registered() {
		return nil
	}
	return newError("RuntimeError", "selfsame: %s: the class is not registered", c.goType)
}

func (c *class) String() string { return fmt.Sprintf("class %s", c.typeKey()) }

// builtinClass makes the class of a builtin type that has no class struct. wrap makes a Go value of its handle state.
func builtinClass(key string, index int32, wrap func(*handles.State) any) *class {
	c := &class{native: bridge.NewClass(), key: key, wrap: wrap}
	c.native.SetRegistered(key, 1, index)
	return c
}

// typeInfo returns the registry's record of a type index, which an object has. The record lives as long as the process.
func typeInfo(index int32) *abi.TypeInfo {
	if known, ok := typeInfos.Load(index); ok {
		return known.(*abi.TypeInfo)
	}
	info := bridge.TypeInfo(index)
	typeInfos.Store(index, info)
	return info
}

// initName is the name of the static method and of the type attribute that are the constructor.
const initName = "__ffi_init__"

// findField returns the field of a name in an object's class or its nearest ancestor that has one, nil when there is none.
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

// findMethod looks for a method as findField does for a field.
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
