package typetable

import (
	"reflect"
	"sync"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// A declared class is one that other code registers, perhaps later, and whose handles have a Go type of their own. Go knows
// it by its type key. Its type index is looked up when a value is to be of the class, or is seen to be.

// declared has the declared classes by type key: string -> *Class. What Declare has stored there never changes.
var declared sync.Map

// HandleType is the public package's type Handle[Object], with which the Go type of a declared class's handles begins.
var HandleType reflect.Type

// IsHandleStruct reports whether a struct type is HandleType, or begins with such a type and has no other field.
func IsHandleStruct(t reflect.Type) bool { return BeginsWith(t, HandleType, true) }

// Declare makes the class of a Go type of handles known under its type key. It fails when the type is not such a type,
// and when the type or the key is declared already.
func Declare(key string, t reflect.Type, wrap func(*handles.State) any) (*Class, error) {
	if t == HandleType || !IsHandleStruct(t) {
		return nil, fault.New("TypeError", "selfsame: Declare: expected a struct whose only field is an embedded "+
			"gen.ObjectHandle or another such struct, got %s", t)
	}
	c := &Class{GoType: t, Native: bridge.NewClass(), Key: key, Wrap: wrap, isDeclared: true}
	if known, taken := classes.LoadOrStore(t, c); taken {
		return nil, fault.New("RuntimeError", "selfsame: Declare: %s is declared already, as `%s`", t, known.(*Class).TypeKey())
	}
	if known, taken := declared.LoadOrStore(key, c); taken {
		classes.Delete(t)
		return nil, fault.New("RuntimeError", "selfsame: Declare: class `%s` is declared already, as %s", key, known.(*Class).GoType)
	}
	// Objects of the class may have been seen before, as objects of an ancestor.
	ByIndex.Range(func(index, value any) bool {
		if known := value.(*Class).Native.Index(); known >= 0 && known != index.(int32) { // containers have the index of no class
			ByIndex.Delete(index)
		}
		return true
	})
	return c, nil
}

// DeclaredAs returns the class that Declare made of a Go type of handles, nil when there is none.
func DeclaredAs(t reflect.Type) *Class {
	if known, ok := classes.Load(t); ok && known.(*Class).isDeclared {
		return known.(*Class)
	}
	return nil
}

// FindDeclared looks a declared class up in the registry. It returns its type index, -1 while it is not registered.
func (c *Class) FindDeclared() int32 {
	if index := c.Native.Index(); index >= 0 {
		return index
	}
	index := bridge.TypeIndex(c.Key)
	if index < 0 {
		return -1
	}
	finding.Lock()
	defer finding.Unlock()
	if c.Native.Index() < 0 {
		c.Native.SetRegistered(c.Key, TypeInfo(index).Depth, index)
		ByIndex.LoadOrStore(index, c)
	}
	return index
}

// finding lets one goroutine at a time store what FindDeclared has found.
var finding sync.Mutex

// declaredFor returns the declared class of a type, nil when there is none.
func declaredFor(info *abi.TypeInfo) *Class {
	known, ok := declared.Load(string(info.Key.Bytes()))
	if !ok {
		return nil
	}
	c := known.(*Class)
	c.FindDeclared()
	return c
}
