package selfsame

import (
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

var enumType = reflect.TypeFor[Enum]()

// builtinStructs are the class structs of this package whose classes the runtime makes: Go code can derive from
// them.
var builtinStructs = map[reflect.Type]string{
	enumType:                   "ffi.Enum",
	reflect.TypeFor[IntEnum](): "ffi.IntEnum",
	reflect.TypeFor[StrEnum](): "ffi.StrEnum",
}

// findBuiltin makes the entry of a class that the runtime makes know its type index.
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
		return newError("RuntimeError", "selfsame: the runtime has no class `%s`", key)
	}
	c.setKey(key)
	c.owned = []bridge.OwnedField{{Offset: int32(unsafe.Offsetof(Enum{}.name)), Size: unsafeSizeofAny}}
	c.native.SetRegistered(key, bridge.TypeInfo(index).Depth, index)
	return nil
}

// structuralKind is the option of the class, or the kind of all enums.
func (c *class) structuralKind(o *classOptions) int32 {
	if o.structural == 0 && c.isEnum() {
		return abi.SEqHashUniqueInstance
	}
	return int32(o.structural)
}
