package graph

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// storage is the memory format of a field, as far as a walk may read it without the getter.
type storage uint8

const (
	unknown storage = iota // only the getter can read the field
	anyStorage
	objectStorage
	int64Storage
	int32Storage
	boolStorage
	floatStorage
)

// Field is a reflected field of a class.
type Field struct {
	Info    *abi.FieldInfo
	Offset  uintptr
	Flags   int64
	Static  int32 // the field's static type index
	storage storage
}

// Name returns a view of the field's name.
func (f *Field) Name() []byte { return f.Info.Name.Bytes() }

// Type is a class, with the fields that a walk sees.
type Type struct {
	Info   *abi.TypeInfo
	Fields []Field // those of ancestors first
	Plain  bool    // every field can be read from its storage, without its getter
	infos  []*abi.FieldInfo

	askedCreate, canCreate bool
}

// Key returns the type key.
func (t *Type) Key() string { return t.Info.Key.String() }

// Builtin reports whether a type index is that of a class of the runtime, all fields of which are plain. Set by package
// runtime after it has registered them.
var Builtin = func(index int32) bool { return false }

// Types caches the classes that one walk meets.
type Types struct {
	Skip  int64    // a field with one of these flags is left out
	first [4]*Type // those that it meets first: most walks meet no others
	known []*Type  // the others, by type index
}

// Of returns the class of a type index, which must be that of a live object.
func (ts *Types) Of(index int32) *Type {
	for _, t := range ts.first {
		if t == nil {
			break
		}
		if t.Info.TypeIndex == index {
			return t
		}
	}
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
	t := &Type{Info: entry.Info(), Plain: true}
	count := 0
	for range t.Info.AllFields() {
		count++
	}
	t.Fields, t.infos = make([]Field, 0, count), make([]*abi.FieldInfo, 0, count)
	builtin := Builtin(index)
	for f := range t.Info.AllFields() {
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
	ts.keep(index, t)
	return t
}

func (ts *Types) keep(index int32, t *Type) {
	for i := range ts.first {
		if ts.first[i] == nil {
			ts.first[i] = t
			return
		}
	}
	if int(index) >= len(ts.known) {
		known := make([]*Type, index+32)
		copy(known, ts.known)
		ts.known = known
	}
	ts.known[index] = t
}

func storageOf(f *abi.FieldInfo) storage {
	switch {
	case f.StaticTypeIndex == abi.IndexAny && f.Size == 16:
		return anyStorage
	case (f.StaticTypeIndex == abi.IndexAny || f.StaticTypeIndex >= abi.IndexStaticObjectBegin) && f.Size == 8:
		return objectStorage
	case f.StaticTypeIndex == abi.IndexInt && f.Size == 8:
		return int64Storage
	case f.StaticTypeIndex == abi.IndexInt && f.Size == 4:
		return int32Storage
	case f.StaticTypeIndex == abi.IndexBool && f.Size == 1:
		return boolStorage
	case f.StaticTypeIndex == abi.IndexFloat && f.Size == 8:
		return floatStorage
	}
	return unknown
}

// readStorage reads a field whose storage is known. The value is borrowed from the object.
// python/src/selfsame_ffi/_core/types/field_storage.h says why.
func (f *Field) readStorage(obj unsafe.Pointer) abi.Any {
	at := unsafe.Add(obj, f.Offset)
	switch f.storage {
	case anyStorage:
		return *(*abi.Any)(at)
	case objectStorage:
		return abi.ObjectValue(*(*unsafe.Pointer)(at))
	case int64Storage:
		return abi.Int(*(*int64)(at))
	case int32Storage:
		return abi.Int(int64(*(*int32)(at)))
	case boolStorage:
		return abi.Bool(*(*byte)(at) != 0)
	default:
		return abi.Float(*(*float64)(at))
	}
}

// Get reads one field of an object. The value is borrowed from the object, unless owned says that the caller owns it.
// Errors are those of the getter.
func (f *Field) Get(obj unsafe.Pointer) (value abi.Any, owned bool, err error) {
	if f.storage != unknown {
		return f.readStorage(obj), false, nil
	}
	infos, objs, out := [1]*abi.FieldInfo{f.Info}, [1]unsafe.Pointer{obj}, [1]abi.Any{}
	if !plane.ReadFields(infos[:], objs[:], out[:]) {
		return abi.Any{}, false, failure.ErrRaised
	}
	return out[0], true, nil
}

// Read stores all fields of an object in out, which must be as long as Fields. The values are borrowed from the object if
// the class is Plain, else the caller owns them. Errors are those of the getters; then out has no owned values.
func (t *Type) Read(obj unsafe.Pointer, out []abi.Any) error {
	if t.Plain {
		for i := range t.Fields {
			out[i] = t.Fields[i].readStorage(obj)
		}
		return nil
	}
	objs := [1]unsafe.Pointer{obj}
	if !plane.ReadFields(t.infos, objs[:], out) {
		return failure.ErrRaised
	}
	return nil
}

// Build makes an object of the class, which the caller owns, and sets its fields, in the order of Fields, to borrowed
// values. A value of type index abi.IndexAny stands for the field's default. The Type must have been made with Skip 0.
// Errors are those of the class's creator and of the setters.
func (t *Type) Build(values []abi.Any) (unsafe.Pointer, error) {
	h, ok := plane.BuildObject(t.Info, t.infos, values)
	if !ok {
		return nil, failure.ErrRaised
	}
	return h, nil
}

// CanCreate reports whether objects of the class can be made through reflection.
func (t *Type) CanCreate() bool {
	if !t.askedCreate {
		t.askedCreate = true
		t.canCreate = t.Info.Metadata != nil && t.Info.Metadata.Creator != 0 ||
			Attr("__ffi_new__", t.Info.TypeIndex).TypeIndex == abi.IndexFunction
	}
	return t.canCreate
}

// static are the types with a static type index, as far as they were looked up.
var static [abi.IndexStaticObjectEnd]atomic.Pointer[abi.TypeInfo]

// info returns the type of a registered type index.
func info(index int32) *abi.TypeInfo {
	if index < 0 || index >= abi.IndexStaticObjectEnd {
		return plane.TypeAt(index).Info()
	}
	t := static[index].Load()
	if t == nil {
		t = plane.TypeAt(index).Info()
		static[index].Store(t)
	}
	return t
}

// KeyBytes returns a view of a type's key.
func KeyBytes(index int32) []byte { return info(index).Key.Bytes() }
