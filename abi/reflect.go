package abi

import (
	"iter"
	"unsafe"
)

// FieldInfo is TVMFFIFieldInfo, 120 bytes.
type FieldInfo struct {
	Name            ByteArray
	Doc             ByteArray
	Metadata        ByteArray // JSON text
	Flags           int64
	Size            int64
	Alignment       int64
	Offset          int64          // from the object handle
	Getter          uintptr        // C function int (*)(void* field, TVMFFIAny* result)
	Setter          unsafe.Pointer // C function int (*)(void* field, const TVMFFIAny* value), or a Function (FlagSetterIsFunctionObj)
	Default         Any            // the default value, or its factory (FlagDefaultFromFactory)
	StaticTypeIndex int32
	_               int32
}

// MethodInfo is TVMFFIMethodInfo, 72 bytes.
type MethodInfo struct {
	Name     ByteArray
	Doc      ByteArray
	Metadata ByteArray
	Flags    int64
	Method   Any
}

// TypeMetadata is TVMFFITypeMetadata, 32 bytes.
type TypeMetadata struct {
	Doc                  ByteArray
	Creator              uintptr // C function int (*)(TVMFFIObjectHandle* result), or 0
	TotalSize            int32
	StructuralEqHashKind int32
}

// TypeAttrColumn is TVMFFITypeAttrColumn, 16 bytes.
type TypeAttrColumn struct {
	Data       unsafe.Pointer // Any[Size], indexed by type index - BeginIndex
	Size       int32
	BeginIndex int32
}

// Lookup returns the value of one type, None when there is none. It is borrowed from the column.
func (c *TypeAttrColumn) Lookup(index int32) Any {
	if c == nil || index < c.BeginIndex || index-c.BeginIndex >= c.Size {
		return Any{}
	}
	return *(*Any)(unsafe.Add(c.Data, uintptr(index-c.BeginIndex)*unsafe.Sizeof(Any{})))
}

// TypeInfo is TVMFFITypeInfo, 72 bytes. It never moves and is never freed.
type TypeInfo struct {
	TypeIndex int32
	Depth     int32 // number of ancestors
	Key       ByteArray
	Ancestors unsafe.Pointer // *TypeInfo[Depth]: ffi.Object first, the parent last
	KeyHash   uint64
	NumField  int32 // own fields, without inherited ones
	NumMethod int32
	Fields    unsafe.Pointer // FieldInfo[NumField]
	Methods   unsafe.Pointer // MethodInfo[NumMethod]
	Metadata  *TypeMetadata  // nil until registered
}

// Ancestor returns the ancestor at one depth: 0 is ffi.Object.
func (t *TypeInfo) Ancestor(depth int32) *TypeInfo {
	return *(**TypeInfo)(unsafe.Add(t.Ancestors, uintptr(depth)*unsafe.Sizeof(t)))
}

// Parent returns the direct parent, nil for a root.
func (t *TypeInfo) Parent() *TypeInfo {
	if t.Depth == 0 {
		return nil
	}
	return t.Ancestor(t.Depth - 1)
}

// IsA says whether the type is base or descends from it.
func (t *TypeInfo) IsA(base *TypeInfo) bool {
	return t == base || t.Depth > base.Depth && t.Ancestor(base.Depth) == base
}

// OwnFields views the type's own fields.
func (t *TypeInfo) OwnFields() []FieldInfo {
	if t.NumField == 0 {
		return nil
	}
	return unsafe.Slice((*FieldInfo)(t.Fields), t.NumField)
}

// AllFields yields the fields of the type, its ancestors' first. ffi.Object has none.
func (t *TypeInfo) AllFields() iter.Seq[*FieldInfo] {
	return func(yield func(*FieldInfo) bool) {
		for depth := int32(1); depth <= t.Depth; depth++ {
			owner := t
			if depth < t.Depth {
				owner = t.Ancestor(depth)
			}
			own := owner.OwnFields()
			for i := range own {
				if !yield(&own[i]) {
					return
				}
			}
		}
	}
}

// OwnMethods views the type's own methods.
func (t *TypeInfo) OwnMethods() []MethodInfo {
	if t.NumMethod == 0 {
		return nil
	}
	return unsafe.Slice((*MethodInfo)(t.Methods), t.NumMethod)
}
