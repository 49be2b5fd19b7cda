package typetable

import (
	"fmt"
	"iter"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Class is the frontend's record of a Go type that represents a class of native objects.
type Class struct {
	GoType reflect.Type
	Native *bridge.Class            // type index and depth, once registered
	Parent *Class                   // nil for ffi.Object
	Wrap   func(*handles.State) any // a handle state as the *Handle[T] of the class

	mu      sync.RWMutex // guards key; the fields below are written by the registration alone
	Key     string
	Objects handles.Allocator   // makes its objects; its Layout is nil for classes made elsewhere
	Owned   []bridge.OwnedField // the owned fields, inherited ones included
	Fields  map[string]bool
	// Defaults is set for a class that another language registers, and from which Go classes derive: the memory of a new object.
	// It owns what it refers to.
	Defaults []byte
	Final    bool
	Adopted  bool            // another library has registered it
	Methods  map[string]bool // of a class that others may join: the names of its own methods
	Joins    *Class          // the class of this library that it is too: see registry.Registration.join; nil for most
	Joined   int             // how many classes are this one too

	isDeclared bool   // Declare made it
	Lost       string // what a pickle of an object would lose, "" for nothing
	// Held is set for a class with a single field, which holds a Go value: it returns that value, nil when there is none.
	Held func(object unsafe.Pointer) (any, error)
	// Foreign is set for the class of a Go type of another package: it returns the Go value for which the object stands.
	Foreign func(object unsafe.Pointer) (any, error)
	Drops   []func(unsafe.Pointer) // the funcs of OnDrop, of this class and of its ancestors in turn
}

var (
	classes   sync.Map // reflect.Type of a class struct -> *class
	ByIndex   sync.Map // type index -> *class: the nearest class known to Go
	typeInfos sync.Map // type index -> *abi.TypeInfo
)

// ObjectType is the public package's type Object, with which every class struct begins.
var ObjectType reflect.Type

// IsPublic says whether a package is that of the type Object or its package gen.
func IsPublic(path string) bool {
	rest, below := strings.CutPrefix(path, ObjectType.PkgPath())
	return below && (rest == "" || rest == "/gen")
}

// SetObjectType makes the class of the type Object. wrap makes the *Handle[Object] of a handle state. The public package calls
// it when it is initialised.
func SetObjectType(t reflect.Type, wrap func(*handles.State) any) {
	ObjectType = t
	object := Of(t)
	object.Key, object.Wrap = "ffi.Object", wrap
	object.Native.SetRegistered(object.Key, 0, abi.IndexObject)
	ByIndex.Store(abi.IndexObject, object)
}

// Of returns the record of a class struct type. The first call makes it: a field or a function may name a class that is
// not registered yet.
func Of(t reflect.Type) *Class {
	if known, ok := classes.Load(t); ok {
		return known.(*Class)
	}
	c := &Class{GoType: t, Native: bridge.NewClass()}
	if t != ObjectType && IsClassStruct(t) {
		c.Parent = Of(t.Field(0).Type)
	}
	known, _ := classes.LoadOrStore(t, c)
	return known.(*Class)
}

// IsClassStruct reports whether a type is Object or a struct that embeds a class struct as its first field.
func IsClassStruct(t reflect.Type) bool { return BeginsWith(t, ObjectType, false) }

// BeginsWith reports whether a type is root, or a struct that embeds such a type as its first field; with only it has no other.
func BeginsWith(t, root reflect.Type, only bool) bool {
	for t != root {
		if t.Kind() != reflect.Struct || t.NumField() == 0 || only && t.NumField() > 1 || !t.Field(0).Anonymous {
			return false
		}
		t = t.Field(0).Type
	}
	return true
}

func (c *Class) Registered() bool { return c.Native.Index() >= 0 }

// TypeKey returns the class key, or the Go type's name while the class is not registered.
func (c *Class) TypeKey() string {
	if key := c.TypeKeyIfAny(); key != "" {
		return key
	}
	return c.GoType.String()
}

func (c *Class) TypeKeyIfAny() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.Key
}

func (c *Class) SetKey(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Key = key
}

