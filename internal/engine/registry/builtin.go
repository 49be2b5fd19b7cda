package registry

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// BuiltinStructs maps the class structs of the public package whose classes the runtime registers, the enum bases, to their
// type keys. Go code can derive from them. The public package sets it when it is initialised.
var BuiltinStructs map[reflect.Type]string

// EnumNameOffset is the offset in these structs of the member's name, a String.
var EnumNameOffset int32

// findParent looks up, once, a class from which another is to derive and which Go does not register: one of BuiltinStructs or of
// foreignStructs, and its ancestors. For other classes it does nothing. It takes registering.
func (c Registration) findParent() error {
	key, known := BuiltinStructs[c.GoType]
	declared, foreign := foreignStructs.Load(c.GoType)
	if foreign {
		key = declared.(string)
	}
	if !known && !foreign || c.Registered() {
		return nil
	}
	if err := (Registration{c.Parent}).findParent(); err != nil {
		return err
	}
	registering.Lock()
	defer registering.Unlock()
	if c.Registered() {
		return nil
	}
	index := bridge.TypeIndex(key)
	switch {
	case index < 0 && foreign:
		return fault.New("RuntimeError", "selfsame: Register: class `%s`, for which %s stands, is not registered; load the library "+
			"that has it first", key, c.GoType)
	case index < 0:
		return fault.New("RuntimeError", "selfsame: Register: the runtime has no class `%s`", key)
	}
	info := typetable.TypeInfo(index)
	if !foreign {
		c.Owned = []bridge.OwnedField{{Offset: EnumNameOffset, Size: UnsafeSizeofAny}}
	} else if err := c.readForeign(info); err != nil {
		return fault.New("TypeError", "selfsame: Register: no Go class can derive from class `%s`: %s", key, fault.Reason(err))
	}
	c.SetKey(key)
	c.Native.SetRegistered(key, info.Depth, index)
	return nil
}

// structuralKind returns the structural kind of the class's options; enums that have none compare by identity.
func (c Registration) structuralKind(o *ClassOptions) int32 {
	if o.Structural == 0 && c.IsEnum() {
		return abi.SEqHashUniqueInstance
	}
	return int32(o.Structural)
}
