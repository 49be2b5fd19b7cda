package control

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
)

// publishedClasses repeats the layouts of the builtin classes, because the ABI's headers compile them into other
// libraries: a change must fail a test. A field is name@offset(size)flags:type index, a method name:flags.
var publishedClasses = map[string]struct {
	depth, size, kind int32
	creator           bool
	fields, methods   string
}{
	"ffi.VisitInterrupt":        {1, 40, 0, true, "value@24(16)0x2:-1", ""},
	"ffi.EnumState":             {1, 48, 0, true, "entries@24(8)0x200:75 indexes@32(8)0x200:64 attrs@40(8)0x200:64", "__ffi_init__:4"},
	"ffi.Enum":                  {1, 48, 5, true, "_int_index@24(8)0x8:1 _str_index@32(16)0x0:-1", ""},
	"ffi.IntEnum":               {2, 48, 5, true, "value@24(8)0x208:1", ""},
	"ffi.StrEnum":               {2, 48, 5, true, "value@32(16)0x208:-1", ""},
	"ffi.reflection.AccessStep": {1, 48, 4, true, "kind@24(4)0x0:1 key@32(16)0x0:-1", ""},
	"ffi.reflection.AccessPath": {1, 48, 4, true, "parent@24(8)0x0:-1 step@32(8)0x0:-1 depth@40(4)0x0:1",
		"_root:4 _extend:0 _attr:0 _array_item:0 _map_item:0 _attr_missing:0 _array_item_missing:0 _map_item_missing:0 _is_prefix_of:0 _to_steps:0 _path_equal:0"},
	"ffi.StructuralVisitor": {1, 40, 0, false, "", ""},
	"ffi.StructuralMutator": {1, 40, 0, false, "", ""},
	"ffi.VisitErrorContext": {1, 40, 0, true, "reverse_visit_pattern@24(8)0x0:75 prev_error_context@32(8)0x0:-1", ""},
	"ffi.StructuralKey":     {1, 48, 0, true, "key@24(16)0x0:-1 hash_i64@40(8)0x0:1", "__ffi_init__:4"},
}

// The builtin classes have the published layouts.
func TestBuiltinClassesHavePublishedLayouts(t *testing.T) {
	for key, want := range publishedClasses {
		info := plane.TypeAt(plane.TypeByKey(key)).Info()
		m := info.Metadata
		if info.Depth != want.depth || m.TotalSize != want.size || m.StructuralEqHashKind != want.kind || (m.Creator != 0) != want.creator {
			t.Errorf("%s: depth %d, size %d, kind %d, creator %v", key, info.Depth, m.TotalSize, m.StructuralEqHashKind, m.Creator != 0)
		}
		var fields, methods []string
		for _, f := range info.OwnFields() {
			fields = append(fields, fmt.Sprintf("%s@%d(%d)%#x:%d", f.Name.String(), f.Offset, f.Size, f.Flags, f.StaticTypeIndex))
			if f.Getter == 0 || f.Setter == nil {
				t.Errorf("%s.%s cannot be read or set", key, f.Name.String())
			}
		}
		for _, m := range info.OwnMethods() {
			methods = append(methods, fmt.Sprintf("%s:%d", m.Name.String(), m.Flags))
		}
		if got := strings.Join(fields, " "); got != want.fields {
			t.Errorf("%s has fields %s\nwant %s", key, got, want.fields)
		}
		if got := strings.Join(methods, " "); got != want.methods {
			t.Errorf("%s has methods %s\nwant %s", key, got, want.methods)
		}
	}
}

// Objects of every builtin class can be made, copied and released, and their fields reject values of a wrong type.
func TestBuiltinObjectsAreMadeCopiedAndChecked(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer leakcheck.Check(t)()
	odd := abi.DeviceValue(abi.Device{Type: 1})
	for key, class := range publishedClasses {
		if !class.creator {
			continue
		}
		info := plane.TypeAt(plane.TypeByKey(key)).Info()
		obj, ok := plane.CreateObject(info)
		if !ok {
			t.Fatal(takeRaised())
		}
		made, ok := plane.Call(plane.FindColumn("__ffi_shallow_copy__").Lookup(info.TypeIndex).Pointer(), []abi.Any{abi.ObjectValue(obj)})
		if !ok {
			t.Fatal(takeRaised())
		}
		if made.TypeIndex != info.TypeIndex || made.Pointer() == obj {
			t.Errorf("the copy of a %s is %v", key, made)
		}
		for f := range info.AllFields() {
			infos, objs, out := []*abi.FieldInfo{f}, []unsafe.Pointer{obj}, make([]abi.Any, 1)
			if !plane.ReadFields(infos, objs, out) {
				t.Errorf("%s.%s: %s", key, f.Name.String(), takeRaised())
				continue
			}
			if !plane.SetField(f, obj, unsafe.Pointer(&out[0])) {
				t.Errorf("%s.%s cannot be set to what it was: %s", key, f.Name.String(), takeRaised())
			}
			plane.Reset(&out[0])
			if f.StaticTypeIndex == abi.IndexAny && f.Name.String() != "_str_index" && f.Size == 16 && key != "ffi.StrEnum" {
				continue // takes anything
			}
			if plane.SetField(f, obj, unsafe.Pointer(&odd)) {
				t.Errorf("%s.%s took a device", key, f.Name.String())
			} else if message := takeRaised(); !strings.Contains(message, "Cannot convert from type `Device`") {
				t.Errorf("%s.%s: %s", key, f.Name.String(), message)
			}
		}
		plane.Reset(&made)
		plane.DecRef(obj)
	}
}

// A class made from fields must have a valid type index, size and kinds of fields.
// Requirement: A5
func TestClassFromFieldsIsChecked(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, c := range []struct{ index, size int64 }{{-1, 64}, {1, 64}, {1 << 40, 64}, {int64(builtinIndices[0]), 24}, {int64(builtinIndices[0]), -5}} {
		if err := registerPyClass(c.index, c.size); err == nil {
			t.Errorf("index %d, size %d were taken", c.index, c.size)
		}
	}
	for _, index := range []int64{7, 13, -2, 1 << 40} {
		value := abi.Int(index)
		if plane.LayoutGetter(storageIndex(&value)) != 0 {
			t.Errorf("there is a getter for fields of kind %d", index)
		}
	}
}
