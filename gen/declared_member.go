package gen

import (
	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Member returns the member of an enum class with a name. It fails with a RuntimeError while the class is not registered,
// and with a ValueError when it has no such member.
func (d *Declared[T]) Member(name string) (*T, error) {
	if d.TypeIndex() < 0 {
		return nil, fault.New("RuntimeError", "selfsame: Member: class `%s` is not registered; load the library that has it first", d.Key())
	}
	if found, ok := d.member(name); ok {
		return found, nil
	}
	return nil, fault.New("ValueError", "selfsame: Member: class `%s` has no member `%s`", d.Key(), name)
}

func (d *Declared[T]) member(name string) (*T, bool) {
	members, ok := d.members()
	if !ok {
		return nil, false
	}
	found, ok := members.Get(name)
	if !ok {
		return nil, false
	}
	h, ok := found.(selfsame.AnyHandle)
	if !ok {
		return nil, false
	}
	return d.As(h)
}

// oldEnumAttr has the members by name in libraries that were compiled with the headers of a release before 0.1.15.
const oldEnumAttr = "__ffi_enum_entries__"

// members returns a Dict that has the members by name, and maybe by number as well.
func (d *Declared[T]) members() (*selfsame.Dict[any, any], bool) {
	attr := bridge.TypeAttr(d.TypeIndex(), registry.EnumAttr)
	if attr.TypeIndex < abi.IndexStaticObjectBegin {
		if attr = bridge.TypeAttr(d.TypeIndex(), oldEnumAttr); attr.TypeIndex != abi.IndexDict {
			return nil, false
		}
		members, ok := typetable.WrapObject(attr.Pointer()).(*selfsame.Dict[any, any])
		return members, ok
	}
	state, ok := typetable.WrapObject(attr.Pointer()).(selfsame.AnyHandle)
	if !ok {
		return nil, false
	}
	indexes, err := selfsame.GetField(state, "indexes")
	members, ok := indexes.(*selfsame.Dict[any, any])
	return members, ok && err == nil
}
