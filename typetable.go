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

// class is the frontend's record of a Go type that stands for a class of native objects.
type class struct {
	goType reflect.Type
	native *bridge.Class // type index and depth, once registered
	parent *class        // nil for ffi.Object
	wrap   func(*handles.State) any

	mu      sync.RWMutex
	key     string
	objects handles.Allocator   // makes its objects; its Layout is nil for classes made elsewhere
	owned   []bridge.OwnedField // the owned fields, inherited ones included
	fields  map[string]bool
	final   bool
}

var (
	classes   sync.Map // reflect.Type of a class struct -> *class
	byIndex   sync.Map // type index -> *class: the nearest class known to Go
	typeInfos sync.Map // type index -> *abi.TypeInfo
)

var objectType = reflect.TypeFor[Object]()

func init() {
	object := classOf(objectType)
	object.key = "ffi.Object"
	object.native.SetRegistered(object.key, 0, abi.IndexObject)
	object.wrap = func(c *handles.State) any { return (*Handle[Object])(unsafe.Pointer(c)) }
	byIndex.Store(abi.IndexObject, object)
}

// classOf is the entry of a class struct type, made on first sight: a class may be named by a field or a function before
// it is registered.
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

// isClassStruct says whether a type is Object or a struct that begins with one.
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

// typeKey is the class key, or the Go type's name while the class is not registered.
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

// isInstance says whether objects of a type index are of the class or derived from it.
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

// isLive says whether a pointer to the class's struct points to a native object: one that Go made by itself, as a local
// variable or a literal, has no header.
func (c *class) isLive(object unsafe.Pointer) bool {
	return abi.StrongCount(object) > 0 && c.isInstance(abi.TypeIndexOf(object))
}

// wrapObject is the Go value for an object of any class, as a result of type any: the handle of the nearest class that
// Go knows. The object is borrowed.
func wrapObject(object unsafe.Pointer) any {
	return nearestClass(abi.TypeIndexOf(object)).wrap(handles.Fetch(object))
}

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

// publish makes a registered class the one that objects of its index are wrapped as.
func (c *class) publish(index int32) {
	byIndex.Store(index, c)
	byIndex.Range(func(key, value any) bool {
		// Derived classes of other frontends that were wrapped as a class further up.
		if at := key.(int32); at > index && value.(*class) != c && value.(*class).native.Index() != at && c.isInstance(at) {
			byIndex.Delete(key)
		}
		return true
	})
}

// checkRegistered is the error of a class that is used before it is registered.
func (c *class) checkRegistered() error {
	if c.registered() {
		return nil
	}
	return newError("RuntimeError", "selfsame: %s: the class is not registered", c.goType)
}

func (c *class) String() string { return fmt.Sprintf("class %s", c.typeKey()) }
