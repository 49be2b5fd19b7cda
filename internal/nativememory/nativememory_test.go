package nativememory

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

func bytesOf(text string) abi.ByteArray {
	return abi.ByteArray{Data: unsafe.Pointer(unsafe.StringData(text)), Size: uintptr(len(text))}
}

// described is a field of a class.
type described struct {
	name         string
	schema       string // JSON
	offset, size int64
	index        int32
}

func typeOf(schema string) string { return fmt.Sprintf(`{"type":%q}`, schema) }

func optional(schema string) string {
	return fmt.Sprintf(`{"type":"Optional","args":[{"type":%q}]}`, schema)
}

// class makes the reflection data of a class whose parent is the root.
func class(size int32, fields ...described) *abi.TypeInfo {
	var infos []abi.FieldInfo
	for _, f := range fields {
		metadata := fmt.Sprintf(`{"type_schema":%q}`, f.schema)
		if f.schema == "" {
			metadata = ""
		}
		infos = append(infos, abi.FieldInfo{
			Name: bytesOf(f.name), Metadata: bytesOf(metadata), Offset: f.offset, Size: f.size, Alignment: min(f.size, 8), StaticTypeIndex: f.index,
		})
	}
	info := &abi.TypeInfo{Depth: 1, NumField: int32(len(infos)), Fields: unsafe.Pointer(unsafe.SliceData(infos))}
	if size > 0 {
		info.Metadata = &abi.TypeMetadata{TotalSize: size}
	}
	return info
}

func TestMemoryThatFieldsExplain(t *testing.T) {
	size, parts, err := Of(class(104,
		described{"text", typeOf("ffi.String"), 32, 16, abi.IndexAny},
		described{"flag", typeOf("bool"), 24, 1, abi.IndexBool},
		described{"small", typeOf("int"), 28, 4, abi.IndexInt},
		described{"next", optional("geo.Point"), 48, 8, abi.IndexAny},
		described{"items", typeOf("ffi.List"), 56, 8, abi.IndexList},
		described{"same items", typeOf("ffi.List"), 56, 8, abi.IndexList},
		described{"maybe", optional("int"), 64, 16, abi.IndexAny},
		described{"note", optional("ffi.String"), 80, 16, abi.IndexAny},
		described{"ratio", typeOf("float"), 96, 4, abi.IndexFloat},
	))
	want := []Part{
		{"flag", "bool", Scalar, 24, 1}, {"small", "int", Scalar, 28, 4}, {"text", "ffi.String", Text, 32, 16}, {"next", "Optional", Reference, 48, 8},
		{"items", "ffi.List", Reference, 56, 8}, {"maybe", "Optional", Scalar, 64, 16}, {"note", "Optional", Value, 80, 16},
		{"ratio", "float", Scalar, 96, 4},
	}
	if err != nil || size != 104 || !reflect.DeepEqual(parts, want) {
		t.Errorf("size %d, error %v, parts\n%v\nwant\n%v", size, err, parts, want)
	}
	if size, parts, err := Of(class(24)); size != 24 || parts != nil || err != nil {
		t.Errorf("no fields: %d, %v, %v", size, parts, err)
	}
}

func TestMemoryThatNobodyExplains(t *testing.T) {
	for want, info := range map[string]*abi.TypeInfo{
		"does not tell how large":                     class(0),
		"no field tells what the bytes from 32 to 64": class(64, described{"n", typeOf("int"), 24, 8, abi.IndexInt}),
		"no field tells what the bytes from 24 to 32": class(40, described{"n", typeOf("int"), 32, 8, abi.IndexInt}),
		"no field tells what the bytes from 32 to 24": class(32, described{"a", typeOf("int"), 24, 8, 0}, described{"b", typeOf("bool"), 24, 1, 0}),
		"field `n` has no type":                       class(32, described{"n", "", 24, 8, abi.IndexInt}),
		"field `v` is a `std::vector`":                class(48, described{"v", typeOf("std::vector"), 24, 24, abi.IndexArray}),
		"field `s` is a `std::string`":                class(56, described{"s", typeOf("std::string"), 24, 32, abi.IndexStr}),
		"field `p` is a `void*`":                      class(32, described{"p", typeOf("void*"), 24, 8, abi.IndexOpaquePtr}),
		"field `c` is a `geo.Plain`":                  class(32, described{"c", typeOf("geo.Plain"), 24, 8, abi.IndexAny}),
		"field `o` is a `Optional`":                   class(56, described{"o", optional("std::string"), 24, 32, abi.IndexAny}),
	} {
		if _, _, err := Of(info); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	aligned := class(128, described{"n", typeOf("int"), 64, 8, abi.IndexInt})
	aligned.OwnFields()[0].Alignment = 64
	if _, _, err := Of(aligned); err == nil || !strings.Contains(err.Error(), "alignment of 64 bytes") {
		t.Errorf("a field of greater alignment: %v", err)
	}
}
