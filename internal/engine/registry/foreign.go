package registry

import (
	"cmp"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/nativememory"
)

// A class struct may stand for a class that another language registers. Go classes derive from it: their objects begin with the
// memory of such an object. Go copies that memory from an object that the class's own creator made, and releases what it owns
// by its reflection data. So all of the memory must be described there.
//
// Which native classes a Go class may derive from. The published C++ headers allocate and construct an object in one
// step, with the size of its own class. So a Go object with a native parent cannot be made by the parent's constructor.
// Go makes the memory itself: it copies that of one object that the parent's default constructor made, and releases it
// by the reflection data. That is right only if each byte is known, and if all of it may be copied: numbers, values and
// references. A byte that no field explains is an error at registration. The parent's destructor does not run, as no
// constructor ran for the object: it could give back what only a constructor takes. Moving the bytes of a constructed
// object into a larger block would admit more classes, and break those that point into themselves, which the reflection
// data does not tell.

// foreignStructs has the type keys of these class structs: reflect.Type -> string.
var foreignStructs sync.Map

// DeclareStruct makes t the class struct of a class that other code registers. It fails when t is no class struct, or stands for
// a class already.
func DeclareStruct(t reflect.Type, key string) error {
	if t == typetable.ObjectType || !typetable.IsClassStruct(t) {
		return fault.New("TypeError", "selfsame: DeclareStruct: expected a class struct, got %s; embed selfsame.Object or another "+
			"class as its first field", t)
	}
	if typetable.Of(t).Registered() {
		return fault.New("RuntimeError", "selfsame: DeclareStruct: %s is registered, as `%s`", t, typetable.Of(t).TypeKey())
	}
	if known, taken := foreignStructs.LoadOrStore(t, key); taken {
		return fault.New("RuntimeError", "selfsame: DeclareStruct: %s is declared already, as `%s`", t, known)
	}
	return nil
}

// readForeign reads what an object of a class of foreignStructs owns, and makes the object whose memory Go copies.
func (c Registration) readForeign(info *abi.TypeInfo) error {
	size, parts, err := nativememory.Of(info)
	if err != nil {
		return err
	}
	if size != int64(c.GoType.Size()) {
		return fault.New("TypeError", "its objects have %d bytes, and those of %s %d; write the Go package for this version of the "+
			"library with `selfsame-ffi bind --go`", size, c.GoType, c.GoType.Size())
	}
	memory := make([]uint64, (size+7)/8)
	defaults := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(memory))), size)
	if info.Metadata.Creator != 0 {
		object, failed := bridge.Create(info)
		if failed != nil {
			return fault.Take(failed)
		}
		defer bridge.DecRef(object)
		copy(defaults[abi.BodyOffset:], unsafe.Slice((*byte)(object), size)[abi.BodyOffset:])
	}
	var owned []bridge.OwnedField
	fields := map[string]bool{}
	for _, p := range parts {
		fields[p.Name] = true
		at := unsafe.Pointer(&defaults[p.Offset])
		field := bridge.OwnedField{Offset: int32(p.Offset), Size: int32(p.Size)}
		switch p.Kind {
		case nativememory.Scalar:
			continue
		case nativememory.Reference:
			if field.Fresh, err = copied(p, (*uintptr)(at)); err != nil {
				return err
			}
		default:
			value := (*abi.Any)(at)
			if value.TypeIndex == abi.IndexNone && p.Kind != nativememory.Value {
				*value = emptyContent(p.Kind)
			}
			if value.IsObject() && !isShared(value.TypeIndex) {
				return notCopied(p, value.TypeIndex)
			}
		}
		owned = append(owned, field)
	}
	retain(unsafe.Pointer(unsafe.SliceData(defaults)), owned)
	c.Owned, c.Fields, c.Defaults = owned, fields, defaults
	return nil
}

// copied checks the object that a reference of a new object refers to. It returns the kind of container that each object gets
// for itself, 0 for none, and takes the object out of the reference then.
func copied(p nativememory.Part, reference *uintptr) (fresh int32, err error) {
	object := handles.Pointer(*reference)
	if object == nil {
		return 0, nil
	}
	index := abi.TypeIndexOf(object)
	if isShared(index) {
		return 0, nil
	}
	if empty, err := isEmpty(index, object); err != nil || !empty {
		return 0, cmp.Or(err, notCopied(p, index))
	}
	*reference = 0
	return index, nil
}

// isEmpty reports whether an object is an empty List or Dict.
func isEmpty(index int32, object unsafe.Pointer) (bool, error) {
	name, ok := map[int32]string{abi.IndexList: "ffi.ListSize", abi.IndexDict: "ffi.DictSize"}[index]
	if !ok {
		return false, nil
	}
	size, err := values.GlobalFunction(name)
	if err != nil {
		return false, err
	}
	n, err := values.CallViews(size, []abi.Any{abi.ObjectValue(object)})
	return n.Int64() == 0, err
}

// isShared reports whether several objects may refer to one object of this type index, because nobody can change it.
func isShared(index int32) bool {
	switch index {
	case abi.IndexStr, abi.IndexBytes, abi.IndexArray, abi.IndexMap, abi.IndexShape, abi.IndexFunction:
		return true
	}
	return false
}

func notCopied(p nativememory.Part, index int32) error {
	return fault.New("TypeError", "field `%s` of a new object refers to a `%s` of its own, which Go cannot copy", p.Name,
		strings.Clone(typetable.TypeInfo(index).Key.String()))
}

// emptyContent returns the empty String or Bytes.
func emptyContent(kind nativememory.Kind) abi.Any {
	if kind == nativememory.Text {
		empty, _ := abi.SmallStr("")
		return empty
	}
	empty, _ := abi.SmallBytes(nil)
	return empty
}