// IsInstance reports whether objects of a type index are of the class or derived from it.
func (c *Class) IsInstance(index int32) bool {
	own := c.Native.Index()
	if own < 0 && c.isDeclared {
		own = c.FindDeclared()
	}
	if own < 0 || index < abi.IndexStaticObjectBegin {
		return false
	}
	if index == own || own == abi.IndexObject {
		return true
	}
	if index < own {
		return false
	}
	info := TypeInfo(index)
	depth := c.Native.Depth()
	return info.Depth > depth && info.Ancestor(depth).TypeIndex == own
}

// IsLive reports whether a pointer to the class's struct points to a native object. A struct that Go made as a variable or a
// literal has no header.
func (c *Class) IsLive(object unsafe.Pointer) bool {
	return abi.StrongCount(object) > 0 && c.IsInstance(abi.TypeIndexOf(object))
}

// WrapObject returns the handle of a borrowed object, as the Go type of the nearest class that Go knows: *Handle[T],
// *Array[any] and so on.
func WrapObject(object unsafe.Pointer) any {
	return Nearest(abi.TypeIndexOf(object)).Wrap(handles.Fetch(object))
}

// Nearest returns the class of a type index, or its nearest ancestor that is registered in Go.
func Nearest(index int32) *Class {
	if known, ok := ByIndex.Load(index); ok {
		return known.(*Class)
	}
	found, _ := ByIndex.Load(abi.IndexObject)
	info := TypeInfo(index)
	if c := declaredFor(info); c != nil {
		ByIndex.Store(index, c)
		return c
	}
	for depth := info.Depth - 1; depth > 0; depth-- {
		if known, ok := ByIndex.Load(info.Ancestor(depth).TypeIndex); ok {
			found = known
			break
		}
		if c := declaredFor(info.Ancestor(depth)); c != nil {
			found = c
			break
		}
	}
	ByIndex.Store(index, found)
	return found.(*Class)
}

// Publish makes a registered class the Go class of its type index, and of derived type indices that Go does not know.
func (c *Class) Publish(index int32) {
	ByIndex.Store(index, c)
	ByIndex.Range(func(key, value any) bool {
		// A derived type of another frontend, for which an ancestor of this class was the nearest until now.
		if at := key.(int32); at > index && value.(*Class) != c && value.(*Class).Native.Index() != at && c.IsInstance(at) {
			ByIndex.Delete(key)
		}
		return true
	})
}

// CheckRegistered returns the error of a class that is used before it is registered.
func (c *Class) CheckRegistered() error {
	if c.Registered() {
		return nil
	}
	return fault.New("RuntimeError", "selfsame: %s: the class is not registered", c.GoType)
}

func (c *Class) String() string { return fmt.Sprintf("class %s", c.TypeKey()) }

// NewBuiltin makes the class of a builtin type that has no class struct. wrap makes a Go value of its handle state.
func NewBuiltin(key string, index int32, wrap func(*handles.State) any) *Class {
	c := &Class{Native: bridge.NewClass(), Key: key, Wrap: wrap}
	c.Native.SetRegistered(key, 1, index)
	return c
}

// TypeInfo returns the registry's record of a type index, which an object has. The record lives as long as the process.
func TypeInfo(index int32) *abi.TypeInfo {
	if known, ok := typeInfos.Load(index); ok {
		return known.(*abi.TypeInfo)
	}
	info := bridge.TypeInfo(index)
	typeInfos.Store(index, info)
	return info
}

// InitName is the name of the static method and of the type attribute that are the constructor.
const InitName = "__ffi_init__"

// Fields ranges over the fields of an object's class and then of its ancestors, Methods over the methods.
func Fields(object unsafe.Pointer) iter.Seq[*abi.FieldInfo] {
	return members(object, (*abi.TypeInfo).OwnFields)
}

func Methods(object unsafe.Pointer) iter.Seq[*abi.MethodInfo] {
	return members(object, (*abi.TypeInfo).OwnMethods)
}

func members[M any](object unsafe.Pointer, own func(*abi.TypeInfo) []M) iter.Seq[*M] {
	return func(yield func(*M) bool) {
		for info := TypeInfo(abi.TypeIndexOf(object)); info != nil; info = info.Parent() {
			all := own(info)
			for i := range all {
				if !yield(&all[i]) {
					return
				}
			}
		}
	}
}
