package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

var enumType = reflect.TypeFor[Enum]()

// builtinStructs maps the class structs of this package whose classes the runtime registers to their type keys. Go code can
// derive from them.
var builtinStructs = map[reflect.Type]string{
	enumType:                   "ffi.Enum",
	reflect.TypeFor[IntEnum](): "ffi.IntEnum",
	reflect.TypeFor[StrEnum](): "ffi.StrEnum",
}

// findBuiltin looks up the type index of a class of builtinStructs, and of its ancestors, once. It takes registering; for
// other classes it does nothing.
func (c *class) findBuiltin() error {
	key, ok := builtinStructs[c.goType]
	if !ok || c.registered() {
		return nil
	}
	if err := c.parent.findBuiltin(); err != nil {
		return err
	}
	registering.Lock()
	defer registering.Unlock()
	if c.registered() {
		return nil
	}
	index := bridge.TypeIndex(key)
	if index < 0 {
		return newError("RuntimeError", "selfsame: Register: the runtime has no class `%s`", key)
	}
	c.setKey(key)
	c.owned = []bridge.OwnedField{{Offset: int32(unsafe.Offsetof(Enum{}.name)), Size: unsafeSizeofAny}}
	c.native.SetRegistered(key, bridge.TypeInfo(index).Depth, index)
	return nil
}

// structuralKind returns the structural kind of the class's options; enums that have none compare by identity.
func (c *class) structuralKind(o *classOptions) int32 {
	if o.structural == 0 && c.isEnum() {
		return abi.SEqHashUniqueInstance
	}
	return int32(o.structural)
}
