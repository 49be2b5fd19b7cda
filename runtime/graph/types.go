package graph

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// storage is how a field's value lies in the object.
type storage uint8

const (
	unknown storage = iota // only the getter knows
	anyCell
	objectPtr
	int64Cell
	int32Cell
	boolByte
	floatCell
)

// Field is a reflected field as a walk sees it.
type Field struct {
	Info    *abi.FieldInfo
	Offset  uintptr
	Flags   int64
	Static  int32 // the field's static type index
	storage storage
}

// Name views the field's name.
func (f *Field) Name() []byte { return f.Info.Name.Bytes() }

// Type is a class as a walk sees it.
type Type struct {
	Info   *abi.TypeInfo
	Fields []Field // ancestors' first
	// Plain: every field is read directly, without its getter.
	Plain bool
	infos []*abi.FieldInfo

	askedCreate, canCreate bool
}

// Key is the type's key.
func (t *Type) Key() string { return t.Info.Key.String() }

// Builtin says whether a type index is one of the runtime's own classes, whose fields are all plain. Set by package
// runtime when it has registered them.
var Builtin = func(index int32) bool { return false }

// Types remembers the classes that one walk meets. Skip are the flags of fields that the walk does not see.
type Types struct {
	Skip  int64
	known []*Type
}

// Of is the class of an index; the index is that of a live object.
func (ts *Types) Of(index int32) *Type {
	if int(index) < len(ts.known) {
		if t := ts.known[index]; t != nil {
			return t
		}
	}
	return ts.add(index)
}

func (ts *Types) add(index int32) *Type {
	entry := plane.TypeAt(index)
	if entry == nil {
		return nil
	}
	if int(index) >= len(ts.known) {
		known := make([]*Type, index+32)
		copy(known, ts.known)
		ts.known = known
	}
	t := &Type{Info: entry.Info(), Plain: true}
	builtin := Builtin(index)
	for depth := int32(1); depth <= t.Info.Depth; depth++ {
		owner := t.Info
		if depth < t.Info.Depth {
			owner = t.Info.Ancestor(depth)
		}
		own := owner.OwnFields()
		for i := range own {
			f := &own[i]
			if f.Flags&ts.Skip != 0 {
				continue
			}
			field := Field{Info: f, Offset: uintptr(f.Offset), Flags: f.Flags, Static: f.StaticTypeIndex}
			if builtin || f.Flags&abi.FlagPlain != 0 || plane.LayoutGetterKnown(f.Getter) {
				field.storage = storageOf(f)
			}
			t.Plain = t.Plain && field.storage != unknown
			t.Fields = append(t.Fields, field)
			t.infos = append(t.infos, f)
		}
	}
	ts.known[index] = t
	return t
}

func storageOf(f *abi.FieldInfo) storage {
	switch {
	case f.StaticTypeIndex == abi.IndexAny && f.Size == 16:
		return anyCell
	case (f.StaticTypeIndex == abi.IndexAny || f.StaticTypeIndex >= abi.IndexStaticObjectBegin) && f.Size == 8:
		return objectPtr
	case f.StaticTypeIndex == abi.IndexInt && f.Size == 8:
		return int64Cell
	case f.StaticTypeIndex == abi.IndexInt && f.Size == 4:
		return int32Cell
	case f.StaticTypeIndex == abi.IndexBool && f.Size == 1:
		return boolByte
	case f.StaticTypeIndex == abi.IndexFloat && f.Size == 8:
		return floatCell
	}
	return unknown
}

// peek reads a field whose storage is known. The value is borrowed from the object.
func (f *Field) peek(obj unsafe.Pointer) abi.Any {
	at := unsafe.Add(obj, f.Offset)
	switch f.storage {
	case anyCell:
		return *(*abi.Any)(at)
	case objectPtr:
		return abi.ObjectValue(*(*unsafe.Pointer)(at))
	case int64Cell:
		return abi.Int(*(*int64)(at))
	case int32Cell:
		return abi.Int(int64(*(*int32)(at)))
	case boolByte:
		return abi.Bool(*(*byte)(at) != 0)
	default:
		return abi.Float(*(*float64)(at))
	}
}

// Get reads one field of an object: borrowed from the object when owned is false, else the caller's.
func (f *Field) Get(obj unsafe.Pointer) (value abi.Any, owned bool, err error) {
	if f.storage != unknown {
		return f.peek(obj), false, nil
	}
	infos, objs, out := [1]*abi.FieldInfo{f.Info}, [1]unsafe.Pointer{obj}, [1]abi.Any{}
	if !plane.ReadFields(infos[:], objs[:], out[:]) {
		return abi.Any{}, false, fault.ErrRaised
	}
	return out[0], true, nil
}

// Read puts all fields of an object into out, which has room for them: borrowed from the object when the class is
// Plain, else owned by the caller.
func (t *Type) Read(obj unsafe.Pointer, out []abi.Any) error {
	if t.Plain {
		for i := range t.Fields {
			out[i] = t.Fields[i].peek(obj)
		}
		return nil
	}
	objs := [1]unsafe.Pointer{obj}
	if !plane.ReadFields(t.infos, objs[:], out) {
		return fault.ErrRaised
	}
	return nil
}

// ReadPair is Read for two objects of the class in one crossing.
func (t *Type) ReadPair(a, b unsafe.Pointer, outA, outB []abi.Any) error {
	if t.Plain {
		for i := range t.Fields {
			outA[i], outB[i] = t.Fields[i].peek(a), t.Fields[i].peek(b)
		}
		return nil
	}
	n := len(t.Fields)
	objs := [2]unsafe.Pointer{a, b}
	both := unsafe.Slice(unsafe.SliceData(outA), 2*n) // outB lies behind outA
	if !plane.ReadFields(t.infos, objs[:], both) {
		return fault.ErrRaised
	}
	return nil
}

// Build makes an object of the class with all its fields set, in the order of Fields, to borrowed values; a value of type
// index -1 stands for the field's default. The walk does not skip any field.
func (t *Type) Build(values []abi.Any) (unsafe.Pointer, error) {
	h, ok := plane.BuildObject(t.Info, t.infos, values)
	if !ok {
		return nil, fault.ErrRaised
	}
	return h, nil
}

// EqHashKind is the class's structural kind; known is false for a class without metadata.
func (t *Type) EqHashKind() (kind int32, known bool) {
	if t.Info.Metadata == nil {
		return 0, false
	}
	return t.Info.Metadata.StructuralEqHashKind, true
}

// CanCreate says whether objects of the class can be made through reflection.
func (t *Type) CanCreate() bool {
	if !t.askedCreate {
		t.askedCreate = true
		t.canCreate = t.Info.Metadata != nil && t.Info.Metadata.Creator != 0 ||
			Attr("__ffi_new__", t.Info.TypeIndex).TypeIndex == abi.IndexFunction
	}
	return t.canCreate
}

// fixed are the types with a fixed index, as far as they were asked for.
var fixed [abi.IndexStaticObjectEnd]atomic.Pointer[abi.TypeInfo]

// info is the type of an index that is registered.
func info(index int32) *abi.TypeInfo {
	if index < 0 || index >= abi.IndexStaticObjectEnd {
		return plane.TypeAt(index).Info()
	}
	t := fixed[index].Load()
	if t == nil {
		t = plane.TypeAt(index).Info()
		fixed[index].Store(t)
	}
	return t
}

// KeyHash is the hash of a type's key.
func KeyHash(index int32) uint64 { return info(index).KeyHash }

// KeyBytes views a type's key.
func KeyBytes(index int32) []byte { return info(index).Key.Bytes() }
