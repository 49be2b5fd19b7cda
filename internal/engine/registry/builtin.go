package registry

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// BuiltinStructs maps the class structs of the public package whose classes the runtime registers, the enum bases, to their
// type keys. Go code can derive from them. The public package sets it when it is initialised.
var BuiltinStructs map[reflect.Type]string

// EnumNameOffset is the offset in these structs of the member's name, a String.
var EnumNameOffset int32

// findParent looks up a class from which another is to derive, when Go does not register it. For other classes it does nothing.
func (c Registration) findParent() error {
	if key, ok := foreignStructs.Load(c.GoType); ok && !c.Registered() {
		return c.findForeign(key.(string))
	}
	return c.findBuiltin()
}

// findBuiltin looks up the type index of a class of BuiltinStructs, and of its ancestors, once. It takes registering; for
// other classes it does nothing.
func (c Registration) findBuiltin() error {
	key, ok := BuiltinStructs[c.GoType]
	if !ok || c.Registered() {
		return nil
	}
	if err := (Registration{c.Parent}).findBuiltin(); err != nil {
		return err
	}
	registering.Lock()
	defer registering.Unlock()
	if c.Registered() {
		return nil
	}
	index := bridge.TypeIndex(key)
	if index < 0 {
		return fault.New("RuntimeError", "selfsame: Register: the runtime has no class `%s`", key)
	}
	c.SetKey(key)
	c.Owned = []bridge.OwnedField{{Offset: EnumNameOffset, Size: UnsafeSizeofAny}}
	c.Native.SetRegistered(key, bridge.TypeInfo(index).Depth, index)
	return nil
}

// structuralKind returns the structural kind of the class's options; enums that have none compare by identity.
func (c Registration) structuralKind(o *ClassOptions) int32 {
	if o.Structural == 0 && c.IsEnum() {
		return abi.SEqHashUniqueInstance
	}
	return int32(o.Structural)
}
