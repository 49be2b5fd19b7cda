package selfsame

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// builtinStructs maps the class structs of the public package whose classes the runtime registers, the enum bases, to their
// type keys. Go code can derive from them. The public package sets it when it is initialised.
var builtinStructs map[reflect.Type]string

// enumNameOffset is the offset in these structs of the member's name, a String.
var enumNameOffset int32

// findBuiltin looks up the type index of a class of builtinStructs, and of its ancestors, once. It takes registering; for
// other classes it does nothing.
func (c registration) findBuiltin() error {
	key, ok := builtinStructs[c.goType]
	if !ok || c.registered() {
		return nil
	}
	if err := (registration{c.parent}).findBuiltin(); err != nil {
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
	c.owned = []bridge.OwnedField{{Offset: enumNameOffset, Size: unsafeSizeofAny}}
	c.native.SetRegistered(key, bridge.TypeInfo(index).Depth, index)
	return nil
}

// structuralKind returns the structural kind of the class's options; enums that have none compare by identity.
func (c registration) structuralKind(o *classOptions) int32 {
	if o.structural == 0 && c.isEnum() {
		return abi.SEqHashUniqueInstance
	}
	return int32(o.structural)
}
